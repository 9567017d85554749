//! Which log writes a session.

use std::slice;

use hud_postgres::{Part, Sent, init};
use hud_store::event::{NewEvent, SessionId};
use hud_store::log::record::Record;
use hud_store::log::{AppendMany, Batch, EventName, Expected, Log, LogError, Redact};
use hud_store::section::Sections;
use uuid::Uuid;

use crate::given::{contents, note, session};
use crate::nodes::{Nodes, open, shared};
use crate::proxy::Proxy;

const OURS: Uuid = Uuid::from_u128(1);
const THEIRS: Uuid = Uuid::from_u128(2);

pub(crate) fn part(name: &str, expected: u64, events: impl IntoIterator<Item = u64>) -> Part {
    let records = events
        .into_iter()
        .map(|n| Record::encode(&note(n), &Sections::new()).unwrap());
    Part {
        session: session(name),
        expected: Some(expected),
        epoch: 0,
        resumes: None,
        events: records.collect(),
    }
}

#[test]
fn a_session_takes_events_from_its_home_and_from_nobody_else() {
    let Some(nodes) = shared() else { return };
    let mut log = nodes.log();
    let sent = log.send(OURS, "a", vec![part("s", 0, 1..=2)]).unwrap();
    assert_eq!(sent, [Sent::Appended { duplicates: 0 }]);
    let stranger = log.send(THEIRS, "b", vec![part("s", 2, [3])]).unwrap();
    assert!(
        matches!(stranger[..], [Sent::Moved { home, shared: 0 }] if home.log == Some(OURS)),
        "{stranger:?}"
    );
    let direct = log.append(&session("s"), Expected::Any, &[note(3)]);
    assert!(matches!(direct, Err(LogError::Moved { .. })), "{direct:?}");
    log.append(&session("direct"), Expected::Any, &[note(4)])
        .unwrap();
    let sent = log.send(OURS, "a", vec![part("direct", 1, [5])]).unwrap();
    assert!(matches!(sent[..], [Sent::Moved { home, .. }] if home.log.is_none()));
    assert_eq!(contents(&log).len(), 3);
}

#[test]
fn many_sessions_are_sent_in_one_round_trip_and_what_is_refused_keeps_no_other_back() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let proxy = Proxy::before(nodes.nodes[0].port);
    let mut log = open(&nodes.address_by(proxy.port, address.log()));
    log.send(OURS, "a", vec![part("warm", 0, [1])]).unwrap();
    let before = proxy.turns();
    let parts = vec![
        part("a", 0, 10..20),
        part("warm", 7, [2]),
        part("b", 0, 20..30),
    ];
    let sent = log.send(OURS, "a", parts).unwrap();
    assert_eq!(proxy.turns() - before, 1);
    assert_eq!(
        sent,
        [
            Sent::Appended { duplicates: 0 },
            Sent::Unmet { version: 1 },
            Sent::Appended { duplicates: 0 }
        ]
    );
    let found = contents(&log);
    let seqs: Vec<u64> = found.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=21).collect::<Vec<_>>());
    let again = log.send(OURS, "a", vec![part("a", 0, 10..20)]).unwrap();
    assert_eq!(again, [Sent::Appended { duplicates: 10 }]);
}

#[test]
fn of_many_who_claim_a_session_at_once_one_is_its_home() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let name = session("s");
    open(&address)
        .send(OURS, "a", vec![part("s", 0, [1])])
        .unwrap();
    for epoch in 0..5 {
        let taken: Vec<bool> = std::thread::scope(|scope| {
            let claims: Vec<_> = (10..14_u128)
                .map(|log| {
                    let (address, name) = (&address, &name);
                    scope.spawn(move || {
                        let mut to = open(address);
                        to.claim(name, Some(Uuid::from_u128(log)), epoch).unwrap().0
                    })
                })
                .collect();
            claims
                .into_iter()
                .map(|claim| claim.join().unwrap())
                .collect()
        });
        assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    }
    let home = open(&address).home(&name).unwrap().unwrap();
    assert_eq!((home.epoch, home.version), (5, 1));
    let missing = open(&address).claim(&session("none"), None, 0);
    assert!(matches!(missing, Err(LogError::NoSession { .. })));
}

/// A log of the first schema, with one event in its session `s`.
pub(crate) fn first(nodes: &Nodes, name: &str) {
    let schema = include_str!("../../src/schema_1.sql")
        .replace("{log}", name)
        .replace("{writer}", &format!("{name}_writer"))
        .replace("{reader}", &format!("{name}_reader"));
    nodes.sql(&format!(
        "CREATE ROLE {name}_owner; CREATE ROLE {name}_writer; CREATE ROLE {name}_reader; \
         CREATE SCHEMA {name} AUTHORIZATION {name}_owner; SET ROLE {name}_owner; {schema} \
         UPDATE {name}.head SET schema = 1; \
         SELECT {name}.hud_append('s', 0, 1000, ARRAY['{}'::uuid], '{{1}}', '{{1000000}}', '{{note.add}}', '{{1}}', \
         '{{agent}}', ARRAY[NULL::uuid], ARRAY['{{\"id\":\"n1\",\"content\":\"note 1\"}}'], ARRAY[NULL::bytea], \
         ARRAY[NULL::bytea])",
        note(1).id
    ));
}

#[test]
fn a_log_of_the_first_schema_is_brought_up_to_date_with_what_it_has() {
    let Some(nodes) = shared() else { return };
    first(&nodes, "first");
    let address = nodes.address("postgres", "first");
    let mut log = open(&address);
    let refused = log.append(&session("s"), Expected::Any, &[note(2)]);
    assert!(
        matches!(refused, Err(LogError::Schema { .. })),
        "{refused:?}"
    );
    // Anybody may have saved it.
    nodes.sql("INSERT INTO first.snapshot VALUES ('s', 1, 1, '{}', '')");
    init(&address, &hud_postgres::Options::default()).unwrap();
    assert_eq!(nodes.sql("SELECT count(*) FROM first.snapshot").trim(), "0");
    let mut log = open(&address);
    let again = log.append(&session("s"), Expected::NoStream, slice::from_ref(&note(1)));
    assert_eq!(again.unwrap().duplicates, 1);
    log.append(&session("s"), Expected::Exact(1), &[note(2)])
        .unwrap();
    assert_eq!(contents(&log).len(), 2);
    assert_eq!(log.home(&session("s")).unwrap().unwrap().log, None);
}

#[test]
fn what_another_log_writes_is_redacted_there_and_appended_there() {
    let Some(nodes) = shared() else { return };
    let mut log = nodes.log();
    let (theirs, ours) = (session("theirs"), session("ours"));
    log.append(&theirs, Expected::Any, &[note(1)]).unwrap();
    log.claim(&theirs, Some(THEIRS), 0).unwrap();
    let before = contents(&log);
    let name = EventName::Version(theirs.clone(), 1);
    let refused = log.redact(&name, None, &mut |happened| NewEvent {
        event: happened.into(),
        ..note(2)
    });
    assert!(
        matches!(refused, Err(LogError::Moved { .. })),
        "{refused:?}"
    );
    let batch =
        |of: &SessionId, n| Batch::new(of.clone(), Expected::Any, &[note(n)], &Sections::new());
    let batches = [batch(&ours, 3).unwrap(), batch(&theirs, 4).unwrap()];
    let refused = log.append_many(&batches);
    assert!(
        matches!(&refused, Err(LogError::Moved { session, .. }) if session == &theirs),
        "{refused:?}"
    );
    assert_eq!(contents(&log), before);
}

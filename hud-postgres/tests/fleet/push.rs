//! Sending what a log records: each event once and in order, whatever happens on the way.

use std::ops::ControlFlow;
use std::path::Path;
use std::slice;
use std::time::Duration;

use hud_postgres::{Address, Options, PgLog, SyncError, push};
use hud_store::event::{
    Actor, EventRedact, NewEvent, OutputKeep, SessionId, SessionStart, StoredEvent,
};
use hud_store::log::{Expected, Log, LogError, Query, Search as _, state_of};
use hud_store::sqlite::SqliteLog;

use crate::given::{contents, note, read, redact, session};
use crate::nodes::{Nodes, alone, open, open_within, shared};
use crate::proxy::{Cut, Proxy};

pub(crate) fn sent(from: &SqliteLog, to: &Address) -> hud_postgres::Pushed {
    push(from, &mut open(to), "test").unwrap()
}

/// Adds notes to a session.
pub(crate) fn noted(log: &mut SqliteLog, name: &str, notes: impl IntoIterator<Item = u64>) {
    let events: Vec<_> = notes.into_iter().map(note).collect();
    log.append(&session(name), Expected::Any, &events).unwrap();
}

/// What a session has, but for its places in the log and its name.
pub(crate) fn events(log: &dyn Log, name: &SessionId) -> Vec<StoredEvent> {
    let (mut events, outcome) = read(|each| log.read(name, 1, each));
    outcome.unwrap();
    for event in &mut events {
        event.seq = 0;
        event.session = session("any");
    }
    events
}

/// What an output says that was kept.
const SAID: &str = "the-word-that-must-go";

pub(crate) fn output(n: u64, content: &str) -> NewEvent {
    NewEvent {
        event: OutputKeep {
            call: Some(format!("c{n}")),
            tool: "Read".into(),
            target: Some("src/a.rs".into()),
            content: content.into(),
            outline: None,
        }
        .into(),
        ..note(n)
    }
}

#[test]
fn what_a_log_records_is_there_once_and_in_order() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=1500);
    noted(&mut log, "b", 2000..2010);
    noted(&mut log, "a", 3000..3010);
    assert_eq!(sent(&log, &address).events, 1520);
    assert_eq!(sent(&log, &address), hud_postgres::Pushed::default());
    noted(&mut log, "b", [2010]);
    assert_eq!(sent(&log, &address).events, 1);
    let centre = open(&address);
    for name in ["a", "b"].map(session) {
        assert_eq!(events(&centre, &name), events(&log, &name));
    }
    let remote = log.remote(&centre.place().to_string()).unwrap();
    assert_eq!((remote.seq, remote.trouble), (1521, None));
    let machines = centre.machines().unwrap();
    assert_eq!(
        (machines[0].log, machines[0].sessions),
        (log.id().unwrap(), 2)
    );
}

#[test]
fn a_push_of_what_was_recorded_since_the_last_one_is_one_round_trip() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let proxy = Proxy::before(nodes.nodes[0].port);
    let mut log = SqliteLog::open_in_memory().unwrap();
    let mut to = open(&nodes.address_by(proxy.port, made.log()));
    noted(&mut log, "a", [1]);
    push(&log, &mut to, "test").unwrap();
    for n in 1..=5 {
        noted(&mut log, "a", 10 * n..10 * n + 5);
        noted(&mut log, &format!("new-{n}"), [10 * n + 5]);
        let before = proxy.turns();
        assert_eq!(push(&log, &mut to, "test").unwrap().events, 6);
        assert_eq!(proxy.turns() - before, 1);
        // Where there is nothing to send, nothing is said.
        push(&log, &mut to, "test").unwrap();
        assert_eq!(proxy.turns() - before, 1);
    }
}

#[test]
fn a_push_that_is_cut_anywhere_is_gone_on_with() {
    let Some(nodes) = shared() else { return };
    let proxy = Proxy::before(nodes.nodes[0].port);
    let made = |turn: u64, cut| {
        let address = nodes.made();
        let mut log = SqliteLog::open_in_memory().unwrap();
        noted(&mut log, "a", 1..=1500);
        noted(&mut log, "b", 2000..2600);
        let by_proxy = nodes.address_by(proxy.port, address.log());
        proxy.cut(turn, cut, 2);
        let before = proxy.turns();
        let outcome = PgLog::open(&by_proxy, &Options::default())
            .map_err(SyncError::from)
            .and_then(|mut to| push(&log, &mut to, "test"));
        let turns = proxy.turns() - before;
        proxy.mend();
        // It goes on meanwhile, so that the next page is another than the one that was cut.
        noted(&mut log, "a", [1501]);
        noted(&mut log, "c", [4000]);
        let done = sent(&log, &address);
        assert!(outcome.is_err() || done.events == 2, "{done:?}");
        assert_eq!(done.renamed, []);
        let centre = open(&address);
        for name in ["a", "b", "c"].map(session) {
            assert_eq!(
                events(&centre, &name),
                events(&log, &name),
                "{turn} {cut:?}"
            );
        }
        assert_eq!(contents(&centre).len(), 2102, "turn {turn} {cut:?}");
        turns
    };
    let turns = made(1000, Cut::Request);
    assert!(turns > 3, "{turns}");
    for turn in 1..=turns {
        made(turn, Cut::Request);
        made(turn, Cut::Answer);
    }
}

#[test]
fn a_primary_that_is_killed_takes_no_event_of_a_push_with_it() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    for n in 0..40 {
        noted(&mut log, &format!("s{}", n % 7), n * 500..(n + 1) * 500);
    }
    let to = address.clone();
    let pushing = std::thread::spawn(move || {
        let mut to = open_within(&to, Duration::from_secs(5));
        let mut failed = 0;
        while let Err(error) = push(&log, &mut to, "test") {
            assert!(matches!(error, SyncError::Log(_)), "{error}");
            failed += 1;
            assert!(failed < 500, "{error}");
            std::thread::sleep(Duration::from_millis(50));
        }
        log
    });
    crate::nodes::until(|| !contents(&open(&address)).is_empty());
    nodes.nodes[0].kill();
    nodes.fail_over(0);
    let log = pushing.join().unwrap();
    let centre = open(&address);
    assert_eq!(contents(&centre).len(), 20_000);
    for name in (0..7).map(|n| session(&format!("s{n}"))) {
        assert_eq!(events(&centre, &name), events(&log, &name));
    }
}

#[test]
fn a_name_that_is_a_strangers_becomes_another_and_stays_that() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut ours, mut theirs) = (
        SqliteLog::open_in_memory().unwrap(),
        SqliteLog::open_in_memory().unwrap(),
    );
    noted(&mut theirs, "main", 1..=3);
    // Some ids follow from a session's name, and so are the same on both sides.
    let mut first = note(1);
    first.turn = 99;
    ours.append(&session("main"), Expected::Any, &[first, note(11)])
        .unwrap();
    sent(&theirs, &address);
    let done = sent(&ours, &address);
    let short = ours.id().unwrap().simple().to_string();
    let name = session(&format!("main@{}", &short[..8]));
    assert_eq!(done.renamed.len(), 1);
    assert_eq!(
        (&done.renamed[0].name, &done.renamed[0].resumes),
        (&name, &None)
    );
    noted(&mut ours, "main", [12]);
    noted(&mut theirs, "main", [4]);
    assert_eq!(sent(&ours, &address).renamed, []);
    sent(&theirs, &address);
    let centre = open(&address);
    assert_eq!(
        events(&centre, &session("main")),
        events(&theirs, &session("main"))
    );
    let (there, here) = (events(&centre, &name), events(&ours, &session("main")));
    assert_eq!(there.len(), 3);
    assert_ne!(there[0].id, here[0].id, "it is an id of their session");
    assert_eq!(there[1..], here[1..]);
    assert_eq!(sent(&ours, &address).events, 0);
}

#[test]
fn a_redaction_and_a_deletion_take_the_words_out_there_too() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    let (a, b) = (session("a"), session("b"));
    let long = format!("{SAID} {}", "x".repeat(5000));
    noted(&mut log, "a", 1..=5);
    log.append(&a, Expected::Any, &[output(6, &long)]).unwrap();
    log.append(&b, Expected::Any, &[output(7, "of b, which goes whole")])
        .unwrap();
    noted(&mut log, "a", 8..=9);
    sent(&log, &address);
    let schema = address.log();
    state_of(&open(&address), &a).unwrap();
    let found = |words: &str| open(&address).search(&Query::new(words)).unwrap().len();
    assert_eq!(found("note 3"), 1);
    let words = || {
        nodes.sql(&format!(
            "SELECT (SELECT count(*) FROM {schema}.content) + \
             (SELECT count(*) FROM {schema}.event WHERE payload LIKE '%note 3%' OR payload LIKE '%c6%{SAID}%')"
        ))
    };
    assert_eq!(words().trim(), "3");
    let by = |n: u64| {
        move |happened: EventRedact| NewEvent {
            event: happened.into(),
            ..note(n)
        }
    };
    redact(&mut log, 6, None, by(20)).unwrap();
    redact(&mut log, 3, None, by(21)).unwrap();
    log.delete(&b, |happened| NewEvent {
        event: happened.into(),
        ..note(22)
    })
    .unwrap();
    sent(&log, &address);
    assert_eq!(words().trim(), "0");
    assert_eq!(found("note 3"), 0);
    let lexeme = format!("SELECT count(*) FROM {schema}.search WHERE words @@ '3 & note'::tsquery");
    assert_eq!(nodes.sql(&lexeme).trim(), "0");
    let centre = open(&address);
    for name in [&a, &b] {
        assert_eq!(events(&centre, name), events(&log, name));
        assert_eq!(
            state_of(&centre, name).unwrap(),
            state_of(&log, name).unwrap()
        );
    }
    assert_eq!(centre.sessions().unwrap().len(), 1);
}

#[test]
fn an_event_that_was_redacted_before_its_push_was_confirmed_is_no_conflict() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=5);
    sent(&log, &address);
    let url = open(&address).place().to_string();
    // As if the answer was lost.
    log.set_remote(&url, &hud_store::sqlite::Remote::default())
        .unwrap();
    redact(&mut log, 2, None, |happened| NewEvent {
        event: happened.into(),
        ..note(9)
    })
    .unwrap();
    sent(&log, &address);
    assert_eq!(
        events(&open(&address), &session("a")),
        events(&log, &session("a"))
    );
}

/// A file with a copy of another log's, as from a backup.
fn restored(log: &SqliteLog, to: &Path) -> SqliteLog {
    log.backup(to, &mut |_| ()).unwrap();
    SqliteLog::open(to).unwrap()
}

#[test]
fn a_file_that_was_put_back_to_an_earlier_time_goes_on_as_a_session_of_its_own() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let dir = tempfile::tempdir().unwrap();
    let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
    noted(&mut log, "a", 1..=5);
    sent(&log, &address);
    let mut old = restored(&log, &dir.path().join("old.db"));
    noted(&mut log, "a", 6..=9);
    sent(&log, &address);
    noted(&mut old, "a", 106..=108);
    let renamed = sent(&old, &address).renamed;
    assert_eq!(renamed[0].resumes, Some(session("a")));
    let centre = open(&address);
    assert_eq!(events(&centre, &session("a")), events(&log, &session("a")));
    let there = state_of(&centre, &renamed[0].name).unwrap();
    assert_eq!(there.notes, state_of(&old, &session("a")).unwrap().notes);
    let listed = centre.sessions().unwrap();
    let listed = listed
        .iter()
        .find(|info| info.id == renamed[0].name)
        .unwrap();
    assert_eq!(listed.origin.resumes, Some(session("a")));
}

#[test]
fn a_server_that_was_put_back_to_an_earlier_time_is_given_what_it_lost() {
    let Some(nodes) = shared() else { return };
    let (address, earlier) = (nodes.made(), nodes.made());
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=2500);
    sent(&log, &address);
    let url = open(&address).place().to_string();
    let known = log.remote(&url).unwrap();
    // The other log is the same one, of which all is gone.
    let url = open(&earlier).place().to_string();
    log.set_remote(&url, &known).unwrap();
    noted(&mut log, "a", [3000]);
    sent(&log, &earlier);
    assert_eq!(
        events(&open(&earlier), &session("a")),
        events(&log, &session("a"))
    );
}

#[test]
fn a_server_that_hangs_is_named_in_time_and_what_waits_is_sent_later() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let proxy = Proxy::before(nodes.nodes[0].port);
    let by_proxy = nodes.address_by(proxy.port, address.log());
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=3);
    let mut to = open_within(&by_proxy, Duration::from_secs(1));
    proxy.cut(1, Cut::Silence, u32::MAX);
    let hung = push(&log, &mut to, "test");
    assert!(
        matches!(
            hung,
            Err(SyncError::Log(
                LogError::Unconfirmed { .. } | LogError::Unavailable { .. }
            ))
        ),
        "{hung:?}"
    );
    let remote = log.remote(&to.place().to_string()).unwrap();
    assert_eq!((remote.seq, remote.tried), (0, 3));
    assert!(remote.trouble.unwrap().contains("did not answer"));
    proxy.mend();
    push(&log, &mut to, "test").unwrap();
    assert_eq!(contents(&open(&address)).len(), 3);
}

#[test]
fn who_sends_may_append_to_own_sessions_and_change_nothing_else() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let schema = made.log();
    nodes.sql(&format!(
        "CREATE ROLE sender LOGIN; GRANT {schema}_writer TO sender"
    ));
    let address = nodes.address("sender", schema);
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "a", 1..=3);
    sent(&log, &address);
    redact(&mut log, 2, None, |happened| NewEvent {
        event: happened.into(),
        ..note(9)
    })
    .unwrap();
    sent(&log, &address);
    let node = &nodes.nodes[0];
    for sql in [
        format!("SET hud.takes_out = 'yes'; UPDATE {schema}.event SET payload = '{{}}'"),
        format!("SELECT {schema}.hud_take_out('a', 1, 1, '{{}}')"),
        format!("SELECT {schema}.hud_reseal('a', 1)"),
        format!("UPDATE {schema}.session SET home = NULL"),
        format!("DELETE FROM {schema}.home"),
    ] {
        let refused = node.sql_by("sender", &sql).unwrap_err();
        assert!(refused.contains("permission denied"), "{sql}: {refused}");
    }
    let start = SessionStart {
        resumes: None,
        parent: None,
        project: None,
    };
    let start = NewEvent::now(1, Actor::Derived, start);
    let direct = open(&address).append(&session("a"), Expected::Any, slice::from_ref(&start));
    assert!(matches!(direct, Err(LogError::Moved { .. })), "{direct:?}");
    let mut count = 0;
    open(&address)
        .read(&session("a"), 1, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(count, 4);
}

//! Who sees what, who can do what, and who answers.

use std::fmt::Debug;
use std::ops::ControlFlow;

use hud_postgres::{Options, Password, PgLog, SyncError, pull, push, take};
use hud_store::event::NewEvent;
use hud_store::log::{EventName, Expected, Follow, Log, LogError, Query, Redact, Search, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;

use uuid::Uuid;

use crate::given::{contents, note, session};
use crate::homes::part;
use crate::nodes::{Node, open, shared};

/// The name that nobody of another team may see.
const SECRET: &str = "the-plan-of-team-a";

/// The id that a machine of another team makes up for its log.
const OURS: &str = "00000000-0000-0000-0000-00000000000a";

/// The error of a user who is not allowed to do something.
fn refused(node: &Node, user: &str, sql: &str) -> String {
    let Err(error) = node.sql_by(user, sql) else {
        panic!("{user} may do {sql}")
    };
    assert!(!error.contains(SECRET), "{sql}: {error}");
    error
}

#[test]
fn a_team_sees_nothing_of_another_one() {
    let Some(nodes) = shared() else { return };
    let (ours, theirs) = (nodes.made(), nodes.made());
    open(&ours)
        .append(&session(SECRET), Expected::Any, &[note(1)])
        .unwrap();
    nodes.sql(&format!(
        "CREATE ROLE bob LOGIN; GRANT {}_writer TO bob",
        theirs.log()
    ));
    let node = &nodes.nodes[0];
    let log = ours.log();
    for table in [
        "event", "session", "head", "content", "kept", "snapshot", "search", "searched", "home",
    ] {
        let told = refused(node, "bob", &format!("SELECT * FROM {log}.{table}"));
        assert!(told.contains("permission denied"), "{told}");
    }
    for sql in [
        format!("SET ROLE {log}_writer"),
        format!("SET ROLE {log}_owner"),
        format!("GRANT {log}_reader TO bob"),
        format!("SELECT {log}.hud_save_snapshot('s', 1, 1, '')"),
        format!(
            "SELECT {log}.hud_append('s', 0, 1, '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}')"
        ),
        format!(
            "SELECT {log}.hud_append_many('{OURS}', 'm', 1, '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}')"
        ),
        format!("SELECT {log}.hud_claim('s', '{OURS}', 0, 1)"),
        format!("SELECT {log}.hud_index(0, 1, '{{}}', '{{}}')"),
        format!("SELECT {log}.hud_wanted('{{plan}}', true)"),
        format!("ALTER SCHEMA {log} OWNER TO bob"),
        format!("CREATE TABLE {log}.mine ()"),
    ] {
        refused(node, "bob", &sql);
    }
    let address = nodes.address("bob", log);
    let open_as_bob = PgLog::open(&address, &Options::default());
    assert!(
        matches!(open_as_bob, Err(LogError::Denied { .. })),
        "{open_as_bob:?}"
    );
    hides(&open_as_bob, SECRET);
    // An id that is theirs is free here: it says nothing of them.
    let mut own = open(&nodes.address("bob", theirs.log()));
    assert_eq!(
        own.append(&session("s"), Expected::Any, &[note(1)])
            .unwrap()
            .duplicates,
        0
    );
    assert!(!format!("{:?}", own.sessions().unwrap()).contains(SECRET));
    assert_eq!(own.search(&Query::new("note")).unwrap().len(), 1);
    // A session that bob has no right to is to him one that is not there.
    let secret = session(SECRET);
    assert_eq!(own.session(&secret).unwrap(), None);
    assert_eq!(own.home(&secret).unwrap(), None);
    let claimed = own.claim(&secret, None, 0);
    assert!(
        matches!(claimed, Err(LogError::NoSession { .. })),
        "{claimed:?}"
    );
}

#[test]
fn who_loses_the_right_to_a_log_is_refused_by_everything_from_then_on() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    nodes.sql(&format!(
        "CREATE ROLE eve LOGIN; GRANT {log}_writer TO eve; GRANT {log}_reader TO eve"
    ));
    let secret = session(SECRET);
    open(&made)
        .append(&secret, Expected::Any, &[note(1)])
        .unwrap();
    let mut theirs = open(&nodes.address("eve", log));
    assert_eq!(contents(&theirs).len(), 1);
    let mut here = SqliteLog::open_in_memory().unwrap();
    here.append(&session("s"), Expected::Any, &[note(2)])
        .unwrap();
    nodes.sql(&format!(
        "REVOKE {log}_writer FROM eve; REVOKE {log}_reader FROM eve"
    ));
    let denied = |what: &str, outcome: Result<(), LogError>| {
        assert!(
            matches!(outcome, Err(LogError::Denied { .. })),
            "{what}: {outcome:?}"
        );
        hides(&outcome, SECRET);
        hides(&outcome, "note 1");
    };
    let synced = |outcome: Result<(), SyncError>| match outcome {
        Err(SyncError::Log(error)) => Err(error),
        other => panic!("{other:?}"),
    };
    let end = || ControlFlow::Break(());
    denied("read", theirs.read_all(1, &mut |_| end()));
    denied("list", theirs.sessions().map(drop));
    denied("search", theirs.search(&Query::new("note")).map(drop));
    denied(
        "follow",
        theirs.follow_all(1, &mut |_| end(), &mut || end()),
    );
    denied("home", theirs.home(&secret).map(drop));
    denied("machines", theirs.machines().map(drop));
    denied("claim", theirs.claim(&secret, None, 0).map(drop));
    denied(
        "append",
        theirs.append(&secret, Expected::Any, &[note(1)]).map(drop),
    );
    denied("push", synced(push(&here, &mut theirs, "m").map(drop)));
    denied("pull", synced(pull(&mut here, &theirs, &secret).map(drop)));
    denied(
        "take",
        synced(take(&mut here, &mut theirs, &secret).map(drop)),
    );
    assert_eq!(here.sessions().unwrap().len(), 1);
}

#[test]
fn a_writer_appends_and_changes_nothing_else() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    nodes.sql(&format!(
        "CREATE ROLE ann LOGIN; GRANT {log}_writer TO ann; CREATE ROLE rea LOGIN; GRANT {log}_reader TO rea"
    ));
    let events: Vec<_> = (1..=1000).map(note).collect();
    let s = session("s");
    open(&nodes.address("ann", log))
        .append(&s, Expected::Any, &events)
        .unwrap();
    let node = &nodes.nodes[0];
    for table in [
        "event", "session", "head", "content", "kept", "snapshot", "search", "searched", "home",
    ] {
        for sql in [
            format!("UPDATE {log}.{table} SET ctid = ctid"),
            format!("DELETE FROM {log}.{table}"),
            format!("INSERT INTO {log}.{table} SELECT * FROM {log}.{table}"),
            format!("TRUNCATE {log}.{table}"),
            format!("ALTER TABLE {log}.{table} DISABLE TRIGGER ALL"),
            format!("DROP TABLE {log}.{table}"),
            format!("SELECT * FROM {log}.{table} FOR UPDATE"),
        ] {
            refused(node, "ann", &sql);
            refused(node, "rea", &sql);
        }
    }
    for sql in [
        format!("DROP FUNCTION {log}.hud_save_snapshot"),
        format!("CREATE FUNCTION {log}.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'"),
        format!("SET ROLE {log}_owner"),
    ] {
        refused(node, "ann", &sql);
    }
    // Not even the owner, but for who takes the trigger away first.
    for sql in [
        format!("UPDATE {log}.event SET turn = 9"),
        format!("DELETE FROM {log}.event"),
        format!("TRUNCATE {log}.event"),
    ] {
        let told = refused(node, "postgres", &sql);
        assert!(told.contains("append-only"), "{told}");
    }
    let mut reader = open(&nodes.address("rea", log));
    assert_eq!(state_of(&reader, &s).unwrap().version, 1000);
    let told = reader.append(&s, Expected::Any, &[note(2000)]);
    assert!(matches!(told, Err(LogError::Denied { .. })), "{told:?}");
    let name = EventName::Version(s.clone(), 1);
    let told = reader.redact(&name, None, &mut |happened| NewEvent {
        event: happened.into(),
        ..note(2000)
    });
    assert!(matches!(told, Err(LogError::Denied { .. })), "{told:?}");
    assert_eq!(contents(&reader).len(), 1000);
    let by = format!("SELECT DISTINCT sent_by FROM {log}.event");
    assert_eq!(nodes.sql(&by).trim(), "ann");
}

/// The functions of a log that a member of its writers may call.
const GRANTED: [&str; 10] = [
    "hud_append",
    "hud_append_all",
    "hud_append_many",
    "hud_claim",
    "hud_give",
    "hud_index",
    "hud_redact",
    "hud_save_snapshot",
    "hud_stem",
    "hud_wanted",
];

#[test]
fn who_may_call_what_is_what_the_page_says() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    let may_call = |role: &str| {
        let listed = nodes.sql(&format!(
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = '{log}'::regnamespace \
             AND has_function_privilege('{log}_{role}', p.oid, 'EXECUTE') ORDER BY p.proname"
        ));
        listed.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(may_call("writer"), GRANTED);
    assert_eq!(may_call("reader"), ["hud_stem", "hud_wanted"]);
    let page = include_str!("../../../docs/fleet.md");
    for function in GRANTED {
        assert!(page.contains(&format!("`{function}`")), "{function}");
    }
}

#[test]
fn a_writer_forges_and_takes_out_nothing_of_another_user() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    nodes.sql(&format!(
        "CREATE ROLE anna LOGIN; CREATE ROLE bert LOGIN; CREATE ROLE carl LOGIN; \
         GRANT {log}_writer TO anna, bert; GRANT {log}_reader TO carl"
    ));
    let by = |user| open(&nodes.address(user, log));
    let (mut anna, mut bert) = (by("anna"), by("bert"));
    let (of_anna, of_bert) = (Uuid::from_u128(0xa), Uuid::from_u128(0xb));
    let (work, shared) = (session("work"), session("shared"));
    anna.send(of_anna, "m", vec![part("work", 0, 1..=1200)])
        .unwrap();
    anna.append(&shared, Expected::Any, &[note(2001)]).unwrap();
    let before = contents(&anna);
    let denied = |what: &str, outcome: Result<String, LogError>| {
        assert!(
            matches!(outcome, Err(LogError::Denied { .. })),
            "{what}: {outcome:?}"
        );
    };
    let send = |to: &mut PgLog, from| {
        let sent = to.send(from, "m", vec![part("work", 1200, [1201])]);
        sent.map(|sent| format!("{sent:?}"))
    };
    let claim = |to: &mut PgLog, name, by, epoch| {
        to.claim(name, by, epoch)
            .map(|(is_taken, _)| is_taken.to_string())
    };
    denied("as another's log", send(&mut bert, of_anna));
    for by in [None, Some(of_bert), Some(of_anna)] {
        denied("claim", claim(&mut bert, &work, by, 0));
    }
    denied("claim", claim(&mut bert, &shared, Some(of_bert), 0));
    let redacted = bert.redact(
        &EventName::Version(shared.clone(), 1),
        None,
        &mut |happened| NewEvent {
            event: happened.into(),
            ..note(2002)
        },
    );
    denied("redact", redacted.map(|_| String::new()));
    let node = &nodes.nodes[0];
    for inner in [
        "hud_take_out('shared', 1, 1, '{}')",
        "hud_reseal('shared', 1)",
        "hud_send_from('00000000-0000-0000-0000-00000000000a', '')",
        "hud_is_own('shared', 1)",
        "hud_begin(1)",
    ] {
        let told = refused(node, "bert", &format!("SELECT {log}.{inner}"));
        assert!(told.contains("permission denied"), "{told}");
    }
    let told = refused(
        node,
        "bert",
        &format!("SELECT {log}.hud_give('work', 'bert')"),
    );
    assert!(told.contains("another user"), "{told}");
    assert_eq!(contents(&anna), before);

    // A state that somebody else saves is none: who reads folds the events.
    let forged = HudState {
        version: 1200,
        ..HudState::default()
    };
    bert.save_snapshot(&work, &forged);
    bert.save_snapshot(
        &shared,
        &HudState {
            version: 1,
            ..forged
        },
    );
    let carl = by("carl");
    assert_eq!(carl.snapshot(&work), None);
    assert_eq!(carl.snapshot(&shared), None);
    let state = state_of(&anna, &work).unwrap();
    assert_eq!(carl.snapshot(&work).as_ref(), Some(&state));
    assert_eq!(state_of(&carl, &work).unwrap(), state);

    // What is given can be taken, by the one to whom it was given.
    node.sql_by("anna", &format!("SELECT {log}.hud_give('work', 'bert')"))
        .unwrap();
    assert_eq!(claim(&mut bert, &work, Some(of_bert), 0).unwrap(), "true");
    assert_eq!(carl.snapshot(&work), None, "it is another user's by now");
    denied("claim back", claim(&mut anna, &work, Some(of_anna), 1));
    assert!(send(&mut anna, of_anna).unwrap().contains("Moved"));
    // An owner of the log may.
    let mut owner = by("postgres");
    assert_eq!(claim(&mut owner, &work, None, 1).unwrap(), "true");
}

#[test]
fn a_password_is_taken_from_text_or_command_and_shown_nowhere() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    nodes.sql(&format!(
        "SET password_encryption = 'scram-sha-256'; CREATE ROLE pat LOGIN PASSWORD 'open sesame'; \
         GRANT {}_reader TO pat",
        made.log()
    ));
    nodes.nodes[0].let_in("host all pat 127.0.0.1/32 scram-sha-256");
    let address = nodes.address("pat", made.log());
    let open_with = |password| {
        let options = Options {
            password,
            ..Options::default()
        };
        (PgLog::open(&address, &options), format!("{options:?}"))
    };
    for password in [
        Password::text("open sesame"),
        Password::command("echo 'open sesame'"),
    ] {
        let (opened, shown) = open_with(password);
        opened.unwrap();
        assert!(!shown.contains("sesame"), "{shown}");
    }
    let (denied, _) = open_with(Password::text("close sesame"));
    assert!(matches!(denied, Err(LogError::Denied { .. })), "{denied:?}");
    hides(&denied, "sesame");
    for password in [
        Password::none(),
        Password::command("echo close sesame; false"),
    ] {
        let (refused, _) = open_with(password);
        assert!(
            matches!(refused, Err(LogError::Unavailable { .. })),
            "{refused:?}"
        );
        hides(&refused, "sesame");
    }
}

/// An error that is shown has no such text in it.
fn hides<T: Debug>(outcome: &Result<T, LogError>, text: &str) {
    let error = outcome.as_ref().unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(text), "{shown}");
}

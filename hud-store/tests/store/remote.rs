//! What a log knows of others, and what it takes in from them.

use hud_store::event::{EventId, NewEvent};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::{Elsewhere, Remote, SqliteLog};
use uuid::Uuid;

use crate::given::{contents, notes, nth, redact, session};

fn lines(log: &SqliteLog, name: &str, from: u64) -> Vec<hud_store::jsonl::Line> {
    let mut lines = Vec::new();
    log.lines_from(Some(&session(name)), from, &mut |line| {
        lines.push(line);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    lines
}

#[test]
fn a_log_has_an_id_of_its_own_and_its_backup_has_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let log = SqliteLog::open(dir.path().join("a.db")).unwrap();
    let other = SqliteLog::open(dir.path().join("b.db")).unwrap();
    assert_ne!(log.id().unwrap(), other.id().unwrap());
    log.backup(dir.path().join("c.db"), &mut |_| ()).unwrap();
    let copy = SqliteLog::open_read_only(dir.path().join("c.db")).unwrap();
    assert_eq!(copy.id().unwrap(), log.id().unwrap());
}

#[test]
fn what_is_noted_of_another_log_is_kept_by_its_address() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let remote = Remote {
        seq: 7,
        tried: 9,
        at: Some("2026-11-23T20:00:00Z".parse().unwrap()),
        trouble: Some("it did not answer".into()),
    };
    let elsewhere = Elsewhere {
        name: session("main@1"),
        since: 3,
        epoch: 2,
        resumes: Some(session("main")),
    };
    let log = SqliteLog::open(&path).unwrap();
    log.set_remote("postgres://a/x", &remote).unwrap();
    log.set_elsewhere("postgres://a/x", &session("main"), &elsewhere)
        .unwrap();
    drop(log);
    let log = SqliteLog::open(&path).unwrap();
    assert_eq!(log.remote("postgres://a/x").unwrap(), remote);
    assert_eq!(log.remote("postgres://b/x").unwrap(), Remote::default());
    let all = log.all_elsewhere("postgres://a/x").unwrap();
    assert_eq!(all, [(session("main"), elsewhere)]);
    assert_eq!(
        log.elsewhere("postgres://b/x", &session("main")).unwrap(),
        None
    );
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}

#[test]
fn what_is_taken_in_has_its_versions_and_an_id_that_is_free() {
    let mut from = SqliteLog::open_in_memory().unwrap();
    from.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    let mut to = SqliteLog::open_in_memory().unwrap();
    to.append(&session("other"), Expected::Any, &notes(2..=2))
        .unwrap();
    let spare = EventId::from_uuid(Uuid::from_u128(77));
    let done = to.take_in(&session("s"), 0, lines(&from, "s", 1), |_| spare);
    assert_eq!(done.unwrap().version, 3);
    let ids: Vec<_> = lines(&to, "s", 1).iter().map(|line| line.id).collect();
    let own: Vec<_> = lines(&from, "s", 1).iter().map(|line| line.id).collect();
    assert_eq!(ids, [own[0], spare, own[2]]);
    let behind = to.take_in(&session("s"), 2, lines(&from, "s", 3), |_| {
        EventId::from_uuid(Uuid::from_u128(78))
    });
    assert!(
        matches!(behind, Err(LogError::Conflict { .. })),
        "{behind:?}"
    );
    assert_eq!(contents(&to).len(), 4);
}

#[test]
fn what_was_redacted_or_deleted_there_is_so_here() {
    let mut from = SqliteLog::open_in_memory().unwrap();
    from.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    let mut to = SqliteLog::open_in_memory().unwrap();
    let same = |id| id;
    to.take_in(&session("s"), 0, lines(&from, "s", 1), same)
        .unwrap();
    redact(&mut from, 2, None, |happened| NewEvent {
        event: happened.into(),
        ..notes(9..=9).remove(0)
    })
    .unwrap();
    from.append(&session("s"), Expected::Any, &notes(10..=10))
        .unwrap();
    to.take_in(&session("s"), 3, lines(&from, "s", 4), same)
        .unwrap();
    assert_eq!(contents(&to), contents(&from));
    from.delete(&session("s"), |happened| nth(11, happened))
        .unwrap();
    to.take_in(&session("s"), 5, lines(&from, "s", 6), same)
        .unwrap();
    assert_eq!(contents(&to), contents(&from));
    assert_eq!(to.check(&mut |_| ()).unwrap().problems, []);
}

//! Taking out what should never have been said.

use std::fs;

use hud_store::event::{Actor, CompactBefore, EventRedact, NewEvent, NoteAdd};
use hud_store::log::{
    EventName, Expected, Log, LogError, Point, Query, Redact as _, Search as _, restore, state_of,
};
use hud_store::sqlite::SqliteLog;
use rusqlite::Connection;

use crate::given::{at, contents, note, nth, redact, session};

const SECRET: &str = "the key is hunter2-hunter2";

fn by(record: EventRedact) -> NewEvent {
    nth(900, record)
}

fn secret(n: u64) -> NewEvent {
    nth(
        n,
        NoteAdd {
            id: format!("n{n}"),
            content: SECRET.into(),
        },
    )
}

fn log_with_secret(path: &std::path::Path) -> SqliteLog {
    let mut log = SqliteLog::open(path).unwrap();
    log.append(&session("a"), Expected::Any, &[note(1), secret(2), note(3)])
        .unwrap();
    log.append(&session("b"), Expected::Any, &[note(4)])
        .unwrap();
    assert_eq!(log.search(&Query::new("hunter2")).unwrap().len(), 1);
    log
}

#[test]
fn what_is_redacted_is_nowhere_in_the_file_and_the_rest_is_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = log_with_secret(&path);
    let before = contents(&log);

    let done = redact(&mut log, 2, Some("a key".into()), by).unwrap();
    assert!(
        done.changed && done.also_in.is_empty() && !done.lingers,
        "{done:?}"
    );

    let after = contents(&log);
    assert_eq!(
        (&after[0], &after[2], &after[3]),
        (&before[0], &before[2], &before[3])
    );
    assert_eq!((after[1].id, after[1].at), (before[1].id, before[1].at));
    assert_eq!(after[1].event.kind(), "event.redacted");
    assert_eq!(
        after[4].event,
        EventRedact {
            version: Some(2),
            kind: "note.add".into(),
            reason: Some("a key".into())
        }
        .into()
    );
    assert_eq!(after[4].session, session("a"));
    assert_eq!(state_of(&log, &session("a")).unwrap().notes.len(), 2);
    assert!(log.search(&Query::new("hunter2")).unwrap().is_empty());
    assert!(log.check(&mut |_| ()).unwrap().problems.is_empty());
    for file in fs::read_dir(&dir).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let found = bytes.windows(7).any(|window| window == b"hunter2");
        assert!(!found, "the words are in the file still");
    }
    // The next append hangs on the new seals.
    log.append(&session("b"), Expected::Exact(1), &[note(5)])
        .unwrap();
    assert_eq!(contents(&log).len(), 6);
}

#[test]
fn to_redact_again_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = log_with_secret(&dir.path().join("hud.db"));
    redact(&mut log, 2, None, by).unwrap();
    let before = contents(&log);
    assert!(!redact(&mut log, 2, None, by).unwrap().changed);
    assert_eq!(contents(&log), before);
    let name = EventName::Version(session("a"), 99);
    let error = log.redact(&name, None, &mut by).unwrap_err();
    assert!(
        matches!(&error, LogError::NoEvent { event, .. } if event == "a:99"),
        "{error}"
    );
}

#[test]
fn copies_of_the_words_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = log_with_secret(&dir.path().join("hud.db"));
    log.append(&session("b"), Expected::Any, &[secret(5)])
        .unwrap();
    assert_eq!(redact(&mut log, 2, None, by).unwrap().also_in, [5]);
    assert!(
        redact(&mut log, 5, None, |record| NewEvent::now(
            1,
            Actor::User,
            record
        ))
        .unwrap()
        .also_in
        .is_empty()
    );
}

/// What somebody else may write as JSON: each character that need not be escaped is.
fn imported(log: &mut SqliteLog, n: u64, content: &str) {
    let escaped = content.chars().map(|c| format!("\\u{:04x}", u32::from(c)));
    let escaped: String = escaped.collect();
    let line = format!(
        r#"{{"session":"c","id":"00000000-0000-0000-0000-0000000000{n:02}","turn":1,"at":"2026-11-20T12:00:00Z","actor":"agent","kind":"note.add","v":1,"payload":{{"id":"n{n}","content":"{escaped}"}}}}"#
    );
    log.import_lines(&mut line.as_bytes()).unwrap();
}

#[test]
fn states_that_hold_the_words_are_named_and_copies_that_are_written_otherwise() {
    // A state has only the beginning of a text that is so long.
    for secret in [SECRET.to_owned(), SECRET.repeat(4000)] {
        let dir = tempfile::tempdir().unwrap();
        let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
        let (one, fork) = (session("one"), session("fork"));
        let add = NoteAdd {
            id: "n1".into(),
            content: secret.clone(),
        };
        log.append(&one, Expected::Any, &[nth(1, add), note(2)])
            .unwrap();
        let before = CompactBefore {
            state: Box::new(state_of(&log, &one).unwrap()),
            trigger: None,
            tokens_before: None,
        };
        log.append(&one, Expected::Any, &[nth(3, before)]).unwrap();
        let to = Point {
            session: one.clone(),
            version: 1,
        };
        for session in [&one, &fork] {
            let state = state_of(&log, session).unwrap();
            restore(&mut log, session, state, &to, at(4)).unwrap();
        }
        imported(&mut log, 6, &secret);
        imported(&mut log, 7, "another note, of which nothing is known");
        let done = redact(&mut log, 1, None, by).unwrap();
        assert_eq!(done.also_in, [3, 4, 5, 6]);
    }
}

#[test]
fn an_archived_event_is_redacted_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = log_with_secret(&path);
    log.archive(&session("a"), 99, &mut |_| ()).unwrap();
    assert!(redact(&mut log, 2, None, by).unwrap().changed);
    assert_eq!(contents(&log)[2].event, note(3).event);
    assert!(log.check(&mut |_| ()).unwrap().problems.is_empty());
}

#[test]
fn damage_is_not_sealed_up() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = log_with_secret(&path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "DROP TRIGGER event_is_never_updated; UPDATE event SET turn = 9 WHERE seq = 3",
    )
    .unwrap();
    let error = redact(&mut log, 2, None, by).unwrap_err();
    assert!(matches!(error, LogError::Corrupt { seq: 3, .. }), "{error}");
}

//! States that are kept, and when they are not trusted.

use std::path::Path;

use hud_store::log::{Expected, Log, state_of};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use rusqlite::Connection;

use crate::given::{notes, session};

/// A log of a session so long that opening it leaves a snapshot behind, and its state.
fn opened(path: &Path) -> HudState {
    let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=1500))
        .unwrap();
    assert_eq!(log.snapshot(&session("s")), None);
    state_of(&log, &session("s")).unwrap()
}

#[test]
fn opening_a_long_session_leaves_a_snapshot_for_the_next_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let state = opened(&path);
    let mut log = SqliteLog::open(&path).unwrap();
    assert_eq!(log.snapshot(&session("s")), Some(state));
    log.append(&session("s"), Expected::Any, &notes(1501..=1510))
        .unwrap();
    let next = state_of(&log, &session("s")).unwrap();
    assert_eq!(
        (next.version, next.notes[19].content.as_str()),
        (1510, "note 1510")
    );
}

#[test]
fn a_short_session_needs_none_and_a_reader_leaves_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=999))
        .unwrap();
    state_of(&log, &session("s")).unwrap();
    assert_eq!(log.snapshot(&session("s")), None);
    log.append(&session("s"), Expected::Any, &notes(1000..=1500))
        .unwrap();
    let reader = SqliteLog::open_read_only(&path).unwrap();
    assert_eq!(state_of(&reader, &session("s")).unwrap().version, 1500);
    assert_eq!(log.snapshot(&session("s")), None);
}

#[test]
fn a_snapshot_that_is_not_what_was_kept_is_passed_over() {
    for change in [
        "state = replace(state, 'note 1499', 'note 9999')",
        "state = '{'",
        "state = '{}'",
        "ver = 1499",
        "seq = 1",
        "projector = 99",
        "sum = zeroblob(16)",
        "sum = zeroblob(1)",
        "stream = 'other'",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let state = opened(&path);
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(&format!("UPDATE snapshot SET {change}"))
            .unwrap();
        let log = SqliteLog::open(&path).unwrap();
        assert_eq!(log.snapshot(&session("s")), None, "{change}");
        assert_eq!(state_of(&log, &session("s")).unwrap(), state, "{change}");
        assert_eq!(
            log.snapshot(&session("s")),
            Some(state),
            "{change}: it is made anew"
        );
    }
}

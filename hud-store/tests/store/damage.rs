//! What someone else, or time, does to a log.

use std::fs;
use std::path::Path;

use hud_store::log::{Expected, Log, LogError, state_of};
use hud_store::sqlite::SqliteLog;
use rusqlite::Connection;

use crate::given::{contents, note, notes, read, read_all, session};

/// Writes to the file behind the log's back, with the triggers out of the way.
fn tamper(path: &Path, sql: &str) {
    let conn = Connection::open(path).unwrap();
    let names: Vec<String> = conn
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for name in names {
        conn.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    conn.execute_batch(sql).unwrap();
}

/// A log in which `a` has seq 1, 3, 5 and `b` 2, 4, 6.
fn two_sessions(path: &Path) -> SqliteLog {
    let mut log = SqliteLog::open(path).unwrap();
    for n in 1..=6 {
        let name = if n % 2 == 1 { "a" } else { "b" };
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    log
}

fn corrupt_seq<T: std::fmt::Debug>(outcome: Result<T, LogError>) -> u64 {
    match outcome {
        Err(LogError::Corrupt { seq, .. }) => seq,
        other => panic!("not corrupt: {other:?}"),
    }
}

#[test]
fn one_flipped_byte_is_named_by_its_seq_and_never_folded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    drop(two_sessions(&path));
    let mut bytes = fs::read(&path).unwrap();
    let payload = bytes
        .windows(6)
        .position(|window| window == b"note 3")
        .unwrap();
    bytes[payload + 5] = b'8';
    fs::write(&path, bytes).unwrap();

    let log = SqliteLog::open(&path).unwrap();
    assert_eq!(corrupt_seq(state_of(&log, &session("a"))), 3);
    assert_eq!(read(&log, &session("b")).unwrap().len(), 3);
    let mut seen = Vec::new();
    let _ = log.read(&session("a"), 1, &mut |event| {
        seen.push(event.seq);
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(seen, [1], "the sound events before it are given out");
}

#[test]
fn every_column_is_under_the_seal() {
    for change in [
        "id = zeroblob(16)",
        "turn = turn + 1",
        "ts = ts - 1",
        "ts = 9223372036854775807",
        "kind = 'note.fix'",
        "v = 2",
        "v = -1",
        "actor = 'user'",
        "cause = zeroblob(16)",
        "cause = x'00'",
        "payload = replace(payload, 'note 3', 'note 8')",
        "payload = payload || ' '",
        "sum = zeroblob(16)",
        "sum = zeroblob(3)",
        "ver = 7",
        "stream = 'c'",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let log = two_sessions(&path);
        tamper(&path, &format!("UPDATE event SET {change} WHERE seq = 3"));
        // A version that is missing shows at the next one.
        let shows_at = if change == "ver = 7" || change == "stream = 'c'" {
            5
        } else {
            3
        };
        assert_eq!(corrupt_seq(read(&log, &session("a"))), shows_at, "{change}");
    }
}

#[test]
fn a_damaged_sum_is_laid_to_its_own_event_even_from_another_session() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let log = two_sessions(&path);
    tamper(&path, "UPDATE event SET sum = zeroblob(16) WHERE seq = 3");
    assert_eq!(corrupt_seq(read(&log, &session("b"))), 3);
}

#[test]
fn removed_events_are_missed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = two_sessions(&path);
    tamper(&path, "DELETE FROM event WHERE seq IN (3, 6)");
    assert_eq!(corrupt_seq(read(&log, &session("a"))), 5);
    assert_eq!(corrupt_seq(read(&log, &session("b"))), 3);
    let at_the_end = log.append(&session("b"), Expected::Any, &[note(7)]);
    assert_eq!(corrupt_seq(at_the_end), 6);
}

#[test]
fn swapped_events_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let log = two_sessions(&path);
    tamper(
        &path,
        "UPDATE event SET ver = ver + 10, seq = seq + 10 WHERE seq IN (1, 3);
         UPDATE event SET ver = 2, seq = 3 WHERE seq = 11;
         UPDATE event SET ver = 1, seq = 1 WHERE seq = 13",
    );
    assert_eq!(corrupt_seq(read(&log, &session("a"))), 1);
}

#[test]
fn no_other_program_can_rewrite_events_by_accident() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let log = two_sessions(&path);
    let before = contents(&log);
    // A connection that set none of our pragmas.
    let conn = Connection::open(&path).unwrap();
    let row = "turn, ts, kind, v, actor, cause, payload, sum, NULL FROM event WHERE seq = 1";
    for attempt in [
        "UPDATE event SET turn = 0".to_owned(),
        "DELETE FROM event".to_owned(),
        format!("INSERT OR REPLACE INTO event SELECT 1, zeroblob(16), 'c', 1, {row}"),
    ] {
        let error = conn.execute_batch(&attempt).unwrap_err();
        assert!(
            error.to_string().contains("append-only"),
            "{attempt}: {error}"
        );
    }
    assert_eq!(contents(&log), before);
}

#[test]
fn an_event_that_another_program_replaces_is_missed() {
    let row = "turn, ts, kind, v, actor, cause, payload, sum, NULL FROM event WHERE seq = 1";
    for attempt in [
        format!("INSERT OR REPLACE INTO event SELECT NULL, id, 'c', 1, {row}"),
        format!("INSERT OR REPLACE INTO event SELECT NULL, zeroblob(16), 'a', 1, {row}"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let log = two_sessions(&path);
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(&attempt).unwrap();
        assert_eq!(corrupt_seq(read_all(&log)), 1, "{attempt}");
        assert!(read(&log, &session("a")).is_err(), "{attempt}");
    }
}

#[derive(Debug)]
enum ImportError {
    Line(usize),
    Log(LogError),
}

impl From<LogError> for ImportError {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}

#[test]
fn a_stream_of_events_is_appended_whole() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let done = log
        .append_from(&session("s"), Expected::NoStream, |append| {
            (1..=5000).try_for_each(|n| append(&note(n)))
        })
        .unwrap();
    assert_eq!((done.last_seq, done.version), (5000, 5000));
}

#[test]
fn a_stream_that_fails_leaves_the_log_as_it_was() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=2))
        .unwrap();
    let before = contents(&log);

    let error = log
        .append_from(&session("s"), Expected::Any, |append| {
            (3..50).try_for_each(|n| append(&note(n)))?;
            Err(ImportError::Line(50))
        })
        .unwrap_err();
    assert!(matches!(error, ImportError::Line(50)));

    let error = log
        .append_from(&session("s"), Expected::Any, |append| {
            for n in [3, 4, 1] {
                let mut event = note(n);
                event.turn = 9;
                append(&event)?;
            }
            Ok::<_, ImportError>(())
        })
        .unwrap_err();
    assert!(matches!(
        error,
        ImportError::Log(LogError::IdConflict { seq: 1, .. })
    ));

    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        log.append_from(&session("s"), Expected::Any, |append| {
            (3..50).try_for_each(|n| append(&note(n)))?;
            panic!("the source of events gives up");
            #[allow(unreachable_code, reason = "it says the type of the error")]
            Ok::<_, LogError>(())
        })
    }));
    assert!(outcome.is_err());

    assert_eq!(contents(&log), before);
    let next = log
        .append(&session("s"), Expected::Exact(2), &[note(3)])
        .unwrap();
    assert_eq!(next.first_seq, 3, "what was rolled back used up no seq");
}

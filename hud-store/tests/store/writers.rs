//! Many at once on one file.

use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use hud_store::log::{Expected, Log, LogError, state_of};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::given::{contents, note, session};

#[test]
fn two_writers_lose_nothing_and_leave_no_gap() {
    const EACH: u64 = 200;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let write = |first: u64| {
        let mut log = SqliteLog::open_with(&path, Durability::Fast).unwrap();
        let s = session("shared");
        let mut conflicts = 0;
        for n in first..first + EACH {
            // Look, decide, append; on a conflict look again.
            loop {
                let version = log.append(&s, Expected::Any, &[]).unwrap().version;
                match log.append(&s, Expected::Exact(version), &[note(n)]) {
                    Ok(done) => {
                        assert_eq!(done.version, version + 1);
                        break;
                    }
                    Err(LogError::Conflict { .. }) => conflicts += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        conflicts
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| write(1001));
        write(1);
        other.join().unwrap();
    });
    let log = SqliteLog::open_read_only(&path).unwrap();
    let all = contents(&log);
    assert!(all.iter().map(|event| event.seq).eq(1..=2 * EACH));
    assert!(all.iter().map(|event| event.version).eq(1..=2 * EACH));
    assert_eq!(
        state_of(&log, &session("shared")).unwrap().version,
        2 * EACH
    );
}

#[test]
fn who_must_not_wait_is_told_that_the_log_is_locked_and_still_reads() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let s = session("s");
    let mut log = SqliteLog::open_with(&path, Durability::Fast).unwrap();
    log.append_from(&s, Expected::Any, |append| {
        let patience = Duration::from_millis(1);
        let mut other = SqliteLog::open_within(&path, Durability::Fast, patience).unwrap();
        let refused = other.append(&s, Expected::Any, &[note(2)]);
        assert!(matches!(refused, Err(LogError::Busy { .. })), "{refused:?}");
        assert!(!other.contains(&note(2).id).unwrap());
        append(&note(1))
    })
    .unwrap();
    let patience = Duration::from_millis(1);
    let mut other = SqliteLog::open_within(&path, Durability::Fast, patience).unwrap();
    assert!(other.contains(&note(1).id).unwrap());
    other.set_patience(Duration::from_secs(30)).unwrap();
    other.append(&s, Expected::Any, &[note(2)]).unwrap();
    assert!(other.contains(&note(2).id).unwrap());
}

#[test]
fn the_first_open_can_be_raced() {
    const THREADS: u64 = 8;
    fn open_and_append(path: &Path, start: &Barrier, n: u64) {
        start.wait();
        let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
        log.append(&session("s"), Expected::Any, &[note(n)])
            .unwrap();
    }
    let dir = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let path = dir.path().join(format!("{round}.db"));
        let start = Barrier::new(THREADS as usize);
        thread::scope(|scope| {
            for n in 1..=THREADS {
                let (path, start) = (&path, &start);
                scope.spawn(move || open_and_append(path, start, n));
            }
        });
        let all = contents(&SqliteLog::open(&path).unwrap());
        assert!(all.iter().map(|event| event.seq).eq(1..=THREADS));
    }
}

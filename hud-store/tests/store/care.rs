//! Looking after a log: checking, archiving, backing up, following, and old files.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use hud_store::event::CompactAfter;
use hud_store::log::{Expected, Follow as _, Log, LogError, Query, Search as _, state_of};
use hud_store::sqlite::{Durability, Mend, Progress, SqliteLog};
use rusqlite::Connection;

use crate::given::{contents, note, notes, nth, read, session};

#[test]
fn a_sound_log_has_no_problems_and_its_size_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=1200))
        .unwrap();
    log.append(
        &session("b"),
        Expected::Any,
        &[nth(
            2000,
            CompactAfter {
                summary: None,
                rest: None,
                tokens_after: None,
                boundary: None,
            },
        )],
    )
    .unwrap();
    state_of(&log, &session("a")).unwrap();
    log.search(&Query::new("note")).unwrap();
    let mut last = None;
    let report = log.check(&mut |progress| last = Some(progress)).unwrap();
    assert_eq!(report.problems, []);
    assert_eq!(
        (report.sessions, report.events, report.schema),
        (2, 1201, 5)
    );
    assert!(report.bytes > 100_000);
    assert_eq!(
        last.map(|progress| (progress.done, progress.total)),
        Some((1201, 1201))
    );
}

#[test]
fn what_is_derived_is_made_anew() {
    for (change, reported) in [
        (
            "UPDATE session SET ver = 1100 WHERE stream = 'a'",
            "list of sessions",
        ),
        ("DELETE FROM session", "list of sessions"),
        (
            "INSERT INTO session SELECT 'x', ver, first, last, first_ts, last_ts, origin, sum FROM session",
            "sessions are listed",
        ),
        ("DELETE FROM search WHERE rowid = 7", "index for searching"),
        (
            "UPDATE search SET words = 'other' WHERE rowid = 7",
            "search",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let mut log = SqliteLog::open(&path).unwrap();
        log.append(&session("a"), Expected::Any, &notes(1..=1200))
            .unwrap();
        log.search(&Query::new("note")).unwrap();
        Connection::open(&path)
            .unwrap()
            .execute_batch(change)
            .unwrap();
        let problems = log.check(&mut |_| ()).unwrap().problems;
        assert!(
            problems[0].what.contains(reported),
            "{change}: {problems:?}"
        );
        assert_eq!(problems[0].mend, Mend::Rebuild, "{change}");
        log.rebuild().unwrap();
        assert_eq!(log.check(&mut |_| ()).unwrap().problems, [], "{change}");
        assert_eq!(log.search(&Query::new("1137")).unwrap().len(), 1);
        assert_eq!(read(&log, &session("a")).unwrap().len(), 1200);
    }
}

#[test]
fn a_log_that_others_write_to_is_sound_all_the_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    drop(SqliteLog::open(&path).unwrap());
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..3_u64 {
            let (path, over) = (&path, &over);
            scope.spawn(move || {
                let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
                let name = session(&format!("s{writer}"));
                for n in (writer * 1_000_000..).step_by(10) {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    log.append(&name, Expected::Any, &notes(n + 1..=n + 10))
                        .unwrap();
                    log.search(&Query::new("note")).unwrap();
                }
            });
        }
        let log = SqliteLog::open_read_only(&path).unwrap();
        for run in 0..60 {
            let problems = log.check(&mut |_| ()).unwrap().problems;
            if !problems.is_empty() {
                over.store(true, Ordering::Relaxed);
            }
            assert_eq!(problems, [], "in run {run}");
        }
        over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn of_two_backups_to_one_place_one_is_there_and_the_other_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (path, copy) = (dir.path().join("hud.db"), dir.path().join("copy.db"));
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=3000))
        .unwrap();
    let outcomes: Vec<_> = thread::scope(|scope| {
        let backups: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let log = SqliteLog::open_read_only(&path).unwrap();
                    log.backup(&copy, &mut |_| thread::yield_now())
                })
            })
            .collect();
        let outcomes = backups.into_iter().map(|backup| backup.join().unwrap());
        outcomes.collect()
    });
    let done = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(done, 1, "{outcomes:?}");
    let exist = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(LogError::Exists { .. })));
    assert_eq!(exist.count(), 3, "{outcomes:?}");
    let copied = SqliteLog::open_read_only(&copy).unwrap();
    assert_eq!(contents(&copied).len(), 3000);
    let left: Vec<_> = fs::read_dir(&dir)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn archiving_and_vacuuming_say_how_far_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=1300))
        .unwrap();
    let mut reported = Vec::new();
    let mut watcher = |progress: Progress| reported.push((progress.done, progress.total));
    log.archive(&session("a"), 1201, &mut watcher).unwrap();
    assert_eq!(reported, [(512, 1200), (1024, 1200), (1200, 1200)]);
    let mut last = None;
    log.vacuum(&mut |progress| last = Some(progress)).unwrap();
    assert_eq!(last.map(|last| (last.done, last.total)), Some((1300, 1300)));
}

#[test]
fn damaged_events_are_a_matter_for_a_backup() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=9))
        .unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "DROP TRIGGER event_is_never_updated; UPDATE event SET turn = 99 WHERE seq = 4",
        )
        .unwrap();
    let report = log.check(&mut |_| ()).unwrap();
    assert_eq!((report.events, report.problems[0].mend), (3, Mend::Restore));
    assert!(report.problems[0].what.contains("event 4"), "{report:?}");
}

#[test]
fn an_archive_is_smaller_and_says_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    let long = |n: u64| {
        nth(
            n,
            hud_store::event::NoteAdd {
                id: format!("n{n}"),
                content: format!("line {n} of what cargo said\n").repeat(100),
            },
        )
    };
    let events: Vec<_> = (1..=1300).map(long).collect();
    log.append(&session("a"), Expected::Any, &events).unwrap();
    log.append(&session("b"), Expected::Any, &[note(2000)])
        .unwrap();
    let before = contents(&log);
    let size = |log: &SqliteLog| log.check(&mut |_| ()).unwrap().bytes;
    let large = size(&log);

    let done = log.archive(&session("a"), 1201, &mut |_| ()).unwrap();
    assert_eq!(done.events, 1200);
    assert!(done.after * 20 < done.before, "{done:?}");
    log.vacuum(&mut |_| ()).unwrap();
    assert!(size(&log) * 4 < large, "{} of {large}", size(&log));
    assert_eq!(contents(&log), before);
    assert_eq!(
        log.archive(&session("a"), 1201, &mut |_| ())
            .unwrap()
            .events,
        0,
        "it is done"
    );
    let report = log.check(&mut |_| ()).unwrap();
    assert_eq!((report.archived, report.problems), (1200, vec![]));
    assert_eq!(
        log.search(&Query::new("line 77 cargo ")).unwrap()[0].event,
        before[76]
    );
    let again = log
        .append(&session("a"), Expected::Any, &events[..3])
        .unwrap();
    assert_eq!(again.duplicates, 3, "an archived event is known by its id");
}

#[test]
fn a_damaged_archive_is_noticed() {
    for change in [
        "UPDATE archive SET body = x'00'",
        "DELETE FROM archive",
        "UPDATE event SET archive = NULL",
        "UPDATE event SET archive = 77 WHERE seq = 2",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let mut log = SqliteLog::open(&path).unwrap();
        log.append(&session("a"), Expected::Any, &notes(1..=9))
            .unwrap();
        log.archive(&session("a"), 9, &mut |_| ()).unwrap();
        Connection::open(&path)
            .unwrap()
            .execute_batch(&format!(
                "DROP TRIGGER event_is_never_updated; PRAGMA foreign_keys = off; {change}"
            ))
            .unwrap();
        let outcome = read(&log, &session("a"));
        assert!(
            matches!(outcome, Err(LogError::Corrupt { .. })),
            "{change}: {outcome:?}"
        );
    }
}

#[test]
fn a_backup_is_the_log_of_one_moment_and_harms_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (path, copy) = (dir.path().join("hud.db"), dir.path().join("copy.db"));
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=500))
        .unwrap();
    log.backup(&copy, &mut |_| ()).unwrap();
    log.append(&session("a"), Expected::Any, &[note(501)])
        .unwrap();
    assert_eq!(
        contents(&SqliteLog::open_read_only(&copy).unwrap()).len(),
        500
    );
    let files = fs::read_dir(&dir)
        .unwrap()
        .map(|file| file.unwrap().file_name());
    assert!(
        files
            .into_iter()
            .all(|name| !name.to_string_lossy().contains("part"))
    );

    let error = log.backup(&copy, &mut |_| ()).unwrap_err();
    assert!(matches!(error, LogError::Exists { .. }), "{error}");
    let error = log
        .backup(dir.path().join("no/such/dir.db"), &mut |_| ())
        .unwrap_err();
    assert!(matches!(error, LogError::CannotOpen { .. }), "{error}");
}

#[test]
fn events_of_others_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("a"), Expected::Any, &notes(1..=2))
        .unwrap();
    let over = AtomicBool::new(false);
    let idle = || {
        if over.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let (of_session, of_log) = thread::scope(|scope| {
        let of_session = scope.spawn(|| {
            let (mut seen, log) = (Vec::new(), SqliteLog::open_read_only(&path).unwrap());
            log.follow(
                &session("a"),
                2,
                &mut |event| {
                    seen.push(event.seq);
                    if event.seq == 5 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
                &mut { idle },
            )
            .unwrap();
            seen
        });
        let of_log = scope.spawn(|| {
            let (mut seen, log) = (Vec::new(), SqliteLog::open_read_only(&path).unwrap());
            log.follow_all(
                1,
                &mut |event| {
                    seen.push(event.seq);
                    ControlFlow::Continue(())
                },
                &mut { idle },
            )
            .unwrap();
            seen
        });
        log.append(&session("b"), Expected::Any, &[note(3)])
            .unwrap();
        log.append(&session("a"), Expected::Any, &[note(4)])
            .unwrap();
        log.append(&session("a"), Expected::Any, &[note(5)])
            .unwrap();
        let of_session = of_session.join().unwrap();
        thread::sleep(std::time::Duration::from_millis(200));
        over.store(true, Ordering::Relaxed);
        (of_session, of_log.join().unwrap())
    });
    assert_eq!(of_session, [2, 4, 5]);
    assert_eq!(of_log, [1, 2, 3, 4, 5]);
}

/// A log as the first release wrote it.
fn golden(name: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    fs::copy(
        format!("{}/tests/store/golden/{name}", env!("CARGO_MANIFEST_DIR")),
        &path,
    )
    .unwrap();
    (dir, path)
}

#[test]
fn a_log_of_the_first_schema_is_read_and_brought_up_to_date() {
    let (_dir, path) = golden("schema_1.db");
    let reader = SqliteLog::open_read_only(&path).unwrap();
    let info = reader.sessions().unwrap().remove(0);
    let (before, state) = (contents(&reader), state_of(&reader, &info.id).unwrap());
    assert_eq!(info.events, before.len() as u64);
    assert!(!reader.search(&Query::new("bucket")).unwrap().is_empty());
    drop(reader);

    let mut log = SqliteLog::open(&path).unwrap();
    assert_eq!(log.sessions().unwrap(), std::slice::from_ref(&info));
    assert_eq!(contents(&log), before);
    assert_eq!(state_of(&log, &info.id).unwrap(), state);
    log.append(&info.id, Expected::Exact(info.events), &[note(1)])
        .unwrap();
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
    insta::assert_snapshot!(serde_json::to_string_pretty(&state).unwrap());
}

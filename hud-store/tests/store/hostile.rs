//! Files that are no friends: each way to open them ends, says what is wrong, and changes nothing.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use hud_store::event::{Actor, EventRedact, NewEvent};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::{Mend, SqliteLog};
use rusqlite::Connection;

use crate::given::{contents, note, notes, read_all, redact, session};

/// The name of an error's variant; `ok` if there is none.
fn kind<T>(outcome: &Result<T, LogError>) -> String {
    match outcome {
        Ok(_) => "ok".to_owned(),
        Err(error) => {
            let debug = format!("{error:?}");
            let end = debug.find(|c: char| !c.is_alphanumeric());
            debug[..end.unwrap_or(debug.len())].to_owned()
        }
    }
}

/// What an operation comes to. One that hangs would hang the tests for ever.
fn ends<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, outcome) = mpsc::channel();
    thread::spawn(move || done.send(work()));
    outcome
        .recv_timeout(Duration::from_secs(120))
        .unwrap_or_else(|_| panic!("{name} does not end"))
}

/// A log of three events in which another program did something.
fn changed(dir: &Path, sql: &str) -> PathBuf {
    let path = dir.join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    drop(log);
    let conn = Connection::open(&path).unwrap();
    conn.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)
        .unwrap();
    conn.execute_batch(sql).unwrap();
    // So that the file can be compared.
    conn.pragma_update_and_check(None, "wal_checkpoint", "TRUNCATE", |_| Ok(()))
        .unwrap();
    path
}

const ENDLESS: &str = "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)";

/// What was done to a log: its name, how, and what it comes to for a reader and for a writer.
fn changes() -> Vec<(&'static str, String, &'static str, &'static str)> {
    let many: String = (0..500)
        .map(|n| format!("CREATE TABLE t{n} (x);"))
        .collect();
    vec![
        (
            "a view without end in the place of the events",
            format!(
                "ALTER TABLE event RENAME TO e;
                 CREATE VIEW event AS {ENDLESS}
                 SELECT x AS seq, zeroblob(16) AS id, 's' AS stream, x AS ver, 1 AS turn, 1 AS ts,
                        'note.add' AS kind, 1 AS v, 'agent' AS actor, NULL AS cause,
                        '{{}}' AS payload, zeroblob(16) AS sum, NULL AS archive FROM t"
            ),
            "Schema",
            "Schema",
        ),
        (
            "a trigger without end",
            format!(
                "CREATE TRIGGER loops AFTER INSERT ON event
                 BEGIN SELECT max(x) FROM ({ENDLESS} SELECT x FROM t); END"
            ),
            "ok",
            "Unguarded",
        ),
        (
            "a trigger that spies",
            "CREATE TABLE spy (x);
             CREATE TRIGGER spies AFTER INSERT ON event
             BEGIN INSERT INTO spy VALUES (NEW.payload); END"
                .to_owned(),
            "ok",
            "Unguarded",
        ),
        (
            "a guard that is missing",
            "DROP TRIGGER event_is_never_updated".to_owned(),
            "ok",
            "Unguarded",
        ),
        (
            "a guard that does nothing",
            "DROP TRIGGER event_is_never_deleted;
             CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event BEGIN SELECT 1; END"
                .to_owned(),
            "ok",
            "Unguarded",
        ),
        (
            "an index over an expression",
            "CREATE INDEX slow ON event (length(payload || payload))".to_owned(),
            "ok",
            "Unguarded",
        ),
        (
            "a column that is generated",
            "ALTER TABLE event ADD COLUMN g TEXT AS (hex(zeroblob(1000000)))".to_owned(),
            "Schema",
            "Schema",
        ),
        (
            "a virtual table in the place of a table",
            "DROP TABLE snapshot; CREATE VIRTUAL TABLE snapshot USING fts5 (stream)".to_owned(),
            "Schema",
            "Schema",
        ),
        (
            "an index for searching that reads another table",
            "DROP TABLE search;
             CREATE VIRTUAL TABLE search USING fts5 (words, content = 'event')"
                .to_owned(),
            "Schema",
            "Schema",
        ),
        (
            "a schema that is no SQL",
            "PRAGMA writable_schema = on;
             UPDATE sqlite_schema SET sql = 'CREATE TABLE session (' WHERE name = 'session'"
                .to_owned(),
            "Damaged",
            "Damaged",
        ),
        (
            "a table whose pages are another's",
            "PRAGMA writable_schema = on;
             UPDATE sqlite_schema SET rootpage =
                 (SELECT rootpage FROM sqlite_schema WHERE name = 'search_content')
             WHERE name = 'event'"
                .to_owned(),
            "ok",
            "ok",
        ),
        (
            "five hundred tables",
            format!("BEGIN; {many} COMMIT"),
            "Schema",
            "Schema",
        ),
        (
            "a statement of two megabytes",
            format!("CREATE VIEW long AS SELECT '{}'", "x".repeat(2_000_000)),
            "Damaged",
            "Damaged",
        ),
    ]
}

#[test]
fn a_log_that_was_tampered_with_is_refused_by_name() {
    for (name, sql, reading, writing) in changes() {
        let dir = tempfile::tempdir().unwrap();
        let path = changed(dir.path(), &sql);
        let before = fs::read(&path).unwrap();
        let opened = path.clone();
        let (read, written) = ends(name, move || {
            let read = SqliteLog::open_read_only(&opened).map(|log| {
                // Whatever it holds, it can be read to an end, and doctor is not deceived.
                let _ = read_all(&log);
                let report = log.check(&mut |_| ()).unwrap();
                assert_ne!(report.problems, [], "{name}");
            });
            (read, SqliteLog::open(&opened).map(drop))
        });
        assert_eq!(
            (kind(&read).as_str(), kind(&written).as_str()),
            (reading, writing),
            "{name}: {read:?} {written:?}"
        );
        for error in [read.err(), written.err()].into_iter().flatten() {
            let reported = error.to_string();
            assert!(
                reported.contains(path.to_str().unwrap()),
                "{name}: {reported}"
            );
        }
        assert!(fs::read(&path).unwrap() == before, "{name}: it was changed");
    }
}

#[test]
fn what_guards_the_events_can_be_put_right() {
    for (name, sql, reading, _) in changes() {
        if reading != "ok" || name.contains("pages") || name.contains("spies") {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let path = changed(dir.path(), &sql);
        let problems = SqliteLog::open_read_only(&path)
            .unwrap()
            .check(&mut |_| ())
            .unwrap()
            .problems;
        assert_eq!(problems[0].mend, Mend::Rebuild, "{name}: {problems:?}");
        let mut log = SqliteLog::open_to_mend(&path).unwrap();
        assert_eq!(log.check(&mut |_| ()).unwrap().problems, [], "{name}");
        log.append(&session("s"), Expected::Exact(3), &[note(4)])
            .unwrap();
        assert!(SqliteLog::open(&path).is_ok(), "{name}");
    }
}

#[test]
fn a_table_that_was_added_is_named_and_not_thrown_away() {
    let dir = tempfile::tempdir().unwrap();
    let path = changed(dir.path(), "CREATE TABLE mine AS SELECT 1 AS x");
    let error = SqliteLog::open_to_mend(&path).unwrap_err();
    assert!(error.to_string().contains("`mine`"), "{error}");
    let kept: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT x FROM mine", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1);
    assert_eq!(
        contents(&SqliteLog::open_read_only(&path).unwrap()).len(),
        3
    );
}

#[test]
fn a_guard_that_goes_while_the_log_is_open_is_missed() {
    let dir = tempfile::tempdir().unwrap();
    let path = changed(dir.path(), "");
    let mut log = SqliteLog::open(&path).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TRIGGER event_is_never_updated")
        .unwrap();
    let by = |reported: EventRedact| NewEvent::now(1, Actor::User, reported);
    let error = redact(&mut log, 2, None, by).unwrap_err();
    assert!(
        error.to_string().contains("event_is_never_updated"),
        "{error}"
    );
}

/// Both ways of opening, and what they come to.
fn opened(name: &'static str, path: &Path) -> [Result<(), LogError>; 2] {
    let path = path.to_owned();
    ends(name, move || {
        [
            SqliteLog::open_read_only(&path).map(drop),
            SqliteLog::open(&path).map(drop),
        ]
    })
}

#[test]
fn anothers_database_with_any_number_of_tables_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("theirs.db");
    let tables: String = (0..500)
        .map(|n| format!("CREATE TABLE t{n} (x);"))
        .collect();
    Connection::open(&path)
        .unwrap()
        .execute_batch(&format!("BEGIN; {tables} COMMIT"))
        .unwrap();
    for outcome in opened("theirs", &path) {
        assert_eq!(kind(&outcome), "Foreign", "{outcome:?}");
    }
}

#[test]
fn a_giant_without_content_is_no_log() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("giant.db");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    for outcome in opened("a giant", &path) {
        assert_eq!(kind(&outcome), "Foreign", "{outcome:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_before_it_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let socket = dir.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for (path, reported) in [
        (pipe.as_path(), "a pipe"),
        (&link, "a pipe"),
        (&socket, "a socket"),
        (Path::new("/dev/zero"), "a device"),
    ] {
        for outcome in opened(reported, path) {
            let error = outcome.unwrap_err();
            assert!(matches!(error, LogError::NotAFile { .. }), "{error}");
            assert!(error.to_string().contains(reported), "{error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_log_does_not_lead_sqlite_to_other_files() {
    for end in ["-wal", "-shm", "-journal"] {
        let dir = tempfile::tempdir().unwrap();
        let path = changed(dir.path(), "");
        let victim = dir.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let mut beside = path.clone().into_os_string();
        beside.push(end);
        // Another's connection may have left one.
        let _ = fs::remove_file(&beside);
        std::os::unix::fs::symlink(&victim, &beside).unwrap();
        for outcome in opened("a link beside", &path) {
            let error = outcome.unwrap_err();
            assert!(matches!(error, LogError::Beside { .. }), "{error}");
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    }
}

#[test]
fn a_journal_that_names_a_file_to_delete_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = changed(dir.path(), "");
    let mut journal = vec![0; 512];
    journal.extend([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    fs::write(dir.path().join("hud.db-journal"), journal).unwrap();
    for outcome in opened("a journal", &path) {
        assert_eq!(kind(&outcome), "Beside", "{outcome:?}");
    }
}

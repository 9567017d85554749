//! What may be at the path, and what is left of it.

use std::fs;
use std::path::{Path, PathBuf};

use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::{Durability, SqliteLog};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::given::{contents, note, notes, session};

fn dir() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn log_with_three(dir: &TempDir) -> PathBuf {
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("s"), Expected::Any, &notes(1..=3))
        .unwrap();
    path
}

/// Every way of opening refuses the file, which stays as it was and alone.
fn refused(path: &Path, is_expected: impl Fn(&LogError) -> bool) {
    let before = fs::read(path).unwrap();
    for open in [
        |path: &Path| SqliteLog::open(path),
        |path: &Path| SqliteLog::open_read_only(path),
    ] {
        let error = open(path).unwrap_err();
        assert!(is_expected(&error), "{error}");
        assert!(
            error.to_string().contains(path.to_str().unwrap()),
            "{error}"
        );
    }
    assert!(fs::read(path).unwrap() == before, "the file was changed");
}

fn is_foreign(error: &LogError) -> bool {
    matches!(error, LogError::Foreign { .. })
}

#[test]
fn a_log_outlives_its_handle_and_its_durability() {
    let dir = dir();
    let path = log_with_three(&dir);
    let mut fast = SqliteLog::open_with(&path, Durability::Fast).unwrap();
    fast.append(&session("s"), Expected::Exact(3), &[note(4)])
        .unwrap();
    let reader = SqliteLog::open_read_only(&path).unwrap();
    assert_eq!(contents(&reader), contents(&fast));
    assert_eq!(contents(&reader).len(), 4);
}

#[test]
fn the_schema_is_as_released() {
    let dir = dir();
    let conn = Connection::open(log_with_three(&dir)).unwrap();
    let pragma = |name| -> String {
        let text = |row: &rusqlite::Row<'_>| row.get::<_, rusqlite::types::Value>(0);
        let value = conn.pragma_query_value(None, name, text).unwrap();
        format!("{name}: {value:?}\n")
    };
    let marks: String = ["application_id", "user_version", "journal_mode"]
        .map(pragma)
        .concat();
    let mut select = conn
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        .unwrap();
    let sql: Vec<String> = select
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    insta::assert_snapshot!(format!("{marks}\n{}", sql.join(";\n\n")));
}

#[test]
fn an_empty_file_becomes_a_log_but_not_by_reading() {
    let dir = dir();
    let path = dir.path().join("hud.db");
    fs::write(&path, "").unwrap();
    assert!(matches!(
        SqliteLog::open_read_only(&path),
        Err(LogError::Missing { .. })
    ));
    assert_eq!(fs::read(&path).unwrap(), b"");
    assert_eq!(contents(&SqliteLog::open(&path).unwrap()), []);
}

#[test]
fn a_missing_file_is_made_but_not_by_reading() {
    let dir = dir();
    let path = dir.path().join("hud.db");
    assert!(matches!(
        SqliteLog::open_read_only(&path),
        Err(LogError::Missing { .. })
    ));
    assert!(!path.exists());
    assert!(matches!(
        SqliteLog::open(dir.path().join("no/such/hud.db")),
        Err(LogError::CannotOpen { .. })
    ));
}

#[test]
fn a_directory_is_refused() {
    let dir = dir();
    for opened in [SqliteLog::open(&dir), SqliteLog::open_read_only(&dir)] {
        assert!(matches!(opened, Err(LogError::Directory { .. })));
    }
}

#[test]
fn a_path_is_never_taken_for_a_uri() {
    let dir = dir();
    let path = dir.path().join("file:x?mode=memory");
    SqliteLog::open(&path).unwrap();
    assert!(path.exists());
}

#[test]
fn what_is_no_database_is_left_alone() {
    let dir = dir();
    let path = dir.path().join("notes.txt");
    for size in [1, 2, 15, 16, 100, 511, 512, 600, 4096, 9999] {
        fs::write(&path, "#".repeat(size)).unwrap();
        refused(&path, is_foreign);
    }
}

#[test]
fn anothers_database_is_left_alone() {
    for setup in [
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 1",
        "CREATE TABLE t (x)",
        "PRAGMA journal_mode = wal; CREATE TABLE t (x)",
        "CREATE TABLE event (seq INTEGER PRIMARY KEY); PRAGMA user_version = 1",
    ] {
        let dir = dir();
        let path = dir.path().join("theirs.db");
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(setup).unwrap();
        conn.close().unwrap();
        assert!(SqliteLog::open(&path).is_err());
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "{setup}");
        refused(&path, is_foreign);
    }
}

#[test]
fn anothers_waiting_log_is_not_moved_into_its_file() {
    let dir = dir();
    let (path, copy) = (dir.path().join("theirs.db"), dir.path().join("copy.db"));
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (x)")
        .unwrap();
    // As a crash would leave it.
    fs::copy(&path, &copy).unwrap();
    fs::copy(
        dir.path().join("theirs.db-wal"),
        dir.path().join("copy.db-wal"),
    )
    .unwrap();
    refused(&copy, is_foreign);
}

#[test]
fn a_newer_log_can_be_read_but_not_written() {
    let dir = dir();
    let path = log_with_three(&dir);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA user_version = 7").unwrap();
    conn.close().unwrap();
    let before = fs::read(&path).unwrap();
    let error = SqliteLog::open(&path).unwrap_err();
    assert!(matches!(
        error,
        LogError::Newer {
            found: 7,
            supported: 5,
            ..
        }
    ));
    assert_eq!(
        contents(&SqliteLog::open_read_only(&path).unwrap()).len(),
        3
    );
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn a_reader_cannot_write() {
    let dir = dir();
    let mut log = SqliteLog::open_read_only(log_with_three(&dir)).unwrap();
    let error = log
        .append(&session("s"), Expected::Any, &[note(4)])
        .unwrap_err();
    assert!(matches!(error, LogError::ReadOnly { .. }), "{error}");
}

#[test]
fn a_truncated_log_is_damaged() {
    let dir = dir();
    let path = log_with_three(&dir);
    let len = fs::metadata(&path).unwrap().len();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(len / 2).unwrap();
    let opened = SqliteLog::open(&path).and_then(|log| log.sessions());
    assert!(
        matches!(opened, Err(LogError::Damaged { .. })),
        "{opened:?}"
    );
}

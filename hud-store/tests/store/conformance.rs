//! The promises of `Log`, held against every implementation.

use hud_store::conformance::{
    check, check_follow, check_many, check_redact, check_search, check_writers,
};
use hud_store::memory::{MemoryLog, SharedLog};

#[test]
fn the_log_in_memory_keeps_them() {
    check(|| Box::new(MemoryLog::new()));
    check(|| Box::new(SharedLog::from(MemoryLog::new())));
    check_many(MemoryLog::new);
    check_redact(MemoryLog::new);
    check_search(MemoryLog::new());
    let shared = || {
        let log = SharedLog::from(MemoryLog::new());
        move || log.clone()
    };
    check_writers(shared);
    check_follow(shared);
}

#[cfg(feature = "sqlite")]
#[test]
fn the_log_in_a_file_keeps_them() {
    use hud_store::sqlite::{Durability, SqliteLog};

    let dir = tempfile::tempdir().unwrap();
    let mut number = 0;
    check(|| {
        number += 1;
        let path = dir.path().join(format!("{number}.db"));
        Box::new(SqliteLog::open_with(path, Durability::Fast).unwrap())
    });
    check(|| Box::new(SqliteLog::open_in_memory().unwrap()));
    check_many(|| SqliteLog::open_in_memory().unwrap());
    check_redact(|| SqliteLog::open_in_memory().unwrap());
    check_search(SqliteLog::open_in_memory().unwrap());
    let mut shared = || {
        number += 1;
        let path = dir.path().join(format!("{number}.db"));
        drop(SqliteLog::open(&path).unwrap());
        move || SqliteLog::open_with(&path, Durability::Fast).unwrap()
    };
    check_writers(&mut shared);
    check_follow(&mut shared);
}

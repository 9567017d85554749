//! The promises of `Log`, held against every implementation.

use hud_store::laws::hold;
use hud_store::memory::MemoryLog;

#[test]
fn the_log_in_memory_keeps_them() {
    hold(|| Box::new(MemoryLog::new()));
}

#[cfg(feature = "sqlite")]
#[test]
fn the_log_in_a_file_keeps_them() {
    use hud_store::sqlite::{Durability, SqliteLog};

    let dir = tempfile::tempdir().unwrap();
    let mut number = 0;
    hold(|| {
        number += 1;
        let path = dir.path().join(format!("{number}.db"));
        Box::new(SqliteLog::open_with(path, Durability::Fast).unwrap())
    });
    hold(|| Box::new(SqliteLog::open_in_memory().unwrap()));
}

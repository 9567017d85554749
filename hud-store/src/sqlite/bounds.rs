//! Limits on the work that a file can cause.
//!
//! A file may contain anything. Pages that point at each other can form an endless table in a few kilobytes, and a
//! schema can hold a statement that never returns. So each operation has a maximum number of steps of SQLite's
//! virtual machine. It depends on the size of the file, and no sound log comes near it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

use super::beside;

/// The number of steps after which SQLite calls the progress handler.
const INTERVAL: u32 = 10_000;

/// The number of steps that an operation may take in any file: half a second of work.
const STEPS: u64 = 20_000_000;

/// The number of additional steps for each byte of the file. Reading, sorting or indexing a row takes less than a
/// hundred steps, and a row has more than ten bytes.
const STEPS_PER_BYTE: u64 = 32;

/// The maximum number of bytes of a value: four of the longest payloads.
const MAX_VALUE: i32 = 4 * crate::log::record::MAX_PAYLOAD as i32;

/// The maximum number of bytes of a statement, including those of the schema.
const MAX_SQL: i32 = 1024 * 1024;

/// The maximum number of objects in a schema. Ours has about twenty.
const MAX_OBJECTS: i32 = 200;

/// The number of steps that the current operation has taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps(Arc<AtomicU64>);

impl Steps {
    /// Begins another operation.
    pub(super) fn renew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The number of steps since the operation began.
    pub(super) fn taken(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Interrupts operations that take too many steps on a connection to the file at `path`.
    pub(super) fn limit(&self, conn: &mut Connection, path: &Path) -> rusqlite::Result<()> {
        let (taken, path) = (Arc::clone(&self.0), path.to_owned());
        let mut allowed = STEPS;
        conn.progress_handler(
            INTERVAL.cast_signed(),
            Some(move || {
                let taken = taken.fetch_add(INTERVAL.into(), Ordering::Relaxed);
                if taken < allowed {
                    return false;
                }
                // The file may have grown since.
                allowed = allowed_in(&path);
                taken >= allowed
            }),
        )
    }
}

fn allowed_in(path: &Path) -> u64 {
    let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
    let bytes = size(path.to_owned()).saturating_add(size(beside(path, "-wal")));
    bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(STEPS)
}

/// Sets up a connection before it reads the first page of an untrusted file. No code in the file is trusted to run,
/// and reads have limits.
pub(super) fn defend(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "trusted_schema", false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_SQL),
        (Limit::SQLITE_LIMIT_SCHEMA, MAX_OBJECTS),
        (Limit::SQLITE_LIMIT_COLUMN, 100),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        conn.set_limit(limit, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::log::LogError;
    use crate::sqlite::SqliteLog;

    #[test]
    fn what_goes_on_without_end_is_ended_and_the_next_operation_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
        let count = |until: i64| {
            let sql = format!(
                "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < {until}) \
                 SELECT max(n) FROM t"
            );
            log.steps.renew();
            log.named(log.conn.query_row(&sql, [], |row| row.get::<_, i64>(0)))
        };
        let error = count(i64::MAX).unwrap_err();
        assert!(matches!(error, LogError::Endless { .. }), "{error}");
        assert_eq!(count(1000).unwrap(), 1000);
    }
}

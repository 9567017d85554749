//! Copying a file that is in use.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::SqliteLog;
use super::check::{Progress, Watcher};
use super::fault::fault;
use crate::log::LogError;

/// Copies the log while others use it.
pub(super) fn backup(
    log: &SqliteLog,
    to: &Path,
    watcher: &mut Watcher<'_>,
) -> Result<(), LogError> {
    if to.exists() {
        return Err(LogError::Exists { path: to.into() });
    }
    // Under the final name there is never half a copy.
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let copied = copy(log, &part, watcher);
    match copied {
        Ok(()) => std::fs::rename(&part, to).map_err(|source| LogError::CannotOpen {
            path: to.into(),
            source: source.into(),
        }),
        Err(error) => {
            // It may not even be there.
            let _ = std::fs::remove_file(&part);
            Err(error)
        }
    }
}

fn copy(log: &SqliteLog, part: &Path, watcher: &mut Watcher<'_>) -> Result<(), LogError> {
    const PAGES: i32 = 256;
    let broken = |e| fault(part, e);
    let _ = std::fs::remove_file(part);
    let mut conn = Connection::open(part).map_err(broken)?;
    {
        let backup = Backup::new(&log.conn, &mut conn).map_err(broken)?;
        loop {
            let step = backup.step(PAGES).map_err(broken)?;
            let progress = backup.progress();
            let total = u64::from(progress.pagecount.unsigned_abs());
            watcher(Progress {
                done: total - u64::from(progress.remaining.unsigned_abs()).min(total),
                total,
            });
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
    // A copy is one file, without a write-ahead log beside it.
    conn.pragma_update_and_check(None, "journal_mode", "delete", |row| {
        row.get::<_, String>(0)
    })
    .map_err(broken)?;
    conn.close().map_err(|(_, error)| broken(error))
}

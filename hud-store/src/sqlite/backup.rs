//! Copying a file that is in use.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::check::{Progress, Watcher};
use super::fault::Fault;
use super::{SqliteLog, files};
use crate::log::LogError;
use crate::private;

/// Copies the log while others use it.
pub(super) fn backup(
    log: &SqliteLog,
    to: &Path,
    watcher: &mut Watcher<'_>,
) -> Result<(), LogError> {
    let exists = || LogError::Exists { path: to.into() };
    if fs::symlink_metadata(to).is_ok() {
        return Err(exists());
    }
    // Under the final name there is never half a copy, and each backup works on a file of its own:
    // of several to one place, the first to be done is there, and the others say so.
    files::sweep_parts(to.parent().unwrap_or(Path::new("")), to.file_name());
    let part = files::new_beside(to);
    let copied = copy(log, &part, watcher).map_err(|fault| fault.at(&part));
    let placed = copied.and_then(|()| {
        place(&part, to).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => exists(),
            _ => cannot_open(to, source),
        })
    });
    // It may not even be there.
    let _ = fs::remove_file(&part);
    placed
}

/// Gives a file its name, if there is nothing under it.
fn place(part: &Path, to: &Path) -> std::io::Result<()> {
    match fs::hard_link(part, to) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        Ok(()) => Ok(()),
        // Not all file systems have links.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(part, to),
    }
}

fn cannot_open(path: &Path, source: std::io::Error) -> LogError {
    LogError::CannotOpen {
        path: path.into(),
        source: source.into(),
    }
}

fn copy(log: &SqliteLog, part: &Path, watcher: &mut Watcher<'_>) -> Result<(), Fault> {
    const PAGES: i32 = 256;
    // It stays locked until the copy is whole: what is not is a copy that was killed.
    let held = private::create_new(part).map_err(|source| cannot_open(part, source))?;
    let _ = held.try_lock();
    let mut conn = Connection::open(part)?;
    {
        let backup = Backup::new(&log.conn, &mut conn)?;
        loop {
            let step = backup.step(PAGES)?;
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
    })?;
    let closed = conn.close().map_err(|(_, error)| error.into());
    drop(held);
    closed
}

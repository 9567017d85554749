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
    // The final path never holds a partial copy, and each backup writes its own file. If several have the same
    // destination, the first to finish is kept, and the others return an error.
    files::sweep_parts(to.parent().unwrap_or(Path::new("")), to.file_name());
    let part = files::new_beside(to);
    let copied = copy(log, &part, watcher).map_err(|fault| fault.at(&part));
    let placed = copied.and_then(|()| {
        place(&part, to).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => exists(),
            _ => cannot_open(to, source),
        })
    });
    // The file may not exist, for example after a rename.
    let _ = fs::remove_file(&part);
    placed
}

/// Moves a file to its final path, unless that exists.
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
    // The file stays locked until the copy is complete. An unlocked part file belongs to a copy that was killed.
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
    // A copy is a single file, without a write-ahead log.
    conn.pragma_update_and_check(None, "journal_mode", "delete", |row| {
        row.get::<_, String>(0)
    })?;
    let closed = conn.close().map_err(|(_, error)| error.into());
    drop(held);
    closed
}

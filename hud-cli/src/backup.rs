//! `hud backup`: copies a log, which may be in use.

use std::path::Path;

use hud_store::sqlite::SqliteLog;

use crate::app::App;
use crate::args::Backup;
use crate::opened::FileOnly;
use crate::output::{self, Failure, count, size};
use crate::progress::{Unit, watched};

pub(crate) fn run(args: &Backup, app: &App) -> Result<(), Failure> {
    let log = args.db.file(FileOnly::Backup, app)?.read()?;
    copy(&log, &args.to)
}

/// Copies a log and checks the copy. A damaged copy is an error.
pub(crate) fn copy(log: &SqliteLog, to: &Path) -> Result<(), Failure> {
    watched(Unit::Pages, |watcher| log.backup(to, watcher))?;
    let copy = SqliteLog::open_read_only(to)?;
    let report = watched(Unit::Events, |watcher| copy.check(watcher))?;
    if let Some(problem) = report.problems.first() {
        return Err(Failure::Other(format!(
            "the copy {} is as damaged as the log: {}",
            to.display(),
            problem.what
        )));
    }
    output::note(format_args!(
        "{}: {}, {}",
        to.display(),
        count(report.events, "event"),
        size(report.bytes)
    ));
    Ok(())
}

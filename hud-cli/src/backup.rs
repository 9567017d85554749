//! `hud backup`: a copy of a log that is in use.

use hud_store::sqlite::SqliteLog;

use crate::args::Backup;
use crate::output::{self, Failure, count, size};
use crate::progress::{Unit, watched};

pub(crate) fn run(args: &Backup) -> Result<(), Failure> {
    let log = SqliteLog::open_read_only(&args.db)?;
    watched(Unit::Pages, |watcher| log.backup(&args.to, watcher))?;
    // A backup that can't be read is none.
    let copy = SqliteLog::open_read_only(&args.to)?;
    let report = watched(Unit::Events, |watcher| copy.check(watcher))?;
    if let Some(problem) = report.problems.first() {
        return Err(Failure::Other(format!(
            "the copy {} is as damaged as the log: {}",
            args.to.display(),
            problem.what
        )));
    }
    output::note(format_args!(
        "{}: {}, {}",
        args.to.display(),
        count(report.events, "event"),
        size(report.bytes)
    ));
    Ok(())
}

//! `hud import`: imports events from JSON Lines, memory of other programs, or the recordings of a project.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use hud_store::log::leave_snapshots;
use hud_store::sqlite::Durability;
use indicatif::ProgressBar;

use crate::app::App;
use crate::args::Import;
use crate::foreign;
use crate::opened::FileOnly;
use crate::output::{self, Failure, count};
use crate::progress::{Unit, bar};
use crate::recorded;

pub(crate) fn run(args: &Import, app: &App) -> Result<(), Failure> {
    if args.all {
        return recorded::import(args, app);
    }
    let file = args.file.display().to_string();
    let is_stdin = args.file == Path::new("-");
    if !is_stdin && let Some(files) = foreign::files(&args.file)? {
        return foreign::run(args, &files, app);
    }
    if args.session.is_some() {
        let reason = "--session is for memory of other programs: JSON lines name their sessions";
        return Err(Failure::Other(reason.to_owned()));
    }
    // The file is opened before the log is created, so that an error leaves no empty log.
    let (mut input, bar): (Box<dyn BufRead>, _) = if is_stdin {
        (Box::new(io::stdin().lock()), ProgressBar::hidden())
    } else {
        let failed = |error: io::Error| Failure::Other(format!("{file}: {error}"));
        let opened = File::open(&args.file).map_err(failed)?;
        let bytes = opened.metadata().map_err(failed)?.len();
        let bar = bar(bytes, Unit::Bytes);
        let read = bar.wrap_read(opened);
        (Box::new(BufReader::new(read)), bar)
    };
    let location = args.db.file(FileOnly::Import, app)?;
    let is_new = !location.prepare()?;
    let mut log = location.write(Durability::Full)?;
    let outcome = log.import_lines(&mut input);
    bar.finish_and_clear();
    match outcome {
        Ok(done) => {
            if done.added > 0 {
                // A log that cannot be folded yet is imported anyway, and the error is reported when the log is
                // shown.
                let _ = leave_snapshots(&log);
            }
            output::note(format_args!(
                "{}: {} added, {} there already",
                location.log().display(),
                count(done.added, "event"),
                done.duplicates
            ));
            Ok(())
        }
        Err(source) => {
            drop(log);
            if is_new {
                remove(location.log());
            }
            let file = if is_stdin {
                "standard input".to_owned()
            } else {
                file
            };
            Err(Failure::Import { file, source })
        }
    }
}

/// Removes a log that was created in vain. If that fails, the log is harmless because it is empty.
fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(end);
        let _ = std::fs::remove_file(file);
    }
}

//! `hud archive`: packs events from before the last compaction.

use std::ops::ControlFlow;

use hud_store::event::{CompactEvent, HudEvent, SessionId};
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::app::App;
use crate::args::Archive;
use crate::opened::FileOnly;
use crate::output::{self, Failure, count, size};
use crate::progress::{Unit, watched};
use crate::sessions::known;

pub(crate) fn run(args: &Archive, app: &App) -> Result<(), Failure> {
    // Opening the log for reading fails if there is none, so that this command does not create one.
    let location = args.db.file(FileOnly::Archive, app)?;
    drop(location.read()?);
    let mut log = location.write(Durability::Full)?;
    let sessions = match &args.session {
        Some(wanted) => vec![known(&log, &location.log().into(), wanted)?],
        None => log.sessions()?,
    };
    for info in &sessions {
        let before = match args.before {
            Some(version) => version,
            None => last_compaction(&log, &info.id)?,
        };
        let done = watched(Unit::Events, |watcher| {
            log.archive(&info.id, before, watcher)
        })?;
        if done.events > 0 {
            output::note(format_args!(
                "{}: {} packed, {} in the place of {}",
                info.id,
                count(done.events, "event"),
                size(done.after),
                size(done.before)
            ));
        }
    }
    if args.vacuum {
        output::note("giving the free room back to the disk");
        watched(Unit::Events, |watcher| log.vacuum(watcher))?;
    }
    let file = log.size()?;
    output::note(format_args!(
        "{}: {}, {} of it free",
        location.log().display(),
        size(file.bytes),
        size(file.free)
    ));
    Ok(())
}

/// The version of the session's last compaction; 0 if there was none.
fn last_compaction(log: &SqliteLog, session: &SessionId) -> Result<u64, LogError> {
    let mut last = 0;
    log.read(session, 1, &mut |event| {
        if matches!(event.event, HudEvent::Compact(CompactEvent::After(_))) {
            last = event.version;
        }
        ControlFlow::Continue(())
    })?;
    Ok(last)
}

//! `hud archive`: events from before the last compaction, packed.

use std::ops::ControlFlow;

use hud_store::event::{CompactEvent, HudEvent, SessionId};
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::app::App;
use crate::args::Archive;
use crate::output::{self, Failure, count, size};
use crate::progress::{Unit, watched};
use crate::sessions::known;

pub(crate) fn run(args: &Archive, app: &App) -> Result<(), Failure> {
    // The command makes no log.
    let location = args.db.location(app)?;
    drop(location.read()?);
    let mut log = location.write(Durability::Full)?;
    let sessions = log.sessions()?;
    if let Some(wanted) = &args.session {
        known(location.log(), &sessions, wanted)?;
    }
    let is_wanted = |id: &SessionId| args.session.as_ref().is_none_or(|wanted| wanted == id);
    for info in sessions.iter().filter(|info| is_wanted(&info.id)) {
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

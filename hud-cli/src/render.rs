//! `hud render`: renders the HUD of a session in a log.

use std::path::Path;

use hud_store::event::SessionId;
use hud_store::log::{Listing, Log, Place};

use crate::app::App;
use crate::args::{Render, Source};
use crate::opened::{Opened, Readable};
use crate::output::Failure;
use crate::own;
use crate::show::Show;

pub(crate) fn run(args: &Render, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let (log, session) = open(&args.source, app)?;
    let show = Show {
        setup: &setup,
        log: &*log,
        session: &session,
        shown: args.shown,
    };
    show.one(args.turn)
}

/// The maximum number of sessions in an error message.
const NAMED: usize = 50;

/// Opens the log, and finds the requested session in it.
pub(crate) fn open(source: &Source, app: &App) -> Result<(Box<dyn Readable>, SessionId), Failure> {
    let Opened { log, place } = source.db.open(app)?;
    let session = session_of(&*log, &place, source)?;
    Ok((log, session))
}

/// Returns the requested session of a log, or else the one with the latest event.
pub(crate) fn session_of(
    log: &dyn Log,
    place: &Place,
    source: &Source,
) -> Result<SessionId, Failure> {
    let found = match &source.session {
        Some(wanted) => log.session(wanted)?,
        None => log.newest(1)?.pop(),
    };
    if let Some(session) = found {
        return Ok(session.id);
    }
    let known = log.list(&Listing {
        limit: NAMED + 1,
        ..Listing::default()
    })?;
    let mut names: Vec<&str> = known.iter().map(|session| session.id.as_str()).collect();
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…");
    }
    Err(Failure::Other(match &source.session {
        Some(wanted) if !names.is_empty() => {
            format!(
                "{place} has no session {wanted}: it has {}",
                names.join(", ")
            )
        }
        _ => format!(
            "{place} holds no events yet: fill it with `{}`",
            own::command("replay --db")
        ),
    }))
}

//! `hud render`: the HUD of a session in a log.

use std::path::Path;

use hud_store::event::SessionId;
use hud_store::log::Log;
use hud_store::sqlite::SqliteLog;

use crate::app::App;
use crate::args::{Render, Source};
use crate::output::Failure;
use crate::own;
use crate::show::Show;

pub(crate) fn run(args: &Render, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let (log, session) = open(&args.source, app)?;
    let show = Show {
        setup: &setup,
        log: &log,
        session: &session,
        shown: args.shown,
    };
    show.one(args.turn)
}

/// The log, and the session that is asked for in it.
pub(crate) fn open(source: &Source, app: &App) -> Result<(SqliteLog, SessionId), Failure> {
    let location = source.db.location(app)?;
    let log = location.read()?;
    let sessions = log.sessions()?;
    let found = match &source.session {
        Some(wanted) => sessions.iter().find(|session| session.id == *wanted),
        None => sessions.iter().max_by_key(|session| session.last_at),
    };
    if let Some(session) = found {
        let session = session.id.clone();
        return Ok((log, session));
    }
    let path = location.log().display();
    let known: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
    Err(Failure::Other(match &source.session {
        Some(wanted) if !known.is_empty() => {
            format!(
                "{path} has no session {wanted}: it has {}",
                known.join(", ")
            )
        }
        _ => format!(
            "{path} holds no events yet: fill it with `{}`",
            own::command("replay --db")
        ),
    }))
}

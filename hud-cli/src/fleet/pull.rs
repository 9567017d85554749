//! `hud pull`: copies sessions of the fleet to this machine, or moves them here.

use std::ops::ControlFlow;
use std::time::Duration;

use hud_postgres::{Options, Pulled, SyncError, pull, pull_all, pull_sub_agents, take};
use hud_store::event::SessionId;
use hud_store::log::{Log as _, LogError};
use hud_store::sqlite::{Durability, SqliteLog};

use super::args::Pull;
use super::push::failure;
use super::{address, know};
use crate::app::App;
use crate::location::Location;
use crate::opened::{FileOnly, server, within};
use crate::output::{self, Failure, count};

/// The time limit for each answer of the server, when a session begins whose parent is there.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Pull, app: &App) -> Result<(), Failure> {
    #[cfg(feature = "telemetry")]
    let _traces = super::telemetry::Traces::begin();
    #[cfg(feature = "telemetry")]
    let _span = tracing::info_span!("pull").entered();
    let location = args.db.file(FileOnly::Sync, app)?;
    let mut log = location.write(Durability::Full)?;
    let address = address(args.from.as_ref(), "--from", &log, &location, app)?;
    let mut from = server(&address, location.directory(), app)?;
    know(&log, &address)?;
    let Some(session) = &args.session else {
        let mut refused = 0;
        let mut each = |pulled: Result<Pulled, SyncError>| match pulled {
            Ok(pulled) if pulled.events > 0 => copied(&pulled),
            Ok(_) => {}
            Err(error) => {
                output::problem(error);
                refused += 1;
            }
        };
        let done = match args.sub_agents {
            true => pull_sub_agents(&mut log, &from, &mut 0, &mut each),
            false => pull_all(&mut log, &from, &mut |pulled| {
                each(pulled);
                ControlFlow::Continue(())
            }),
        };
        done.map_err(failure)?;
        return match refused {
            0 => Ok(()),
            refused => Err(Failure::Other(format!(
                "{} not copied",
                count(refused, "session")
            ))),
        };
    };
    let pulled = match args.take {
        true => take(&mut log, &mut from, session),
        false => pull(&mut log, &from, session),
    };
    let pulled = pulled.map_err(|error| named(error, session))?;
    copied(&pulled);
    if args.take {
        output::note(format_args!(
            "{session} goes on here from now on, as {}: what its former home records later is kept apart",
            pulled.session
        ));
    }
    Ok(())
}

/// Copies the session of a parent on another machine, or its new events, for a sub-agent that begins here. Returns
/// the name of the copy. If the server could not be asked, reports that and returns `None`. The sub-agent then begins
/// without the parent's state.
pub(crate) fn parent(
    log: &mut SqliteLog,
    name: &SessionId,
    location: &Location,
    app: &App,
) -> Result<Option<SessionId>, Failure> {
    let is_here = log.session(name)?.is_some();
    if is_here && !log.is_copy(name)? {
        return Ok(Some(name.clone()));
    }
    // Without a fleet there is no such parent, and the caller reports that.
    let Ok(address) = address(None, "--from", log, location, app) else {
        return Ok(Some(name.clone()));
    };
    let options = Options {
        deadline: PATIENCE,
        ..Options::from_env()
    };
    let from = within(&address, options, location.directory(), app).map_err(SyncError::from);
    match from.and_then(|from| pull(log, &from, name)) {
        Ok(pulled) => Ok(Some(pulled.session)),
        Err(error) if is_here => {
            let why = named(error, name);
            output::note(format_args!("{name} is as it was copied last: {why}"));
            Ok(Some(name.clone()))
        }
        Err(error @ SyncError::Log(LogError::NoSession { .. })) => Err(named(error, name)),
        Err(error) => {
            let why = named(error, name);
            output::note(format_args!("nothing is taken over from {name}: {why}"));
            Ok(None)
        }
    }
}

fn named(error: SyncError, session: &SessionId) -> Failure {
    match error {
        SyncError::Log(LogError::NoSession { .. }) => Failure::Other(format!(
            "the fleet has no session {session}: `hud push` on the machine where it is sends it"
        )),
        error => failure(error),
    }
}

fn copied(pulled: &Pulled) {
    let here = match pulled.session == pulled.name {
        true => String::new(),
        false => format!(" (here it is {}, as its name was taken)", pulled.session),
    };
    output::note(format_args!(
        "{}{here}: {} copied, {} in all",
        pulled.name,
        count(pulled.events, "event"),
        pulled.version
    ));
}

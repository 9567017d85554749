//! `hud pull`: sessions of the fleet, copied here or taken over.

use std::ops::ControlFlow;

use hud_postgres::{Pulled, SyncError, pull, pull_all, take};
use hud_store::event::SessionId;
use hud_store::sqlite::Durability;

use super::args::Pull;
use super::push::failure;
use super::{address, know};
use crate::app::App;
use crate::opened::{FileOnly, server};
use crate::output::{self, Failure, count};

pub(crate) fn run(args: &Pull, app: &App) -> Result<(), Failure> {
    let location = args.db.file(FileOnly::Sync, app)?;
    let mut log = location.write(Durability::Full)?;
    let address = address(args.from.as_ref(), "--from", &log, &location, app)?;
    let mut from = server(&address, location.directory(), app)?;
    know(&log, &address)?;
    let Some(session) = &args.session else {
        let mut refused = 0;
        pull_all(&mut log, &from, &mut |pulled| {
            match pulled {
                Ok(pulled) if pulled.events > 0 => copied(&pulled),
                Ok(_) => {}
                Err(error) => {
                    output::problem(error);
                    refused += 1;
                }
            }
            ControlFlow::Continue(())
        })
        .map_err(failure)?;
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

fn named(error: SyncError, session: &SessionId) -> Failure {
    match error {
        SyncError::Log(hud_store::log::LogError::NoSession { .. }) => Failure::Other(format!(
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

//! `hud at`: shows the HUD of a session at an earlier moment.

use std::path::Path;

use hud_store::event::SessionId;
use hud_store::log::{Log, Moment, state_at, state_of};
use hud_store::state::HudState;

use crate::app::App;
use crate::args::At;
use crate::output::{Failure, Output};
use crate::render::open;
use crate::show::Show;

pub(crate) fn run(args: &At, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let (log, session) = open(&args.source, app)?;
    let state = past_state(&*log, &session, args.moment)?;
    let show = Show {
        setup: &setup,
        log: &*log,
        session: &session,
        shown: args.shown,
    };
    let mut output = Output::new();
    show.frame(&mut output, state.turn, &state)?;
    Ok(output.flush()?)
}

/// Returns the state of a session at a moment. A version or turn in the future is an error, since it is most
/// likely a typing error.
pub(crate) fn past_state(
    log: &dyn Log,
    session: &SessionId,
    moment: Moment,
) -> Result<HudState, Failure> {
    let end = state_of(log, session)?;
    let (name, asked, last) = match moment {
        Moment::Version(version) => ("version", version, end.version),
        Moment::Turn(turn) => ("turn", turn, end.turn),
        // Nothing changed after the last event, so any later time has the same state.
        Moment::Time(_) => return Ok(state_at(log, session, moment)?),
    };
    if asked > last {
        return Err(Failure::Other(format!(
            "session {session} has no {name} {asked}: ask for one from 0 to {last}, which is its last"
        )));
    }
    Ok(state_at(log, session, moment)?)
}

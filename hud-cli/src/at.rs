//! `hud at`: the HUD of a session as it was.

use hud_store::log::state_at;

use crate::args::At;
use crate::output::{Failure, Output};
use crate::render::open;
use crate::show::Show;

pub(crate) fn run(args: &At) -> Result<(), Failure> {
    let (log, session) = open(&args.source)?;
    let state = state_at(&log, &session, args.moment)?;
    let show = Show {
        log: &log,
        session: &session,
        shown: args.shown,
    };
    let mut output = Output::new();
    show.frame(&mut output, state.turn, &state)?;
    Ok(output.flush()?)
}

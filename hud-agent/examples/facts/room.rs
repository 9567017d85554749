//! The size that a scored HUD may have.

use std::fmt;

use hud_agent::budget::Counters;
use hud_agent::frame::Frame;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_core::tokens::Encoding;
use hud_store::state::HudState;

use super::Outcome;

/// The size that a HUD may have.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Chars(usize),
    /// Tokens of o200k.
    Tokens(u64),
}

impl Room {
    /// As much of the HUD as fits.
    pub(super) fn frame(self, state: &HudState, setup: &Setup) -> Outcome<Frame> {
        match self {
            Self::Chars(most) => Ok(Frame::within(state, most, setup)?),
            Self::Tokens(most) => {
                let setup = counting(setup.clone());
                let state = counted(state);
                let (frame, report) = Frame::fitted(&state, Some(Density::Full), most, &setup)?;
                match report.count > most {
                    true => Err(format!("{} tokens are more than {most}", report.count).into()),
                    false => Ok(frame),
                }
            }
        }
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chars(most) => write!(f, "{most}"),
            Self::Tokens(most) => write!(f, "{most} tokens"),
        }
    }
}

/// A setup that counts tokens as exactly as this build can.
pub(super) fn counting(mut setup: Setup) -> Setup {
    setup.counters = Counters::new(Encoding::counter);
    setup
}

/// A state whose tokens are those of o200k, whichever model its session had: one measure for all.
pub(super) fn counted(state: &HudState) -> HudState {
    let mut state = state.clone();
    if let Some(context) = &mut state.context {
        context.model = Some("gpt-5".to_owned());
    }
    state
}

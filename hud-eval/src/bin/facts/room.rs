//! The size limit of a scored HUD.

use std::fmt;

use hud_agent::budget::Counters;
use hud_agent::frame::Frame;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_core::tokens::{Encoding, TokenCounter};
use hud_store::state::HudState;

use super::Outcome;

/// The size limit of a HUD.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Chars(usize),
    /// In tokens of o200k.
    Tokens(u64),
    /// In tokens of o200k, right after a compaction.
    Handoff(u64),
}

impl Room {
    /// Renders as much of the HUD as fits.
    pub(super) fn frame(self, state: &HudState, setup: &Setup) -> Outcome<Frame> {
        match self {
            Self::Chars(most) => Ok(Frame::within(state, most, setup)?),
            Self::Tokens(most) => fitted(state, most, setup),
            Self::Handoff(most) => handoff(state, most, setup),
        }
    }

    /// Returns the budget in tokens.
    pub(super) const fn tokens(self) -> Option<u64> {
        match self {
            Self::Chars(_) => None,
            Self::Tokens(most) | Self::Handoff(most) => Some(most),
        }
    }

    /// True if the state is scored right after a compaction.
    pub(super) const fn is_handoff(self) -> bool {
        matches!(self, Self::Handoff(_))
    }
}

/// Renders the full HUD in at most so many tokens.
fn fitted(state: &HudState, most: u64, setup: &Setup) -> Outcome<Frame> {
    let setup = counting(setup.clone());
    let state = counted(state);
    let (frame, report) = Frame::fitted(&state, Some(Density::Full), most, &setup)?;
    match report.count > most {
        true => Err(format!("{} tokens are more than {most}", report.count).into()),
        false => Ok(frame),
    }
}

/// Renders the handoff of a state right after a compaction, in at most so many tokens.
fn handoff(state: &HudState, most: u64, setup: &Setup) -> Outcome<Frame> {
    let shown = hud_agent::handoff::handoff(&counted(state), Some(most), &counting(setup.clone()))?;
    Ok(Frame {
        density: Density::Full,
        system: shown.text,
        ..Frame::default()
    })
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chars(most) => write!(f, "{most}"),
            Self::Tokens(most) => write!(f, "{most} tokens"),
            Self::Handoff(most) => write!(f, "{most} tokens after a compaction"),
        }
    }
}

/// Returns a setup with the most exact token counter of this build.
pub(super) fn counting(mut setup: Setup) -> Setup {
    setup.counters = Counters::new(Encoding::counter);
    setup
}

/// Returns a state whose tokens are those of o200k, whatever the model of its session, so that all sessions
/// compare.
pub(super) fn counted(state: &HudState) -> HudState {
    let mut state = state.clone();
    if let Some(context) = &mut state.context {
        context.model = Some("gpt-5".to_owned());
    }
    state
}

/// Returns the end of a text that fits into so many tokens.
pub(super) fn last<'t>(text: &'t str, tokens: u64, counter: &dyn TokenCounter) -> Outcome<&'t str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    // No token has more characters than that.
    let near = usize::try_from(tokens)?.saturating_mul(128);
    let (mut most, mut fits) = (starts.len().saturating_sub(near), starts.len());
    while most < fits {
        let middle = most + (fits - most) / 2;
        let end = starts.get(middle).map_or("", |at| &text[*at..]);
        match u64::from(counter.count(end)?) <= tokens {
            true => fits = middle,
            false => most = middle + 1,
        }
    }
    Ok(starts.get(fits).map_or("", |at| &text[*at..]))
}

//! The size that a scored HUD may have.

use std::fmt;

use hud_agent::budget::Counters;
use hud_agent::frame::Frame;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_core::tokens::{Encoding, TokenCounter};
use hud_store::state::HudState;

use super::Outcome;

/// The size that a HUD may have.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Chars(usize),
    /// Tokens of o200k.
    Tokens(u64),
    /// Tokens of o200k, right after a compaction.
    Handoff(u64),
}

impl Room {
    /// As much of the HUD as fits.
    pub(super) fn frame(self, state: &HudState, setup: &Setup) -> Outcome<Frame> {
        match self {
            Self::Chars(most) => Ok(Frame::within(state, most, setup)?),
            Self::Tokens(most) => fitted(state, most, setup),
            Self::Handoff(most) => handoff(state, most, setup),
        }
    }

    /// The budget in tokens.
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

/// The full HUD in at most so many tokens.
fn fitted(state: &HudState, most: u64, setup: &Setup) -> Outcome<Frame> {
    let setup = counting(setup.clone());
    let state = counted(state);
    let (frame, report) = Frame::fitted(&state, Some(Density::Full), most, &setup)?;
    match report.count > most {
        true => Err(format!("{} tokens are more than {most}", report.count).into()),
        false => Ok(frame),
    }
}

/// The handoff of a state right after a compaction, in at most so many tokens: the one place that says how an agent
/// gets it.
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

/// The end of a text, as much as so many tokens hold.
pub(super) fn last<'t>(text: &'t str, tokens: u64, counter: &dyn TokenCounter) -> Outcome<&'t str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    // No token is longer than that.
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

//! The handoff of a session: see [`hud_components::handoff`].

use hud_components::handoff::{Handoff, Shown};
use hud_core::fit::FitError;
use hud_core::{Density, Scope};
use hud_store::state::HudState;

use crate::budget::family;
use crate::layout::RENDERER;
use crate::settings::Settings;
use crate::setup::Setup;

/// The number of tokens that a handoff may have by default: a part of the model's window.
///
/// ```
/// use hud_agent::handoff::room;
/// use hud_agent::settings::Settings;
/// use hud_store::state::HudState;
///
/// // Of the window that is assumed where none is known.
/// assert_eq!(room(&HudState::default(), &Settings::default()), 4_000);
/// ```
pub fn room(state: &HudState, settings: &Settings) -> u64 {
    let context = state.context.as_ref();
    let known = context.and_then(|context| context.limit);
    let window = known.unwrap_or(settings.context.assumed_window);
    let of = |percent: u64| window.saturating_mul(percent) / 100;
    let handoff = &settings.handoff;
    of(handoff.percent).max(handoff.least).min(of(MOST_PERCENT))
}

/// The part of a window that a handoff has at most, in percent.
const MOST_PERCENT: u64 = 10;

/// The handoff of a state within a budget of tokens, by default [as many as the window has room for](room).
///
/// # Errors
///
/// [`FitError`], where a text cannot be counted or rendered.
pub fn handoff(state: &HudState, tokens: Option<u64>, setup: &Setup) -> Result<Shown, FitError> {
    let tokens = tokens.unwrap_or_else(|| room(state, &setup.settings));
    let family = family(state);
    let counter = setup.counters.of(family.encoding);
    let scope = Scope::new(Density::Full);
    let traced = setup.layout.trace().map(|trace| scope.provide(trace));
    let scope = traced.as_ref().map_or(scope, |traced| traced.scope());
    let handoff = Handoff::of(state);
    let mut shown = handoff.within(family.counted(tokens), counter, &RENDERER, scope)?;
    shown.tokens = family.tokens(shown.tokens);
    Ok(shown)
}

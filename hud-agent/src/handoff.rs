//! The handoff of a session: see [`hud_components::handoff`].

use hud_components::handoff::{Handoff, Shown, covers as covers_section};
use hud_core::fit::FitError;
use hud_core::part::PartMeta;
use hud_core::{Density, Scope};
use hud_store::section::{Compacted, Section as _};
use hud_store::state::{Epoch, HudState};

use crate::budget::{family, less};
use crate::layout::RENDERER;
use crate::placement::Placement;
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
    let sections = &setup.settings.sections;
    let is_unknown = |section: &str| section == "active_files" && !setup.settings.derive.files;
    let is_off = |section: &str| {
        sections.get(section).is_some_and(|section| !section.on) || is_unknown(section)
    };
    let handoff = Handoff::of(state).without(is_off);
    let mut shown = handoff.within(family.counted(tokens), counter, &RENDERER, scope)?;
    shown.tokens = family.tokens(shown.tokens);
    Ok(shown)
}

/// True if the conversation was compacted, and the record has what left it. A custom layout decides itself what is shown. Where a
/// text has to stay the same, it is that of an [epoch](Epoch).
pub(crate) fn is_due(state: &HudState, placement: Placement, setup: &Setup) -> bool {
    let has_begun = placement == Placement::Delta || state.epoch.is_some();
    state.compacted.is_some()
        && has_begun
        && !state.record.compacted().is_empty()
        && setup.layout.shows_built_in(state)
}

/// True for a part of the built-in layout that the handoff covers.
pub(crate) fn covers(part: &PartMeta, state: &HudState) -> bool {
    // A client that leaves the cut to the HUD shows no summary itself.
    let keeps_summary = || {
        let compacted = state.compacted.as_ref();
        compacted.is_some_and(|compacted| compacted.boundary.is_none())
    };
    // The files that were used before a compaction are among those that were changed or read.
    let is_covered = covers_section(&part.name) || part.name == "used_before";
    is_covered || (part.name == Compacted::NAME && keeps_summary())
}

/// The handoff of what was recorded before the last compaction, in at most so many tokens and bytes. The other sections
/// are those of a state or, to give the same text until the next compaction, those of its epoch.
pub(crate) fn of_past(
    state: &HudState,
    epoch: Option<&Epoch>,
    tokens: u64,
    bytes: Option<usize>,
    setup: &Setup,
) -> Result<String, FitError> {
    let mut past = epoch.map_or_else(|| state.clone(), Epoch::state);
    past.context.clone_from(&state.context);
    past.record = state.record.at_compaction();
    let mut tokens = tokens;
    loop {
        let shown = handoff(&past, Some(tokens), setup)?;
        match bytes {
            Some(most) if shown.text.len() > most && tokens > 0 => {
                tokens = less(tokens, most, shown.text.len());
            }
            _ => return Ok(shown.text),
        }
    }
}

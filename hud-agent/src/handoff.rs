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

/// Returns the default maximum number of tokens of a handoff: a share of the model's window.
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

/// The maximum share of a window for a handoff, in percent.
const MOST_PERCENT: u64 = 10;

/// Renders the handoff of a state within a budget of tokens, by default [the share of the window](room).
///
/// # Errors
///
/// [`FitError`], if a text can't be counted or rendered.
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

/// True if the frame shows a handoff: the conversation was compacted, and the record has entries from before.
/// A custom layout makes its own choice. A placement with a stable text needs an [epoch](Epoch) for it.
pub(crate) fn is_due(state: &HudState, placement: Placement, setup: &Setup) -> bool {
    let has_begun = placement == Placement::Delta || state.epoch.is_some();
    state.compacted.is_some()
        && has_begun
        && !state.record.compacted().is_empty()
        && setup.layout.shows_built_in(state)
}

/// True for a part of the built-in layout that the handoff covers.
pub(crate) fn covers(part: &PartMeta, state: &HudState) -> bool {
    // A client whose HUD chooses the cut shows no summary itself.
    let keeps_summary = || {
        let compacted = state.compacted.as_ref();
        compacted.is_some_and(|compacted| compacted.boundary.is_none())
    };
    // The handoff lists the files that were used before a compaction among the changed and read files.
    let is_covered = covers_section(&part.name) || part.name == "used_before";
    is_covered || (part.name == Compacted::NAME && keeps_summary())
}

/// Renders the handoff of the record at the last compaction, in at most so many tokens and bytes. The other
/// sections are those of the state, or those of `epoch` for a text that is stable until the next compaction.
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

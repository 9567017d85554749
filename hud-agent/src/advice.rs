//! Advice for an agent whose context fills up, outside of its HUD.

use hud_components::WarningBanner;
use hud_components::usage::ShownUsage;
use hud_core::{Band, Density, LowerError, Scope, rsx};
use hud_store::state::HudState;

use crate::layout::RENDERER;
use crate::settings::Settings;

/// Returns the band of the context use, as the HUD shows it: green if the use is unknown.
pub fn band(state: &HudState, settings: &Settings) -> Band {
    let context = state.context.as_ref();
    context.map_or(Band::Green, |context| {
        ShownUsage::of(context, &settings.bands).band
    })
}

/// Renders the context use and the ways to make room, as markdown. The text is empty while there is room.
///
/// The HUD shows it on each turn, in its own density. This text is for a client that interrupts its agent.
///
/// # Errors
///
/// As [`Renderer::markdown`](hud_core::Renderer::markdown).
pub fn advice(state: &HudState, settings: &Settings) -> Result<String, LowerError> {
    let banner = rsx! {
        <WarningBanner context={state.context.as_ref()} state={Some(state)} />
    };
    let scope = Scope::new(Density::Full).provide(&settings.bands);
    RENDERER.markdown(&banner, scope.scope())
}

#[cfg(test)]
mod tests {
    use hud_store::state::ContextUsage;

    use super::*;

    #[test]
    fn the_advice_names_how_full_it_is_and_what_makes_room() {
        let settings = Settings::default();
        let mut state = HudState::default();
        let said = |state: &HudState| (band(state, &settings), advice(state, &settings).ok());
        assert_eq!(said(&state), (Band::Green, Some(String::new())));
        state.context = Some(ContextUsage {
            used: 90,
            limit: Some(100),
            assumed: false,
            usable: None,
            model: None,
            at: jiff::Timestamp::UNIX_EPOCH,
            readings: vec![90],
        });
        state.core_memory.goal.content = "x".repeat(900);
        let (band, advice) = said(&state);
        assert_eq!(band, Band::Red);
        insta::assert_snapshot!(advice.unwrap_or_default(), @"> **Warning:** the context is 90% full. Finish the step at hand, record decisions and notes, then compact. More room: shorten goal (900/1000) (`core_memory.update`).");
    }
}

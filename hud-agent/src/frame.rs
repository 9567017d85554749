//! The frame of a turn: what the model sees of the HUD.

use hud_components::Hud;
use hud_components::layout;
use hud_core::{Bands, Density, LowerError, render, rsx};
use hud_store::state::HudState;

/// What the model sees of the HUD in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// How much is said.
    pub density: Density,
    /// The HUD as GFM markdown.
    pub markdown: String,
}

impl Frame {
    /// The frame of a state. Without a density the use of the context decides, by `bands`.
    ///
    /// # Errors
    ///
    /// As [`render()`]: never, with the built-in layout.
    pub fn of(
        state: &HudState,
        density: Option<Density>,
        bands: Bands,
    ) -> Result<Self, LowerError> {
        let density = density.unwrap_or_else(|| layout::density(state, &bands));
        Ok(Self {
            density,
            markdown: render(&rsx! { <Hud state bands /> }, density)?,
        })
    }
}

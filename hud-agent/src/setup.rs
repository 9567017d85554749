//! What a program that serves sessions is made of: [`Setup`].

use crate::budget::Counters;
use crate::layout::{Layout, LayoutError};
use hud_core::{Element, rsx};
use hud_store::section::{SectionError, Sections};
use hud_store::state::HudState;

use crate::section::{AgentSection, Noun};
use crate::settings::Settings;
use crate::tool::{OperationError, Operations};

/// What everything that serves a session works with. The default is the built-in one.
///
/// ```
/// use hud_agent::setup::Setup;
///
/// assert_eq!(Setup::default().settings.bands.compact_from, 70);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Setup {
    /// How a session's state is shown.
    pub layout: Layout,
    /// The sections that a session's events are folded to: what logs are opened with.
    pub sections: Sections,
    /// The operations of the `hud` tool.
    pub operations: Operations,
    /// What a user can set.
    pub settings: Settings,
    /// What counts the tokens of the HUD.
    pub counters: Counters,
    /// The number of bytes that a text in the conversation has at most, where the client
    /// [cuts](hud_clients::Client::most_bytes) longer ones.
    pub most_bytes: Option<usize>,
}

/// Why a section can't be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Its name or its events.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// Its operations.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

impl Setup {
    /// This, and one more section.
    ///
    /// # Errors
    ///
    /// [`SetupError`] when its name, one of its kinds of events or one of its operations is taken.
    pub fn with<S: AgentSection>(self) -> Result<Self, SetupError> {
        // First, as a name that is taken is that of the section, and not that of its operations alone.
        let sections = self.sections.with::<S>()?;
        let operations = self.operations.with_noun(Noun::of::<S>())?;
        Ok(Self {
            sections,
            layout: (self.layout)
                .with_sections_of(&Layout::default().with_section(S::NAME, component::<S>))
                .with_handles(&operations.handles()),
            operations,
            ..self
        })
    }

    /// This, with a layout. Sections that it does not show look as they did: whether they are registered
    /// before it or after is all the same.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self {
            layout: layout.with_sections_of(&self.layout),
            ..self
        }
    }

    /// Shows something with this or, where its layout panics or can't be lowered, with the built-in layout, so
    /// that an agent is not without its HUD. Gives why, then. The sections of one's own that it shows are lists.
    ///
    /// # Errors
    ///
    /// As `show`.
    pub fn showing<T>(
        &self,
        show: impl Fn(&Self) -> Result<T, LayoutError>,
    ) -> Result<(T, Option<LayoutError>), LayoutError> {
        match show(self) {
            Err(error @ (LayoutError::Panicked { .. } | LayoutError::Lower(_))) => {
                self.layout.failed(&error);
                let built_in = Self {
                    layout: Layout::default().with_handles(&self.operations.handles()),
                    ..self.clone()
                };
                Ok((show(&built_in)?, Some(error)))
            }
            shown => Ok((shown?, None)),
        }
    }
}

/// How a section looks that the layout does not show.
fn component<S: AgentSection>(state: &HudState) -> Element<'_> {
    match state.section::<S>() {
        Some(section) => section.component(),
        None => rsx! {},
    }
}

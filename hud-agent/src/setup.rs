//! The configuration of a program that serves sessions: [`Setup`].

use crate::budget::Counters;
use crate::layout::{Layout, LayoutError};
use hud_core::{Element, rsx};
use hud_store::section::{SectionError, Sections};
use hud_store::state::HudState;

use crate::section::{AgentSection, Noun};
use crate::settings::Settings;
use crate::tool::{OperationError, Operations};

/// The configuration for serving a session. The default is the built-in one.
///
/// ```
/// use hud_agent::setup::Setup;
///
/// assert_eq!(Setup::default().settings.bands.compact_from, 70);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Setup {
    /// The layout of a session's state.
    pub layout: Layout,
    /// The sections into which a session's events are folded. Logs are opened with them.
    pub sections: Sections,
    /// The operations of the `hud` tool.
    pub operations: Operations,
    /// The user's settings.
    pub settings: Settings,
    /// The token counters of the HUD.
    pub counters: Counters,
    /// The maximum number of bytes of a text in the conversation, if the client
    /// [cuts](hud_clients::Client::most_bytes) longer texts.
    pub most_bytes: Option<usize>,
}

/// An error of adding a section.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Its name or one of its events is invalid or taken.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// One of its operations is invalid or taken.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

impl Setup {
    /// Returns the setup with one more section.
    ///
    /// # Errors
    ///
    /// [`SetupError`], if its name, one of its kinds of events or one of its operations is taken.
    pub fn with<S: AgentSection>(self) -> Result<Self, SetupError> {
        // The sections come first, so that the error of a taken name is that of the section.
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

    /// Returns the setup with a layout. The components of sections that the layout does not show stay the
    /// same, whether the sections are registered before or after this call.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self {
            layout: layout.with_sections_of(&self.layout),
            ..self
        }
    }

    /// Renders with this setup. If its layout panics or can't be lowered, renders with the built-in layout
    /// instead, so that the agent still has a HUD, and returns the error. Custom sections are then shown as
    /// lists.
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

/// Returns the default component of a section.
fn component<S: AgentSection>(state: &HudState) -> Element<'_> {
    match state.section::<S>() {
        Some(section) => section.component(),
        None => rsx! {},
    }
}

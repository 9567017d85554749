//! What a user can set: [`Settings`].

use hud_core::Bands;

/// What a user can set of how sessions are served. The default is what holds where nothing is set.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The bands of context use.
    pub bands: Bands,
}

//! What a program that serves sessions is made of: [`Setup`].

use crate::layout::Layout;
use crate::settings::Settings;

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
    /// What a user can set.
    pub settings: Settings,
}

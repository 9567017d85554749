//! Which frame a client was handed for the model, as the log keeps it: by the hashes of its texts, with all
//! that they follow from besides the state. Whoever renders the session later can tell by them whether it is
//! what was sent, or what it would be today.
//!
//! ```
//! use hud_agent::frame::frame;
//! use hud_agent::placement::Placement;
//! use hud_agent::sent::{is_of, made_with, sent};
//! use hud_agent::setup::Setup;
//! use hud_store::state::HudState;
//!
//! let (state, placement) = (HudState::default(), Placement::MessageTail);
//! let mut setup = Setup::default();
//! let shown = frame(&state, None, placement, &setup)?;
//! let kept = sent(&shown, state.version, None, placement, &setup.settings);
//!
//! setup.settings = made_with(&kept, &setup.settings);
//! assert!(is_of(&frame(&state, None, placement, &setup)?, &kept));
//! # Ok::<(), hud_agent::layout::LayoutError>(())
//! ```

use hud_core::Bands;
use hud_store::event::{ContextFrame, FrameBands, FrameText};

use crate::frame::Frame;
use crate::placement::Placement;
use crate::settings::Settings;

/// What the log keeps of a frame that shows the state of a version, or what changed since an earlier one.
pub fn sent(
    frame: &Frame,
    version: u64,
    base: Option<u64>,
    placement: Placement,
    settings: &Settings,
) -> ContextFrame {
    ContextFrame {
        version,
        base,
        placement: placement.name().to_owned(),
        density: frame.density.name().to_owned(),
        bands: (settings.bands != Bands::default()).then(|| kept(&settings.bands)),
        budget: settings.budget.limit(),
        system: FrameText::of(&frame.system),
        message: FrameText::of(&frame.message),
    }
}

/// Whether a frame has the texts of one that was sent.
pub fn is_of(frame: &Frame, sent: &ContextFrame) -> bool {
    FrameText::of(&frame.system) == sent.system && FrameText::of(&frame.message) == sent.message
}

/// The settings with what a frame that was sent was made with, as far as the log has it.
pub fn made_with(sent: &ContextFrame, settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.bands = sent.bands.map_or_else(Bands::default, bands);
    settings.budget.tokens = sent.budget.unwrap_or(0);
    settings
}

/// Whether two frames show the same in the same place, so that the second one is not worth another event. What
/// says only what changed is another message each time.
pub(crate) fn is_same(before: &ContextFrame, now: &ContextFrame) -> bool {
    let is_whole = before.base.is_none() && now.base.is_none();
    is_whole
        && *before
            == ContextFrame {
                version: before.version,
                ..now.clone()
            }
}

const fn kept(bands: &Bands) -> FrameBands {
    let &Bands {
        compact_from,
        minimal_from,
        red_above,
        critical_above,
        margin,
        step,
        announced_turns,
    } = bands;
    FrameBands {
        compact_from,
        minimal_from,
        red_above,
        critical_above,
        margin,
        step,
        announced_turns,
    }
}

const fn bands(kept: FrameBands) -> Bands {
    let FrameBands {
        compact_from,
        minimal_from,
        red_above,
        critical_above,
        margin,
        step,
        announced_turns,
    } = kept;
    Bands {
        compact_from,
        minimal_from,
        red_above,
        critical_above,
        margin,
        step,
        announced_turns,
    }
}

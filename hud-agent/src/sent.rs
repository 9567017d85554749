//! The frame that a client received for the model, as the log keeps it: the hashes of its texts, and all
//! inputs of the frame except the state. A later rendering of the session compares its hashes with these, to
//! tell if it is the sent frame or the frame of today's settings.
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

/// Returns the log's record of a frame. The frame shows the state of a version, or its changes since `base`.
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

/// True if a frame has the texts of one that was sent.
pub fn is_of(frame: &Frame, sent: &ContextFrame) -> bool {
    FrameText::of(&frame.system) == sent.system && FrameText::of(&frame.message) == sent.message
}

/// Returns the settings with those of a sent frame, as far as the log has them.
pub fn made_with(sent: &ContextFrame, settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.bands = sent.bands.map_or_else(Bands::default, bands);
    settings.budget.tokens = sent.budget.unwrap_or(0);
    settings
}

/// True if two frames show the same in the same place, and the second one needs no event. A frame with a base
/// is a new message each time.
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

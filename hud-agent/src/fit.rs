//! As much of a HUD as a budget holds.

use hud_core::Density;
use hud_core::fit::{FitError, Fitted, Fitting, Report};
use hud_core::part::PartMeta;
use hud_core::tokens::{Characters, TokenCounter};
use hud_store::state::HudState;

use crate::frame::Frame;
use crate::layout::LayoutError;
use crate::setup::Setup;

impl Frame {
    /// As much of the HUD of a state as `chars` characters hold, in [`system`](Self::system): of each part
    /// as many items, or as dense, as its worth earns beside the others. Parts do not go below their
    /// floors: where those are too long together, so is the HUD.
    ///
    /// ```
    /// use hud_agent::frame::Frame;
    /// use hud_agent::setup::Setup;
    /// use hud_store::state::HudState;
    ///
    /// let frame = Frame::within(&HudState::default(), 10, &Setup::default())?;
    /// assert_eq!(frame.system, "no task\n");
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::render`](crate::layout::Layout::render).
    pub fn within(state: &HudState, chars: usize, setup: &Setup) -> Result<Self, LayoutError> {
        let budget = u64::try_from(chars).unwrap_or(u64::MAX);
        let (frame, _) = Self::fitted(state, Density::Full, budget, &Characters, setup)?;
        Ok(frame)
    }

    /// As much of the HUD of a state as a budget holds, in what a counter counts, and a report of what was
    /// chosen and why. No part is denser than `ceiling` says, and none less dense than its floor: where
    /// the floors are too large together the HUD is as small as they let it be, and the report counts
    /// more than its budget.
    ///
    /// Sections that are left out, and that the agent can list with the `hud` tool, are named on a last
    /// line with the operation that lists them.
    ///
    /// ```
    /// use hud_agent::frame::Frame;
    /// use hud_agent::setup::Setup;
    /// use hud_core::Density;
    /// use hud_core::tokens::Estimate;
    /// use hud_store::state::HudState;
    ///
    /// let (state, setup) = (HudState::default(), Setup::default());
    /// let (frame, report) = Frame::fitted(&state, Density::Full, 300, &Estimate, &setup)?;
    /// assert!(frame.system.starts_with("# Task"));
    /// assert_eq!(report.gap().to_string(), "0");
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::fit`](crate::layout::Layout::fit), but for floors that do not fit.
    pub fn fitted(
        state: &HudState,
        ceiling: Density,
        budget: u64,
        counter: &dyn TokenCounter,
        setup: &Setup,
    ) -> Result<(Self, Report), LayoutError> {
        let ceiling_of = |_: &PartMeta| Some(ceiling);
        let operations = &setup.operations;
        let handle = |part: &PartMeta| operations.list_of(&part.name).map(str::to_owned);
        let fitting = Fitting::new(budget, counter)
            .with_ceiling(&ceiling_of)
            .with_handle(&handle);
        let Fitted { rendered, report } =
            or_smallest(setup.layout.fit(state, &setup.settings, &fitting))?;
        let frame = Self {
            density: ceiling,
            parts: rendered.parts,
            system: rendered.markdown,
            message: String::new(),
        };
        Ok((frame, report))
    }
}

/// What fitted, or what has to be there in any case.
pub(crate) fn or_smallest(fitted: Result<Fitted, LayoutError>) -> Result<Fitted, LayoutError> {
    match fitted {
        Err(LayoutError::Fit(FitError::TooLarge { smallest })) => Ok(*smallest),
        fitted => fitted,
    }
}

//! Fits a HUD into a budget.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use hud_core::Density;
use hud_core::fit::share::{Share, divide};
use hud_core::fit::{FitError, Fitted, Fitting, Pressures, Report, Valued, Worth};
use hud_core::part::{Layer, PartCache, PartMeta, Rendered};
use hud_core::tokens::{Characters, Family, TokenCounter};
use hud_store::section::Bearing;
use hud_store::state::{Epoch, HudState};

use crate::attention::{attended, capped};
use crate::budget::{family, less, of_family};
use crate::frame::Frame;
use crate::handoff;
use crate::layout::LayoutError;
use crate::setup::Setup;

impl Frame {
    /// Renders as much of the HUD of a state as fits into a client's limit in bytes.
    pub(crate) fn in_bytes(
        state: &HudState,
        bytes: usize,
        setup: &Setup,
    ) -> Result<Self, LayoutError> {
        let mut chars = u64::try_from(bytes).unwrap_or(u64::MAX);
        loop {
            let (frame, _) = fitted(state, Density::Full, chars, &Characters, setup)?;
            let length = frame.system.len();
            if length <= bytes || chars == 0 {
                return Ok(frame);
            }
            chars = less(chars, bytes, length);
        }
    }

    /// Renders as much of the HUD of a state as fits into `chars` characters, in [`system`](Self::system). The
    /// priority of a part sets its number of items and its density. No part goes below its floor, so the HUD
    /// is too long if the floors together are.
    ///
    /// ```
    /// use hud_agent::frame::Frame;
    /// use hud_agent::setup::Setup;
    /// use hud_store::state::HudState;
    ///
    /// let mut state = HudState::default();
    /// state.repository.branch = Some("main".to_owned());
    /// let frame = Frame::within(&state, 100, &Setup::default())?;
    /// assert_eq!(frame.system, "**Git:** on `main`\n");
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::render`](crate::layout::Layout::render).
    pub fn within(state: &HudState, chars: usize, setup: &Setup) -> Result<Self, LayoutError> {
        let budget = u64::try_from(chars).unwrap_or(u64::MAX);
        Ok(fitted(state, Density::Full, budget, &Characters, setup)?.0)
    }

    /// Renders as much of the HUD of a state as fits into so many tokens of its model. Returns a report of the
    /// choices and their reasons. The maximum density is `density`, by default that of the context use. No
    /// part goes below its floor. If the floors together do not fit, the HUD is as small as they allow, and
    /// the report counts more tokens than its budget.
    ///
    /// The last line names the sections that are left out and that the agent can list with the `hud` tool. It
    /// gives the operation that lists them.
    ///
    /// ```
    /// use hud_agent::frame::Frame;
    /// use hud_agent::setup::Setup;
    /// use hud_store::state::HudState;
    ///
    /// let mut state = HudState::default();
    /// state.repository.branch = Some("main".to_owned());
    /// let (frame, report) = Frame::fitted(&state, None, 300, &Setup::default())?;
    /// assert_eq!(frame.system, "**Git:** on `main`\n");
    /// assert_eq!(report.gap().to_string(), "0");
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::fit`](crate::layout::Layout::fit), except for floors that do not fit.
    pub fn fitted(
        state: &HudState,
        density: Option<Density>,
        tokens: u64,
        setup: &Setup,
    ) -> Result<(Self, Report), LayoutError> {
        let bands = &setup.settings.bands;
        let density = density.unwrap_or_else(|| hud_components::density(state, bands));
        let family = family(state);
        let counter = setup.counters.of(family.encoding);
        let budget = family.counted(tokens);
        let (frame, report) = fitted(state, density, budget, counter, setup)?;
        Ok((frame, of_family(report, tokens, family)))
    }
}

fn fitted(
    state: &HudState,
    ceiling: Density,
    budget: u64,
    counter: &dyn TokenCounter,
    setup: &Setup,
) -> Result<(Frame, Report), LayoutError> {
    let all = |_: &PartMeta| Some(ceiling);
    let tokens = (budget, counter);
    let Fitted { rendered, report } = least(state, ceiling, &all, tokens, None, (setup, None))?;
    let frame = Frame {
        density: ceiling,
        parts: rendered.parts,
        system: rendered.markdown,
        message: String::new(),
    };
    Ok((frame, report))
}

/// Fits the parts that have a ceiling into a budget. If their floors do not fit, returns the smallest HUD.
fn least(
    state: &HudState,
    density: Density,
    ceiling: &dyn Fn(&PartMeta) -> Option<Density>,
    (budget, counter): (u64, &dyn TokenCounter),
    steady: Option<Pressures>,
    (setup, known): (&Setup, Option<&PartCache>),
) -> Result<Fitted, LayoutError> {
    let attended = match state.attention.is_empty() {
        true => BTreeMap::new(),
        false => attended(state, density, ceiling, budget, counter, setup)?,
    };
    let settings = match attended.is_empty() {
        true => Cow::Borrowed(&setup.settings),
        false => Cow::Owned(capped(&setup.settings, &attended)),
    };
    let worth = |part: &PartMeta| match attended.get(&*part.name) {
        Some(given) => given.valued(),
        None => worth(state, part),
    };
    // A section with a share is at most as dense as its share allows.
    let ceiling = |part: &PartMeta| {
        let most = ceiling(part)?;
        let given = attended.get(&*part.name);
        Some(given.map_or(most, |given| given.density.min(most)))
    };
    let family = family(state);
    let share = |part: &PartMeta| {
        let share = setup.settings.budget.shares.get(&*part.name)?;
        Some(share.bounds_in(|tokens| family.counted(tokens)))
    };
    let fitting = Fitting::new(budget, counter)
        .with_ceiling(&ceiling)
        .with_share(&share)
        .with_worth(&worth);
    let fitting = match steady {
        Some(least) => fitting.steadily(least),
        None => fitting,
    };
    let fitting = match known {
        Some(known) => fitting.with_cache(known),
        None => fitting,
    };
    match setup.layout.fit(state, &settings, density, &fitting) {
        Err(LayoutError::Fit(FitError::TooLarge { smallest })) => Ok(*smallest),
        fitted => fitted,
    }
}

/// Returns the current priority of a part: its declared priority, scaled by the [bearing](Bearing) of the
/// section of its name on the work.
///
/// The reference time of the dynamic layer is the current turn. That of the static layer is the last turn that
/// concerned the section or compacted the conversation. Nothing else changes its priority.
fn worth(state: &HudState, part: &PartMeta) -> Valued {
    let declared = Worth::from(part.worth);
    let bearings = state.bearings(&part.name);
    let now = match part.layer {
        Layer::Dynamic => state.turn,
        Layer::Static => {
            let compacted = state.compacted.as_ref().map(|compacted| compacted.turn);
            let own = bearings.iter().map(|bearing| bearing.turn);
            own.chain(compacted).max().unwrap_or_default()
        }
    };
    match Bearing::most(bearings, now) {
        None => declared.into(),
        Some(bearing) => {
            let percent = bearing.percent(now);
            Valued {
                worth: Worth::of_thousandths(declared.thousandths() * percent / 100),
                because: Some(format!("{percent} % of {declared}: {}", bearing.at(now))),
            }
        }
    }
}

/// The layers of a frame, within the available tokens.
pub(crate) struct Layers<'s> {
    setup: &'s Setup,
    tokens: Option<Tokens<'s>>,
    /// The layers whose parts are left out if the [handoff](crate::handoff) covers them.
    pub(crate) covered: &'static [Layer],
}

/// The available tokens, in the units of a counter.
#[derive(Clone, Copy)]
struct Tokens<'s> {
    counter: &'s dyn TokenCounter,
    family: &'static Family,
    all: u64,
    /// The maximum for the static layer.
    fixed: u64,
}

/// The names of parts.
pub(crate) type Names = Vec<Cow<'static, str>>;

impl<'s> Layers<'s> {
    pub(crate) fn of(state: &HudState, setup: &'s Setup) -> Self {
        let budget = &setup.settings.budget;
        let tokens = budget.limit().map(|tokens| {
            let family = family(state);
            let all = family.counted(tokens);
            let shares = [Share::percent(budget.static_percent.min(100)), Share::REST];
            let parts = divide(all, &shares).unwrap_or_default();
            Tokens {
                counter: setup.counters.of(family.encoding),
                family,
                all,
                fixed: parts.first().copied().unwrap_or(all),
            }
        });
        Self {
            setup,
            tokens,
            covered: &[],
        }
    }

    /// Renders the static layer within its share, which does not depend on the dynamic layer. Its text changes
    /// only if its own content does, and the same holds for a part, unless others leave it no room. Content
    /// that was dropped in an epoch does not return before the next one: `least` are the
    /// [pressures](Self::pressures) of the epoch. The names are those of its parts, including parts that were
    /// left out.
    pub(crate) fn fixed(
        &self,
        state: &HudState,
        least: Pressures,
        known: Option<&PartCache>,
    ) -> Result<(Rendered, Names), LayoutError> {
        let budget = self.tokens.map(|tokens| (tokens.fixed, Some(least)));
        self.layer(state, Layer::Static, Density::Full, budget, known)
    }

    /// The model's family, which sets the number of tokens, if that number is limited.
    pub(crate) fn family(&self) -> Option<&'static Family> {
        self.tokens.map(|tokens| tokens.family)
    }

    /// Returns the pressures of the static layer at the start of an epoch.
    pub(crate) fn pressures(&self, epoch: &Epoch) -> Result<Pressures, LayoutError> {
        let Some(Tokens { counter, fixed, .. }) = self.tokens else {
            return Ok(Pressures::default());
        };
        let is_static = |part: &PartMeta| (part.layer == Layer::Static).then_some(Density::Full);
        let (tokens, steady) = ((fixed, counter), Some(Pressures::default()));
        let setup = (self.setup, None);
        let fitted = least(
            &epoch.state(),
            Density::Full,
            &is_static,
            tokens,
            steady,
            setup,
        )?;
        Ok(fitted.report.pressures.unwrap_or_default())
    }

    /// Returns the number of tokens for a handoff that shares its layers with the text `beside`.
    pub(crate) fn of_handoff(&self, state: &HudState, beside: &str) -> Result<u64, LayoutError> {
        let room = handoff::room(state, &self.setup.settings);
        let Some(tokens) = self.tokens else {
            return Ok(room);
        };
        let count = tokens.counter.count(beside).map_err(FitError::Count)?;
        let is_kept = self.covered.contains(&Layer::Dynamic);
        let most = if is_kept { tokens.all } else { tokens.fixed };
        let left = most.saturating_sub(count.into());
        Ok(room.min(tokens.family.tokens(left)))
    }

    /// Renders the dynamic layer within the tokens that other texts leave.
    pub(crate) fn changing(
        &self,
        state: &HudState,
        density: Density,
        others: [&str; 2],
        known: Option<&PartCache>,
    ) -> Result<Rendered, LayoutError> {
        let left = self.left(&others)?;
        let budget = left.map(|left| (left.unwrap_or(0), None));
        let (rendered, _) = self.layer(state, Layer::Dynamic, density, budget, known)?;
        Ok(rendered)
    }

    /// Limits the dynamic layer to the tokens for the last message, after the text `before`. The layer is
    /// unchanged if the settings already limit the tokens of the HUD.
    pub(crate) fn affordable(
        &self,
        state: &HudState,
        density: Density,
        before: &str,
        shown: Rendered,
        known: Option<&PartCache>,
    ) -> Result<Rendered, LayoutError> {
        let Some(context) = &state.context else {
            return Ok(shown);
        };
        // The HUD shows little while the model still sees the whole conversation.
        let is_whole = state.compacted.is_none() && state.pruned.is_empty();
        let used = if is_whole { 0 } else { context.used };
        let budget = &self.setup.settings.budget;
        let (None, Some(most)) = (self.tokens, budget.tail(used)) else {
            return Ok(shown);
        };
        let family = family(state);
        let most = match self.covered {
            [] => most,
            // Each turn also pays for the handoff, at the price of a cache read.
            _ => {
                let handoff = handoff::room(state, &self.setup.settings) / 10;
                most.saturating_sub(handoff).max(budget.tail_least)
            }
        };
        let most = family.counted(most);
        let bytes = before.len().saturating_add(shown.markdown.len());
        // A text never has more tokens than bytes, in any encoding.
        if u64::try_from(bytes).is_ok_and(|bytes| bytes <= most) {
            return Ok(shown);
        }
        let counter = self.setup.counters.of(family.encoding);
        let count = |text: &str| counter.count(text).map(u64::from).map_err(FitError::Count);
        let left = most.saturating_sub(count(before)?);
        if count(&shown.markdown)? <= left {
            return Ok(shown);
        }
        let of_layer = |part: &PartMeta| (part.layer == Layer::Dynamic).then(|| part.at(density));
        let tokens = (left, counter);
        let setup = (self.setup, known);
        Ok(least(state, density, &of_layer, tokens, None, setup)?.rendered)
    }

    /// True if the tokens suffice for all texts in sequence.
    pub(crate) fn hold(&self, texts: [&str; 3]) -> Result<bool, LayoutError> {
        Ok(self.left(&texts)?.is_none_or(|left| left.is_some()))
    }

    /// Returns the tokens that the texts leave, if the number is limited; the inner `None` if they exceed it.
    fn left(&self, texts: &[&str]) -> Result<Option<Option<u64>>, LayoutError> {
        let Some(Tokens { counter, all, .. }) = self.tokens else {
            return Ok(None);
        };
        let mut taken = 0;
        for (at, text) in texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
        {
            // The count includes the line ending that separates the text from the next one.
            let between = if at < 2 { "\n" } else { "" };
            let count = counter.count(&format!("{text}{between}"));
            taken += u64::from(count.map_err(FitError::Count)?);
        }
        Ok(Some(all.checked_sub(taken)))
    }

    fn layer(
        &self,
        state: &HudState,
        layer: Layer,
        density: Density,
        budget: Option<(u64, Option<Pressures>)>,
        known: Option<&PartCache>,
    ) -> Result<(Rendered, Names), LayoutError> {
        let Setup {
            layout, settings, ..
        } = self.setup;
        let covered = RefCell::new(Names::new());
        let of_layer = |part: &PartMeta| {
            if part.layer != layer {
                return None;
            }
            if self.covered.contains(&layer) && handoff::covers(part, state) {
                covered.borrow_mut().push(part.name.clone());
                return None;
            }
            Some(part.at(density))
        };
        let (Some((budget, steady)), Some(Tokens { counter, .. })) = (budget, self.tokens) else {
            let choose = &mut |part: &PartMeta| of_layer(part);
            let rendered = layout.render_known(state, settings, density, known, choose)?;
            let names = rendered.parts.iter().map(|shown| shown.part.name.clone());
            let names = names.chain(covered.take()).collect();
            return Ok((rendered, names));
        };
        let Fitted { rendered, report } = least(
            state,
            density,
            &of_layer,
            (budget, counter),
            steady,
            (self.setup, known),
        )?;
        let names = report.parts.into_iter().map(|report| report.part.name);
        let names = names.chain(covered.take());
        Ok((rendered, names.collect()))
    }
}

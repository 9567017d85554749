//! As much of a HUD as a budget holds.

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
    /// As much of the HUD of a state as a client takes whole.
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

    /// As much of the HUD of a state as `chars` characters hold, in [`system`](Self::system): of each part
    /// as many items, or as dense, as its worth earns beside the others. Parts do not go below their
    /// floors: where those are too long together, so is the HUD.
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

    /// As much of the HUD of a state as so many tokens of its model hold, and a report of what was chosen and
    /// why. No part is denser than `density` says, or, without one, the use of the context; and none is
    /// less dense than its floor: where the floors are too large together the HUD is as small as they
    /// let it be, and the report counts more than its budget.
    ///
    /// Sections that are left out, and that the agent can list with the `hud` tool, are named on a last
    /// line with the operation that lists them.
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
    /// As [`Layout::fit`](crate::layout::Layout::fit), but for floors that do not fit.
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

/// What fits of the parts that are given a density, or as little of them as their floors let there be.
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
    // What has a share has no more than that holds.
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

/// What a part is worth at the moment: what it declares, by how the section of its name
/// [bears](Bearing) on the work.
///
/// The present of the dynamic layer is the turn. That of the static layer is the last turn that had to do
/// with the section, or compacted the conversation: nothing else changes what it is worth.
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

/// The layers of a frame, as far as there are tokens for them.
pub(crate) struct Layers<'s> {
    setup: &'s Setup,
    tokens: Option<Tokens<'s>>,
    /// The layers whose parts are left out if the [handoff](crate::handoff) covers them.
    pub(crate) covered: &'static [Layer],
}

/// The tokens that there are, as a counter counts them.
#[derive(Clone, Copy)]
struct Tokens<'s> {
    counter: &'s dyn TokenCounter,
    family: &'static Family,
    all: u64,
    /// Those that the static layer may have of them.
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

    /// The static layer. It has its share, whatever the dynamic one has to say: it is the same text until
    /// something of its own changes, and a part of it, unless others leave it no room. What was given up to
    /// make room in an epoch is not taken back before the next one: `least` are the [pressures](Self::pressures) of that.
    /// The names are those of its parts, with what was left out.
    pub(crate) fn fixed(
        &self,
        state: &HudState,
        least: Pressures,
        known: Option<&PartCache>,
    ) -> Result<(Rendered, Names), LayoutError> {
        let budget = self.tokens.map(|tokens| (tokens.fixed, Some(least)));
        self.layer(state, Layer::Static, Density::Full, budget, known)
    }

    /// The model's family, which says how many tokens there are, if their number is limited.
    pub(crate) fn family(&self) -> Option<&'static Family> {
        self.tokens.map(|tokens| tokens.family)
    }

    /// The pressures of the static layer as an epoch began.
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

    /// The tokens of a handoff beside the rest of its layers.
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

    /// The dynamic layer, which has what other texts leave.
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

    /// The dynamic layer as far as a last message has tokens for it behind what comes before it there: as it is
    /// where the tokens of the HUD are limited already.
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
        // While the whole conversation is there, little has to be shown.
        let is_whole = state.compacted.is_none() && state.pruned.is_empty();
        let used = if is_whole { 0 } else { context.used };
        let budget = &self.setup.settings.budget;
        let (None, Some(most)) = (self.tokens, budget.tail(used)) else {
            return Ok(shown);
        };
        let family = family(state);
        let most = match self.covered {
            [] => most,
            // The handoff is paid for in each turn as well, at the price of what is read from the cache.
            _ => {
                let handoff = handoff::room(state, &self.setup.settings) / 10;
                most.saturating_sub(handoff).max(budget.tail_least)
            }
        };
        let most = family.counted(most);
        let bytes = before.len().saturating_add(shown.markdown.len());
        // No encoding has more tokens than bytes.
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

    /// Whether there are tokens for texts, one behind the other.
    pub(crate) fn hold(&self, texts: [&str; 3]) -> Result<bool, LayoutError> {
        Ok(self.left(&texts)?.is_none_or(|left| left.is_some()))
    }

    /// How many tokens texts leave, if their number is limited; none where they take more than there are.
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
            // With the line that keeps it apart from what follows.
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

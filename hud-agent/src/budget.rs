//! What the tokens of the HUD are counted with.

use std::fmt;
use std::sync::Arc;

use hud_core::fit::{Reason, Report};
use hud_core::tokens::{CountError, Encoding, Estimate, Family, Ledger, TokenCounter};
use hud_store::state::HudState;

use crate::setup::Setup;

/// Counts tokens in each encoding, and keeps the counts for the next turns. By default it
/// [estimates](Estimate).
///
/// ```
/// use hud_agent::budget::Counters;
/// use hud_core::tokens::{Characters, Encoding};
/// use std::sync::Arc;
///
/// let counters = Counters::new(|_| Arc::new(Characters));
/// assert_eq!(counters.of(Encoding::O200k).count("four")?, 4);
/// # Ok::<(), hud_core::tokens::CountError>(())
/// ```
#[derive(Clone)]
pub struct Counters {
    o200k: Arc<dyn TokenCounter>,
    cl100k: Arc<dyn TokenCounter>,
}

impl Default for Counters {
    fn default() -> Self {
        Self::new(|_| Arc::new(Estimate))
    }
}

impl fmt::Debug for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [&self.o200k, &self.cl100k].map(|counter| counter.name());
        f.debug_tuple("Counters").field(&names).finish()
    }
}

impl Counters {
    /// Those that count each encoding so.
    pub fn new(counter: impl Fn(Encoding) -> Arc<dyn TokenCounter>) -> Self {
        let ledger = |encoding| Arc::new(Ledger::new(counter(encoding)));
        Self {
            o200k: ledger(Encoding::O200k),
            cl100k: ledger(Encoding::Cl100k),
        }
    }

    /// What counts the tokens of an encoding.
    pub fn of(&self, encoding: Encoding) -> &dyn TokenCounter {
        match encoding {
            Encoding::O200k => &*self.o200k,
            Encoding::Cl100k => &*self.cl100k,
        }
    }
}

/// A budget in place of one with which a text had too many bytes: smaller in proportion, and a little more. It is 0 at last.
pub(crate) fn less(budget: u64, most: usize, bytes: usize) -> u64 {
    let percent = u64::try_from(most.saturating_mul(95) / bytes.max(1)).unwrap_or(0);
    budget.saturating_mul(percent.min(99)) / 100
}

/// The family of the model that a session last had.
pub(crate) fn family(state: &HudState) -> &'static Family {
    let context = state.context.as_ref();
    Family::of(
        context
            .and_then(|context| context.model.as_deref())
            .unwrap_or_default(),
    )
}

/// How many tokens a text takes of the model that a session last had.
///
/// # Errors
///
/// [`CountError`] if the counter of the setup can't count.
pub fn count(text: &str, state: &HudState, setup: &Setup) -> Result<u64, CountError> {
    let family = family(state);
    let counted = setup.counters.of(family.encoding).count(text)?;
    Ok(family.tokens(counted.into()))
}

/// A report in the tokens of a family, of which there are so many.
pub(crate) fn of_family(mut report: Report, tokens: u64, family: &Family) -> Report {
    let scaled = |count: u32| u32::try_from(family.tokens(count.into())).unwrap_or(u32::MAX);
    report.budget = tokens;
    report.count = family.tokens(report.count);
    for part in &mut report.parts {
        part.count = scaled(part.count);
        part.share = part
            .share
            .map(|share| share.bounds_in(|count| family.tokens(count)));
        if let Reason::Room { more, left, .. } = &mut part.reason {
            (*more, *left) = (scaled(*more), family.tokens(*left));
        }
    }
    if family.percent != 100 {
        let (counter, percent) = (&report.counter, family.percent);
        report.counter = format!("{counter}, {percent} % of it for {}", family.name);
    }
    report
}

//! The token counters of the HUD.

use std::fmt;
use std::sync::Arc;

use hud_core::fit::{Reason, Report};
use hud_core::tokens::{CountError, Encoding, Estimate, Family, Ledger, TokenCounter};
use hud_store::state::HudState;

use crate::setup::Setup;

/// The token counters of all encodings, which keep the counts for later turns. The default is an
/// [estimate](Estimate).
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
    /// Returns counters that use `counter` for each encoding.
    pub fn new(counter: impl Fn(Encoding) -> Arc<dyn TokenCounter>) -> Self {
        let ledger = |encoding| Arc::new(Ledger::new(counter(encoding)));
        Self {
            o200k: ledger(Encoding::O200k),
            cl100k: ledger(Encoding::Cl100k),
        }
    }

    /// Returns the counter of an encoding.
    pub fn of(&self, encoding: Encoding) -> &dyn TokenCounter {
        match encoding {
            Encoding::O200k => &*self.o200k,
            Encoding::Cl100k => &*self.cl100k,
        }
    }
}

/// Returns a smaller budget for a text that had too many bytes: in proportion, with 5 % less. Repeated calls
/// reach 0.
pub(crate) fn less(budget: u64, most: usize, bytes: usize) -> u64 {
    let percent = u64::try_from(most.saturating_mul(95) / bytes.max(1)).unwrap_or(0);
    budget.saturating_mul(percent.min(99)) / 100
}

/// Returns the family of the session's last model.
pub(crate) fn family(state: &HudState) -> &'static Family {
    let context = state.context.as_ref();
    Family::of(
        context
            .and_then(|context| context.model.as_deref())
            .unwrap_or_default(),
    )
}

/// Returns the tokens of a text for the session's last model.
///
/// # Errors
///
/// [`CountError`] if the counter of the setup can't count.
pub fn count(text: &str, state: &HudState, setup: &Setup) -> Result<u64, CountError> {
    let family = family(state);
    let counted = setup.counters.of(family.encoding).count(text)?;
    Ok(family.tokens(counted.into()))
}

/// Converts a report to the tokens of a family, with a budget of `tokens`.
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

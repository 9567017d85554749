//! As much as fits: which way of being shown each of several parts gets within a budget.
//!
//! [`solve()`] is the choice by itself, of anything that has a cost and a worth; [`share`] divides a budget by
//! percentages, with minimums and maximums.
//! [`Renderer::fit`](crate::Renderer::fit) fits the [parts](crate::part) of a layout, in whatever a
//! [counter](crate::tokens) counts, and says in a [`Report`] what it chose and why.
//!
//! All of it is pure and computes in whole numbers: the same input gives the same choice on every machine.
//!
//! # How it is solved
//!
//! To choose one variant of each part, within a budget and for the most worth, is the multiple-choice
//! knapsack problem. The parts begin with what they take at least, and are raised by whatever step gains
//! most for what it costs, along the convex hull of each part's variants. What the first step that does not
//! fit would gain for each unit of the budget is a price; with it, whatever a variant loses against its
//! part's best at that price is known, and so is the most that any choice can be worth
//! ([`bound`](Solution::bound)). Variants that lose more than what is between the two are of no use; the
//! others, mostly few, are gone through as a dynamic programme over costs. Where it would have to keep
//! more than some hundreds of states it keeps the most promising ones, and the bound says how much better
//! the best choice can be at most.

mod layout;
mod level;
mod report;
mod search;
pub mod share;
mod solve;
mod steady;

pub(crate) use layout::fit;
pub use layout::{FitError, Fitted, Fitting, Valued};
pub use level::{CUTS, LEVELS, Level};
pub use report::{Choice, PartReport, Reason, Report};
pub use solve::{Candidate, Solution, TooLarge, Variant, solve};
pub use steady::{Pressure, Pressures, steady};

/// What something is worth beside others: a number with three decimals, from -1,000,000,000 to
/// 1,000,000,000.
///
/// ```
/// use hud_core::fit::{Worth, WorthError};
///
/// assert_eq!(Worth::try_from(1.5)?.thousandths(), 1_500);
/// assert_eq!(Worth::from(7).to_string(), "7");
/// assert_eq!(Worth::try_from(f64::NAN), Err(WorthError("NaN".to_owned())));
/// assert!(Worth::try_from(f64::INFINITY).is_err());
/// # Ok::<(), WorthError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i64);

impl Worth {
    /// The largest, and without its sign the smallest, in thousandths.
    const MOST: i64 = 1_000_000_000_000;

    /// What so many thousandths are worth; what is beyond the bounds is worth as much as those.
    pub const fn of_thousandths(thousandths: i64) -> Self {
        match thousandths {
            i64::MIN..=-1_000_000_000_000 => Self(-Self::MOST),
            Self::MOST.. => Self(Self::MOST),
            _ => Self(thousandths),
        }
    }

    /// It in thousandths.
    pub const fn thousandths(self) -> i64 {
        self.0
    }
}

impl From<u8> for Worth {
    fn from(worth: u8) -> Self {
        Self(i64::from(worth) * 1_000)
    }
}

impl TryFrom<f64> for Worth {
    type Error = WorthError;

    fn try_from(worth: f64) -> Result<Self, WorthError> {
        let thousandths = (worth * 1_000.0).round();
        match thousandths.abs() <= Self::MOST as f64 {
            true => Ok(Self(thousandths as i64)),
            false => Err(WorthError(worth.to_string())),
        }
    }
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write_thousandths(f, i128::from(self.0))
    }
}

fn write_thousandths(f: &mut std::fmt::Formatter<'_>, number: i128) -> std::fmt::Result {
    let sign = if number < 0 { "-" } else { "" };
    let (whole, rest) = (number.unsigned_abs() / 1_000, number.unsigned_abs() % 1_000);
    match rest {
        0 => write!(f, "{sign}{whole}"),
        _ => {
            let rest = format!("{rest:03}");
            write!(f, "{sign}{whole}.{}", rest.trim_end_matches('0'))
        }
    }
}

/// A number that is no [`Worth`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing is worth {0}: give a number from -1000000000 to 1000000000")]
pub struct WorthError(pub String);

/// What several things are worth together, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Total(i128);

impl Total {
    /// It in thousandths.
    pub const fn thousandths(self) -> i128 {
        self.0
    }

    /// How much more this is than something else; nothing where it is less.
    #[must_use]
    pub fn beyond(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0).max(0))
    }
}

impl From<Worth> for Total {
    fn from(worth: Worth) -> Self {
        Self(i128::from(worth.0))
    }
}

impl std::iter::Sum<Worth> for Total {
    fn sum<I: Iterator<Item = Worth>>(each: I) -> Self {
        Self(each.map(|worth| i128::from(worth.0)).sum())
    }
}

impl std::iter::Sum for Total {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        Self(each.map(|total| total.0).sum())
    }
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write_thousandths(f, self.0)
    }
}

#[cfg(test)]
mod tests;

//! Fits several parts into a budget: chooses the way in which each part is shown.
//!
//! [`solve()`] is the plain choice among items with a cost and a priority. [`share`] divides a
//! budget by percentages, with minimums and maximums.
//! [`Renderer::fit`](crate::Renderer::fit) fits the [parts](crate::part) of a layout, in the units
//! of a [counter](crate::tokens). Its [`Report`] has the choices and their reasons.
//!
//! All of it is pure and uses integers: the same input gives the same choice on every machine.
//!
//! # The algorithm
//!
//! Choosing one variant of each part, within a budget and for the highest total priority, is the
//! multiple-choice knapsack problem. Each part starts with its cheapest variant. Then the step with
//! the highest gain for its cost is taken again and again, along the convex hull of each part's
//! variants. The first step that does not fit sets a price: its gain for each unit of the budget.
//! At that price, the loss of each variant against the part's best variant is known, and so is an
//! upper bound of all choices ([`bound`](Solution::bound)). Variants whose loss exceeds the
//! difference between the bound and the choice so far are of no use. The others are mostly few, and
//! a dynamic program over costs searches them. It keeps only the best few hundred states. If it
//! drops states, the bound limits how much better the best choice can be.

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

/// The priority of an item among others: a number with three decimals, from -1,000,000,000 to
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
    /// The largest magnitude, in thousandths.
    const MOST: i64 = 1_000_000_000_000;

    /// The priority of this many thousandths, clamped to the bounds.
    pub const fn of_thousandths(thousandths: i64) -> Self {
        match thousandths {
            i64::MIN..=-1_000_000_000_000 => Self(-Self::MOST),
            Self::MOST.. => Self(Self::MOST),
            _ => Self(thousandths),
        }
    }

    /// The priority in thousandths.
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

/// The error for a number that is no [`Worth`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing is worth {0}: give a number from -1000000000 to 1000000000")]
pub struct WorthError(pub String);

/// The total priority of several items, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Total(i128);

impl Total {
    /// The total in thousandths.
    pub const fn thousandths(self) -> i128 {
        self.0
    }

    /// The difference to a smaller total, or 0.
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

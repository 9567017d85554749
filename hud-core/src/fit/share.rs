//! Shares of a budget: `30%`, or `%*` for the rest, with minimums and maximums.
//!
//! [`divide`] computes the part of the budget of each share. [`solve_groups`] chooses within each
//! share, and passes unused budget on to the others:
//!
//! ```
//! use hud_core::fit::share::{Share, divide};
//!
//! let shares = ["30%", "%*", "%*"].map(|share| share.parse::<Share>());
//! let [fixed, one, other] = shares;
//! let shares = [fixed?.at_least(400), one?, other?.at_most(250)];
//! assert_eq!(divide(1_000, &shares)?, [400, 350, 250]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;

use std::cmp::Ordering;
use std::str::FromStr;

pub(super) use choose::{Group, choose, steadily};
pub use choose::{GroupError, solve_groups};

/// A share of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The percentage, or `None` for an equal part of the rest.
    percent: Option<u8>,
    least: u64,
    pub(super) most: u64,
}

impl Share {
    /// An equal part of the rest that the percentages leave.
    pub const REST: Self = Self {
        percent: None,
        least: 0,
        most: u64::MAX,
    };

    /// A share in percent.
    pub const fn percent(percent: u8) -> Self {
        Self {
            percent: Some(percent),
            ..Self::REST
        }
    }

    /// The same share with a reserved minimum.
    #[must_use]
    pub const fn at_least(self, least: u64) -> Self {
        Self { least, ..self }
    }

    /// The same share with a maximum.
    #[must_use]
    pub const fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The same share with its bounds in another unit, such as the tokens of another model.
    ///
    /// ```
    /// use hud_core::fit::share::Share;
    ///
    /// let share: Share = "30% from 40 to 200".parse()?;
    /// assert_eq!(share.bounds_in(|tokens| tokens / 2).to_string(), "30% from 20 to 100");
    /// # Ok::<(), hud_core::fit::share::ShareError>(())
    /// ```
    #[must_use]
    pub fn bounds_in(self, unit: impl Fn(u64) -> u64) -> Self {
        let most = match self.most {
            u64::MAX => u64::MAX,
            most => unit(most),
        };
        Self {
            least: unit(self.least),
            most,
            ..self
        }
    }
}

/// Parses `30%`, or `%*` for the rest, with an optional minimum and maximum: `30% from 40 to 200`.
impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        let unknown = || ShareError::Unknown(text.to_owned());
        let mut words = text.split_whitespace();
        let mut share = match words.next().ok_or_else(unknown)? {
            "%*" => Self::REST,
            word => match word
                .strip_suffix('%')
                .and_then(|number| number.parse().ok())
            {
                Some(percent @ 0..=100) => Self::percent(percent),
                _ => return Err(unknown()),
            },
        };
        while let Some(word) = words.next() {
            let number = words.next().and_then(|number| number.parse().ok());
            share = match (word, number) {
                ("from", Some(least)) => share.at_least(least),
                ("to", Some(most)) => share.at_most(most),
                _ => return Err(unknown()),
            };
        }
        let Self { least, most, .. } = share;
        match least > most {
            true => Err(ShareError::Bounds { at: 1, least, most }),
            false => Ok(share),
        }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.percent {
            Some(percent) => write!(f, "{percent}%")?,
            None => f.write_str("%*")?,
        }
        if self.least > 0 {
            write!(f, " from {}", self.least)?;
        }
        if self.most < u64::MAX {
            write!(f, " to {}", self.most)?;
        }
        Ok(())
    }
}

/// The error of a budget that cannot be divided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShareError {
    /// A text is not a share.
    #[error(
        "`{0}` is no share: write `30%`, or `%*` for what the others leave, and what it has at least and at \
         most behind that: `30% from 40 to 200`"
    )]
    Unknown(String),
    /// The percentages exceed the budget, or do not use all of it.
    #[error(
        "the shares are {percent} % together: make them 100 %, or one of them `%*`, which has the rest"
    )]
    Sum {
        /// The sum of the percentages.
        percent: u64,
    },
    /// The minimum of a share exceeds its maximum.
    #[error("share {at} has at least {least} and at most {most}: lower the one or raise the other")]
    Bounds {
        /// The number of the share, from 1.
        at: usize,
        /// The minimum.
        least: u64,
        /// The maximum.
        most: u64,
    },
    /// The minimums exceed the budget.
    #[error("{reserved} are reserved of {budget}: raise the budget, or reserve less")]
    Reserved {
        /// The sum of the minimums.
        reserved: u64,
        /// The budget.
        budget: u64,
    },
}

/// The state of a share while a budget is divided.
struct Part {
    weight: u128,
    least: u64,
    most: u64,
    has: Option<u64>,
}

/// Divides a budget. Budget that a share cannot have because of its bounds goes to the others, in
/// proportion to their shares. If all shares are at their maximums, some of the budget is unused.
/// Units that remain after rounding go to the shares with the largest fractions, the first of equal
/// ones.
///
/// # Errors
///
/// [`ShareError`], if the shares do not add up or their bounds cannot be satisfied.
pub fn divide(budget: u64, shares: &[Share]) -> Result<Vec<u64>, ShareError> {
    let mut parts = parts(budget, shares)?;
    loop {
        let given: u64 = parts.iter().filter_map(|part| part.has).sum();
        let ideals = in_proportion(budget.saturating_sub(given), &parts);
        // The sums of the excess over the proportional parts, and of the shortfall below them.
        let (mut more, mut less) = (0_u128, 0_u128);
        for (part, ideal) in parts.iter().zip(&ideals) {
            let Some(ideal) = ideal else { continue };
            more += u128::from(part.least.saturating_sub(*ideal));
            less += u128::from(ideal.saturating_sub(part.most));
        }
        let mut is_done = true;
        for (part, ideal) in parts.iter_mut().zip(ideals) {
            let Some(ideal) = ideal else { continue };
            let is_bound = match more.cmp(&less) {
                Ordering::Greater => ideal < part.least,
                Ordering::Less => ideal > part.most,
                Ordering::Equal => true,
            };
            match is_bound {
                true => part.has = Some(ideal.clamp(part.least, part.most)),
                false => is_done = false,
            }
        }
        if is_done {
            return Ok(parts.into_iter().filter_map(|part| part.has).collect());
        }
    }
}

fn parts(budget: u64, shares: &[Share]) -> Result<Vec<Part>, ShareError> {
    let percent: u64 = shares
        .iter()
        .filter_map(|share| share.percent)
        .map(u64::from)
        .sum();
    let rests = shares
        .iter()
        .filter(|share| share.percent.is_none())
        .count();
    if percent > 100 || (percent < 100 && rests == 0 && !shares.is_empty()) {
        return Err(ShareError::Sum { percent });
    }
    let bounds = |(at, share): (usize, &Share)| {
        let Share { least, most, .. } = *share;
        (least > most).then_some(ShareError::Bounds {
            at: at + 1,
            least,
            most,
        })
    };
    if let Some(error) = shares.iter().enumerate().find_map(bounds) {
        return Err(error);
    }
    let reserved = shares
        .iter()
        .fold(0, |sum: u64, share| sum.saturating_add(share.least));
    if reserved > budget {
        return Err(ShareError::Reserved { reserved, budget });
    }
    let part = |share: &Share| Part {
        // The percentages are scaled so that the rest divides evenly among the `%*` shares.
        weight: match share.percent {
            Some(percent) => u128::from(percent) * rests.max(1) as u128,
            None => u128::from(100 - percent),
        },
        least: share.least,
        most: share.most,
        has: None,
    };
    Ok(shares.iter().map(part).collect())
}

/// The proportional part of each share that has none yet, by weight.
fn in_proportion(left: u64, parts: &[Part]) -> Vec<Option<u64>> {
    let all: u128 = parts
        .iter()
        .filter(|part| part.has.is_none())
        .map(|part| part.weight)
        .sum();
    let all = all.max(1);
    let exact = |part: &Part| u128::from(left) * part.weight;
    let mut ideals: Vec<Option<u64>> = parts
        .iter()
        .map(|part| {
            part.has
                .is_none()
                .then(|| u64::try_from(exact(part) / all).unwrap_or(left))
        })
        .collect();
    let given: u64 = ideals.iter().flatten().sum();
    let mut nearest: Vec<usize> = (0..parts.len())
        .filter(|at| parts[*at].has.is_none() && parts[*at].weight > 0)
        .collect();
    nearest.sort_by_key(|at| std::cmp::Reverse(exact(&parts[*at]) % all));
    let rounded = usize::try_from(left - given).unwrap_or(0);
    for at in nearest.into_iter().take(rounded) {
        ideals[at] = ideals[at].map(|ideal| ideal + 1);
    }
    ideals
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fit::{Candidate, Variant, Worth};

    fn share(text: &str) -> Share {
        text.parse().unwrap()
    }

    #[test]
    fn shares_are_read_and_divide_a_budget() {
        let shares = ["50%", "30%", "20%"].map(share);
        assert_eq!(divide(5_000, &shares), Ok(vec![2_500, 1_500, 1_000]));
        let shares = ["50%", "%*", "%*"].map(share);
        assert_eq!(divide(101, &shares), Ok(vec![51, 25, 25]));
        assert_eq!(divide(10, &["100%", "%*"].map(share)), Ok(vec![10, 0]));
        assert_eq!(divide(10, &[]), Ok(vec![]));
        assert_eq!(divide(0, &["%*"].map(share)), Ok(vec![0]));
        let written = ["7%", "%*", "30% from 40 to 200", "%* to 9", "0% from 1"];
        assert_eq!(written.map(|text| share(text).to_string()), written);
        for wrong in [
            "",
            "%",
            "-1%",
            "1.5%",
            "30% of 4",
            "30% from",
            "30% from x",
            "%*%",
            "x %*",
        ] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_reserved_is_taken_from_the_others_and_what_is_too_much_goes_to_them() {
        let shares = [
            share("10%").at_least(300),
            share("45%"),
            share("45%").at_most(100),
        ];
        assert_eq!(divide(1_000, &shares), Ok(vec![300, 600, 100]));
        // All shares are at their maximums.
        let shares = [share("50%").at_most(10), share("%*").at_most(20)];
        assert_eq!(divide(1_000, &shares), Ok(vec![10, 20]));
    }

    #[test]
    fn shares_that_do_not_add_up_are_errors_that_say_the_mend() {
        let error = |budget, shares: &[Share]| divide(budget, shares).unwrap_err().to_string();
        insta::assert_snapshot!(
            [
                "30".parse::<Share>().unwrap_err().to_string(),
                "101%".parse::<Share>().unwrap_err().to_string(),
                error(10, &["60%", "50%"].map(share)),
                error(10, &["60%", "30%"].map(share)),
                "30% from 9 to 8".parse::<Share>().unwrap_err().to_string(),
                error(10, &[share("%*").at_least(9).at_most(8)]),
                error(10, &[share("%*").at_least(9), share("%*").at_least(2)]),
            ]
            .join("\n"),
            @"
        `30` is no share: write `30%`, or `%*` for what the others leave, and what it has at least and at most behind that: `30% from 40 to 200`
        `101%` is no share: write `30%`, or `%*` for what the others leave, and what it has at least and at most behind that: `30% from 40 to 200`
        the shares are 110 % together: make them 100 %, or one of them `%*`, which has the rest
        the shares are 90 % together: make them 100 %, or one of them `%*`, which has the rest
        share 1 has at least 9 and at most 8: lower the one or raise the other
        share 1 has at least 9 and at most 8: lower the one or raise the other
        11 are reserved of 10: raise the budget, or reserve less
        "
        );
    }

    #[test]
    fn a_group_has_what_another_leaves_and_no_more_than_it_may() {
        let group = |share: Share, costs: &[u32]| {
            let candidates = costs.iter().map(|cost| Candidate {
                variants: vec![Variant {
                    cost: *cost,
                    worth: Worth::from(1),
                }],
                required: false,
            });
            (share, candidates.collect())
        };
        let costs = |groups: &[_]| {
            let solutions = solve_groups(groups, 100).unwrap();
            solutions
                .iter()
                .map(|solution| solution.cost)
                .collect::<Vec<_>>()
        };
        let small = group(share("50%"), &[10]);
        assert_eq!(
            costs(&[small.clone(), group(Share::REST, &[40, 40])]),
            [10, 80]
        );
        let most = Share::REST.at_most(60);
        assert_eq!(costs(&[small, group(most, &[40, 40])]), [10, 40]);
        let required = |cost| {
            let (share, mut candidates): (Share, Vec<Candidate>) = group(Share::REST, &[cost]);
            candidates
                .iter_mut()
                .for_each(|candidate| candidate.required = true);
            (share, candidates)
        };
        let error = solve_groups(&[required(10), required(60)], 100).unwrap_err();
        assert_eq!(
            error.to_string(),
            "in share 2, what must be shown takes 60, and there are 50"
        );
    }

    proptest! {
        #[test]
        fn all_of_a_budget_is_given_where_a_share_can_grow_and_all_bounds_hold(
            budget in any::<u64>(),
            shares in proptest::collection::vec(
                (proptest::option::of(0..40u8), 0..2_000u64, proptest::option::of(any::<u64>())),
                0..6,
            ),
        ) {
            let shares: Vec<Share> = shares
                .into_iter()
                .map(|(percent, least, most)| Share { percent, least, most: most.unwrap_or(u64::MAX) })
                .collect();
            let Ok(parts) = divide(budget, &shares) else {
                return Ok(());
            };
            let sum: u128 = parts.iter().map(|part| u128::from(*part)).sum();
            prop_assert!(sum <= u128::from(budget));
            let can_grow = |share: &Share| share.most == u64::MAX && share.percent.is_none_or(|of| of > 0);
            let percent: u64 = shares.iter().filter_map(|share| share.percent).map(u64::from).sum();
            if percent < 100 && shares.iter().any(can_grow) {
                prop_assert_eq!(sum, u128::from(budget));
            }
            for (share, part) in shares.iter().zip(&parts) {
                prop_assert!((share.least..=share.most).contains(part));
            }
        }
    }
}

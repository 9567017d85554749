//! The choice of variants, as a knapsack problem.

use std::cmp::Reverse;

use super::search::{self, Price, Split};
use super::{Total, Worth};

/// A way to show an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The cost.
    pub cost: u32,
    /// The priority.
    pub worth: Worth,
}

impl Variant {
    /// The variant without output.
    pub(super) const NOTHING: Self = Self {
        cost: 0,
        worth: Worth::of_thousandths(0),
    };
}

/// An item with its variants, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The variants.
    pub variants: Vec<Variant>,
    /// True if the item must be shown. An item without variants is never shown.
    pub required: bool,
}

impl Candidate {
    /// The highest priority of the item without a budget.
    pub(super) fn most(&self) -> Worth {
        let shown = self.variants.iter().map(|variant| variant.worth);
        match self.required {
            true => shown.max().unwrap_or_default(),
            false => shown.max().unwrap_or_default().max(Worth::default()),
        }
    }
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The index of each candidate's variant, or `None` if it is not shown.
    pub chosen: Vec<Option<usize>>,
    /// The total cost.
    pub cost: u64,
    /// The total priority.
    pub worth: Total,
    /// The upper bound of all choices within the budget.
    pub bound: Total,
}

impl Solution {
    /// The maximum by which another choice can be better. 0 if this is the best one.
    pub fn gap(&self) -> Total {
        self.bound.beyond(self.worth)
    }
}

/// The required items exceed the budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what must be shown takes {}, and there are {budget}", .smallest.cost)]
pub struct TooLarge {
    /// The budget.
    pub budget: u64,
    /// The required items, each in its cheapest variant, and nothing else.
    pub smallest: Solution,
}

/// A variant of a candidate, or the point without output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) cost: i64,
    pub(super) worth: i64,
    pub(super) variant: Option<usize>,
}

/// Chooses a variant or none for each candidate, for the highest total priority within the budget.
/// Among equal choices it always returns the same one. A variant of negative priority is chosen
/// only if the candidate is required.
///
/// ```
/// use hud_core::fit::{Candidate, Variant, Worth, solve};
///
/// let variant = |cost, worth: u8| Variant { cost, worth: Worth::from(worth) };
/// let candidates = [
///     Candidate { variants: vec![variant(60, 9), variant(20, 5)], required: true },
///     Candidate { variants: vec![variant(50, 6), variant(10, 1)], required: false },
/// ];
/// let solution = solve(&candidates, 80)?;
/// assert_eq!(solution.chosen, [Some(1), Some(0)]);
/// assert_eq!((solution.cost, solution.worth.to_string()), (70, "11".to_owned()));
/// assert_eq!(solution.gap().to_string(), "0");
///
/// let too_large = solve(&candidates, 10).unwrap_err();
/// assert_eq!(too_large.smallest.chosen, [Some(1), None]);
/// # Ok::<(), hud_core::fit::TooLarge>(())
/// ```
///
/// # Errors
///
/// [`TooLarge`] with the smallest choice, if the required candidates exceed the budget.
pub fn solve(candidates: &[Candidate], budget: u64) -> Result<Solution, TooLarge> {
    let points: Vec<Vec<Point>> = candidates.iter().map(points).collect();
    // A signed integer, for subtraction. No cost exceeds it.
    let budget_left = i64::try_from(budget).unwrap_or(i64::MAX);
    let mut at = vec![0; points.len()];
    let least: i64 = points.iter().map(|points| points[0].cost).sum();
    if least > budget_left {
        let smallest = solution(&points, &at, None);
        return Err(TooLarge { budget, smallest });
    }
    let mut left = budget_left - least;
    let mut split: Option<Split> = None;
    let mut is_stuck = vec![false; points.len()];
    for step in steps(&points) {
        if is_stuck[step.candidate] {
            continue;
        }
        if step.price.cost <= left {
            at[step.candidate] = step.to;
            left -= step.price.cost;
        } else {
            // Later steps of this candidate start where this one ends.
            is_stuck[step.candidate] = true;
            split.get_or_insert_with(|| Split {
                at: at.clone(),
                left,
                price: step.price,
            });
        }
    }
    let Some(split) = split else {
        return Ok(solution(&points, &at, None));
    };
    let bound = search::improve(&points, &split, &mut at);
    Ok(solution(&points, &at, Some(bound)))
}

/// The useful variants, by cost: each has a higher priority than all that cost no more. There is at
/// least one: the point without output, or the cheapest required variant.
pub(super) fn points(candidate: &Candidate) -> Vec<Point> {
    let variants = candidate.variants.iter().enumerate();
    let variants = variants.map(|(at, variant)| Point {
        cost: i64::from(variant.cost),
        worth: variant.worth.thousandths(),
        variant: Some(at),
    });
    let nothing = Point {
        cost: 0,
        worth: 0,
        variant: None,
    };
    let mut points: Vec<Point> = match candidate.required && !candidate.variants.is_empty() {
        true => variants.collect(),
        false => std::iter::once(nothing).chain(variants).collect(),
    };
    points.sort_by_key(|point| (point.cost, Reverse(point.worth)));
    let mut most = i64::MIN;
    points.retain(|point| {
        let is_better = point.worth > most;
        most = most.max(point.worth);
        is_better
    });
    points
}

/// A step from one point of a candidate's convex hull to the next.
struct Step {
    candidate: usize,
    to: usize,
    price: Price,
}

/// The steps of all candidates, by the gain for the cost, highest first. The steps of one candidate
/// keep their order, because the gains fall along a convex hull.
fn steps(points: &[Vec<Point>]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut hull: Vec<usize> = Vec::new();
    for (candidate, points) in points.iter().enumerate() {
        hull.clear();
        for to in 0..points.len() {
            while let [.., before, last] = hull[..] {
                let (to_last, to_next) = (
                    Price::between(points[before], points[last]),
                    Price::between(points[last], points[to]),
                );
                if to_next < to_last {
                    break;
                }
                hull.pop();
            }
            hull.push(to);
        }
        steps.extend(hull.windows(2).map(|step| Step {
            candidate,
            to: step[1],
            price: Price::between(points[step[0]], points[step[1]]),
        }));
    }
    // A stable sort: of equal gains, the one of the earlier candidate comes first.
    steps.sort_by_key(|step| Reverse(step.price));
    steps
}

/// Converts to the public type. Without a bound, the choice is the best one.
pub(super) fn solution(points: &[Vec<Point>], at: &[usize], bound: Option<i128>) -> Solution {
    let chosen = || points.iter().zip(at).map(|(points, at)| points[*at]);
    let worth: i128 = chosen().map(|point| i128::from(point.worth)).sum();
    Solution {
        chosen: chosen().map(|point| point.variant).collect(),
        cost: chosen().map(|point| point.cost.unsigned_abs()).sum(),
        worth: Total(worth),
        bound: Total(bound.unwrap_or(worth)),
    }
}

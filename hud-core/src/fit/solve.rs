//! The choice by itself.

use std::cmp::Reverse;

use super::search::{self, Price, Split};
use super::{Total, Worth};

/// One way to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What it takes of the budget.
    pub cost: u32,
    /// What it is worth.
    pub worth: Worth,
}

impl Variant {
    /// To show nothing.
    pub(super) const NOTHING: Self = Self {
        cost: 0,
        worth: Worth::of_thousandths(0),
    };
}

/// Something that can be shown in one of several ways, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The ways.
    pub variants: Vec<Variant>,
    /// Whether it must be shown. What has no variants never is.
    pub required: bool,
}

impl Candidate {
    /// What it is worth where nothing limits it.
    pub(super) fn most(&self) -> Worth {
        let shown = self.variants.iter().map(|variant| variant.worth);
        match self.required {
            true => shown.max().unwrap_or_default(),
            false => shown.max().unwrap_or_default().max(Worth::default()),
        }
    }
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The variant of each candidate; none for what is not shown.
    pub chosen: Vec<Option<usize>>,
    /// What all of it takes.
    pub cost: u64,
    /// What all of it is worth.
    pub worth: Total,
    /// No choice within the budget is worth more.
    pub bound: Total,
}

impl Solution {
    /// How much more another choice can be worth at most: 0 where there is no better one.
    pub fn gap(&self) -> Total {
        self.bound.beyond(self.worth)
    }
}

/// What must be shown takes more than there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what must be shown takes {}, and there are {budget}", .smallest.cost)]
pub struct TooLarge {
    /// The budget.
    pub budget: u64,
    /// What must be shown, each in the way that takes least, and nothing else.
    pub smallest: Solution,
}

/// A variant, or that there is none, of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) cost: i64,
    pub(super) worth: i64,
    pub(super) variant: Option<usize>,
}

/// Chooses a variant for each candidate, or none, so that all of it is worth most and takes no more than the
/// budget. Of choices that are worth the same it is always the same one; what is worth less than nothing is
/// only chosen where it must be.
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
/// [`TooLarge`] when what must be shown takes more than the budget, with the smallest choice.
pub fn solve(candidates: &[Candidate], budget: u64) -> Result<Solution, TooLarge> {
    let points: Vec<Vec<Point>> = candidates.iter().map(points).collect();
    // In units that can be subtracted; nothing costs so much.
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
            // The steps behind this one begin where it ends.
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

/// The variants that are worth more than all that cost no more, by their costs. There is at least one: that
/// nothing is shown, or what is shown at least.
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

/// From one point of a candidate's convex hull to the next.
struct Step {
    candidate: usize,
    to: usize,
    price: Price,
}

/// The steps of all candidates, those first that gain most for what they cost. Those of one candidate are in
/// their order: on a convex hull each gains less than the one before.
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
    // A stable sort: of two that gain the same, the one farther up.
    steps.sort_by_key(|step| Reverse(step.price));
    steps
}

/// A choice as it is handed out. Without a bound there is no better one.
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

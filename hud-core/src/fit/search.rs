//! Improves a greedy choice by search, and computes the upper bound of all choices.

use std::cmp::{Ordering, Reverse};

use super::solve::Point;

/// The number of states that are kept for each part in the search.
const STATES: usize = 384;

/// The gain of priority for a cost. The cost is greater than 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    pub(super) cost: i64,
    pub(super) worth: i64,
}

impl Price {
    /// The price from one point to another that costs more.
    pub(super) fn between(from: Point, to: Point) -> Self {
        Self {
            cost: to.cost - from.cost,
            worth: to.worth - from.worth,
        }
    }
}

impl Ord for Price {
    fn cmp(&self, other: &Self) -> Ordering {
        let rate = |worth: i64, cost: i64| i128::from(worth) * i128::from(cost);
        rate(self.worth, other.cost).cmp(&rate(other.worth, self.cost))
    }
}

impl PartialOrd for Price {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Price {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Price {}

/// The state at the first step of the greedy choice that did not fit.
pub(super) struct Split {
    /// The point of each candidate at that time.
    pub(super) at: Vec<usize>,
    /// The unused rest of the budget.
    pub(super) left: i64,
    /// The price of the step that did not fit.
    pub(super) price: Price,
}

/// A change of a candidate to another point than that of the split.
struct Move {
    to: usize,
    cost: i64,
    worth: i64,
    /// The loss of the move at the split's price, times the cost of the price.
    loss: i128,
}

/// A choice for some of the candidates, relative to the split.
#[derive(Clone, Copy)]
struct State {
    cost: i64,
    worth: i128,
    loss: i128,
    /// The index in the trail, plus one, of the last move of this state. 0 without moves.
    trail: usize,
}

/// A move, and the index of the move before it.
struct Trace {
    candidate: usize,
    to: usize,
    before: usize,
}

/// Improves a choice, and returns the upper bound of all choices, in thousandths.
///
/// If the budget could be exceeded or left over at the split's price, the split would be the best
/// choice. Any other choice is at most the split plus the unused budget at that price, minus the
/// losses of its moves.
pub(super) fn improve(points: &[Vec<Point>], split: &Split, at: &mut Vec<usize>) -> i128 {
    let worth = |at: &[usize]| -> i128 {
        let each = points.iter().zip(at);
        each.map(|(points, at)| i128::from(points[*at].worth)).sum()
    };
    let of_split = worth(&split.at);
    let per = i128::from(split.price.cost);
    // The upper bound, times the cost of the price.
    let most = of_split * per + i128::from(split.price.worth) * i128::from(split.left);
    let mut best = worth(at);
    let slack = |best: i128| most - (best + 1) * per;
    if slack(best) < 0 {
        return best;
    }
    let mut core = moves(points, split, slack(best));
    core.sort_by_key(|(_, moves)| moves.iter().map(|to| to.loss).min());

    let mut states = vec![State {
        cost: 0,
        worth: 0,
        loss: 0,
        trail: 0,
    }];
    let mut trail: Vec<Trace> = Vec::new();
    let mut found = None;
    // The least loss among the states that were dropped.
    let mut dropped: Option<i128> = None;
    for (candidate, moves) in &core {
        let before = states.len();
        for to in moves {
            for at in 0..before {
                let state = states[at];
                let loss = state.loss + to.loss;
                if loss > slack(best) {
                    continue;
                }
                trail.push(Trace {
                    candidate: *candidate,
                    to: to.to,
                    before: state.trail,
                });
                let state = State {
                    cost: state.cost + to.cost,
                    worth: state.worth + i128::from(to.worth),
                    loss,
                    trail: trail.len(),
                };
                if state.cost <= split.left && of_split + state.worth > best {
                    best = of_split + state.worth;
                    found = Some(state.trail);
                }
                states.push(state);
            }
        }
        states.retain(|state| state.loss <= slack(best));
        keep_undominated(&mut states);
        if states.len() > STATES {
            states.sort_by_key(|state| state.loss);
            let first = states[STATES].loss;
            dropped = Some(dropped.map_or(first, |least| least.min(first)));
            states.truncate(STATES);
        }
    }
    if let Some(mut place) = found {
        at.clone_from(&split.at);
        while let Some(trace) = place.checked_sub(1).and_then(|place| trail.get(place)) {
            at[trace.candidate] = trace.to;
            place = trace.before;
        }
    }
    match dropped {
        None => best,
        Some(loss) => best.max((most - loss).div_euclid(per)),
    }
}

/// The moves that lose no more than the slack, for the candidates that have any.
fn moves(points: &[Vec<Point>], split: &Split, slack: i128) -> Vec<(usize, Vec<Move>)> {
    let (price_cost, price_worth) = (i128::from(split.price.cost), i128::from(split.price.worth));
    let mut core = Vec::new();
    for (candidate, (points, at)) in points.iter().zip(&split.at).enumerate() {
        let from = points[*at];
        let moves = points.iter().enumerate().filter_map(|(to, point)| {
            let (cost, worth) = (point.cost - from.cost, point.worth - from.worth);
            let loss = price_worth * i128::from(cost) - price_cost * i128::from(worth);
            (to != *at && loss <= slack).then_some(Move {
                to,
                cost,
                worth,
                loss,
            })
        });
        let moves: Vec<Move> = moves.collect();
        if !moves.is_empty() {
            core.push((candidate, moves));
        }
    }
    core
}

/// Removes the states that cost at least as much as another state and have no higher priority.
fn keep_undominated(states: &mut Vec<State>) {
    states.sort_by_key(|state| (state.cost, Reverse(state.worth)));
    let mut most = None;
    states.retain(|state| {
        let is_better = most.is_none_or(|most| state.worth > most);
        if is_better {
            most = Some(state.worth);
        }
        is_better
    });
}

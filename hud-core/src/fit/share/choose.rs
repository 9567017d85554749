//! The choice among candidates with shares of a budget.

use std::cmp::Ordering;

use super::{Share, ShareError, divide};
use crate::fit::{self, Candidate, Pressures, Solution, TooLarge, Total, steady};
use crate::part::PartMeta;

/// The error of groups that do not fit into their shares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// The budget cannot be divided.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// The required items of a group exceed its share.
    #[error("in share {at}, {error}")]
    TooLarge {
        /// The number of the share, from 1.
        at: usize,
        /// The smallest choice of the required items.
        error: TooLarge,
    },
}

/// Chooses as [`solve`](fit::solve()) does, for each group within its share of a budget. Unused
/// budget is then offered to the groups up to their maximums, first to the group with the highest
/// gain for its cost.
///
/// The [bound](Solution::bound) of each group is for its maximum budget: its own cost and the
/// unused rests of all groups.
///
/// # Errors
///
/// [`GroupError`], if the budget cannot be divided or the required items of a group exceed its
/// share.
pub fn solve_groups(
    groups: &[(Share, Vec<Candidate>)],
    budget: u64,
) -> Result<Vec<Solution>, GroupError> {
    let shares: Vec<Share> = groups.iter().map(|(share, _)| *share).collect();
    let parts = divide(budget, &shares)?;
    let mut solutions = Vec::with_capacity(groups.len());
    for (at, ((_, candidates), part)) in groups.iter().zip(parts).enumerate() {
        let solved = fit::solve(candidates, part);
        solutions.push(solved.map_err(|error| GroupError::TooLarge { at: at + 1, error })?);
    }
    let taken: u64 = solutions.iter().map(|solution| solution.cost).sum();
    let mut left = budget.saturating_sub(taken);
    let mut offers: Vec<Offer> = Vec::with_capacity(groups.len());
    for (at, (group, solution)) in groups.iter().zip(&mut solutions).enumerate() {
        let Some(better) = with_more(group, solution, left) else {
            continue;
        };
        solution.bound = better.bound;
        offers.extend(Offer::of(at, better, solution));
    }
    // Of equal offers, the first.
    let first = |offers: &[Offer]| {
        let offers = offers.iter().enumerate().rev();
        Some(offers.max_by(|(_, one), (_, other)| one.beside(other))?.0)
    };
    while let Some(first) = first(&offers) {
        let Offer {
            at, better, cost, ..
        } = offers.remove(first);
        left = left.saturating_sub(cost);
        if let Some(solution) = solutions.get_mut(at) {
            let bound = solution.bound;
            *solution = Solution { bound, ..better };
        }
        let again = offers.extract_if(.., |offer| offer.cost > left);
        let again: Vec<usize> = again.map(|offer| offer.at).collect();
        for at in again {
            if let (Some(group), Some(solution)) = (groups.get(at), solutions.get(at)) {
                let better = with_more(group, solution, left);
                offers.extend(better.and_then(|better| Offer::of(at, better, solution)));
            }
        }
        offers.sort_by_key(|offer| offer.at);
    }
    Ok(solutions)
}

/// The choice of a group that may exceed its cost by `left`, up to its maximum.
fn with_more(
    (share, candidates): &(Share, Vec<Candidate>),
    Solution { cost, .. }: &Solution,
    left: u64,
) -> Option<Solution> {
    let most = cost.saturating_add(left).min(share.most).max(*cost);
    fit::solve(candidates, most).ok()
}

/// The choice that a group would make with some of the unused budget.
struct Offer {
    /// The index of the group.
    at: usize,
    better: Solution,
    /// The additional cost.
    cost: u64,
    gain: i128,
}

impl Offer {
    /// The offer of a group with a choice before. `None` if the new choice is not better.
    fn of(at: usize, better: Solution, before: &Solution) -> Option<Self> {
        let gain = better.worth.beyond(before.worth).thousandths();
        (gain > 0).then_some(Self {
            at,
            cost: better.cost.saturating_sub(before.cost),
            gain,
            better,
        })
    }

    /// Compares the gains for the costs.
    fn beside(&self, other: &Self) -> Ordering {
        let rate = |gain: i128, cost: u64| gain.saturating_mul(i128::from(cost));
        rate(self.gain, other.cost).cmp(&rate(other.gain, self.cost))
    }
}

/// The candidates with the same share.
pub(in crate::fit) struct Group {
    /// The name of the parts. `None` for those without a share of their own.
    pub(in crate::fit) name: Option<String>,
    pub(in crate::fit) share: Share,
    /// The indices of the candidates.
    pub(in crate::fit) places: Vec<usize>,
}

impl Group {
    /// True if a part has the name of the group.
    pub(in crate::fit) fn has(&self, part: &PartMeta) -> bool {
        self.name.as_deref() == Some(&*part.name)
    }
}

/// The candidates of all groups, by group. Required items get their minimum cost, even if it
/// exceeds their share.
struct Shared<'g> {
    groups: &'g [Group],
    own: Vec<Vec<Candidate>>,
    floors: Vec<u64>,
}

impl<'g> Shared<'g> {
    fn new(candidates: &[Candidate], groups: &'g [Group]) -> Self {
        let own = |group: &Group| -> Vec<Candidate> {
            let own = group.places.iter().filter_map(|at| candidates.get(*at));
            own.cloned().collect()
        };
        let own: Vec<Vec<Candidate>> = groups.iter().map(own).collect();
        let floor = |own: &Vec<Candidate>| -> u64 {
            let required = own.iter().filter(|candidate| candidate.required);
            let least = |it: &Candidate| it.variants.iter().map(|variant| variant.cost).min();
            required.filter_map(least).map(u64::from).sum()
        };
        let floors = own.iter().map(floor).collect();
        Self {
            groups,
            own,
            floors,
        }
    }

    /// The shares, each with at least its floors, and with or without its reserved minimum.
    fn shares(&self, is_reserved: bool) -> Vec<Share> {
        let share = |(group, floor): (&Group, &u64)| {
            let share = group.share;
            let least = (*floor).max(if is_reserved { share.least } else { 0 });
            share.at_least(least).at_most(share.most.max(least))
        };
        self.groups.iter().zip(&self.floors).map(share).collect()
    }

    /// The choices of all groups as one choice.
    fn joined(&self, of_each: &[Solution], bound: Total) -> Solution {
        let mut chosen = vec![None; self.own.iter().map(Vec::len).sum()];
        for (group, solution) in self.groups.iter().zip(of_each) {
            for (at, variant) in group.places.iter().zip(&solution.chosen) {
                if let Some(chosen) = chosen.get_mut(*at) {
                    *chosen = *variant;
                }
            }
        }
        Solution {
            chosen,
            cost: of_each.iter().map(|solution| solution.cost).sum(),
            worth: of_each.iter().map(|solution| solution.worth).sum(),
            bound,
        }
    }
}

/// Chooses as [`solve_groups`] does, for candidates with groups that share a budget. Shares that
/// cannot be satisfied within the budget are ignored.
///
/// The bound holds for the choices in which each group has at least what its own part holds, and at
/// most that and the unused rests of all groups.
pub(in crate::fit) fn choose(
    candidates: &[Candidate],
    groups: &[Group],
    budget: u64,
) -> Result<Solution, TooLarge> {
    let best = fit::solve(candidates, budget)?;
    if groups.iter().all(|group| group.name.is_none()) {
        return Ok(best);
    }
    let shared = Shared::new(candidates, groups);
    let solved = |is_reserved| {
        let shares = shared.shares(is_reserved).into_iter();
        let groups: Vec<_> = shares.zip(shared.own.iter().cloned()).collect();
        solve_groups(&groups, budget)
    };
    Ok(match solved(true).or_else(|_| solved(false)) {
        Ok(of_each) => {
            let together: Total = of_each.iter().map(|solution| solution.bound).sum();
            shared.joined(&of_each, together.min(best.bound))
        }
        Err(_) => best,
    })
}

/// Chooses as [`steady()`] does, for candidates with groups that share a budget: each group within
/// its share, and the group without a share within the rest of a target. `None` if it never fits.
pub(in crate::fit) fn steadily(
    candidates: &[Candidate],
    groups: &[Group],
    (budget, target): (u64, u64),
    least: &Pressures,
) -> Option<(Solution, Pressures)> {
    let shared = Shared::new(candidates, groups);
    let divided = |is_reserved| divide(budget, &shared.shares(is_reserved)).ok();
    let parts = divided(true).or_else(|| divided(false))?;
    let mut left = target;
    let mut pressures = Pressures::default();
    let mut of_each = Vec::with_capacity(groups.len());
    for ((group, own), part) in groups.iter().zip(&shared.own).zip(parts) {
        let most = match group.name {
            Some(_) => part.min(left),
            None => left,
        };
        let (solution, pressure) = steady(own, most, least.of(group.name.as_ref()))?;
        left = left.saturating_sub(solution.cost);
        pressures.set(group.name.clone(), pressure);
        of_each.push(solution);
    }
    let bound = of_each.iter().map(|solution| solution.bound).sum();
    Some((shared.joined(&of_each, bound), pressures))
}

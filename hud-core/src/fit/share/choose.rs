//! The choice among candidates that have shares of a budget.

use std::cmp::Ordering;

use super::{Share, ShareError, divide};
use crate::fit::{self, Candidate, Pressures, Solution, TooLarge, Total, steady};
use crate::part::PartMeta;

/// Why something does not fit into its share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// The budget can't be divided.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// What must be shown takes more than its share.
    #[error("in share {at}, {error}")]
    TooLarge {
        /// Which one, from 1.
        at: usize,
        /// What has to be there, at its smallest.
        error: TooLarge,
    },
}

/// Chooses as [`solve`](fit::solve()) does, of each group within its share of a budget. What groups leave
/// is then given to those that can use it, up to what they may have at most: first to the one that gains most for
/// what it takes.
///
/// The [bound](Solution::bound) of each is for as much as its group may take: what it took of its own part, and all
/// that the groups left of theirs.
///
/// # Errors
///
/// [`GroupError`] when the budget can't be divided so, or what must be shown of a group takes more than its
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
    // Of those that gain the same for it, the first.
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

/// What is chosen of a group that has more than what it took, as far as it may.
fn with_more(
    (share, candidates): &(Share, Vec<Candidate>),
    Solution { cost, .. }: &Solution,
    left: u64,
) -> Option<Solution> {
    let most = cost.saturating_add(left).min(share.most).max(*cost);
    fit::solve(candidates, most).ok()
}

/// What a group would have with some of what is left.
struct Offer {
    /// Which group.
    at: usize,
    better: Solution,
    /// How much more that takes, and is worth.
    cost: u64,
    gain: i128,
}

impl Offer {
    /// That of a group that chose something before; none where it is worth no more.
    fn of(at: usize, better: Solution, before: &Solution) -> Option<Self> {
        let gain = better.worth.beyond(before.worth).thousandths();
        (gain > 0).then_some(Self {
            at,
            cost: better.cost.saturating_sub(before.cost),
            gain,
            better,
        })
    }

    /// Which of two gains more for what it takes.
    fn beside(&self, other: &Self) -> Ordering {
        let rate = |gain: i128, cost: u64| gain.saturating_mul(i128::from(cost));
        rate(self.gain, other.cost).cmp(&rate(other.gain, self.cost))
    }
}

/// Those of several candidates that have one share.
pub(in crate::fit) struct Group {
    /// What they are called; none for those that have no share of their own.
    pub(in crate::fit) name: Option<String>,
    pub(in crate::fit) share: Share,
    /// Which ones they are.
    pub(in crate::fit) places: Vec<usize>,
}

impl Group {
    /// Whether a part is called as those of the group are.
    pub(in crate::fit) fn has(&self, part: &PartMeta) -> bool {
        self.name.as_deref() == Some(&*part.name)
    }
}

/// The candidates of groups, which together are all, by their groups. What has to be shown has what it takes at
/// least, though that is more than its share.
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

    /// The shares, each with as much as its floors take, and with what is reserved beyond that or without it.
    fn shares(&self, is_reserved: bool) -> Vec<Share> {
        let share = |(group, floor): (&Group, &u64)| {
            let share = group.share;
            let least = (*floor).max(if is_reserved { share.least } else { 0 });
            share.at_least(least).at_most(share.most.max(least))
        };
        self.groups.iter().zip(&self.floors).map(share).collect()
    }

    /// What was chosen of each group as one choice of all.
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

/// Chooses as [`solve_groups`] does, of candidates that share a budget by groups. Shares that can't be kept within the
/// budget are not.
///
/// No choice is worth more than its bound, of those in which each group has at least what its own part holds, and no
/// more than that and what all groups left of theirs.
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

/// Chooses as [`steady()`] does, of candidates that share a budget by groups: of each group within its share of
/// the budget, and of those without one within what the others leave of a target. `None` where it never fits.
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

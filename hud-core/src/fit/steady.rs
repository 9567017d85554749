//! Choices with hysteresis: they stay the same while their input changes a little.

use std::collections::BTreeMap;

use super::solve::{points, solution};
use super::{Candidate, Solution};

/// The minimum gain of priority for each unit of the budget. The choice at one pressure depends on
/// each part alone. While the pressure stays the same, an unchanged part is shown as before,
/// whatever the others contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pressure(usize);

impl Pressure {
    /// The steps, in thousandths of priority for each unit: 0, and then each at least a fifth more
    /// than the one before.
    const PRICES: [i64; STEPS] = prices();

    /// The highest pressure. Only variants without a cost are chosen.
    const MOST: Self = Self(STEPS - 1);

    fn price(self) -> i64 {
        Self::PRICES.get(self.0).copied().unwrap_or(i64::MAX)
    }
}

/// The [pressures](Pressure) at which parts are chosen: one for each name with a
/// [share](super::share) of the budget, and one for all parts without a share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pressures(BTreeMap<Option<String>, Pressure>);

impl Pressures {
    pub(super) fn of(&self, name: Option<&String>) -> Pressure {
        self.0.get(&name.cloned()).copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, name: Option<String>, pressure: Pressure) {
        self.0.insert(name, pressure);
    }
}

const STEPS: usize = 140;

const fn prices() -> [i64; STEPS] {
    let mut prices = [0; STEPS];
    let mut at = 1;
    while at < STEPS {
        let before = prices[at - 1];
        let more = before / 5;
        prices[at] = before + if more > 1 { more } else { 1 };
        at += 1;
    }
    prices
}

/// Chooses for each candidate the variant whose priority most exceeds its cost at a pressure. The
/// pressure is the lowest at which all of it fits, and at least `least`. `None` if it never fits.
///
/// The total priority is a little lower than that of [`solve`](super::solve()), and the choice
/// changes rarely.
///
/// ```
/// use hud_core::fit::{Candidate, Pressure, Variant, Worth, steady};
///
/// let part = |costs: [u32; 2]| Candidate {
///     variants: vec![
///         Variant { cost: costs[0], worth: Worth::from(9) },
///         Variant { cost: costs[1], worth: Worth::from(6) },
///     ],
///     required: false,
/// };
/// let (before, pressure) = steady(&[part([60, 20]), part([50, 10])], 80, Pressure::default()).unwrap();
/// assert_eq!(before.chosen, [Some(1), Some(1)]);
/// // The first takes less, and all would fit; but the pressure is to stay what it was.
/// let (after, _) = steady(&[part([30, 20]), part([50, 10])], 80, pressure).unwrap();
/// assert_eq!(after.chosen, [Some(0), Some(1)]);
/// ```
pub fn steady(
    candidates: &[Candidate],
    budget: u64,
    least: Pressure,
) -> Option<(Solution, Pressure)> {
    let points: Vec<_> = candidates.iter().map(points).collect();
    let at = |pressure: Pressure| -> Solution {
        let price = i128::from(pressure.price());
        let chosen = points.iter().map(|points| {
            let gain = |at: &usize| {
                points
                    .get(*at)
                    .map(|point| i128::from(point.worth) - price * i128::from(point.cost))
            };
            // Of equal gains, the cheapest variant.
            (0..points.len()).rev().max_by_key(gain).unwrap_or(0)
        });
        solution(&points, &chosen.collect::<Vec<_>>(), None)
    };
    let fits = |pressure: &Pressure| at(*pressure).cost <= budget;
    // The cost never rises with the pressure.
    let (mut low, mut high) = (least.0, Pressure::MOST.0);
    if !fits(&Pressure(high)) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        match fits(&Pressure(middle)) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    let pressure = Pressure(low);
    Some((at(pressure), pressure))
}

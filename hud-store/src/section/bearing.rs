//! What things are worth by what is happening: [`Bearing`].

/// How something bears on the work: whether it is open, and when somebody last had to do with it.
///
/// What that makes of its worth is one rule for all sections, for a section as a whole and for the items
/// in its list. It is counted in points, and what is added up are whole numbers:
///
/// | what is so | points |
/// | --- | --- |
/// | it is [open](Stage::Open) | 3 |
/// | it is [settled](Stage::Settled) | -4 |
/// | it is in use: the last four turns had to do with it | 3 |
/// | one of the eight turns before those had | 1 |
/// | it is stale: for each twelve turns that had nothing to do with it, down to -9 | -1 |
///
/// An item is worth what it weighs by itself and its points. A section is worth what it declares while
/// something that [holds](Stage::Holds) is in use in it, and [five per cent](Self::percent) of that more or
/// less for each point that its most important item has more or less.
///
/// ```
/// use hud_store::section::{Bearing, Stage};
///
/// let failed = Bearing { stage: Stage::Open, turn: 10 };
/// assert_eq!([10, 14, 22, 58].map(|turn| failed.points(turn)), [6, 4, 2, -1]);
/// assert_eq!(failed.percent(10), 115);
/// assert_eq!(failed.at(22).to_string(), "open, 12 turns old");
///
/// let mended = Bearing { stage: Stage::Settled, ..failed };
/// assert_eq!(mended.percent(22), 60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bearing {
    /// How far it is.
    pub stage: Stage,
    /// The last turn that had to do with it.
    pub turn: u64,
}

/// How far something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Somebody has to do something about it: an error without a mend, a step that is being done, a check
    /// that fails.
    Open,
    /// It holds: a decision, a note.
    Holds,
    /// It is done with: a step that was done, a check that passes.
    Settled,
}

/// The turns that make something in use, and recently used.
const IN_USE: u64 = 4;
const RECENT: u64 = 12;

/// What it is worth to be in use.
const USED: i64 = 3;

/// After how many turns each something is worth a point less, and how many points that are at most.
const STALE: u64 = 12;
const MOST_STALE: u64 = 9;

/// What a point makes of a section's worth, in per cent.
const PERCENT: i64 = 5;

impl Bearing {
    /// It holds, and was last touched in a turn.
    pub const fn holds(turn: u64) -> Self {
        let stage = Stage::Holds;
        Self { stage, turn }
    }

    /// The same, open or settled.
    #[must_use]
    pub const fn when(self, is_open: bool) -> Self {
        let stage = match is_open {
            true => Stage::Open,
            false => Stage::Settled,
        };
        Self { stage, ..self }
    }

    /// How many points that is in a turn.
    pub const fn points(self, now: u64) -> i64 {
        let age = now.saturating_sub(self.turn);
        let stage = match self.stage {
            Stage::Open => 3,
            Stage::Holds => 0,
            Stage::Settled => -4,
        };
        let used = match age {
            0..IN_USE => USED,
            IN_USE..RECENT => 1,
            _ => 0,
        };
        let stale = match age / STALE {
            0..MOST_STALE => (age / STALE) as i64,
            _ => MOST_STALE as i64,
        };
        stage + used - stale
    }

    /// What it makes of the worth of its section in a turn, in per cent: from 20 to 115.
    pub const fn percent(self, now: u64) -> i64 {
        100 + PERCENT * (self.points(now) - USED)
    }

    /// What it says in a turn.
    pub const fn at(self, now: u64) -> At {
        At { bearing: self, now }
    }

    /// The one that has most points in a turn, the first of several.
    pub fn most(all: impl IntoIterator<Item = Self>, now: u64) -> Option<Self> {
        let more = |most: Self, next: Self| match next.points(now) > most.points(now) {
            true => next,
            false => most,
        };
        all.into_iter().reduce(more)
    }
}

/// A [`Bearing`] in a turn, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    bearing: Bearing,
    now: u64,
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stage = match self.bearing.stage {
            Stage::Open => "open, ",
            Stage::Holds => "",
            Stage::Settled => "settled, ",
        };
        match self.now.saturating_sub(self.bearing.turn) {
            0..IN_USE => write!(f, "{stage}in use"),
            age => write!(f, "{stage}{age} turns old"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bearing(stage: usize, turn: u64) -> Bearing {
        let stages = [Stage::Open, Stage::Holds, Stage::Settled];
        let stage = stages[stage % stages.len()];
        Bearing { stage, turn }
    }

    proptest! {
        #[test]
        fn nothing_is_worth_more_for_getting_older_or_for_being_settled(
            stage in 0..3_usize, turn in any::<u64>(), age in any::<u64>(), more in any::<u64>(),
        ) {
            let (now, later) = (turn.saturating_add(age), turn.saturating_add(age).saturating_add(more));
            let it = bearing(stage, turn);
            prop_assert!(it.points(later) <= it.points(now));
            prop_assert!((-13..=6).contains(&it.points(now)));
            prop_assert!((20..=115).contains(&it.percent(now)));
            let points = |stage| Bearing { stage, turn }.points(now);
            prop_assert!(points(Stage::Open) > points(Stage::Holds));
            prop_assert!(points(Stage::Holds) > points(Stage::Settled));
        }
    }

    #[test]
    fn what_is_in_use_is_worth_more_than_what_was_and_that_more_than_what_is_stale() {
        let points =
            [0, 3, 4, 11, 12, 24, 107, 108, 10_000].map(|now| Bearing::holds(0).points(now));
        assert_eq!(points, [3, 3, 1, 1, -1, -2, -8, -9, -9]);
        // What was touched later than now was not touched before.
        assert_eq!(Bearing::holds(9).points(0), 3);
    }

    #[test]
    fn the_one_that_matters_most_speaks_for_all() {
        let old_error = Bearing::holds(0).when(true);
        let all = [
            Bearing::holds(20),
            old_error,
            Bearing::holds(21).when(false),
        ];
        assert_eq!(Bearing::most(all, 21), Some(all[0]));
        assert_eq!(Bearing::most([], 21), None);
    }
}

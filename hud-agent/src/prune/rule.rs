//! The rule: how old an output is, when it may leave, and when those that may leave do.

use hud_core::{Band, Bands};
use hud_store::state::{ContextUsage, OutputClass};

use crate::settings::Prune;

/// Characters for a token of what tools say, in tenths, until a session's own usage shows it.
pub const RATIO: u64 = 26;

/// How much of an output its placeholder may have at most, in per cent: otherwise it stays.
const WORTH: u64 = 70;

/// An output as its age is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aged {
    /// What kind of output it is.
    pub class: OutputClass,
    /// The requests since the first one that had it; 0 where none had it before the one that is made.
    pub age: u64,
    /// The requests since the last call on the same file.
    pub untouched: u64,
    /// Whether the file was changed since it was read: what is new in it the model wrote itself.
    pub edited: bool,
    /// Whether a newer output says all of it.
    pub superseded: bool,
}

impl Aged {
    /// Whether it may leave, by the [age](Pressure::age) at which files do.
    ///
    /// What a command or a search said may leave as soon as it was read; a file once no call was on it
    /// for that many requests, or half of that if it was changed since; what another agent said after
    /// twice as many. What was never read stays.
    pub fn is_due(&self, limit: u64) -> bool {
        let limit = limit.max(1);
        match self.class {
            OutputClass::Kept => false,
            _ if self.age == 0 => false,
            _ if self.superseded => true,
            OutputClass::Read => {
                let age = self.age.min(self.untouched);
                age.saturating_mul(if self.edited { 2 } else { 1 }) >= limit
            }
            OutputClass::Report => self.age >= limit.saturating_mul(2),
            OutputClass::Look | OutputClass::Ack => true,
        }
    }
}

/// Whether the placeholder of so many characters is worth it.
pub const fn is_worth_it(chars: u64, placeholder: u64) -> bool {
    placeholder.saturating_mul(100) <= chars.saturating_mul(WORTH)
}

/// How much room there is: the bands of the context, in three steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    /// There is room. Outputs leave only when that costs nothing: the provider's cache is cold.
    Safe,
    /// The context is yellow, or its use is not known.
    Moderate,
    /// It is red.
    High,
    /// It is critical: the client is about to compact.
    Critical,
}

impl Pressure {
    /// The pressure on a context.
    pub fn of(context: Option<&ContextUsage>, bands: &Bands) -> Self {
        let percentage = context.and_then(|context| bands.steady(context.percentages()));
        match percentage.map(|percentage| bands.band(percentage)) {
            Some(Band::Green) => Self::Safe,
            Some(Band::Yellow) | None => Self::Moderate,
            Some(Band::Red) => Self::High,
            Some(Band::Critical) => Self::Critical,
        }
    }

    /// The age in requests at which files may leave: the [setting](Prune::age), and about half of it where
    /// the client is about to compact, and everything would leave.
    pub const fn age(self, prune: &Prune) -> u64 {
        match self {
            Self::Critical => prune.age.div_ceil(2),
            _ => prune.age,
        }
    }

    /// Whether those that may leave do: together, when the provider's cache is cold, or when they gain
    /// so many tokens that reading the rest of the conversation anew is worth it. Where the client is about to
    /// compact, only if that `avoids` it: otherwise all would be gone with the next answer anyhow.
    pub const fn lets_go(self, gained: u64, is_cold: bool, avoids: bool, prune: &Prune) -> bool {
        let worth = match self {
            Self::Critical if !avoids => return false,
            // A few tokens are not worth another conversation even where that costs nothing.
            _ if is_cold && gained >= prune.minimum_cold => 0,
            Self::Safe => return false,
            Self::Moderate => prune.minimum,
            Self::High => prune.minimum_red,
            Self::Critical => prune.minimum_red / 2,
        };
        gained > 0 && gained >= worth
    }
}

/// The tokens of so many characters, by a session's ratio in tenths.
pub const fn tokens(chars: u64, ratio: u64) -> u64 {
    chars.saturating_mul(10) / if ratio == 0 { RATIO } else { ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aged(class: OutputClass, age: u64) -> Aged {
        Aged {
            class,
            age,
            untouched: age,
            edited: false,
            superseded: false,
        }
    }

    #[test]
    fn what_was_never_read_stays_whatever_it_is() {
        let prune = Prune::default();
        for class in [
            OutputClass::Read,
            OutputClass::Look,
            OutputClass::Report,
            OutputClass::Ack,
        ] {
            let unread = Aged {
                edited: true,
                superseded: true,
                ..aged(class, 0)
            };
            assert!(!unread.is_due(prune.age), "{class:?}");
        }
    }

    #[test]
    fn a_file_that_is_worked_on_stays_and_one_that_was_changed_leaves_earlier() {
        let prune = Prune::default();
        let old = aged(OutputClass::Read, prune.age);
        assert!(old.is_due(prune.age));
        assert!(
            !Aged {
                untouched: prune.age - 1,
                ..old
            }
            .is_due(prune.age)
        );
        let half = aged(OutputClass::Read, prune.age.div_ceil(2));
        assert!(!half.is_due(prune.age));
        assert!(
            Aged {
                edited: true,
                ..half
            }
            .is_due(prune.age)
        );
        assert!(
            Aged {
                superseded: true,
                ..aged(OutputClass::Read, 1)
            }
            .is_due(prune.age)
        );
    }

    #[test]
    fn what_is_kept_never_leaves_and_reports_stay_longest() {
        let prune = Prune::default();
        assert!(!aged(OutputClass::Kept, u64::MAX).is_due(prune.age));
        assert!(!aged(OutputClass::Report, 2 * prune.age - 1).is_due(prune.age));
        assert!(aged(OutputClass::Report, 2 * prune.age).is_due(prune.age));
        assert!(aged(OutputClass::Look, 1).is_due(prune.age));
    }

    #[test]
    fn the_fuller_the_context_the_less_is_worth_it() {
        let prune = Prune::default();
        for (pressure, gained, is_cold, lets_go) in [
            (Pressure::Safe, u64::MAX, false, false),
            (Pressure::Safe, prune.minimum_cold, true, true),
            (Pressure::Moderate, prune.minimum - 1, false, false),
            (Pressure::Moderate, prune.minimum, false, true),
            (Pressure::High, prune.minimum_red, false, true),
            (Pressure::Critical, 0, true, false),
            (Pressure::Critical, prune.minimum_red, false, true),
        ] {
            let got = pressure.lets_go(gained, is_cold, true, &prune);
            assert_eq!(got, lets_go, "{pressure:?} {gained} {is_cold}");
        }
    }

    #[test]
    fn before_a_compaction_that_comes_anyhow_nothing_leaves() {
        let prune = Prune::default();
        for is_cold in [false, true] {
            assert!(!Pressure::Critical.lets_go(u64::MAX, is_cold, false, &prune));
            assert!(Pressure::High.lets_go(u64::MAX, is_cold, false, &prune));
        }
    }

    #[test]
    fn absurd_figures_do_no_harm() {
        assert_eq!(tokens(u64::MAX, 0), u64::MAX / RATIO);
        assert!(is_worth_it(u64::MAX, 1));
        assert!(!is_worth_it(0, 1));
        assert!(!aged(OutputClass::Report, 7).is_due(u64::MAX));
    }
}

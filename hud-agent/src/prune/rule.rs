//! The pruning rule: the age of an output, the age at which it is due, and the gain at which due outputs are
//! removed.

use hud_core::{Band, Bands};
use hud_store::state::{ContextUsage, OutputClass};

use crate::settings::Prune;

/// The default number of characters per token in tool outputs, in tenths. A session's own usage replaces it.
pub const RATIO: u64 = 26;

/// The maximum size of a placeholder in per cent of its output. An output with a larger one stays.
const WORTH: u64 = 70;

/// The inputs of the rule for one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aged {
    /// The class of the output.
    pub class: OutputClass,
    /// The requests since the first one that contained it; 0 if only the next one will.
    pub age: u64,
    /// The requests since the last call on the same file.
    pub untouched: u64,
    /// True if the file has been changed since it was read. The model wrote the changes itself.
    pub edited: bool,
    /// True if a newer output contains all of it.
    pub superseded: bool,
}

impl Aged {
    /// True if it is due for removal. `limit` is the [age](Pressure::age) at which files are due.
    ///
    /// The output of a command or a search is due once it was read. A file is due when no call has touched it
    /// for `limit` requests, or half of that if it was changed since. The report of another agent is due after
    /// twice as many. An output that was never read stays.
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

/// True if a placeholder of so many characters is small enough for an output of `chars` characters.
pub const fn is_worth_it(chars: u64, placeholder: u64) -> bool {
    placeholder.saturating_mul(100) <= chars.saturating_mul(WORTH)
}

/// The pressure on the context, from its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    /// There is room. Outputs are removed only if the provider's cache is cold, when that costs nothing.
    Safe,
    /// The context is yellow, or its use is unknown.
    Moderate,
    /// The context is red.
    High,
    /// The context is critical, and the client is about to compact.
    Critical,
}

impl Pressure {
    /// Returns the pressure on a context.
    pub fn of(context: Option<&ContextUsage>, bands: &Bands) -> Self {
        let percentage = context.and_then(|context| bands.steady(context.percentages()));
        match percentage.map(|percentage| bands.band(percentage)) {
            Some(Band::Green) => Self::Safe,
            Some(Band::Yellow) | None => Self::Moderate,
            Some(Band::Red) => Self::High,
            Some(Band::Critical) => Self::Critical,
        }
    }

    /// Returns the age in requests at which files are due: the [setting](Prune::age), or half of it if the
    /// client is about to compact, which would remove everything.
    pub const fn age(self, prune: &Prune) -> u64 {
        match self {
            Self::Critical => prune.age.div_ceil(2),
            _ => prune.age,
        }
    }

    /// True if the due outputs are removed. The gain must pay for reading the rest of the conversation again,
    /// and a cold cache lowers the minimum. If the client is about to compact, the removal must avoid that
    /// (`avoids`): otherwise the compaction removes everything with the next answer.
    pub const fn lets_go(self, gained: u64, is_cold: bool, avoids: bool, prune: &Prune) -> bool {
        let worth = match self {
            Self::Critical if !avoids => return false,
            // A gain of a few tokens does not justify a changed conversation, even without a cost.
            _ if is_cold && gained >= prune.minimum_cold => 0,
            Self::Safe => return false,
            Self::Moderate => prune.minimum,
            Self::High => prune.minimum_red,
            Self::Critical => prune.minimum_red / 2,
        };
        gained > 0 && gained >= worth
    }
}

/// Returns the tokens of so many characters, by a session's ratio in tenths.
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

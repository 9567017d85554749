//! How full the context window is, and what compaction left.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many readings are kept for the trend: a rolling window of five.
pub const READINGS: usize = 5;

/// How full the context window is, in tokens.
///
/// ```
/// use hud_store::state::{ContextUsage, Trend};
///
/// let usage = ContextUsage {
///     used: 134_000,
///     limit: Some(200_000),
///     usable: Some(180_000),
///     model: None,
///     at: "2026-11-20T12:00:00Z".parse()?,
///     readings: vec![90_000, 110_000, 134_000],
/// };
/// assert_eq!(usage.percentage(), Some(67));
/// assert_eq!(usage.trend(), Trend::Growing);
/// assert_eq!(usage.turns_left(), Some(3), "46,000 tokens, by 22,000 a turn");
/// # Ok::<(), jiff::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextUsage {
    /// Tokens in use at the last reading.
    pub used: u64,
    /// Tokens that fit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Tokens in use from which on the client compacts the conversation, if it does and that is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable: Option<u64>,
    /// The model whose window it is, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was read.
    pub at: Timestamp,
    /// The last [`READINGS`] values of `used`, oldest first, none from before a compaction.
    #[serde(deserialize_with = "crate::event::first::<_, _, 1000>")]
    pub readings: Vec<u64>,
}

impl ContextUsage {
    /// It is read anew each turn: a component of the static layer, which is to be the same bytes
    /// until the agent acts, can not take it as a prop.
    pub const CHANGES_EACH_TURN: bool = true;

    /// Whole percent of the limit in use, rounded down and never above 100. `None` while the
    /// limit is not known (or is 0).
    pub fn percentage(&self) -> Option<u8> {
        self.percentage_of(self.used)
    }

    /// The percentage of each of the readings, oldest first; none while the limit is not known.
    pub fn percentages(&self) -> impl Iterator<Item = u8> {
        self.readings
            .iter()
            .filter_map(|&used| self.percentage_of(used))
    }

    fn percentage_of(&self, used: u64) -> Option<u8> {
        let limit = self.limit.filter(|&limit| limit > 0)?;
        let percent = u128::from(used) * 100 / u128::from(limit);
        Some(u8::try_from(percent.min(100)).unwrap_or(100))
    }

    /// Whether the client compacts the conversation now.
    pub fn is_overflow(&self) -> bool {
        self.usable.is_some_and(|usable| self.used >= usable)
    }

    /// How many turns are left before the client compacts the conversation, if the context goes on
    /// growing as it did over the last readings: 0 if it is due now, `None` if that is not known or
    /// the context does not grow.
    pub fn turns_left(&self) -> Option<u64> {
        if self.is_overflow() {
            return Some(0);
        }
        let left = self.usable?.saturating_sub(self.used);
        let (first, last) = (self.readings.first()?, self.readings.last()?);
        let turns = u64::try_from(self.readings.len()).ok()?.checked_sub(1)?;
        let growth = last.checked_sub(*first).filter(|growth| *growth > 0)?;
        let left = (u128::from(left) * u128::from(turns)).div_ceil(u128::from(growth));
        u64::try_from(left).ok()
    }

    /// Where the usage is heading: the newest of the readings against the oldest.
    ///
    /// A change of less than 2 % of the limit (of the larger reading while the limit is not
    /// known) is [`Trend::Stable`], as are fewer than two readings. 2 % of 200,000 tokens is about
    /// one file read: less than that over five readings is noise.
    pub fn trend(&self) -> Trend {
        let (Some(&first), Some(&last)) = (self.readings.first(), self.readings.last()) else {
            return Trend::Stable;
        };
        let base = self.limit.unwrap_or(first.max(last));
        if u128::from(first.abs_diff(last)) * 50 < u128::from(base) || first == last {
            Trend::Stable
        } else if last > first {
            Trend::Growing
        } else {
            Trend::Shrinking
        }
    }
}

/// Where the context usage is heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// Fuller than it was.
    Growing,
    /// About as it was.
    Stable,
    /// Emptier than it was.
    Shrinking,
}

/// A compaction that began and has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compacting {
    /// When it began.
    pub at: Timestamp,
    /// What asked for it, as the client says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// Tokens in use before: as the event says, else the last reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
}

/// What remains of the conversation before the last compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactedContext {
    /// What the model kept, if the client told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// When the last compaction ended.
    pub at: Timestamp,
    /// How many compactions there were.
    pub count: u64,
    /// Tokens in use before the last one, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Tokens in use after the last one, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_after: Option<u64>,
    /// The message that the conversation begins with since the last one, as the client names it,
    /// where the client leaves it to us to drop those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<String>,
}

/// A tool's output that was taken out of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedOutput {
    /// The call, as the client names it.
    pub call: String,
    /// The seq of the event that keeps it.
    pub seq: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(limit: Option<u64>, readings: &[u64]) -> ContextUsage {
        ContextUsage {
            used: readings.last().copied().unwrap_or(0),
            limit,
            usable: None,
            model: None,
            at: Timestamp::UNIX_EPOCH,
            readings: readings.to_vec(),
        }
    }

    #[test]
    fn percentage_is_floored_and_clamped() {
        assert_eq!(usage(Some(200), &[139]).percentage(), Some(69));
        assert_eq!(usage(Some(200), &[201]).percentage(), Some(100));
        assert_eq!(usage(Some(u64::MAX), &[u64::MAX]).percentage(), Some(100));
        assert_eq!(usage(Some(0), &[5]).percentage(), None);
        assert_eq!(usage(None, &[5]).percentage(), None);
    }

    #[test]
    fn turns_are_left_while_the_context_grows_towards_its_end() {
        let left = |usable, readings: &[u64]| {
            let usage = ContextUsage {
                usable,
                ..usage(None, readings)
            };
            usage.turns_left()
        };
        assert_eq!(left(Some(100), &[10, 20, 30]), Some(7));
        assert_eq!(left(Some(100), &[10, 91]), Some(1));
        assert_eq!(left(Some(100), &[100]), Some(0));
        assert_eq!(left(Some(100), &[u64::MAX]), Some(0));
        assert_eq!(left(Some(100), &[30, 20]), None);
        assert_eq!(left(Some(100), &[20, 20]), None);
        assert_eq!(left(Some(100), &[20]), None);
        assert_eq!(left(None, &[10, 20]), None);
        assert_eq!(
            left(Some(u64::MAX), &[0, 1, 1, 1]),
            None,
            "too many to count"
        );
    }

    #[test]
    fn trend_needs_two_percent_between_first_and_last() {
        let trend = |limit, readings: &[u64]| usage(limit, readings).trend();
        assert_eq!(trend(Some(100_000), &[50_000, 51_999]), Trend::Stable);
        assert_eq!(trend(Some(100_000), &[50_000, 52_000]), Trend::Growing);
        assert_eq!(
            trend(Some(100_000), &[52_000, 90_000, 50_000]),
            Trend::Shrinking
        );
        assert_eq!(trend(None, &[1_000, 1_030]), Trend::Growing);
        assert_eq!(trend(None, &[1_000]), Trend::Stable);
        assert_eq!(trend(None, &[]), Trend::Stable);
        assert_eq!(trend(Some(0), &[7, 7]), Trend::Stable);
    }
}

//! How full the context window is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CompactEvent, Happened, Item, Pace, Section};
use crate::event::{Clip, ContentHash, HudEvent};

crate::events! {@built_in
    /// What happens to the context window.
    pub enum ContextEvent {
        /// a reading of how full the context window is.
        "context.snapshot" 1 Snapshot(
            /// A reading of the context window.
            ContextSnapshot {
                /// Tokens in use.
                used: u64,
                /// Tokens that fit, if the client knows.
                #[serde(skip_serializing_if = "Option::is_none")]
                limit: Option<u64>,
                /// Whether that is assumed, because nobody knows.
                #[serde(default, skip_serializing_if = "std::ops::Not::not")]
                assumed: bool,
                /// Tokens in use from which on the client compacts the conversation, if it does and
                /// that is known.
                #[serde(skip_serializing_if = "Option::is_none")]
                usable: Option<u64>,
                /// The model whose window it is.
                #[serde(skip_serializing_if = "Option::is_none")]
                model: Option<String>,
                /// The tokens of the call of the model that the reading is from, if the provider counted
                /// them.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                call: Option<CallTokens>,
                /// Whose model it is, if the client says so.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                provider: Option<String>,
            }
        ),
        /// the client was handed a HUD for the model that is another one than before.
        "context.frame" 1 Frame(
            /// What the model was shown of the HUD, without the texts themselves.
            ContextFrame {
                /// The version of the session that it shows.
                version: u64,
                /// The version of the session that the model had been shown before, where it says only
                /// what changed since.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                base: Option<u64>,
                /// The name of the placement: where in the request the texts are.
                placement: String,
                /// The name of the density: how much its dynamic layer says at most.
                density: String,
                /// From which use of the context on it says less, if that is not as it is by default.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                bands: Option<FrameBands>,
                /// How many tokens it may have at most, if that is limited.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                budget: Option<u64>,
                /// What is at the end of the system prompt; none where nothing is.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                system: Option<FrameText>,
                /// What is in a last message; none where nothing is.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                message: Option<FrameText>,
            }
        ),
    }
}

/// A text that a model was shown, by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrameText {
    /// The hash of the text.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub bytes: u64,
}

impl FrameText {
    /// The text, unless it is empty.
    ///
    /// ```
    /// use hud_store::event::FrameText;
    ///
    /// assert_eq!(FrameText::of("# Task\n").map(|text| text.bytes), Some(7));
    /// assert_eq!(FrameText::of(""), None);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self {
            hash: ContentHash::of(text),
            bytes: text.len() as u64,
        })
    }
}

impl Clip for FrameText {}

/// The bands of context use that a frame was made with, in per cent of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrameBands {
    /// The first percentage that is no longer full.
    pub compact_from: u8,
    /// The first percentage that is no longer compact.
    pub minimal_from: u8,
    /// A percentage above this one is red.
    pub red_above: u8,
    /// A percentage above this one is critical.
    pub critical_above: u8,
    /// How far the use falls before it counts as fallen.
    pub margin: u8,
    /// In which steps the use is shown.
    pub step: u8,
    /// How many turns before it a compaction is announced.
    pub announced_turns: u8,
}

impl Clip for FrameBands {}

/// The tokens of one call of a model, as its provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallTokens {
    /// Sent, and neither read from a cache nor written to one.
    #[serde(default)]
    pub input: u64,
    /// Sent, and written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Those of them that the provider keeps for an hour, which has a price of its own.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cache_write_hour: u64,
    /// Sent, and read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Written by the model.
    #[serde(default)]
    pub output: u64,
}

impl Clip for CallTokens {}

/// Whether there are no such tokens, which most providers don't count.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "it is called by what serde derives"
)]
const fn is_none(tokens: &u64) -> bool {
    *tokens == 0
}

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
///     assumed: false,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextUsage {
    /// Tokens in use at the last reading.
    pub used: u64,
    /// Tokens that fit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether that is assumed, because nobody knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
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
    #[serde(deserialize_with = "crate::bounded::first::<_, _, 1000>")]
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

    /// The percentage of the limit that so many tokens are, at most 100; `None` while the limit is not known.
    pub fn percentage_of(&self, used: u64) -> Option<u8> {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// Fuller than it was.
    Growing,
    /// About as it was.
    Stable,
    /// Emptier than it was.
    Shrinking,
}

/// The section: `None` before the first reading and from a compaction whose outcome is not known until
/// the next reading.
pub type Context = Option<ContextUsage>;

impl Section for Context {
    const NAME: &'static str = "context";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = ContextEvent;

    fn apply(&mut self, event: &ContextEvent, when: &Happened<'_>) {
        match event {
            ContextEvent::Snapshot(reading) => read(self, reading, when.at),
            // What the model was shown is no part of the state that it was shown.
            ContextEvent::Frame(_) => {}
        }
    }

    /// Drops the readings from before a compaction. How full the window is now is what the event
    /// says, and not known at all when it says nothing: a stale figure would warn of a full window.
    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        let HudEvent::Compact(CompactEvent::After(end)) = event else {
            return;
        };
        let usage = self.take().zip(end.tokens_after);
        *self = usage.map(|(mut usage, used)| {
            usage.readings.clear();
            push(&mut usage, used, when.at);
            usage
        });
    }

    fn items(&self) -> Vec<Item> {
        let said = |context: &ContextUsage| {
            Item::whole(match context.limit {
                Some(limit) if context.assumed => {
                    format!("{} of {limit} tokens, which are assumed", context.used)
                }
                Some(limit) => format!("{} of {limit} tokens", context.used),
                None => format!("{} tokens", context.used),
            })
        };
        self.iter().map(said).collect()
    }
}

/// Takes a reading. What it doesn't say (the limits, the model) stays as it was known, but the
/// limits of one model say nothing about another's, and a reading with a limit says all of the
/// window: without a `usable` the client does not compact by itself, or no longer.
fn read(context: &mut Context, event: &ContextSnapshot, at: Timestamp) {
    let usage = context.get_or_insert_with(|| ContextUsage {
        used: 0,
        limit: None,
        assumed: false,
        usable: None,
        model: None,
        at,
        readings: Vec::new(),
    });
    if event.model.is_some() && event.model != usage.model {
        usage.limit = None;
        usage.assumed = false;
        usage.usable = None;
        usage.model.clone_from(&event.model);
    }
    let is_known = usage.limit.is_some() && !usage.assumed;
    if event.limit.is_some() && !(event.assumed && is_known) {
        usage.limit = event.limit;
        usage.assumed = event.assumed;
        usage.usable = None;
    }
    if usage.assumed && usage.limit < Some(event.used) {
        usage.limit = None;
        usage.assumed = false;
    }
    usage.usable = event.usable.or(usage.usable);
    push(usage, event.used, at);
}

fn push(usage: &mut ContextUsage, used: u64, at: Timestamp) {
    usage.used = used;
    usage.at = at;
    usage.readings.push(used);
    let excess = usage.readings.len().saturating_sub(READINGS);
    usage.readings.drain(..excess);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(limit: Option<u64>, readings: &[u64]) -> ContextUsage {
        ContextUsage {
            used: readings.last().copied().unwrap_or(0),
            limit,
            assumed: false,
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

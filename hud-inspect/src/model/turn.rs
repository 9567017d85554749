//! The summary of a turn.

use hud_store::event::{CompactEvent, ContextEvent, HudEvent, StoredEvent};
use hud_store::section::CallTokens;
use hud_store::state::HudState;
use serde::Serialize;

/// The events of a turn in numbers, and the state at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Its number.
    pub turn: u64,
    /// The version of its first event.
    pub first: u64,
    /// The version of its last event.
    pub last: u64,
    /// The time of its first event in milliseconds since 1970; 0 if it is not known.
    pub at: i64,
    /// The time of its last event in the same form.
    pub ended: i64,
    /// The number of tokens in the context.
    pub used: Option<u64>,
    /// The size of the context window in tokens.
    pub limit: Option<u64>,
    /// The context use in whole percent.
    pub percent: Option<u8>,
    /// The tokens of its model calls, if the provider counted them.
    pub tokens: Option<Tokens>,
    /// True if the conversation was compacted.
    pub compacted: bool,
    /// The number of open errors.
    pub errors: usize,
    /// True if a section of the static layer changed.
    pub steady: bool,
}

/// The tokens of model calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// The tokens that were sent and neither read from a cache nor written to one.
    pub input: u64,
    /// The tokens that were read from the provider's cache.
    pub cache_read: u64,
    /// The tokens that were written to the cache.
    pub cache_write: u64,
    /// The tokens of `cache_write` that are kept for an hour.
    pub cache_write_hour: u64,
    /// The tokens that the model wrote.
    pub output: u64,
}

impl Tokens {
    /// Returns the sum with the tokens of other calls.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            cache_write_hour: self.cache_write_hour.saturating_add(other.cache_write_hour),
            output: self.output.saturating_add(other.output),
        }
    }

    /// Returns all tokens that were sent.
    pub const fn sent(self) -> u64 {
        self.input
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
    }
}

impl From<CallTokens> for Tokens {
    fn from(call: CallTokens) -> Self {
        Self {
            input: call.input,
            cache_read: call.cache_read,
            cache_write: call.cache_write,
            cache_write_hour: call.cache_write_hour,
            output: call.output,
        }
    }
}

impl Turn {
    pub(super) fn begin(turn: u64, event: &StoredEvent) -> Self {
        Self {
            turn,
            first: event.version,
            at: event.at.as_millisecond(),
            ..Self::default()
        }
    }

    /// Adds one of its events.
    pub(super) fn take(&mut self, event: &StoredEvent, is_steady: bool) {
        self.last = event.version;
        self.ended = event.at.as_millisecond();
        self.steady |= is_steady;
        match &event.event {
            HudEvent::Compact(CompactEvent::After(_)) => self.compacted = true,
            HudEvent::Context(ContextEvent::Snapshot(reading)) => {
                if let Some(call) = reading.call {
                    self.tokens = Some(self.tokens.unwrap_or_default().and(call.into()));
                }
            }
            _ => {}
        }
    }

    /// Updates the values that depend on the state after its last event so far.
    pub(super) fn end(&mut self, state: &HudState) {
        let context = state.context.as_ref();
        self.used = context.map(|context| context.used);
        self.limit = context.and_then(|context| context.limit);
        self.percent = context.and_then(|context| context.percentage());
        self.errors = (state.errors.iter())
            .filter(|error| !error.is_resolved())
            .count();
    }
}

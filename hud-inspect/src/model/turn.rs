//! A turn at a glance.

use hud_store::event::{CompactEvent, ContextEvent, HudEvent, StoredEvent};
use hud_store::section::CallTokens;
use hud_store::state::HudState;
use serde::Serialize;

/// What happened in a turn, and how things stood at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Its number.
    pub turn: u64,
    /// The version of its first event.
    pub first: u64,
    /// The version of its last event.
    pub last: u64,
    /// When its first event happened, in milliseconds since 1970; 0 where that is not known.
    pub at: i64,
    /// When its last event happened, likewise.
    pub ended: i64,
    /// Tokens in the context.
    pub used: Option<u64>,
    /// Tokens that fit.
    pub limit: Option<u64>,
    /// Whole percent of the context in use.
    pub percent: Option<u8>,
    /// The tokens of its calls of the model, where the provider counted them.
    pub tokens: Option<Tokens>,
    /// Whether the conversation was compacted.
    pub compacted: bool,
    /// How many errors are open.
    pub errors: usize,
    /// Whether something happened to a section of the static layer.
    pub steady: bool,
}

/// The tokens of calls of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Sent, and neither read from a cache nor written to one.
    pub input: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Written to it.
    pub cache_write: u64,
    /// Those of them that are kept for an hour.
    pub cache_write_hour: u64,
    /// Written by the model.
    pub output: u64,
}

impl Tokens {
    /// The same with those of another call.
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

    /// All that was sent.
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

    /// Takes in one of its events.
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

    /// Updates what is so after the events that it has so far.
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

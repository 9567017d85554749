use std::collections::BTreeMap;

use hud_observe::observation::Observation;
use hud_store::event::EventId;
use jiff::Timestamp;

/// An observation with its place in the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is: the line, or the number of the message, from 1.
    pub place: u64,
    /// Names the place for ever: the client's id for it, else made of `place`. Several entries of
    /// one line share it.
    pub key: String,
    /// When it happened, if the client wrote it down.
    pub at: Option<Timestamp>,
    /// How much of the file was read, in bytes.
    pub bytes: u64,
    /// What happened.
    pub observation: Observation,
}

impl Entry {
    /// What the events that follow from it name as their cause ([`StoredEvent::cause`](hud_store::event::StoredEvent)), be
    /// it read from a recording or reported by a client that is running.
    pub fn cause(&self) -> EventId {
        EventId::of_name(name_of(&self.observation, &self.key))
    }
}

/// The name of what an observation is of, which a running session has in its log too: that of the call,
/// else of the entry.
pub fn name_of<'o>(observation: &'o Observation, key: &'o str) -> &'o str {
    match observation {
        Observation::ToolCall { call, .. } | Observation::ToolResult { call, .. }
            if !call.is_empty() =>
        {
            call
        }
        _ => key,
    }
}

/// What was read, and what was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines, or messages.
    pub lines: u64,
    /// The entries that were given.
    pub entries: u64,
    /// What is of a type that is not known, passed over: lines by their type, parts of messages
    /// as `content block <type>`, messages as `role <role>`.
    pub unknown: BTreeMap<String, u64>,
    /// A last line that was cut short, passed over.
    pub truncated: Option<u64>,
    /// Lines of sub-agents, passed over: the agent did not see them.
    pub sidechain: u64,
    /// Lines that were there before, passed over: they happened once.
    pub repeated: u64,
    /// The conversations that the file has; 0 where it is of a client that keeps one in a file.
    pub conversations: u64,
    /// Lines that were read once they were repaired: with U+FFFD for what is no character, for example.
    pub mended: u64,
    /// Lines that are damaged, of which what is not a whole record was passed over.
    pub damaged: u64,
    /// The first of them.
    pub first_damaged: Option<u64>,
}

impl Summary {
    /// Counts a line that is damaged.
    pub(crate) fn damage(&mut self, line: u64) {
        self.damaged += 1;
        self.first_damaged.get_or_insert(line);
    }
}

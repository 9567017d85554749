use std::collections::BTreeMap;

use hud_observe::observation::Observation;
use hud_store::event::EventId;
use jiff::Timestamp;

/// An observation with its place in the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The number of the line or message, counted from 1.
    pub place: u64,
    /// A permanent key of the place: the client's id for it, or else one made from `place`. Several
    /// entries of one line share it.
    pub key: String,
    /// The time, if the client recorded it.
    pub at: Option<Timestamp>,
    /// The number of bytes that were read of the file.
    pub bytes: u64,
    /// The observation.
    pub observation: Observation,
}

impl Entry {
    /// Returns the cause ([`StoredEvent::cause`](hud_store::event::StoredEvent)) of the events that
    /// follow from this entry. It is the same for a recording and for a running client.
    pub fn cause(&self) -> EventId {
        EventId::of_name(name_of(&self.observation, &self.key))
    }
}

/// Returns the name of an observation's cause, which a running session also has in its log: the id of
/// the call, or else the key of the entry.
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

/// Counts of the parts of a recording that were read and that were passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of lines, or of messages.
    pub lines: u64,
    /// The number of entries that were reported.
    pub entries: u64,
    /// The counts of unknown types that were passed over: lines by their type, parts of messages as
    /// `content block <type>`, messages as `role <role>`.
    pub unknown: BTreeMap<String, u64>,
    /// The number of a last line that was cut short and passed over.
    pub truncated: Option<u64>,
    /// The number of lines of sub-agents. They were passed over, because the agent did not see them.
    pub sidechain: u64,
    /// The number of repeated lines. They were passed over, because they happened once.
    pub repeated: u64,
    /// The number of conversations in the file. 0 for a client that stores one in each file.
    pub conversations: u64,
    /// The number of lines that were read after a repair, for example with U+FFFD for an invalid
    /// character.
    pub mended: u64,
    /// The number of damaged lines, of which only the complete records were read.
    pub damaged: u64,
    /// The number of the first damaged line.
    pub first_damaged: Option<u64>,
}

impl Summary {
    /// Counts a damaged line.
    pub(crate) fn damage(&mut self, line: u64) {
        self.damaged += 1;
        self.first_damaged.get_or_insert(line);
    }
}

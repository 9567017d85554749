use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::derive::{NotRun, ToolCall, Usage};

/// A record with its place in the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands: the line, or the number of the message, from 1.
    pub place: u64,
    /// Names the place for ever: the client's id for it, else made of `place`. Several records of
    /// one line share it.
    pub key: String,
    /// When it happened, if the client wrote it down.
    pub at: Option<Timestamp>,
    /// How much of the file was read, in bytes.
    pub bytes: u64,
    /// What happened.
    pub record: Record,
}

/// What happened in a session, whatever client recorded it.
#[derive(Clone, Debug)]
pub enum Record {
    /// The session's name, once, before all else; not every client writes one.
    Session {
        /// The name.
        id: String,
    },
    /// The agent works in a directory from here on.
    Directory {
        /// Its absolute path.
        path: String,
    },
    /// The user went back in the conversation: what was said since is no longer part of it.
    Rewind {
        /// The [`Entry::key`] of the first [`User`](Self::User) that no longer holds.
        key: String,
    },
    /// The user said something.
    User {
        /// What.
        text: String,
    },
    /// The model is called: a turn begins.
    ModelCall,
    /// The agent calls a tool.
    ToolCall(ToolCall),
    /// A tool has its result.
    ToolResult {
        /// The call's id.
        call: String,
        /// What the agent reads.
        content: String,
        /// Whether the tool failed, as the client says. SWE-agent records no exit codes: there it
        /// is what its own words say.
        is_error: bool,
        /// Why the call was not carried out, if the client marks that.
        not_run: Option<NotRun>,
        /// The number that the client gave to a task it made.
        task: Option<String>,
    },
    /// The token usage of one call of the model, told once the call is over. Calls that used no
    /// tokens are left out.
    Usage {
        /// The tokens.
        usage: Usage,
        /// The model.
        model: Option<String>,
    },
    /// The conversation is compacted here.
    CompactBoundary {
        /// What asked for it.
        trigger: Option<String>,
        /// Tokens in the context before.
        tokens_before: Option<u64>,
    },
    /// What the compaction kept.
    CompactSummary {
        /// The summary.
        text: String,
    },
}

/// What was read, and what was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines, or messages.
    pub lines: u64,
    /// The records that were given.
    pub records: u64,
    /// What is of a type that is not known, passed over: lines by their type, parts of messages
    /// as `content block <type>`, messages as `role <role>`.
    pub unknown: BTreeMap<String, u64>,
    /// A last line that was cut short, passed over.
    pub truncated: Option<u64>,
    /// Lines of sub-agents, passed over: the agent did not see them.
    pub sidechain: u64,
    /// Lines that were there before, passed over: they happened once.
    pub repeated: u64,
    /// Lines with bytes or escapes that are no characters, read with U+FFFD in their place.
    pub mended: u64,
}

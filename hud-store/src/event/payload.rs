//! The payload of each kind.
//!
//! Fields that this version doesn't know are ignored when read, and an optional field that is
//! `None` is not written: a payload may gain optional fields without a new `v`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::SessionId;
use super::clip::Clip;
use crate::state::{HudState, MemoryBlock, MemoryPlace};

macro_rules! payloads {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
            pub struct $name {
                $($(#[$field_meta])* pub $field: $type,)*
            }

            impl Clip for $name {
                fn is_long(&self) -> bool {
                    false $(|| self.$field.is_long())*
                }

                fn clipped(&self) -> Self {
                    Self { $($field: self.$field.clipped(),)* }
                }
            }
        )*
    };
}

payloads! {
    /// A session begins, and where it comes from.
    SessionStart {
        /// The session that it continues.
        #[serde(skip_serializing_if = "Option::is_none")]
        resumes: Option<SessionId>,
        /// The session that made it: it is a sub-agent's.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent: Option<SessionId>,
        /// The session that holds what all sessions of the project begin with.
        #[serde(skip_serializing_if = "Option::is_none")]
        project: Option<SessionId>,
    }

    /// Sets the task; the previous one is over.
    TaskSet {
        /// What to do. Empty clears the task.
        description: String,
    }

    /// Refines the task without losing it.
    TaskUpdate {
        /// A better description of the same task.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// What the user asked for last, within the task.
        #[serde(skip_serializing_if = "Option::is_none")]
        latest_request: Option<String>,
    }

    /// Records a decision.
    DecisionRecord {
        /// Names it within the session.
        id: String,
        /// What was decided, in one line.
        summary: String,
        /// Why, and what was turned down.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<String>,
    }

    /// Removes a decision.
    DecisionRemove {
        /// Which one.
        id: String,
    }

    /// The session goes on from the state that it had after an earlier version, because its
    /// conversation was rewound to there; or from another session's, that it was forked from.
    SessionRestore {
        /// The session whose state it is; itself when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
        /// The version of that session; 0 is before its first event.
        version: u64,
        /// The state at that version, so that one event says all that it brings back.
        state: Box<HudState>,
    }

    /// Adds a note.
    NoteAdd {
        /// Names it within the session.
        id: String,
        /// The note.
        content: String,
    }

    /// Rewrites a note.
    NoteUpdate {
        /// Which one.
        id: String,
        /// The whole new note.
        content: String,
    }

    /// Removes a note.
    NoteRemove {
        /// Which one.
        id: String,
    }

    /// A file was read.
    FileOpen {
        /// As the client names it.
        path: String,
    }

    /// A file was written.
    FileEdit {
        /// As the client names it.
        path: String,
    }

    /// A file is no longer of interest.
    FileClose {
        /// As the client names it.
        path: String,
    }

    /// Adds a step at the end of the plan.
    StepAdd {
        /// Names it within the session.
        id: String,
        /// What is to be done.
        description: String,
    }

    /// Starts a step; a step that was in progress waits again.
    StepStart {
        /// Which one.
        id: String,
    }

    /// Completes a step.
    StepComplete {
        /// Which one.
        id: String,
    }

    /// Removes a step.
    StepRemove {
        /// Which one.
        id: String,
    }

    /// Reorders the plan.
    StepReorder {
        /// These come first, in this order; the others keep theirs.
        #[serde(deserialize_with = "first::<_, _, 100_000>")]
        ids: Vec<String>,
    }

    /// Something failed.
    ErrorEncountered {
        /// Names it within the session. The same id again means that it is back.
        id: String,
        /// What the failure said.
        message: String,
        /// The tool that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// What it failed on: a file, a test, a command.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    }

    /// A failure is mended.
    ErrorResolved {
        /// Which one.
        id: String,
        /// How it was mended.
        #[serde(skip_serializing_if = "Option::is_none")]
        resolution: Option<String>,
    }

    /// Adds a blocker.
    BlockerAdd {
        /// Names it within the session.
        id: String,
        /// What is in the way.
        description: String,
    }

    /// Removes a blocker.
    BlockerRemove {
        /// Which one.
        id: String,
    }

    /// A reading of the context window.
    ContextSnapshot {
        /// Tokens in use.
        used: u64,
        /// Tokens that fit, if the client knows.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
        /// Tokens in use from which on the client compacts the conversation, if it does and that is
        /// known.
        #[serde(skip_serializing_if = "Option::is_none")]
        usable: Option<u64>,
        /// The model whose window it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    }

    /// Keeps what a tool said, for the day it is no longer in the conversation. It is searched for
    /// and read again; the state has only which calls have lost theirs.
    OutputKeep {
        /// The call whose output was taken out of the conversation, as the client names it.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// The tool.
        tool: String,
        /// What it worked on: a file, a command.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<String>,
        /// What it said.
        content: String,
    }

    /// A compaction begins.
    CompactBefore {
        /// The state at this moment: a witness to compare with, never folded back.
        state: Box<HudState>,
        /// What asked for it, as the client says (`auto`, `manual`).
        #[serde(skip_serializing_if = "Option::is_none")]
        trigger: Option<String>,
        /// Tokens in use before.
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens_before: Option<u64>,
    }

    /// A compaction ended.
    CompactAfter {
        /// What the model keeps of the conversation.
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
        /// Tokens in use after.
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// The message that the conversation begins with from now on, as the client names it, where
        /// the client leaves it to us to drop those before.
        #[serde(skip_serializing_if = "Option::is_none")]
        boundary: Option<String>,
    }

    /// Writes a block of core memory.
    MemoryCoreUpdate {
        /// Which block.
        block: MemoryBlock,
        /// The text.
        content: String,
        /// Instead of what is there, or after it.
        mode: UpdateMode,
    }

    /// Adds to working memory.
    MemoryItemAdd {
        /// A slot or the pool.
        place: MemoryPlace,
        /// What to remember; also its name when it is removed.
        content: String,
    }

    /// Removes from working memory, wherever it is.
    MemoryItemRemove {
        /// The whole content of the item.
        content: String,
    }

    /// What an event said is taken out of the log.
    EventRedact {
        /// The seq of the event.
        seq: u64,
        /// The kind that it had.
        kind: String,
        /// Why.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }

    /// Stands where a redacted event stood.
    EventRedacted {
        /// The kind that it had.
        kind: String,
    }

    /// Empties working memory; core memory stays.
    MemoryClear {
        /// Only this place; all of them when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<MemoryPlace>,
    }
}

/// How a core memory block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpdateMode {
    /// The text takes the place of what was there.
    Replace,
    /// The text follows what was there, on a line of its own.
    Append,
}

/// A list of which no more than the first few are kept: what takes two bytes as JSON takes many more in
/// memory, and no list that is so long is used as a whole.
pub(crate) fn first<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct First<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for First<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut kept = Vec::new();
            while kept.len() < MOST {
                match items.next_element()? {
                    Some(item) => kept.push(item),
                    None => return Ok(kept),
                }
            }
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(kept)
        }
    }

    deserializer.deserialize_seq(First::<T, MOST>(PhantomData))
}

//! The `hud` tool: what an agent reads of its HUD and writes to it.
//!
//! One router tool serves all operations, `{"tool": "notes.add", "args": {"content": ".."}}`,
//! so that its definition costs the agent little. The arguments
//! of each operation are a struct of its own, and their JSON Schema comes from the same struct; the
//! agent gets it when it asks (`help`) and when it calls wrongly.
//!
//! The operations of a section are in a file with its noun: `notes.list`, `notes.add`, `notes.update`
//! and `notes.remove`. `section` has those that any section has (`section.update`, `section.clear`),
//! `sessions` those of other sessions, `review` the one that confirms, corrects and drops items of any
//! section, and `look` those without a noun (`snapshot`, `history`,
//! `search`, `recall`), and `outputs` those on what tools said. `help` lists them all, each with a line on what it does.
//!
//! Answers are JSON. What is written answers with the id of the item; one that was there already
//! keeps its id, and nothing is recorded. What nobody sees leaves an answer, as it leaves the HUD
//! ([`hud_components::text::visible()`]); the log keeps it.

mod answer;
mod attention;
mod blockers;
mod checks;
mod constraints;
mod core_memory;
mod decisions;
mod definition;
mod errors;
mod files;
mod findings;
mod knowledge;
mod look;
mod lookup;
mod notes;
mod operation;
mod operations;
mod outputs;
mod record;
mod replace;
mod repository;
mod requests;
mod review;
mod section;
mod sessions;
mod steps;
mod task;
mod working_memory;

use hud_derive::HudTool;
use hud_store::event::HudEvent;
use hud_store::log::LogError;
use hud_store::section::{
    ActiveFiles, Attention, Blockers, Checks, Constraints, CoreMemory, CurrentTask, Decisions,
    Dependencies, Errors, Findings, Knowledge, NextSteps, Notes, Repository, Requests,
    WorkingMemory,
};
use hud_store::state::HudState;
use serde_json::Value;

use crate::section::Noun;

use answer::repeated;

pub use definition::{COMPACT_TOOL, Definition, TOOL, compact_definition};
pub use hud_derive::numbering::{Item, Numbering};
pub use lookup::{Found, Lookup, NoLookup, OtherSession};
pub use operation::{Draft, Read, View, Write, known, refuse, said};
pub use operations::{Call, OperationError, Operations, Reply};
pub(crate) use sessions::refused;

/// The sections that are built in, in the order in which the tool lists them.
pub(crate) fn nouns() -> Vec<Noun> {
    vec![
        Noun::of::<CurrentTask>(),
        Noun::of::<Requests>(),
        Noun::of::<Constraints>(),
        Noun::of::<Decisions>(),
        Noun::of::<Findings>(),
        Noun::of::<Notes>(),
        Noun::of::<NextSteps>(),
        Noun::of::<Blockers>(),
        Noun::of::<ActiveFiles>(),
        Noun::of::<Errors>(),
        Noun::of::<Dependencies>(),
        Noun::of::<Attention>(),
        Noun::of::<Knowledge>(),
        Noun::of::<Checks>(),
        Noun::of::<Repository>(),
        Noun::of::<CoreMemory>(),
        Noun::of::<WorkingMemory>(),
    ]
}

/// How many bytes a call may have as JSON. A state that is full of such calls still fits into the one
/// event that a compaction records it in.
pub const LONGEST: usize = 64 * 1024;

/// An operation `List` that lists a section of the state.
macro_rules! list {
    ($name:literal, $does:literal, $key:literal, $section:ident) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(super) struct List {}

        impl Read for List {
            const NAME: &'static str = $name;
            const DOES: &'static str = $does;
            const EXAMPLE: &'static str = "{}";

            fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
                Ok(json!({ $key: view.state().$section }))
            }
        }
    };
}
use list;

/// Why a call of the `hud` tool does nothing. What is said is for the agent. Where it repeats what the
/// call said, what nobody sees is shown, as `\u{200b}`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The call is not `{"tool": .., "args": ..}`.
    #[error(
        "`hud` takes {{\"tool\": \"<operation>\", \"args\": {{..}}}}: {}. \
         For a list of the operations: {{\"tool\": \"help\"}}",
        repeated(.0)
    )]
    Call(serde_json::Error),
    /// The call is longer than anything that belongs on a HUD.
    #[error(
        "this call of `hud` has {bytes} bytes, and at most {LONGEST} are taken: record what matters, \
         and where the rest is"
    )]
    TooLong {
        /// How long it is as JSON.
        bytes: usize,
    },
    /// There is no such operation.
    #[error("`hud` has no operation `{}`{nearest}", repeated(name))]
    UnknownOperation {
        /// The name that was called.
        name: String,
        /// Where to look for the one that was meant.
        nearest: String,
    },
    /// The arguments do not fit the operation.
    #[error(
        "`{operation}`: {}. Its args are {schema}, for example {example}",
        repeated(source)
    )]
    Arguments {
        /// The operation's name.
        operation: &'static str,
        /// What is wrong with them.
        source: serde_json::Error,
        /// The JSON Schema of the arguments.
        schema: Value,
        /// A call that would do.
        example: Value,
    },
    /// The arguments fit, but not this session.
    #[error("`{operation}`: {}", repeated(reason))]
    Refused {
        /// The operation's name.
        operation: &'static str,
        /// Why, and what would do.
        reason: String,
    },
    /// The operation has a mistake in it.
    #[error(
        "`{operation}` failed, and nothing was recorded: {}",
        repeated(message)
    )]
    Panicked {
        /// The operation's name.
        operation: &'static str,
        /// What it said of that.
        message: String,
    },
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl HudTool for Operations {
    /// The events of a call that a transcript has. A refused call changes nothing, and the agent has read why.
    fn events(
        &self,
        call: &Value,
        state: &HudState,
        numbering: &mut Numbering,
        directory: Option<&str>,
    ) -> Vec<HudEvent> {
        let reply = match self.call(call) {
            Ok(call) if !call.only_reads() => call.write(state, numbering, directory),
            _ => return Vec::new(),
        };
        reply.map(|reply| reply.events).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;

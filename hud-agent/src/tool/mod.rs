//! The `hud` tool: what an agent reads of its HUD and writes to it.
//!
//! One router tool serves all operations, `{"tool": "notes.add", "args": {"content": ".."}}`,
//! so that its definition costs the agent little. The arguments
//! of each operation are a struct of its own, and their JSON Schema comes from the same struct; the
//! agent gets it when it asks (`help`) and when it calls wrongly.
//!
//! | noun | operations |
//! | --- | --- |
//! | `task` | `get`, `set`, `update` |
//! | `decisions` | `list`, `record`, `remove` |
//! | `notes` | `list`, `add`, `update`, `remove` |
//! | `steps` | `list`, `add`, `start`, `complete`, `reorder`, `remove` |
//! | `blockers` | `list`, `add`, `remove` |
//! | `files` | `list`, `add`, `remove` |
//! | `errors` | `list`, `resolve` |
//! | `section` | `update`, `clear` |
//! | `sessions` | `list`, `resume` |
//! | | `snapshot`, `history`, `search`, `recall`, `help` |
//!
//! Operations are there under other names too, for agents that know the tool by them: `hud`,
//! `hud_update`, `hud_note`, `hud_decision`, `hud_file`, `hud_blocker`, `hud_step`, `hud_clear`.
//!
//! Answers are JSON. What is written answers with the id of the item; one that was there already
//! keeps its id, and nothing is recorded. What nobody sees leaves an answer, as it leaves the HUD
//! ([`hud_components::text::visible()`]); the log keeps it.

mod blockers;
mod decisions;
mod definition;
mod errors;
mod files;
mod library;
mod look;
mod names;
mod notes;
mod numbering;
mod section;
mod sessions;
mod steps;
mod task;

use std::borrow::Cow;
use std::io;

use hud_components::text;
use hud_store::event::{HudEvent, SessionId};
use hud_store::log::LogError;
use hud_store::state::HudState;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::path;

pub use definition::{Definition, compact_definition, definition};
pub use library::{Found, Library, NoLibrary, Other};
pub use numbering::{Item, Numbering};
pub(crate) use sessions::refused;

/// How many bytes a call may have as JSON. A state that is full of such calls still fits into the one
/// event that a compaction records it in.
pub const LONGEST: usize = 64 * 1024;

/// An operation `List` that tells a section of the state.
macro_rules! list {
    ($name:literal, $does:literal, $key:literal, $section:ident) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(super) struct List {}

        impl Operation for List {
            const NAME: &'static str = $name;
            const DOES: &'static str = $does;
            const EXAMPLE: &'static str = "{}";

            fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
                Ok(json!({ $key: desk.state.$section }))
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
    #[error("`hud` has no operation `{}`{}", repeated(name), nearest(name))]
    UnknownOperation {
        /// The name that was called.
        name: String,
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
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// What a call of the tool is made on.
pub struct Desk<'d> {
    state: &'d HudState,
    numbering: &'d mut Numbering,
    library: &'d dyn Library,
    events: Vec<HudEvent>,
    resumes: Option<SessionId>,
    directory: Option<&'d str>,
}

impl<'d> Desk<'d> {
    /// A desk with the state of the session, the last numbers of its items, and what can be looked
    /// up.
    pub fn new(
        state: &'d HudState,
        numbering: &'d mut Numbering,
        library: &'d dyn Library,
    ) -> Self {
        Self {
            state,
            numbering,
            library,
            events: Vec::new(),
            resumes: None,
            directory: None,
        }
    }

    /// Says which directory relative paths begin in, as an absolute path.
    #[must_use]
    pub fn in_directory(self, directory: Option<&'d str>) -> Self {
        Self { directory, ..self }
    }

    /// The name that a file has in the session.
    fn file<O: Operation>(&self, path: &str) -> Result<String, ToolError> {
        let named = path::name(path, self.directory, &self.state.active_files);
        named.ok_or_else(|| O::refuse(format!("`{}` names no file", text::line(path, 60))))
    }

    fn record(&mut self, event: impl Into<HudEvent>) {
        self.events.push(event.into());
    }
}

/// What a call of the tool comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What the agent is told.
    pub answer: Value,
    /// What is to be recorded, in order; nothing for a call that only reads.
    pub events: Vec<HudEvent>,
    /// The session whose work this one is to go on with; what it takes over is for
    /// [`begin`](hud_store::log::begin) to record.
    pub resumes: Option<SessionId>,
}

/// Carries out a call of the `hud` tool.
///
/// ```
/// use hud_agent::tool::{Desk, NoLibrary, Numbering, call};
/// use hud_store::state::HudState;
/// use serde_json::json;
///
/// let (state, mut numbering) = (HudState::default(), Numbering::default());
/// let mut desk = Desk::new(&state, &mut numbering, &NoLibrary);
/// let reply = call(
///     &json!({ "tool": "notes.add", "args": { "content": "Tests need redis." } }),
///     &mut desk,
/// )?;
/// assert_eq!(reply.answer, json!({ "id": "n1" }));
/// assert_eq!(reply.events[0].kind(), "note.add");
/// # Ok::<(), hud_agent::tool::ToolError>(())
/// ```
///
/// # Errors
///
/// [`ToolError`]: nothing is to be recorded then.
pub fn call(call: &Value, desk: &mut Desk<'_>) -> Result<Reply, ToolError> {
    // Before anything of it is looked at, compared or said again.
    let bytes = length(call);
    if bytes > LONGEST {
        return Err(ToolError::TooLong { bytes });
    }
    let Call { tool, args } = Call::deserialize(call).map_err(ToolError::Call)?;
    let entry = find(&tool).ok_or(ToolError::UnknownOperation { name: tool })?;
    let args = match args {
        Value::Null => json!({}),
        // Some models write the arguments as text.
        Value::String(text) if text.trim_start().starts_with('{') => {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        args => args,
    };
    let before = desk.numbering.clone();
    desk.events.clear();
    match (entry.run)(args, desk) {
        Ok(answer) => Ok(Reply {
            answer: visible(answer),
            events: std::mem::take(&mut desk.events),
            resumes: desk.resumes.take(),
        }),
        Err(error) => {
            desk.events.clear();
            *desk.numbering = before;
            Err(error)
        }
    }
}

/// An answer without what nobody sees in its texts: see [`hud_components::text::visible()`]. A key is a
/// name that the agent has to say again, so there it is shown, as `\u{200b}`.
fn visible(answer: Value) -> Value {
    match answer {
        Value::String(text) => match text::visible(&text) {
            Cow::Borrowed(_) => Value::String(text),
            Cow::Owned(shown) => Value::String(shown),
        },
        Value::Array(all) => all.into_iter().map(visible).collect(),
        Value::Object(all) => {
            let entry = |(key, value)| (repeated(key), visible(value));
            Value::Object(all.into_iter().map(entry).collect())
        }
        answer => answer,
    }
}

/// A text with names in it that the agent has to know again: what nobody sees is shown, as `\u{200b}`.
fn repeated(text: impl ToString) -> String {
    let text = text.to_string();
    if text::visible(&text) == text {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let mut bytes = [0; 4];
        let alone: &str = c.encode_utf8(&mut bytes);
        match text::visible(alone) == alone {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

/// The events of a call that was made elsewhere, in that directory, as a transcript has it.
///
/// # Errors
///
/// As [`call`].
pub fn events(
    made: &Value,
    state: &HudState,
    numbering: &mut Numbering,
    directory: Option<&str>,
) -> Result<Vec<HudEvent>, ToolError> {
    let mut desk = Desk::new(state, numbering, &NoLibrary).in_directory(directory);
    let reply = call(made, &mut desk)?;
    Ok(reply.events)
}

/// How many bytes a value has as JSON.
fn length(value: &Value) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        Err(_) => usize::MAX,
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `tool` and `args`")]
struct Call {
    tool: String,
    #[serde(default)]
    args: Value,
}

/// An operation: its arguments are its fields.
trait Operation: DeserializeOwned + JsonSchema {
    /// The name that it is called by.
    const NAME: &'static str;
    /// What it does, in few words.
    const DOES: &'static str;
    /// Arguments that would do, as JSON.
    const EXAMPLE: &'static str;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError>;

    fn refuse(reason: impl Into<String>) -> ToolError {
        ToolError::Refused {
            operation: Self::NAME,
            reason: reason.into(),
        }
    }
}

/// An operation in the table.
struct Entry {
    name: &'static str,
    does: &'static str,
    schema: fn() -> Value,
    example: fn() -> Value,
    run: fn(Value, &mut Desk<'_>) -> Result<Value, ToolError>,
}

const fn entry<O: Operation>() -> Entry {
    Entry {
        name: O::NAME,
        does: O::DOES,
        schema: schema::<O>,
        example: example::<O>,
        run: run::<O>,
    }
}

/// All operations, in the order in which they are listed.
const OPERATIONS: &[Entry] = &[
    entry::<task::Get>(),
    entry::<task::Set>(),
    entry::<task::Update>(),
    entry::<decisions::List>(),
    entry::<decisions::Record>(),
    entry::<decisions::Remove>(),
    entry::<notes::List>(),
    entry::<notes::Add>(),
    entry::<notes::Update>(),
    entry::<notes::Remove>(),
    entry::<steps::List>(),
    entry::<steps::Add>(),
    entry::<steps::Start>(),
    entry::<steps::Complete>(),
    entry::<steps::Reorder>(),
    entry::<steps::Remove>(),
    entry::<blockers::List>(),
    entry::<blockers::Add>(),
    entry::<blockers::Remove>(),
    entry::<files::List>(),
    entry::<files::Add>(),
    entry::<files::Remove>(),
    entry::<errors::List>(),
    entry::<errors::Resolve>(),
    entry::<section::Update>(),
    entry::<section::Clear>(),
    entry::<look::Snapshot>(),
    entry::<look::History>(),
    entry::<look::Search>(),
    entry::<look::Recall>(),
    entry::<look::Help>(),
    entry::<sessions::List>(),
    entry::<sessions::Resume>(),
];

fn find(name: &str) -> Option<&'static Entry> {
    OPERATIONS
        .iter()
        .chain(names::OPERATIONS)
        .find(|entry| entry.name == name)
}

/// Whether a call only reads: nothing of it is lost if it is not carried out.
pub fn only_reads(call: &Value) -> bool {
    const LOOKS: [&str; 6] = ["snapshot", "history", "search", "recall", "help", "hud"];
    call["tool"].as_str().is_none_or(|name| {
        LOOKS.contains(&name) || name.ends_with(".list") || name.ends_with(".get")
    })
}

/// The operation with the name that is most like one that there is not, if any is like it.
fn nearest(name: &str) -> String {
    let likeness = |entry: &&Entry| {
        let (noun, verb) = entry.name.split_once('.').unwrap_or((entry.name, ""));
        let (asked, asked_verb) = name.split_once(['.', '_']).unwrap_or((name, ""));
        let whole = strsim::normalized_damerau_levenshtein(entry.name, name);
        // The right noun says what it is about, whatever the verb is.
        match noun.trim_end_matches('s') == asked.trim_end_matches('s') && !verb.is_empty() {
            true => whole.max(0.5 + strsim::normalized_damerau_levenshtein(verb, asked_verb) / 2.0),
            false => whole,
        }
    };
    let all = OPERATIONS.iter().chain(names::OPERATIONS);
    let best = all.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match best.filter(|entry| likeness(entry) >= 0.5) {
        Some(entry) => format!(
            ": did you mean `{}`? For a list: {{\"tool\": \"help\"}}",
            entry.name
        ),
        None => ". For a list: {\"tool\": \"help\"}".to_owned(),
    }
}

fn schema<O: Operation>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<O>();
    // The name of a struct of ours tells the agent nothing.
    schema.remove("title");
    schema.remove("description");
    schema.to_value()
}

fn example<O: Operation>() -> Value {
    let args: Value = serde_json::from_str(O::EXAMPLE).unwrap_or_default();
    json!({ "tool": O::NAME, "args": args })
}

fn run<O: Operation>(args: Value, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
    let operation: O = serde_json::from_value(args).map_err(|source| ToolError::Arguments {
        operation: O::NAME,
        source,
        schema: schema::<O>(),
        example: example::<O>(),
    })?;
    operation.run(desk)
}

/// Refuses what is not among those there are.
fn known<'i, O: Operation>(
    what: &str,
    id: &str,
    ids: impl Iterator<Item = &'i String> + Clone,
) -> Result<(), ToolError> {
    if ids.clone().any(|known| known == id) {
        return Ok(());
    }
    Err(missing::<O>(what, id, ids))
}

/// Says that there is no such item, and which there are.
fn missing<'i, O: Operation>(
    what: &str,
    id: &str,
    ids: impl Iterator<Item = &'i String>,
) -> ToolError {
    let ids: Vec<&str> = ids.map(String::as_str).collect();
    O::refuse(if ids.is_empty() {
        format!("there is no {what} `{id}`, and no other")
    } else {
        format!("there is no {what} `{id}`: there are {}", ids.join(", "))
    })
}

/// Text with something to see in it.
fn said<O: Operation>(name: &str, text: String) -> Result<String, ToolError> {
    if text::is_blank(&text) {
        return Err(O::refuse(format!("`{name}` is empty: say something")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;

//! The table of operations, and the calls of the tool that go through it.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use hud_core::part::{Handle, Handles};
use hud_store::event::{Actor, HudEvent, SessionId};
use hud_store::state::HudState;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::answer::visible;
use super::{Draft, LONGEST, Lookup, Numbering, Read, TOOL, ToolError, View, Write};
use super::{look, outputs, record, review, section, sessions};
use crate::panic::caught;
use crate::section::Noun;
use crate::settings::Memory;

/// The operations of the `hud` tool.
///
/// ```
/// use hud_agent::tool::{NoLookup, Numbering, Operations};
/// use hud_store::state::HudState;
/// use serde_json::json;
///
/// let operations = Operations::built_in();
/// let call = operations.call(&json!({ "tool": "notes.add", "args": { "content": "Tests need redis." } }))?;
/// assert!(!call.only_reads());
/// let reply = call.write(&HudState::default(), &mut Numbering::default(), None)?;
/// assert_eq!(reply.answer, json!({ "id": "n1" }));
/// assert_eq!(reply.events[0].kind(), "note.add");
/// # Ok::<(), hud_agent::tool::ToolError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Operations {
    table: Arc<Vec<Entry>>,
    nouns: Arc<Vec<Noun>>,
    memory: Arc<Memory>,
    /// By its type.
    provided: BTreeMap<TypeId, Arc<dyn Provided>>,
}

/// The operations that show all of the parts that no operation lists.
const PARTS: [(&str, &str); 4] = [
    ("working_memory", look::Snapshot::NAME),
    ("used_before", look::Snapshot::NAME),
    ("compacted", look::Snapshot::NAME),
    ("earlier", sessions::List::NAME),
];

/// What a program provides for its own operations.
trait Provided: Any + std::fmt::Debug + Send + Sync {}

impl<T: Any + std::fmt::Debug + Send + Sync> Provided for T {}

/// An operation in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) does: &'static str,
    named: Named,
    schema: fn() -> Value,
    example: &'static str,
    /// Reads the example as the arguments that it is of.
    fits: fn() -> Result<(), serde_json::Error>,
    run: Run,
}

/// Where an operation is named. It is carried out in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// In the definition of the tool, which each request pays for, and by `help`.
    InDefinition,
    /// By `help` only: what it does can be done with another one, if not as well.
    InHelp,
    /// Nowhere: it is another name of an operation.
    Nowhere,
}

#[derive(Clone, Copy, Debug)]
enum Run {
    Read(fn(Value, &Entry, &View<'_>) -> Result<Value, ToolError>),
    Write(fn(Value, &Entry, &mut Draft<'_>) -> Result<Value, ToolError>),
}

/// Why an operation can't be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// An operation or a section of the tool is called so.
    #[error("something of `hud` is called `{name}` already: give this one another name")]
    Taken {
        /// The name.
        name: &'static str,
    },
    /// The example is not what it takes.
    #[error("the EXAMPLE of the operation `{name}` is not what it takes: {reason}")]
    Example {
        /// The name.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl Default for Operations {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Operations {
    /// The operations of the built-in sections, and those that look at all of them.
    pub fn built_in() -> Self {
        let nouns = Arc::new(super::nouns());
        let mut all = Self {
            table: Arc::new(Vec::new()),
            nouns: Arc::clone(&nouns),
            memory: Arc::default(),
            provided: BTreeMap::new(),
        };
        for noun in nouns.iter() {
            all = (noun.operations)(all);
        }
        for operations in [
            review::operations,
            section::operations,
            look::operations,
            outputs::operations,
            record::operations,
            sessions::operations,
        ] {
            all = operations(all);
        }
        all
    }

    /// These, and those of one more section.
    pub(crate) fn with_noun(mut self, noun: Noun) -> Result<Self, OperationError> {
        for name in [noun.noun].iter().chain(noun.aliases) {
            if self.nouns.iter().any(|other| other.is_called(name)) {
                return Err(OperationError::Taken { name });
            }
        }
        let before = self.table.len();
        let operations = noun.operations;
        Arc::make_mut(&mut self.nouns).push(noun);
        let all = operations(self);
        all.check(before)?;
        Ok(all)
    }

    /// These, and one that reads.
    ///
    /// # Errors
    ///
    /// [`OperationError`] if there is one of that name, or its example does not fit it.
    pub fn reading<O: Read>(self) -> Result<Self, OperationError> {
        let before = self.table.len();
        let all = self.read::<O>();
        all.check(before)?;
        Ok(all)
    }

    /// These, and one that writes.
    ///
    /// # Errors
    ///
    /// [`OperationError`] if there is one of that name, or its example does not fit it.
    pub fn writing<O: Write>(self) -> Result<Self, OperationError> {
        let before = self.table.len();
        let all = self.write::<O>();
        all.check(before)?;
        Ok(all)
    }

    /// These, and one that reads, for [`AgentSection::operations`](crate::section::AgentSection::operations),
    /// whose result is looked at as a whole.
    #[must_use]
    pub fn read<O: Read>(self) -> Self {
        self.entry(read_entry::<O>())
    }

    /// These, and one that writes, as [`read`](Self::read) does.
    #[must_use]
    pub fn write<O: Write>(self) -> Self {
        self.entry(write_entry::<O>())
    }

    /// These, with what a user has set of memory.
    #[must_use]
    pub(crate) fn with_memory(self, memory: &Memory) -> Self {
        match *self.memory == *memory {
            true => self,
            false => Self {
                memory: Arc::new(memory.clone()),
                ..self
            },
        }
    }

    /// These, with something that a program's own operations work with besides the state: they find it by its type
    /// ([`View::provided`], [`Draft::provided`]). What was provided of that type before is replaced.
    #[must_use]
    pub fn providing<T: Any + std::fmt::Debug + Send + Sync>(mut self, value: T) -> Self {
        self.provided.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// What was [provided](Self::providing) of a type.
    pub fn provided<T: Any>(&self) -> Option<&T> {
        let value: &dyn Any = &**self.provided.get(&TypeId::of::<T>())?;
        value.downcast_ref()
    }

    /// What memory may hold.
    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// One that reads and is named by `help` only.
    pub(super) fn read_in_help<O: Read>(self) -> Self {
        let named = Named::InHelp;
        self.entry(Entry {
            named,
            ..read_entry::<O>()
        })
    }

    /// One that writes and is named by `help` only.
    pub(super) fn write_in_help<O: Write>(self) -> Self {
        let named = Named::InHelp;
        self.entry(Entry {
            named,
            ..write_entry::<O>()
        })
    }

    /// An operation that reads, under another name.
    pub(super) fn read_also_as<O: Read>(self, name: &'static str) -> Self {
        let named = Named::Nowhere;
        self.entry(Entry {
            name,
            named,
            ..read_entry::<O>()
        })
    }

    /// An operation that writes, under another name.
    pub(super) fn write_also_as<O: Write>(self, name: &'static str) -> Self {
        let named = Named::Nowhere;
        self.entry(Entry {
            name,
            named,
            ..write_entry::<O>()
        })
    }

    fn entry(mut self, entry: Entry) -> Self {
        Arc::make_mut(&mut self.table).push(entry);
        self
    }

    /// Looks at the operations from one on: whether their names are free, and their examples fit.
    fn check(&self, from: usize) -> Result<(), OperationError> {
        for (at, entry) in self.table.iter().enumerate().skip(from) {
            if self
                .table
                .iter()
                .take(at)
                .any(|other| other.name == entry.name)
            {
                return Err(OperationError::Taken { name: entry.name });
            }
            if let Err(error) = (entry.fits)() {
                return Err(OperationError::Example {
                    name: entry.name,
                    reason: error.to_string(),
                });
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> &[Entry] {
        &self.table
    }

    /// Those that `help` lists.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Entry> {
        let is_listed = |entry: &&Entry| entry.named != Named::Nowhere;
        self.table.iter().filter(is_listed)
    }

    /// Those that the definition names.
    pub(super) fn defined(&self) -> impl Iterator<Item = &Entry> {
        let is_defined = |entry: &&Entry| entry.named == Named::InDefinition;
        self.table.iter().filter(is_defined)
    }

    /// The sections that have operations.
    pub(crate) fn nouns(&self) -> &[Noun] {
        &self.nouns
    }

    /// The operation that lists a section, if the definition names one.
    pub(crate) fn list_of(&self, section: &str) -> Option<&'static str> {
        let noun = self.nouns.iter().find(|noun| noun.name == section)?.noun;
        let lists = |verb| {
            let name = format!("{noun}.{verb}");
            self.defined().find(|entry| entry.name == name)
        };
        let entry = ["list", "read", "get"].into_iter().find_map(lists)?;
        Some(entry.name)
    }

    /// What the agent calls to see all of a section, for each that has an operation that lists it.
    pub(crate) fn handles(&self) -> Handles {
        let sections = self.nouns.iter();
        let sections = sections.filter_map(|noun| Some((noun.name, self.list_of(noun.name)?)));
        let mut handles = Handles::default();
        for (part, operation) in sections.chain(PARTS) {
            let handle = Handle {
                name: format!("{TOOL} {operation}"),
                brief: operation.to_owned(),
            };
            handles.insert(part.to_owned(), handle);
        }
        handles
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.table.iter().find(|entry| entry.name == name)
    }

    /// Whether a call only reads: nothing of it is lost if it is not carried out.
    pub fn only_reads(&self, call: &Value) -> bool {
        let entry = call["tool"].as_str().and_then(|name| self.find(name));
        entry.is_none_or(|entry| matches!(entry.run, Run::Read(_)))
    }

    /// A call of the tool: an operation with its arguments, not carried out yet.
    ///
    /// # Errors
    ///
    /// [`ToolError`] if it is no call, or there is no such operation.
    pub fn call(&self, call: &Value) -> Result<Call<'_>, ToolError> {
        // Before anything of it is looked at, compared or said again.
        let bytes = length(call);
        if bytes > LONGEST {
            return Err(ToolError::TooLong { bytes });
        }
        let Written { tool, args } = Written::deserialize(call).map_err(ToolError::Call)?;
        let Some(entry) = self.find(&tool) else {
            return Err(ToolError::UnknownOperation {
                nearest: self.nearest(&tool),
                name: tool,
            });
        };
        let args = match args {
            Value::Null => json!({}),
            // Where a schema makes all arguments required, models write this for one that they leave out.
            Value::String(text) if text.trim().is_empty() => json!({}),
            // Some models write the arguments as text.
            Value::String(text) if text.trim_start().starts_with('{') => {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            args => args,
        };
        Ok(Call {
            operations: self,
            entry,
            args,
            actor: Actor::Agent,
        })
    }

    /// Where to look for the operation that was meant by a name that none has.
    pub(super) fn nearest(&self, name: &str) -> String {
        let likeness = |entry: &&Entry| {
            let (noun, verb) = entry.name.split_once('.').unwrap_or((entry.name, ""));
            let (asked, asked_verb) = name.split_once(['.', '_']).unwrap_or((name, ""));
            let whole = strsim::normalized_damerau_levenshtein(entry.name, name);
            // The right noun says what it is about, whatever the verb is.
            match noun.trim_end_matches('s') == asked.trim_end_matches('s') && !verb.is_empty() {
                true => {
                    whole.max(0.5 + strsim::normalized_damerau_levenshtein(verb, asked_verb) / 2.0)
                }
                false => whole,
            }
        };
        let best = self
            .table
            .iter()
            .max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
        match best.filter(|entry| likeness(entry) >= 0.5) {
            Some(entry) => format!(
                ": did you mean `{}`? For a list: {{\"tool\": \"help\"}}",
                entry.name
            ),
            None => ". For a list: {\"tool\": \"help\"}".to_owned(),
        }
    }
}

/// A call of the tool. It is carried out once, by [`read`](Self::read) or by [`write`](Self::write).
#[derive(Clone, Debug)]
pub struct Call<'o> {
    operations: &'o Operations,
    entry: &'o Entry,
    args: Value,
    actor: Actor,
}

/// What a call that writes comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What the agent reads.
    pub answer: Value,
    /// What is to be recorded, in order.
    pub events: Vec<HudEvent>,
    /// The session whose work this one is to go on with; what it takes over is for
    /// [`begin`](hud_store::log::begin) to record.
    pub resumes: Option<SessionId>,
}

impl Call<'_> {
    /// Says who makes the call; without, it is the agent. What the user stated, only the user takes back.
    #[must_use]
    pub fn by(self, actor: Actor) -> Self {
        Self { actor, ..self }
    }

    /// Whether it reads, and has nothing to record.
    pub const fn only_reads(&self) -> bool {
        matches!(self.entry.run, Run::Read(_))
    }

    /// Carries out a call that reads.
    ///
    /// # Errors
    ///
    /// [`ToolError`].
    pub fn read(self, state: &HudState, lookup: &dyn Lookup) -> Result<Value, ToolError> {
        let Run::Read(run) = self.entry.run else {
            return Err(self.misused());
        };
        let view = View {
            state,
            lookup,
            operations: self.operations,
        };
        let (entry, args) = (self.entry, self.args);
        guarded(entry, || run(args, entry, &view)).map(visible)
    }

    /// Drafts what a call records that writes. `directory` is where relative paths begin, as an absolute
    /// path. Where it fails, the numbers of items are as they were.
    ///
    /// # Errors
    ///
    /// [`ToolError`]: nothing is to be recorded then.
    pub fn write(
        self,
        state: &HudState,
        numbering: &mut Numbering,
        directory: Option<&str>,
    ) -> Result<Reply, ToolError> {
        let Run::Write(run) = self.entry.run else {
            return Err(self.misused());
        };
        let before = numbering.clone();
        let (entry, args) = (self.entry, self.args);
        let mut draft = Draft::new(state, numbering, directory, self.operations, &self.actor);
        let answer = guarded(entry, || run(args, entry, &mut draft));
        let (events, resumes) = (std::mem::take(&mut draft.events), draft.resumes.take());
        match answer {
            Ok(answer) => Ok(Reply {
                answer: visible(answer),
                events,
                resumes,
            }),
            Err(error) => {
                *numbering = before;
                Err(error)
            }
        }
    }

    fn misused(&self) -> ToolError {
        let way = if self.only_reads() { "reads" } else { "writes" };
        super::refuse(self.entry.name, format!("the operation {way}"))
    }
}

/// Runs an operation, and makes an error of a panic: an operation may be anybody's code, and its mistake
/// must not end the session.
fn guarded(
    entry: &Entry,
    run: impl FnOnce() -> Result<Value, ToolError>,
) -> Result<Value, ToolError> {
    // What it was given is dropped when it panics: nothing half-written is looked at.
    caught(run).unwrap_or_else(|message| {
        Err(ToolError::Panicked {
            operation: entry.name,
            message,
        })
    })
}

impl Entry {
    /// The JSON Schema of its arguments.
    pub(super) fn schema(&self) -> Value {
        (self.schema)()
    }

    /// A call that would do.
    pub(super) fn example(&self) -> Value {
        let args: Value = serde_json::from_str(self.example).unwrap_or_default();
        json!({ "tool": self.name, "args": args })
    }

    fn args<O: DeserializeOwned>(&self, args: Value) -> Result<O, ToolError> {
        serde_json::from_value(args).map_err(|source| ToolError::Arguments {
            operation: self.name,
            source,
            schema: self.schema(),
            example: self.example(),
        })
    }
}

/// Whether the example of an operation is what it takes.
fn fits<O: DeserializeOwned>(example: &str) -> Result<(), serde_json::Error> {
    let args: Value = serde_json::from_str(example)?;
    serde_json::from_value::<O>(args).map(drop)
}

fn read_entry<O: Read>() -> Entry {
    Entry {
        name: O::NAME,
        does: O::DOES,
        named: Named::InDefinition,
        schema: schema::<O>,
        example: O::EXAMPLE,
        fits: || fits::<O>(O::EXAMPLE),
        run: Run::Read(|args, entry, view| entry.args::<O>(args)?.run(view)),
    }
}

fn write_entry<O: Write>() -> Entry {
    Entry {
        name: O::NAME,
        does: O::DOES,
        named: Named::InDefinition,
        schema: schema::<O>,
        example: O::EXAMPLE,
        fits: || fits::<O>(O::EXAMPLE),
        run: Run::Write(|args, entry, draft| entry.args::<O>(args)?.run(draft)),
    }
}

fn schema<O: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<O>();
    // The name of a struct of ours says nothing to the agent.
    schema.remove("title");
    schema.remove("description");
    schema.to_value()
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
struct Written {
    tool: String,
    #[serde(default)]
    args: Value,
}

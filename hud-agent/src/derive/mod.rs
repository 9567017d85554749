//! What an agent does, as events: nothing here needs the agent's help.
//!
//! | what happens | events |
//! | --- | --- |
//! | the user's first message | `task.set`; later ones `task.update` with the request, and `step.remove` for a plan that is done |
//! | a file is read, edited, removed | `file.open`, `file.edit`, `file.close` |
//! | a tool fails; what failed works again | `error.encountered`, `error.resolved` |
//! | the user declines a call, which the client marks ([`NotRun`]) | `note.add` with what the user said |
//! | TodoWrite, TaskCreate, TaskUpdate | `step.add`, `step.start`, `step.complete`, ... |
//! | the `hud` tool | what it says: see [`crate::tool`] |
//! | token usage | `context.snapshot` |
//! | a compaction | `compact.before`, `compact.after`, `file.close` for what was only read |
//!
//! A [`Deriver`] is fed in the order of time and has no clock: the same feed gives the same
//! events.

mod command;
mod failure;
mod plan;
mod what;

use std::collections::HashMap;

use hud_store::event::{
    Actor, CompactAfter, CompactBefore, ContextSnapshot, FileClose, FileEdit, FileOpen, HudEvent,
    NoteAdd, StepRemove, TaskEvent, TaskSet, TaskUpdate,
};
use hud_store::state::{ActiveFile, FileStatus, HudState, StepStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::command::Change;
use self::failure::Failures;
use self::plan::Plan;
use self::what::What;
use crate::compaction;
use crate::context::{self, Window};
use crate::path;
use crate::tool::{self, Item, Numbering};

/// An event and who made it happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The agent for what it said itself, the user for requests, else derived.
    pub actor: Actor,
    /// What happened.
    pub event: HudEvent,
}

/// A call of a tool, as the client reports it.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// Names the call, for its result.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub input: Value,
    /// The file that is open in the agent's editor, for tools that edit "the open file".
    pub open_file: Option<String>,
}

/// The result of a call.
#[derive(Clone, Copy, Debug)]
pub struct ToolResult<'r> {
    /// The call's id.
    pub call: &'r str,
    /// What the agent reads.
    pub content: &'r str,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Why the call was not carried out, where the client marks that.
    pub not_run: Option<&'r NotRun>,
    /// The number that the client gave to a task it made.
    pub task: Option<&'r str>,
}

/// Why a call was not carried out, as the client itself marks it: by a field of its own, never by what
/// the result says, as any tool can print the client's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRun {
    /// The user did not want it.
    Declined {
        /// What the user said instead.
        #[serde(default)]
        said: Option<String>,
    },
    /// The user interrupted, or a call beside it failed: that says nothing about the work.
    Cancelled,
    /// The client refused it: wrong arguments, a rule. The result says why.
    Refused,
}

/// Token usage of one call of the model, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Sent and neither read from nor written to a cache.
    pub input: u64,
    /// Sent and written to the provider's cache.
    pub cache_creation: u64,
    /// Sent and read from the provider's cache.
    pub cache_read: u64,
    /// Written by the model.
    pub output: u64,
}

impl Usage {
    /// All that is in the context after the call.
    pub const fn total(&self) -> u64 {
        self.input
            .saturating_add(self.cache_creation)
            .saturating_add(self.cache_read)
            .saturating_add(self.output)
    }
}

/// Turns what an agent does into events.
#[derive(Clone, Debug, Default)]
pub struct Deriver {
    numbering: Numbering,
    /// Calls that wait for their result.
    calls: HashMap<String, What>,
    failures: Failures,
    plan: Plan,
    has_task: bool,
    turn: u64,
    /// The directory that relative paths begin in, if it is known.
    directory: Option<String>,
}

impl Deriver {
    /// A deriver at the beginning of a session.
    pub fn new() -> Self {
        Self::default()
    }

    /// A deriver that goes on where a session is. What it is not told by the state (which calls wait
    /// for their results, the client's numbers of tasks) is over.
    pub fn of(state: &HudState) -> Self {
        Self {
            numbering: Numbering::of(state),
            calls: HashMap::new(),
            failures: Failures::of(state),
            plan: Plan::of(state),
            has_task: state.task.is_some(),
            turn: state.turn,
            directory: None,
        }
    }

    /// Says which directory the agent works in, as an absolute path: a relative one and an absolute one
    /// of the same file are then known to be one.
    pub fn work_in(&mut self, directory: &str) {
        self.directory = Some(directory.to_owned());
    }

    /// The directory that the agent works in, if it is known.
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// Takes in what happened in the session besides: a call of the `hud` tool, another process.
    pub fn follow(&mut self, state: &HudState) {
        self.numbering.follow(state);
        self.has_task |= state.task.is_some();
        self.turn = self.turn.max(state.turn);
    }

    /// Goes on from an earlier state of the session. What was counted since goes on.
    pub fn rewind(&mut self, state: &HudState) {
        let before = std::mem::replace(self, Self::of(state));
        self.numbering = before.numbering;
        self.turn = before.turn;
        self.directory = before.directory;
    }

    /// The number of calls of the model so far.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// The model is called: a turn begins.
    pub fn model_call(&mut self) -> Vec<Derived> {
        self.turn += 1;
        derived(self.failures.forget(self.turn))
    }

    /// The user says something. A request ends a plan of which all steps are done.
    pub fn user_message(&mut self, text: &str, state: &HudState) -> Vec<Derived> {
        let text = text.trim();
        let event = if text.is_empty() {
            return Vec::new();
        } else if !self.has_task {
            self.has_task = true;
            HudEvent::from(TaskSet {
                description: text.to_owned(),
            })
        } else if is_request(text) {
            HudEvent::from(TaskUpdate {
                description: None,
                latest_request: Some(text.to_owned()),
            })
        } else {
            return Vec::new();
        };
        let mut events = vec![Derived {
            actor: Actor::User,
            event,
        }];
        let steps = &state.next_steps;
        if steps
            .iter()
            .all(|step| step.status == StepStatus::Completed)
        {
            let done = steps.iter().map(|step| {
                HudEvent::from(StepRemove {
                    id: step.id.clone(),
                })
            });
            events.extend(derived(done.collect()));
        }
        events
    }

    /// The agent calls a tool.
    pub fn tool_call(&mut self, call: ToolCall, state: &HudState) -> Vec<Derived> {
        let what = What::of(&call).naming(|path| self.name(path, state));
        let events = match &what {
            What::Read(path) => vec![open(path)],
            What::Edit(path) if !is_active(state, path) => vec![open(path)],
            What::Todos(todos) => self.plan.replace(todos, &mut self.numbering),
            _ => Vec::new(),
        };
        self.calls.insert(call.id, what);
        derived(events)
    }

    /// A call has its result. Results of unknown calls have no events.
    pub fn tool_result(&mut self, result: ToolResult<'_>, state: &HudState) -> Vec<Derived> {
        let Some(what) = self.calls.remove(result.call) else {
            return Vec::new();
        };
        if result.is_error || result.not_run.is_some() {
            return self.failed(&what, &result, state);
        }
        let mut events = self.failures.succeeded(&what);
        match &what {
            What::Edit(path) => events.push(HudEvent::from(FileEdit { path: path.clone() })),
            What::Run(command) => events.extend(self.changed(command, state)),
            What::TaskCreate(subject) => {
                events.extend(self.plan.create(subject, &result, &mut self.numbering));
            }
            What::TaskUpdate { id, status } => events.extend(self.plan.update(id, status)),
            What::Hud(call) => {
                // A call that the tool refuses changes nothing: the agent was told so.
                let directory = self.directory.as_deref();
                let events =
                    tool::events(call, state, &mut self.numbering, directory).unwrap_or_default();
                self.has_task |= events
                    .iter()
                    .any(|event| matches!(event, HudEvent::Task(TaskEvent::Set(_))));
                return events
                    .into_iter()
                    .map(|event| Derived {
                        actor: Actor::Agent,
                        event,
                    })
                    .collect();
            }
            What::Read(_) | What::Todos(_) | What::Other { .. } => {}
        }
        derived(events)
    }

    /// The name that a file has in the session; none for what names no file.
    fn name(&self, path: &str, state: &HudState) -> Option<String> {
        path::name(path, self.directory.as_deref(), &state.active_files)
    }

    /// What a command does to the active files: those that it removes or moves leave, and what was
    /// moved is there under its new name.
    fn changed(&self, command: &str, state: &HudState) -> Vec<HudEvent> {
        let mut events = Vec::new();
        for change in command::changes(command) {
            let from = match &change {
                Change::Removed(from) | Change::Moved { from, .. } => from,
            };
            for (file, rest) in self.below(from, state) {
                events.push(close(&file.path));
                let Change::Moved { to, into, .. } = &change else {
                    continue;
                };
                // To a folder that there is it goes under the name that it has.
                let base = from.trim_end_matches('/').rsplit('/').next();
                let base = base
                    .filter(|_| *into || self.below(to, state).any(|(_, rest)| !rest.is_empty()));
                let to = [
                    Some(to.as_str()),
                    base,
                    Some(rest).filter(|rest| !rest.is_empty()),
                ];
                let to = to.into_iter().flatten().collect::<Vec<_>>().join("/");
                // It keeps the kind of name that it had.
                let to = match file.path.starts_with('/') {
                    true => path::absolute(&to, self.directory.as_deref()),
                    false => to,
                };
                let Some(path) = self.name(&to, state) else {
                    continue;
                };
                events.push(match file.status {
                    FileStatus::Editing => FileEdit { path }.into(),
                    FileStatus::Reading | FileStatus::Referenced => open(&path),
                });
            }
        }
        events
    }

    /// The active files that a path names, or that are in the folder that it names, with the rest of
    /// their paths in it.
    fn below<'s>(
        &self,
        path: &str,
        state: &'s HudState,
    ) -> impl Iterator<Item = (&'s ActiveFile, &'s str)> + use<'s> {
        let directory = self.directory.clone();
        let place = path::absolute(path, directory.as_deref());
        state.active_files.iter().filter_map(move |file| {
            let whole = path::absolute(&file.path, directory.as_deref());
            let found = match whole.strip_prefix(&place) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(rest.len()),
                // Where a relative path begins is not known: it is the end of the file's.
                _ if directory.is_none() && !place.starts_with('/') => {
                    whole.ends_with(&format!("/{place}")).then_some(0)
                }
                _ => None,
            };
            let rest = &file.path[file.path.len() - found?.min(file.path.len())..];
            Some((file, rest.trim_start_matches('/')))
        })
    }

    fn failed(&mut self, what: &What, result: &ToolResult<'_>, state: &HudState) -> Vec<Derived> {
        let mut events = Vec::new();
        // It was opened when it was called for, and there was nothing to read.
        let is_read = |file: &ActiveFile| file.status != FileStatus::Editing;
        if let What::Read(path) = what
            && state
                .active_files
                .iter()
                .any(|file| file.path == *path && is_read(file))
        {
            events.push(close(path));
        }
        match (result.not_run, failure::message(what, result.content)) {
            (Some(NotRun::Declined { said }), _) => {
                let said = said.as_deref().map(str::trim);
                let content = match said.filter(|said| !said.is_empty()) {
                    Some(said) => format!("User declined {}: {said}", what.label()),
                    None => format!("User declined {}", what.label()),
                };
                let id = self.numbering.next(Item::Note);
                events.push(HudEvent::from(NoteAdd { id, content }));
            }
            (Some(NotRun::Cancelled), _) | (_, None) => {}
            (None | Some(NotRun::Refused), Some(message)) => {
                events.push(
                    self.failures
                        .failed(what, message, self.turn, &mut self.numbering),
                )
            }
        }
        derived(events)
    }

    /// The client tells the usage of a call of the model, and the model's window if it knows it.
    pub fn usage(
        &mut self,
        usage: &Usage,
        model: Option<&str>,
        window: Option<&Window>,
    ) -> Vec<Derived> {
        let used = usage.total();
        if used == 0 {
            return Vec::new();
        }
        derived(vec![reading(used, model, window)])
    }

    /// The client goes on with a model, of which nothing was sent yet: what is in the context is now
    /// in that one's window.
    pub fn model(
        &mut self,
        model: &str,
        window: Option<&Window>,
        state: &HudState,
    ) -> Vec<Derived> {
        let known = state.context.as_ref();
        let other = known.filter(|context| context.model.as_deref().is_some_and(|m| m != model));
        let reading = other.map(|context| reading(context.used, Some(model), window));
        derived(reading.into_iter().collect())
    }

    /// The conversation is about to be compacted. Nothing leaves the state yet: a compaction may fail,
    /// or be called off.
    pub fn compaction_begins(
        &mut self,
        trigger: Option<String>,
        tokens_before: Option<u64>,
        state: &HudState,
    ) -> Vec<Derived> {
        derived(vec![HudEvent::from(CompactBefore {
            state: Box::new(state.clone()),
            trigger,
            tokens_before,
        })])
    }

    /// The conversation was compacted: to a summary, or to what comes from the boundary on, a message
    /// of the client's. Files that were only read leave: their contents are no longer in the context.
    pub fn compaction_ends(
        &mut self,
        summary: Option<&str>,
        boundary: Option<&str>,
        state: &HudState,
    ) -> Vec<Derived> {
        let after = HudEvent::from(CompactAfter {
            summary: summary.map(|summary| compaction::essence(summary).to_owned()),
            tokens_after: None,
            boundary: boundary.map(ToOwned::to_owned),
        });
        let read = state
            .active_files
            .iter()
            .filter(|file| file.status != FileStatus::Editing)
            .map(|file| close(&file.path));
        derived(std::iter::once(after).chain(read).collect())
    }
}

fn derived(events: Vec<HudEvent>) -> Vec<Derived> {
    events
        .into_iter()
        .map(|event| Derived {
            actor: Actor::Derived,
            event,
        })
        .collect()
}

/// A reading of the context in a model's window.
fn reading(used: u64, model: Option<&str>, window: Option<&Window>) -> HudEvent {
    let limit = window.map(|window| window.context);
    ContextSnapshot {
        used,
        limit: limit
            .filter(|context| *context > 0)
            .or_else(|| context::window(model, used)),
        usable: window.and_then(Window::usable),
        model: model.map(ToOwned::to_owned),
    }
    .into()
}

fn open(path: &str) -> HudEvent {
    FileOpen {
        path: path.to_owned(),
    }
    .into()
}

fn close(path: &str) -> HudEvent {
    FileClose {
        path: path.to_owned(),
    }
    .into()
}

fn is_active(state: &HudState, path: &str) -> bool {
    state.active_files.iter().any(|file| file.path == path)
}

/// Whether a message asks for something: more than a word of assent or of farewell.
fn is_request(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some() || text.chars().count() > 20
}

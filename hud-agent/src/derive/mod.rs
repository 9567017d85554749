//! What an agent does, as events: nothing here needs the agent's help.
//!
//! | what happens | events |
//! | --- | --- |
//! | the user's first message | `task.set`; later ones `task.update` with what is wanted now, and `step.remove` for a plan that is done |
//! | the user gives thanks for what is done, or closes | `task.end`; what is asked for next is another task |
//! | the agent offers something, or asks for it | `task.offer`, so that a short answer is understood by whoever goes on |
//! | the user asks for something, and it is over | `request.make`, `request.close` |
//! | the user sets a rule, and lifts it | `constraint.add`, `constraint.lift` |
//! | a file is read, edited, moved, removed | `file.open`, `file.edit`, `file.move`, `file.delete`: with the lines, and the names that are new in it |
//! | a tool fails; what failed works again | `error.encountered`, `error.resolved` |
//! | tests, a linter, a build run; whatever hides their exit code | `check.run`, and each failure as above |
//! | the user pastes what a run printed, or says what does not work | `error.encountered`, until the check passes, the agent says that it is mended, or the request is over |
//! | a tool of another program changes something there: `cancel_reservation` | `finding.record`, so that it is not done twice |
//! | git or the program of a forge is run | `repository.branch`, `repository.commit`, `repository.push`, `repository.unfinished` |
//! | the user declines a call, which the client marks ([`NotRun`]) | `note.add` with what the user said |
//! | the agent sets its plan, or moves a step of it on | `step.add`, `step.start`, `step.complete`, ... |
//! | the agent records nothing for long, or writes a plan | `reminder.ask`, `reminder.end`, `reminder.plan` |
//! | the `hud` tool | what it says: see [`crate::tool`] |
//! | a search finds few files, a call names one that is at hand | `memory.item.add` |
//! | a package manager or a manifest gains a package | `dependency.add` |
//! | token usage | `context.snapshot`; where much was read, `output.measure` with what a token of it is |
//! | a tool says something of some length | `output.seen` with its class and size, never with what it says |
//! | an output of a tool leaves the conversation | `output.keep` |
//! | a compaction | `compact.before`, `compact.after`, `file.close` for what was only read; what its summary says |
//!
//! A [`Deriver`] is fed [observations](Observation) in the order of time and has no clock: the same feed
//! gives the same events. It knows no client's words: what a call does is an [`Action`].

mod alike;
mod check;
mod command;
mod cues;
mod depend;
mod done;
mod failure;
mod files;
mod lookup;
mod output;
mod plan;
mod pool;
mod prose;
mod reminder;
mod repository;
mod run;
mod shell;
mod summary;
mod voice;
mod words;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use hud_store::event::{
    Actor, CompactAfter, CompactBefore, ContextSnapshot, FileEvent, HudEvent, NoteAdd, OutputKeep,
    OutputMeasure, OutputSeen, StepRemove, TaskEvent,
};
use hud_store::state::{ActiveFile, HudState, OutputClass, PrunedOutput, StepStatus, ToolOutput};

use serde_json::Value;

pub(crate) use self::alike::{Words, alike, hashed, words};
use self::failure::Failures;
use self::files::{close, delete, edit, is_active, open, rename};
use self::plan::Plan;
pub(crate) use self::prose::{Kind, blocks, ends, floor, sentences};
pub(crate) use self::summary::{Part, of_part};
use self::voice::{REFUSED, Voice};
pub(crate) use self::words::{clip, is_name};
use crate::action::{Action, change_value};
use crate::change::Change;
use crate::context::Window;
use crate::observation::{Actions, NotRun, Observation};
use crate::path;
use crate::prune::class::Seen;
use crate::prune::{self, Spoken, Whole, outline};
use crate::secret::mask_text;
use crate::settings::{Rule, Secrets, Settings};
use crate::tool::{self, Item, Numbering, Operations};

/// An event and who made it happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The agent for what it said itself, the user for requests, else derived.
    pub actor: Actor,
    /// What happened.
    pub event: HudEvent,
}

/// The result of a call.
#[derive(Clone, Copy)]
struct ToolResult<'r> {
    content: &'r str,
    is_error: bool,
    not_run: Option<&'r NotRun>,
    task: Option<&'r str>,
    change: Option<&'r Change>,
}

impl ToolResult<'_> {
    const fn failed(&self) -> bool {
        self.is_error || self.not_run.is_some()
    }
}

/// Turns what an agent does into events.
#[derive(Clone, Debug, Default)]
pub struct Deriver {
    numbering: Numbering,
    /// Calls that wait for their result.
    calls: HashMap<String, Vec<Action>>,
    failures: Failures,
    plan: Plan,
    voice: Voice,
    has_task: bool,
    turn: u64,
    /// What the model said, for the outlines of what leaves.
    spoken: Spoken,
    /// The directory that relative paths begin in, if it is known.
    directory: Option<String>,
    operations: Operations,
    settings: Arc<Settings>,
}

impl Deriver {
    /// A deriver at the beginning of a session.
    pub fn new() -> Self {
        Self::default()
    }

    /// A deriver that goes on where a session is. What is not in the state (which calls wait for their
    /// results, the client's numbers of steps) is not known any more.
    pub fn of(state: &HudState) -> Self {
        Self {
            numbering: Numbering::of(state),
            calls: HashMap::new(),
            failures: Failures::of(state),
            plan: Plan::of(state),
            voice: Voice::of(state),
            has_task: state.task.is_some(),
            turn: state.turn,
            spoken: Spoken::default(),
            directory: None,
            operations: Operations::built_in(),
            settings: Arc::default(),
        }
    }

    /// Takes the operations of the `hud` tool; without, they are the built-in ones.
    #[must_use]
    pub fn with_operations(self, operations: Operations) -> Self {
        let operations = operations.with_memory(&self.settings.memory);
        Self { operations, ..self }
    }

    /// Takes what a user has set; without, it is the default.
    #[must_use]
    pub fn with_settings(self, settings: Arc<Settings>) -> Self {
        let operations = self.operations.with_memory(&settings.memory);
        Self {
            operations,
            settings,
            ..self
        }
    }

    /// The operations of the `hud` tool.
    pub(crate) const fn operations(&self) -> &Operations {
        &self.operations
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
        self.spoken = before.spoken;
        self.directory = before.directory;
        self.operations = before.operations;
        self.settings = before.settings;
    }

    /// What the agent says with the `hud` tool, and what leaves for it: what was derived and says the same.
    pub(crate) fn said_with_tool(&self, mut said: Vec<Derived>, state: &HudState) -> Vec<Derived> {
        let over = words::over(&said, state);
        said.extend(derived(over));
        said
    }

    /// A call of the `hud` tool as it is carried out: without secrets, unless they are kept.
    pub(crate) fn masked<'c>(&self, call: &'c Value) -> Cow<'c, Value> {
        let mut call = Cow::Borrowed(call);
        if self.settings.derive.secrets == Secrets::Mask {
            change_value(call.to_mut(), &mut mask_text);
        }
        call
    }

    /// The number of calls of the model so far.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// The events that follow from an observation, for a session in that state. A
    /// [`Rewind`](Observation::Rewind) has none: see there. What the settings leave out is not among them.
    pub fn derive(&mut self, observation: &Observation, state: &HudState) -> Vec<Derived> {
        let mut events = match self.settings.derive.secrets {
            Secrets::Mask => self.follows(&observation.masked(), state),
            Secrets::Keep => self.follows(observation, state),
        };
        words::without_dropped(&mut events, state);
        if self.by(Rule::Contradicted) {
            let over = words::over(&events, state);
            events.extend(derived(over));
        }
        events.retain(|derived| {
            derived.actor == Actor::Agent || self.settings.derive.records(&derived.event)
        });
        events
    }

    /// Whether something is derived by a rule.
    fn by(&self, rule: Rule) -> bool {
        self.settings.derive.by(rule)
    }

    fn follows(&mut self, observation: &Observation, state: &HudState) -> Vec<Derived> {
        match observation {
            // What others follow from, or are of.
            Observation::Session { .. }
            | Observation::Rewind { .. }
            | Observation::Arguments { .. }
            | Observation::Cause { .. } => Vec::new(),
            Observation::Directory { path } => {
                self.work_in(path);
                Vec::new()
            }
            Observation::User { text } => self.user_message(text, state),
            Observation::ModelCall => self.model_call(state),
            Observation::Agent { text } => self.agent_message(text, state),
            Observation::AgentBefore { text } => {
                self.voice.agent_says(text);
                Vec::new()
            }
            Observation::ToolCall { call, actions } => self.called(call, actions, state),
            Observation::ToolResult {
                call,
                actions,
                content,
                is_error,
                not_run,
                task,
                change,
            } => {
                let result = ToolResult {
                    content,
                    is_error: *is_error,
                    not_run: not_run.as_ref(),
                    task: task.as_deref(),
                    change: change.as_ref(),
                };
                match actions.is_empty() {
                    true => self.answered(call, &result, state),
                    false => self.done(call, actions, &result, state),
                }
            }
            Observation::Usage {
                usage,
                model,
                window,
                provider,
            } => match usage.total() {
                0 => Vec::new(),
                used => {
                    let mut reading = self.reading(used, model.as_deref(), window.as_ref());
                    reading.call = Some((*usage).into());
                    reading.provider.clone_from(provider);
                    let measured = self.measured(used.saturating_sub(usage.output), state);
                    derived(measured.into_iter().chain([reading.into()]).collect())
                }
            },
            Observation::CompactionBegins {
                trigger,
                tokens_before,
            } => compaction_begins(trigger.clone(), *tokens_before, state),
            Observation::CompactionEnds { summary, boundary } => {
                self.compaction_ends(summary.as_deref(), boundary.as_deref(), state)
            }
            Observation::Model { model, window } => {
                self.goes_on_with(model, window.as_ref(), state)
            }
            Observation::OutputLeaves {
                call,
                tool,
                target,
                content,
            } => {
                let mut left = state.pruned.iter();
                if left.any(|left| call.as_ref() == Some(&left.call)) {
                    return Vec::new();
                }
                let known = call.as_deref().and_then(|call| state.outputs.of(call));
                let content = said(content, known);
                derived(vec![HudEvent::from(OutputKeep {
                    call: call.clone(),
                    tool: known.map_or(tool, |known| &known.tool).clone(),
                    target: known.map_or(target, |known| &known.target).clone(),
                    outline: call.as_ref().and_then(|_| self.outline(known, &content)),
                    content: content.into_owned().into(),
                })])
            }
        }
    }

    /// The model is called: a turn begins.
    fn model_call(&mut self, state: &HudState) -> Vec<Derived> {
        self.turn += 1;
        let mut events = self.out_of_use(state);
        if self.by(Rule::Outdated) {
            let passing_turns = self.settings.derive.passing_turns;
            events.extend(self.failures.forget(self.turn, passing_turns, state));
            events.extend(voice::outlived(self.turn, state));
        }
        let settings = &self.settings;
        let (asked, bands) = (&settings.reminder, &settings.bands);
        events.extend(reminder::events(self.turn, state, asked, bands));
        derived(events)
    }

    /// The user says something. A request ends a plan of which all steps are done.
    fn user_message(&mut self, text: &str, state: &HudState) -> Vec<Derived> {
        let reported = match self.by(Rule::Pasted) {
            true => self.reported(text),
            false => Vec::new(),
        };
        let settings = Arc::clone(&self.settings);
        let by = |rule| settings.derive.by(rule);
        let mut events = self
            .voice
            .user_says(text, self.has_task, state, &mut self.numbering, &by);
        if events.is_empty() && reported.is_empty() {
            return events;
        }
        let closed = self.failures.closed_with(&events, state);
        events.extend(derived(closed));
        let complaints = match reported.is_empty() && by(Rule::Complaints) {
            true => self.voice.complaints(),
            false => Vec::new(),
        };
        let (turn, numbering) = (self.turn, &mut self.numbering);
        for said in complaints {
            events.extend(derived(self.failures.complained(said, turn, numbering)));
        }
        events.extend(reported);
        self.has_task |= events
            .iter()
            .any(|derived| matches!(derived.event, HudEvent::Task(_)));
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

    /// The agent says something.
    fn agent_message(&mut self, text: &str, state: &HudState) -> Vec<Derived> {
        self.voice.agent_says(text);
        self.spoken.say(text, self.turn);
        let mut events = Vec::new();
        if self.by(Rule::Outdated) {
            events.extend(self.failures.said_over(text, self.turn, state));
        }
        if self.by(Rule::Conclusions) {
            events.extend(words::events(text, state, &mut self.numbering));
        }
        if self.settings.reminder.on && self.by(Rule::Plans) {
            events.extend(reminder::plan(text, state));
        }
        if self.by(Rule::Offers) {
            events.extend(self.voice.offers(state));
        }
        derived(events)
    }

    /// The agent calls a tool.
    fn called(&mut self, call: &str, actions: &Actions, state: &HudState) -> Vec<Derived> {
        let actions: Vec<Action> = self.named(actions, state).collect();
        let mut events = Vec::new();
        for action in &actions {
            events.extend(self.begun(action, state));
        }
        self.calls.insert(call.to_owned(), actions);
        derived(events)
    }

    /// A call has its result. Results of unknown calls have no events.
    fn answered(&mut self, call: &str, result: &ToolResult<'_>, state: &HudState) -> Vec<Derived> {
        let mut events = Vec::new();
        let actions = self.calls.remove(call).unwrap_or_default();
        for action in &actions {
            events.extend(self.ended(action, result, state));
        }
        events.extend(derived(seen(call, &actions, result, state)));
        events
    }

    /// The agent called a tool, and has its result.
    fn done(
        &mut self,
        call: &str,
        actions: &Actions,
        result: &ToolResult<'_>,
        state: &HudState,
    ) -> Vec<Derived> {
        let actions: Vec<Action> = self.named(actions, state).collect();
        let mut events = Vec::new();
        for action in &actions {
            let mut begun = self.begun(action, state);
            if result.failed() {
                // What was to be opened was not there, and nobody saw it open.
                begun.retain(|event| !matches!(event, HudEvent::File(FileEvent::Open(_))));
            }
            events.extend(derived(begun));
            events.extend(self.ended(action, result, state));
        }
        events.extend(derived(seen(call, &actions, result, state)));
        events
    }

    /// Lines of an output that stay in the conversation when it leaves.
    fn outline(&self, known: Option<&ToolOutput>, content: &str) -> Option<String> {
        let whole = Whole {
            class: known.map_or(OutputClass::Look, |known| known.class),
            has_errors: known.is_some_and(|known| known.error || known.is_run()),
            text: content,
            kept: known.map_or(&[], |known| &known.kept),
        };
        let from = known.map_or(u64::MAX, |known| known.turn.saturating_add(1));
        let is_superseded = known.is_some_and(|known| known.superseded);
        let outline = outline(&whole, |line| self.spoken.used_in(line, from));
        Some(outline).filter(|outline| !is_superseded && !outline.is_empty())
    }

    /// How many tokens what tools said took, where so much of a request was new that what little was sent
    /// besides does not matter.
    fn measured(&self, sent: u64, state: &HudState) -> Option<HudEvent> {
        let before = state.context.as_ref()?.used;
        let new = state.outputs.seen.iter().rev();
        let chars = new
            .take_while(|output| output.turn.saturating_add(1) >= self.turn)
            .filter(|output| output.turn.saturating_add(1) == self.turn)
            .fold(0_u64, |sum, output| sum.saturating_add(output.chars));
        let tokens = sent.saturating_sub(before);
        let ratio = chars.saturating_mul(10).checked_div(tokens)?;
        let is_telling = chars >= prune::TELLING && prune::RATIOS.contains(&ratio);
        is_telling.then(|| OutputMeasure { chars, tokens }.into())
    }

    /// Actions with the names that their files have in the session.
    fn named(&self, actions: &Actions, state: &HudState) -> impl Iterator<Item = Action> {
        let named = |action: &Action| action.clone().naming(|path| self.name(path, state));
        actions.iter().map(named)
    }

    /// An action begins.
    fn begun(&mut self, action: &Action, state: &HudState) -> Vec<HudEvent> {
        self.spoken.call(action, self.turn);
        match action {
            Action::Read { path, lines } => vec![open(path, *lines)],
            Action::Edit { path, .. } | Action::Write { path, .. } if !is_active(state, path) => {
                vec![open(path, None)]
            }
            Action::SetPlan { steps } => self.plan.replace(steps, &mut self.numbering),
            _ => Vec::new(),
        }
    }

    /// An action has its result.
    fn ended(
        &mut self,
        action: &Action,
        result: &ToolResult<'_>,
        state: &HudState,
    ) -> Vec<Derived> {
        if result.failed() {
            let mut events = derived(self.failed(action, result, state));
            if let Some(NotRun::Declined { said: Some(said) }) = result.not_run {
                let by = |rule| self.settings.derive.by(rule);
                events.extend(Voice::user_refuses(said, state, &mut self.numbering, &by));
            }
            return events;
        }
        let mut events = self.failures.succeeded(action);
        if self.by(Rule::Outdated) {
            events.extend(voice::allowed(action, state));
        }
        if self.by(Rule::Places)
            && let Some(places) = lookup::places(action, result.content)
        {
            events.extend(words::found(places, state, &mut self.numbering));
        }
        if self.by(Rule::Done)
            && let Some(done) = done::by(action)
        {
            events.extend(words::done(done, state, &mut self.numbering));
        }
        match action {
            Action::Edit { path, change } | Action::Write { path, change } => {
                let change = change.clone().and(result.change);
                events.extend(depend::added_in(path, &change.dependencies));
                events.push(edit(path, change));
            }
            Action::Delete { path } => events.push(delete(path)),
            Action::Move { from, to } => events.push(rename(from, to)),
            Action::Run { command } => {
                events.extend(self.ran(action, command, result, state));
                if self.by(Rule::Shell) {
                    events.extend(self.changed(command, result.content, state));
                }
                events.extend(depend::added_by(command));
                if self.by(Rule::Closing) {
                    events.extend(voice::done_by(command, state));
                }
            }
            Action::AddStep { description } => {
                events.extend(self.plan.add(description, result.task, &mut self.numbering));
            }
            Action::UpdateStep {
                number,
                description,
                progress,
            } => events.extend(self.plan.update(number, description.as_deref(), *progress)),
            Action::Hud { call } => {
                // A call that the tool refuses changes nothing, and the agent has read why.
                let directory = self.directory.as_deref();
                let operations = &self.operations;
                let said = tool::events(operations, call, state, &mut self.numbering, directory)
                    .unwrap_or_default();
                self.has_task |= said
                    .iter()
                    .any(|event| matches!(event, HudEvent::Task(TaskEvent::Set(_))));
                return said
                    .into_iter()
                    .map(|event| Derived {
                        actor: Actor::Agent,
                        event,
                    })
                    .collect();
            }
            Action::Read { .. }
            | Action::SetPlan { .. }
            | Action::Ask { .. }
            | Action::Look { .. }
            | Action::Delegate { .. }
            | Action::Other { .. } => {}
        }
        let name = |path: &str| self.written_name(path, state);
        let mut at_hand = pool::mentioned(action, self.turn, state, name);
        at_hand.extend(pool::found(action, result.content, state, name));
        // A file that is read or written is at hand by that.
        at_hand.retain(|event| !events.iter().any(|other| is_of_same_file(event, other)));
        events.extend(at_hand);
        derived(events)
    }

    /// The name that a file has in the session; none for what names no file.
    fn name(&self, path: &str, state: &HudState) -> Option<String> {
        path::name(path, self.directory.as_deref(), &state.active_files)
    }

    fn failed(
        &mut self,
        action: &Action,
        result: &ToolResult<'_>,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let mut events = Vec::new();
        if let (None | Some(NotRun::Refused), Action::Run { command }) = (result.not_run, action) {
            events.extend(self.ran(action, command, result, state));
            if events
                .iter()
                .any(|event| matches!(event, HudEvent::Check(_)))
            {
                return events;
            }
        }
        // It was opened when it was called for, and there was nothing to read.
        let is_read = |file: &ActiveFile| !file.status.is_change();
        if let Action::Read { path, .. } = action
            && state
                .active_files
                .iter()
                .any(|file| file.path == *path && is_read(file))
        {
            events.push(close(path));
        }
        match (result.not_run, failure::message(action, result.content)) {
            (Some(NotRun::Declined { said }), _) => {
                let said = said.as_deref().map(str::trim);
                let content = match said.filter(|said| !said.is_empty()) {
                    Some(said) => format!("{REFUSED}{}: {said}", action.label()),
                    None => format!("{REFUSED}{}", action.label()),
                };
                let id = self.numbering.next(Item::Note);
                events.push(HudEvent::from(NoteAdd { id, content }));
            }
            (Some(NotRun::Cancelled), _) | (_, None) => {}
            (None | Some(NotRun::Refused), Some(message)) => {
                events.push(
                    self.failures
                        .failed(action, message, self.turn, &mut self.numbering),
                )
            }
        }
        events
    }

    /// The client goes on with a model, of which nothing was sent yet: what is in the context is now in
    /// that one's window.
    fn goes_on_with(&self, model: &str, window: Option<&Window>, state: &HudState) -> Vec<Derived> {
        let known = state.context.as_ref();
        let other = known.filter(|context| context.model.as_deref().is_some_and(|m| m != model));
        let reading = other.map(|context| self.reading(context.used, Some(model), window).into());
        derived(reading.into_iter().collect())
    }

    /// The conversation was compacted: to a summary, which is lifted, or to what comes from the boundary
    /// on, a message of the client's. Files that were only read and that the summary does not name leave:
    /// their contents are no longer in the context.
    fn compaction_ends(
        &mut self,
        summary: Option<&str>,
        boundary: Option<&str>,
        state: &HudState,
    ) -> Vec<Derived> {
        let summary = summary.map(str::trim).filter(|summary| !summary.is_empty());
        let mut numbering = std::mem::take(&mut self.numbering);
        let lifted = summary.filter(|_| self.by(Rule::Summaries)).map(|summary| {
            summary::lift(summary, state, &mut numbering, |path| {
                self.name(path, state)
            })
        });
        self.numbering = numbering;
        let after = HudEvent::from(CompactAfter {
            summary: summary.map(ToOwned::to_owned),
            rest: lifted.as_ref().map(|lifted| lifted.rest.clone()),
            tokens_after: None,
            boundary: boundary.map(ToOwned::to_owned),
        });
        let lifted = lifted.unwrap_or_default();
        let read = state
            .active_files
            .iter()
            .filter(|file| {
                !file.status.is_change() && !lifted.files.iter().any(|(_, path)| *path == file.path)
            })
            .map(|file| close(&file.path));
        let mut events = derived(std::iter::once(after).chain(read).collect());
        self.has_task |= lifted
            .events
            .iter()
            .any(|event| matches!(event, HudEvent::Task(_)));
        self.plan.lifted(&lifted.events);
        events.extend(lifted.events.into_iter().map(|event| Derived {
            actor: Actor::Summary,
            event,
        }));
        events
    }

    /// A reading of the context in a model's window.
    fn reading(&self, used: u64, model: Option<&str>, window: Option<&Window>) -> ContextSnapshot {
        let Settings {
            context, models, ..
        } = &*self.settings;
        let said = window.map(|window| window.context).filter(|size| *size > 0);
        let known = said.or_else(|| models.window(model?, used));
        // A use above it shows that it is wrong.
        let assumed = Some(context.assumed_window).filter(|assumed| *assumed >= used.max(1));
        ContextSnapshot {
            used,
            limit: known.or(assumed),
            assumed: known.is_none() && assumed.is_some(),
            usable: window.and_then(|window| window.usable(context)),
            model: model.map(ToOwned::to_owned),
            call: None,
            provider: None,
        }
    }
}

/// Whether one event is about a file that another one is about.
fn is_of_same_file(one: &HudEvent, other: &HudEvent) -> bool {
    let item = |event: &HudEvent| event.subject()?.item.map(Cow::into_owned);
    matches!(other, HudEvent::File(_)) && item(one) == item(other)
}

/// Characters from which on an output is worth knowing: what takes the place of a shorter one would be as
/// long.
const SEEN: usize = 300;

/// A tool has said something.
fn seen(
    call: &str,
    actions: &[Action],
    result: &ToolResult<'_>,
    state: &HudState,
) -> Vec<HudEvent> {
    if result.content.len() < SEEN || call.is_empty() || actions.is_empty() {
        return Vec::new();
    }
    let chars = result.content.chars().count();
    if chars < SEEN {
        return Vec::new();
    }
    let again = match actions {
        [Action::Hud { call }] => recalled(call, state),
        _ => None,
    };
    // What was recalled is in the conversation again, and ages as what it is.
    let Seen {
        class,
        tool,
        target,
        lines,
    } = match again {
        Some(left) => Seen {
            class: left.class.unwrap_or(OutputClass::Look),
            tool: left.tool.clone(),
            target: left.target.clone(),
            lines: None,
        },
        None => Seen::of(actions),
    };
    vec![
        OutputSeen {
            call: call.to_owned(),
            tool,
            class,
            target: target.map(|target| target.chars().take(TARGET).collect()),
            lines,
            rows: rows(result.content),
            chars: chars as u64,
            error: result.failed(),
            recalls: again.map(|left| left.seq),
        }
        .into(),
    ]
}

/// How many lines a text has.
fn rows(text: &str) -> u64 {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let last = usize::from(!text.is_empty() && !text.ends_with('\n'));
    (ends + last) as u64
}

/// What left the conversation and a call of the `hud` tool brings back.
fn recalled<'s>(call: &Value, state: &'s HudState) -> Option<&'s PrunedOutput> {
    if call["tool"] != "recall" {
        return None;
    }
    let (seq, name) = (call["args"]["seq"].as_u64(), call["args"]["call"].as_str());
    let mut left = state.pruned.iter();
    left.find(|left| Some(left.seq) == seq || Some(left.call.as_str()) == name)
}

/// What an output says: of one that was recalled, what there was before.
fn said<'c>(content: &'c str, known: Option<&ToolOutput>) -> Cow<'c, str> {
    let again = known.and_then(|known| known.recalls).and_then(|_| {
        let answer: Value = serde_json::from_str(content).ok()?;
        Some(answer.pointer("/payload/content")?.as_str()?.to_owned())
    });
    again.map_or(Cow::Borrowed(content), Cow::Owned)
}

/// Characters of what an output is of that are recorded.
const TARGET: usize = 200;

/// The conversation is about to be compacted. Nothing leaves the state yet: a compaction may fail, or
/// be called off.
fn compaction_begins(
    trigger: Option<String>,
    tokens_before: Option<u64>,
    state: &HudState,
) -> Vec<Derived> {
    let known = state.context.as_ref().map(|context| context.used);
    derived(vec![HudEvent::from(CompactBefore {
        state: Box::new(state.clone()),
        trigger,
        tokens_before: tokens_before.or(known),
    })])
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

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn the_rows_of_an_output_are_its_lines() {
        for text in [
            "",
            "a",
            "a\n",
            "a\nb",
            "a\r\n\nb\r\n",
            "\n",
            "\n\n",
            "a\n ",
            "é\r",
        ] {
            assert_eq!(rows(text), text.lines().count() as u64, "{text:?}");
        }
    }
}

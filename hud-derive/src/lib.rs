//! Derives events from the actions of an agent. Nothing here needs the agent's help.
//!
//! | what happens | events |
//! | --- | --- |
//! | the user's first message | `task.set`; later ones `task.update` with the new request, and `step.remove` for a completed plan |
//! | the user gives thanks for completed work, or ends the conversation | `task.end`; the next request is another task |
//! | the agent offers something, or asks for it | `task.offer`, so that the next reader understands a short answer |
//! | the user, the agent or a sub-agent writes a message | `record.message`, word for word |
//! | a command is run; a question is answered; the user refuses a call | `record.command`, `record.answer`, `record.refusal` |
//! | the user asks for something; the request is over | `request.make`, `request.close` |
//! | the user sets or lifts a rule | `constraint.add`, `constraint.lift` |
//! | a file is read, edited, moved, removed | `file.open`, `file.edit`, `file.move`, `file.delete`, with the lines and the new names in it |
//! | a tool fails; a call that failed before succeeds | `error.encountered`, `error.resolved` |
//! | tests, a linter or a build run, also if their exit code is hidden | `check.run`, and each failure as above |
//! | a tool of another program changes something there: `cancel_reservation` | `finding.record`, so that it is not done twice |
//! | the user pastes the output of a run | `error.encountered`, until a check passes that covers it |
//! | git or the program of a forge is run | `repository.branch`, `repository.commit`, `repository.push`, `repository.unfinished` |
//! | the user declines a call, which the client marks ([`NotRun`](hud_observe::observation::NotRun)) | `note.add` with the user's message |
//! | the agent sets its plan, or advances a step, with a tool or in its text | `step.add`, `step.start`, `step.complete`, ... |
//! | the agent records nothing for many turns, or writes a plan | `reminder.ask`, `reminder.end`, `reminder.plan` |
//! | the `hud` tool is called | the tool's own events, see [`HudTool`] |
//! | a search finds few files, a call names one that is at hand | `memory.item.add` |
//! | a package manager or a manifest gains a package | `dependency.add` |
//! | token usage is reported | `context.snapshot`; after much output, `output.measure` with the length of a token |
//! | a tool returns a long output | `output.seen` with its class and size, never with its text |
//! | an output of a tool is removed from the conversation | `output.keep` |
//! | a compaction | `compact.before`, `compact.after`, `file.close` for files that were only read, and the events of the summary |
//!
//! A [`Deriver`] receives [observations](Observation) in the order of time and has no clock. The same observations
//! give the same events. It knows no client's formats. An [`Action`](hud_observe::action::Action) describes a call.

mod alike;
mod calls;
mod check;
pub mod class;
mod command;
mod compacted;
mod depend;
mod done;
mod failure;
mod files;
pub mod lexicon;
mod lookup;
pub mod numbering;
pub mod outline;
mod output;
mod outputs;
mod plan;
mod pool;
mod printed;
mod prose;
mod record;
mod reminder;
mod repository;
mod run;
mod runner;
pub mod settings;
mod shell;
mod spoken;
mod summary;
mod voice;
mod words;
mod written;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hud_observe::observation::Observation;
use hud_observe::path;
use hud_observe::window::Window;
use hud_secret::mask_value;
use hud_store::event::{Actor, ContextSnapshot, HudEvent, Speaker, StepRemove};
use hud_store::state::{HudState, StepStatus};
use serde_json::Value;

pub(crate) use self::alike::hashed;
pub use self::alike::{Words, alike, words};
use self::calls::{Called, ToolResult};
use self::compacted::compaction_begins;
use self::failure::Failures;
use self::numbering::Numbering;
pub use self::outputs::{RATIOS, TELLING, left_at};
use self::plan::Plan;
use self::printed::Printed;
pub use self::prose::{Kind, blocks, ends, sentences};
use self::settings::{Rule, Secrets, Settings};
pub use self::spoken::Spoken;
pub use self::summary::{Part, of_part};
use self::voice::Voice;
pub use self::words::{clip, is_name};

/// An event with its actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The agent for its own statements, the user for requests, else derived.
    pub actor: Actor,
    /// The event.
    pub event: HudEvent,
}

/// The `hud` tool, as the source of the events of its calls.
pub trait HudTool: Debug + Send + Sync {
    /// Returns the events of a call. A call that only reads or that is refused has none.
    fn events(
        &self,
        call: &Value,
        state: &HudState,
        numbering: &mut Numbering,
        directory: Option<&str>,
    ) -> Vec<HudEvent>;
}

/// Derives events from the actions of an agent.
#[derive(Clone, Debug, Default)]
pub struct Deriver {
    numbering: Numbering,
    /// Calls that wait for their result.
    calls: HashMap<String, Called, RandomState>,
    failures: Failures,
    plan: Plan,
    voice: Voice,
    has_task: bool,
    turn: u64,
    /// The words that the model used, for the outlines of pruned outputs.
    spoken: Spoken,
    /// The directory that relative paths start from, if it is known.
    directory: Option<String>,
    tool: Option<Arc<dyn HudTool>>,
    settings: Arc<Settings>,
}

impl Deriver {
    /// Returns a deriver for the beginning of a session.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a deriver that continues a session. Facts that are not in the state are lost: the calls that wait for
    /// their results, and the client's numbers of steps.
    pub fn of(state: &HudState) -> Self {
        Self {
            numbering: Numbering::of(state),
            calls: HashMap::default(),
            failures: Failures::of(state),
            plan: Plan::of(state),
            voice: Voice::of(state),
            has_task: state.task.is_some(),
            turn: state.turn,
            spoken: Spoken::default(),
            directory: None,
            tool: None,
            settings: Arc::default(),
        }
    }

    /// Sets the `hud` tool. Without it, calls of the tool have no events.
    #[must_use]
    pub fn with_tool(self, tool: Arc<dyn HudTool>) -> Self {
        Self {
            tool: Some(tool),
            ..self
        }
    }

    /// Sets the user's settings. Without them, the defaults hold.
    #[must_use]
    pub fn with_settings(self, settings: Arc<Settings>) -> Self {
        Self { settings, ..self }
    }

    /// Sets the directory that the agent works in, as an absolute path. A relative and an absolute path of the same
    /// file then have one name.
    pub fn work_in(&mut self, directory: &str) {
        self.directory = Some(directory.to_owned());
    }

    /// The directory that the agent works in, if it is known.
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// Follows changes of the session from elsewhere: a call of the `hud` tool, another process.
    pub fn follow(&mut self, state: &HudState) {
        self.numbering.follow(state);
        self.has_task |= state.task.is_some();
        self.turn = self.turn.max(state.turn);
    }

    /// Continues from an earlier state of the session. The counters are kept.
    pub fn rewind(&mut self, state: &HudState) {
        let before = std::mem::replace(self, Self::of(state));
        self.numbering = before.numbering;
        self.turn = before.turn;
        self.spoken = before.spoken;
        self.directory = before.directory;
        self.tool = before.tool;
        self.settings = before.settings;
    }

    /// Adds to the events of a `hud` tool call the removals of the derived items that they replace.
    pub fn said_with_tool(&self, mut said: Vec<Derived>, state: &HudState) -> Vec<Derived> {
        let mut over = words::over(&said, state);
        over.extend(written::replaced(&said, state));
        said.extend(derived(over));
        said
    }

    /// Returns the call of the `hud` tool to carry out, with secrets masked unless these are kept.
    pub fn masked<'c>(&self, call: &'c Value) -> Cow<'c, Value> {
        let mut call = Cow::Borrowed(call);
        if self.settings.derive.secrets == Secrets::Mask {
            mask_value(call.to_mut());
        }
        call
    }

    /// The number of calls of the model so far.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Returns the events that follow from an observation, for a session in that state. A
    /// [`Rewind`](Observation::Rewind) has no events. Events that the settings exclude are left out.
    pub fn derive(&mut self, observation: &Observation, state: &HudState) -> Vec<Derived> {
        let mut events = match self.settings.derive.secrets {
            Secrets::Mask => self.follows(&observation.masked(), state),
            Secrets::Keep => self.follows(observation, state),
        };
        if events.is_empty() {
            return events;
        }
        words::without_dropped(&mut events, state);
        let replaced = written::replaced(&events, state);
        events.extend(derived(replaced));
        if self.by(Rule::Contradicted) {
            let over = words::over(&events, state);
            events.extend(derived(over));
        }
        events.retain(|derived| {
            derived.actor == Actor::Agent || self.settings.derive.records(&derived.event)
        });
        events
    }

    /// True if a rule is on.
    fn by(&self, rule: Rule) -> bool {
        self.settings.derive.by(rule)
    }

    fn follows(&mut self, observation: &Observation, state: &HudState) -> Vec<Derived> {
        match observation {
            // No events follow from these observations alone.
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
                    content: Printed::new(content, self.settings.derive.secrets),
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
            } => derived(self.leaves(call.as_deref(), tool, target.as_deref(), content, state)),
        }
    }

    /// The model is called, which begins a turn.
    fn model_call(&mut self, state: &HudState) -> Vec<Derived> {
        self.turn += 1;
        let mut events = self.out_of_use(state);
        if self.by(Rule::Outdated) {
            let passing_turns = self.settings.derive.passing_turns;
            events.extend(self.failures.forget(self.turn, passing_turns, state));
            events.extend(voice::outlived(self.turn, state));
            events.extend(written::outlived(self.turn, state));
        }
        let settings = &self.settings;
        let (asked, bands) = (&settings.reminder, &settings.bands);
        events.extend(reminder::events(self.turn, state, asked, bands));
        derived(events)
    }

    /// The user sends a message. A request ends a plan with only completed steps.
    fn user_message(&mut self, text: &str, state: &HudState) -> Vec<Derived> {
        let pasted = match self.by(Rule::Pasted) {
            true => self.pasted(text),
            false => Vec::new(),
        };
        let settings = Arc::clone(&self.settings);
        let by = |rule| settings.derive.by(rule);
        let mut events: Vec<Derived> = record::user_message(text).into_iter().collect();
        let said = self
            .voice
            .user_says(text, self.has_task, state, &mut self.numbering, &by);
        if said.is_empty() && pasted.is_empty() {
            return events;
        }
        events.extend(said);
        events.extend(pasted);
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

    /// The agent sends a message.
    fn agent_message(&mut self, text: &str, state: &HudState) -> Vec<Derived> {
        self.voice.agent_says(text);
        self.spoken.say(text, self.turn);
        let mut events = vec![record::message(Speaker::Agent, text, None).into()];
        if self.by(Rule::Conclusions) {
            events.extend(words::events(text, state, &mut self.numbering));
        }
        if self.by(Rule::Plans) {
            let steps = reminder::written(prose::read(text).into_iter());
            let numbering = &mut self.numbering;
            events.extend(written::events(text, steps.as_deref(), state, numbering));
            // An added step may answer the reminder, so the reminder comes after it.
            if self.settings.reminder.on {
                events.extend(reminder::plan(steps, state));
            }
        }
        if self.by(Rule::Offers) {
            events.extend(self.voice.offers(state));
        }
        derived(events)
    }

    /// The name that a file has in the session. `None` if the path names no file.
    fn name(&self, path: &str, state: &HudState) -> Option<String> {
        path::name(path, self.directory.as_deref(), &state.active_files)
    }

    /// The client continues with another model, to which nothing was sent yet. The content of the context is now in
    /// that model's window.
    fn goes_on_with(&self, model: &str, window: Option<&Window>, state: &HudState) -> Vec<Derived> {
        let known = state.context.as_ref();
        let other = known.filter(|context| context.model.as_deref().is_some_and(|m| m != model));
        let reading = other.map(|context| self.reading(context.used, Some(model), window).into());
        derived(reading.into_iter().collect())
    }

    /// A reading of the context in a model's window.
    fn reading(&self, used: u64, model: Option<&str>, window: Option<&Window>) -> ContextSnapshot {
        let Settings {
            context, models, ..
        } = &*self.settings;
        let said = window.map(|window| window.context).filter(|size| *size > 0);
        let known = said.or_else(|| models.window(model?, used));
        // The assumed window is wrong if more tokens than that are used.
        let assumed = Some(context.assumed_window).filter(|assumed| *assumed >= used.max(1));
        ContextSnapshot {
            used,
            limit: known.or(assumed),
            assumed: known.is_none() && assumed.is_some(),
            usable: window
                .and_then(|window| window.usable(context.compaction_buffer, context.output_max)),
            model: model.map(ToOwned::to_owned),
            call: None,
            provider: None,
        }
    }
}

/// True if another task may replace the current one. A pinned task is kept, together with its plan.
fn gives_way(state: &HudState) -> bool {
    state.task.as_ref().is_some_and(|task| !task.pinned)
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

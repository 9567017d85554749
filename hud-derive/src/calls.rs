//! Calls of tools, and the events that follow from their results.

use std::borrow::Cow;

use hud_observe::action::Action;
use hud_observe::change::Change;
use hud_observe::observation::{Actions, NotRun};
use hud_secret::mask_text;
use hud_store::event::{Actor, FileEvent, HudEvent, NoteAdd, TaskEvent};
use hud_store::state::{ActiveFile, HudState};

use super::files::{close, delete, edit, is_active, open, rename};
use super::outputs::seen;
use super::printed::Printed;
use super::voice::{self, REFUSED, Voice};
use super::{Derived, Deriver, depend, derived, done, failure, lookup, pool, repository, words};
use crate::numbering::Item;
use crate::settings::{Rule, Secrets};

/// The result of a call.
pub(super) struct ToolResult<'r> {
    pub(super) content: Printed<'r>,
    pub(super) is_error: bool,
    pub(super) not_run: Option<&'r NotRun>,
    pub(super) task: Option<&'r str>,
    pub(super) change: Option<&'r Change>,
}

/// A call that waits for its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Called {
    actions: Vec<Action>,
    /// The files that it is about to change and that were not active before.
    opened: Vec<String>,
}

impl ToolResult<'_> {
    pub(super) const fn failed(&self) -> bool {
        self.is_error || !matches!(self.not_run, None | Some(NotRun::Unfinished))
    }
}

impl Deriver {
    /// The agent calls a tool.
    pub(super) fn called(
        &mut self,
        call: &str,
        actions: &Actions,
        state: &HudState,
    ) -> Vec<Derived> {
        let actions: Vec<Action> = self.named(actions, state).collect();
        let mut events = Vec::new();
        for action in &actions {
            events.extend(self.begun(action, state));
        }
        let opened = |action: &Action| match action {
            Action::Edit { path, .. } | Action::Write { path, .. } if !is_active(state, path) => {
                Some(path.clone())
            }
            _ => None,
        };
        let opened = actions.iter().filter_map(opened).collect();
        self.calls
            .insert(call.to_owned(), Called { actions, opened });
        derived(events)
    }

    /// A call has its result. Results of unknown calls have no events.
    pub(super) fn answered(
        &mut self,
        call: &str,
        result: &ToolResult<'_>,
        state: &HudState,
    ) -> Vec<Derived> {
        let mut events = Vec::new();
        let Called { actions, opened } = self.calls.remove(call).unwrap_or_default();
        for action in &actions {
            events.extend(self.ended(action, result, state));
        }
        if result.failed() {
            // The call opened these files, but it neither read nor changed them.
            let unread = |path: &&String| {
                let mut files = state.active_files.iter();
                files.any(|file| file.path == **path && !file.status.is_change())
            };
            let closed = opened.iter().filter(unread);
            events.extend(derived(closed.map(|path| close(path)).collect()));
        }
        events.extend(derived(seen(call, &actions, result, state)));
        events
    }

    /// The agent called a tool, and has its result.
    pub(super) fn done(
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
                // The file was not there, and nobody saw it open.
                begun.retain(|event| !matches!(event, HudEvent::File(FileEvent::Open(_))));
            }
            events.extend(derived(begun));
            events.extend(self.ended(action, result, state));
        }
        events.extend(derived(seen(call, &actions, result, state)));
        events
    }

    /// Returns the actions with secrets masked, unless these are kept, and with the session's names of their files.
    fn named(&self, actions: &Actions, state: &HudState) -> impl Iterator<Item = Action> {
        let masks = self.settings.derive.secrets == Secrets::Mask;
        actions.iter().cloned().map(move |mut action| {
            if masks {
                action.change_texts(mask_text);
            }
            action.naming(|path| self.name(path, state))
        })
    }

    /// An action begins.
    fn begun(&mut self, action: &Action, state: &HudState) -> Vec<HudEvent> {
        self.spoken.call(action, self.turn);
        match action {
            Action::Read { path, lines } => vec![open(path, *lines)],
            Action::Edit { path, .. } | Action::Write { path, .. } if !is_active(state, path) => {
                vec![open(path, None)]
            }
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
        if result.not_run == Some(&NotRun::Unfinished) {
            return Vec::new();
        }
        if result.failed() {
            let mut events = derived(self.failed(action, result, state));
            events.extend(self.recorded(action, result, &events));
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
            && let Some(places) = lookup::places(action, &result.content)
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
                if self.by(Rule::Repository) && repository::concerns(command) {
                    for told in repository::told(command, result.content.text()) {
                        events.extend(words::done(told, state, &mut self.numbering));
                    }
                }
                if self.by(Rule::Shell) {
                    events.extend(self.changed(command, &result.content, state));
                }
                events.extend(depend::added_by(command));
                if self.by(Rule::Closing) {
                    events.extend(voice::done_by(command, state));
                }
            }
            Action::SetPlan { steps } => {
                events.extend(self.plan.replace(steps, &mut self.numbering));
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
                // A call that the tool refuses changes nothing, and the agent has read the reason.
                let directory = self.directory.as_deref();
                let numbering = &mut self.numbering;
                let said = self.tool.as_ref().map_or_else(Vec::new, |tool| {
                    tool.events(call, state, numbering, directory)
                });
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
            | Action::Ask { .. }
            | Action::Look { .. }
            | Action::Delegate { .. }
            | Action::Other { .. } => {}
        }
        let name = |path: &str| self.written_name(path, state);
        let mut at_hand = pool::mentioned(action, self.turn, state, name);
        at_hand.extend(pool::found(action, &result.content, state, name));
        // A file that is read or written is already at hand through its own event.
        at_hand.retain(|event| !events.iter().any(|other| is_of_same_file(event, other)));
        events.extend(at_hand);
        let mut events = derived(events);
        events.extend(self.recorded(action, result, &events));
        events
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
        // The call opened the file, but there was nothing to read.
        let is_read = |file: &ActiveFile| !file.status.is_change();
        if let Action::Read { path, .. } = action
            && state
                .active_files
                .iter()
                .any(|file| file.path == *path && is_read(file))
        {
            events.push(close(path));
        }
        match (
            result.not_run,
            failure::message(action, result.content.text()),
        ) {
            (Some(NotRun::Declined { said }), _) => {
                let said = said.as_deref().map(str::trim);
                let content = match said.filter(|said| !said.is_empty()) {
                    Some(said) => format!("{REFUSED}{}: {said}", action.label()),
                    None => format!("{REFUSED}{}", action.label()),
                };
                let id = self.numbering.next(Item::Note);
                events.push(HudEvent::from(NoteAdd { id, content }));
            }
            (Some(NotRun::Cancelled | NotRun::NoSuchTool | NotRun::Unfinished), _) | (_, None) => {}
            (None | Some(NotRun::Refused), Some(message)) => {
                events.push(
                    self.failures
                        .failed(action, message, self.turn, &mut self.numbering),
                )
            }
        }
        events
    }
}

/// True if an event is about the file that the other event is about.
fn is_of_same_file(one: &HudEvent, other: &HudEvent) -> bool {
    let item = |event: &HudEvent| event.subject()?.item.map(Cow::into_owned);
    matches!(other, HudEvent::File(_)) && item(one) == item(other)
}

//! What the agent works on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Happened, Item, Relation, Section, Taking, with};
use crate::event::Actor;

crate::events! {@built_in
    /// What happens to the task.
    pub enum TaskEvent {
        /// the agent sets its task.
        "task.set" 1 Set(
            /// Sets the task; the previous one is over.
            TaskSet {
                /// What to do. Empty clears the task.
                description: String,
            }
        ) words [description],
        /// the task is refined, or the user asks for something within it.
        "task.update" 1 Update(
            /// Refines the task without losing it.
            TaskUpdate {
                /// A better description of the same task.
                #[serde(skip_serializing_if = "Option::is_none")]
                description: Option<String>,
                /// What the user asked for last, within the task.
                #[serde(skip_serializing_if = "Option::is_none")]
                latest_request: Option<String>,
            }
        ) words [description, latest_request],
        /// the user says that what was asked for is done.
        "task.end" 1 End(
            /// Ends the task. It is shown as done until something is asked for.
            TaskEnd {}
        ),
        /// the agent offers something or asks for it, which the user's next words answer; or it no longer does.
        "task.offer" 1 Offer(
            /// Keeps what the agent offers or asks for, until the user says something.
            TaskOffer {
                /// The words that offer it, with the options that they are about. Empty where nothing is
                /// offered any more.
                said: String,
            }
        ) words [said],
        /// a person pins the task, or no longer does.
        "task.pin" 1 Pin(
            /// Pins the task: until it is free again, no other one takes its place and nobody rewords it.
            /// What is asked for meanwhile is the latest request within it.
            TaskPin {
                /// Whether it is pinned from now on.
                pinned: bool,
                /// What it is from now on; without it, what it was. Empty clears the task.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                description: Option<String>,
            }
        ) words [description],
    }
}

/// The task in other words than the user's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Restated {
    /// The task as they put it.
    pub text: String,
    /// Whose words these are.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which they were recorded.
    #[serde(default)]
    pub turn: u64,
}

/// What the agent works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Task {
    /// The task as it was set or last refined.
    pub description: String,
    /// Who set it. What the user states, nobody else replaces.
    #[serde(default = "Actor::user")]
    pub by: Actor,
    /// How somebody else puts the task that the user stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restated: Option<Restated>,
    /// What the user asked for last, within the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_request: Option<String>,
    /// What the agent offers or asks for, until the user says something: `yes` is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<String>,
    /// Whether it is done, and nothing else was asked for since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
    /// Whether a person pinned it, so that nothing else takes its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// When the task was set.
    pub set_at: Timestamp,
    /// When it was last set, refined, or asked about.
    pub updated_at: Timestamp,
    /// The turn of that.
    #[serde(default)]
    pub turn: u64,
}

/// The section: `None` while there is no task.
pub type CurrentTask = Option<Task>;

impl Section for CurrentTask {
    const NAME: &'static str = "task";
    const VERSION: u32 = 6;
    type Event = TaskEvent;

    fn apply(&mut self, event: &TaskEvent, when: &Happened<'_>) {
        match event {
            TaskEvent::Set(e) if is_pinned(self) => {
                // Only the user asks for something within it: what others take the task to be counts for nothing.
                let is_asked = *when.actor == Actor::User && !e.description.is_empty();
                let asked = is_asked.then(|| e.description.clone());
                let within = TaskUpdate {
                    description: None,
                    latest_request: asked,
                };
                update(self, &within, when);
            }
            TaskEvent::Set(e) => set(self, &e.description, when),
            TaskEvent::Update(e) => update(self, e, when),
            TaskEvent::End(_) => {
                if let Some(task) = self
                    && may_replace(task, when.actor)
                {
                    task.done = true;
                    task.updated_at = when.at;
                    task.turn = when.turn;
                }
            }
            TaskEvent::Offer(e) => {
                if let Some(task) = self {
                    task.offer = Some(e.said.clone()).filter(|said| !said.is_empty());
                }
            }
            TaskEvent::Pin(e) => pin(self, e, when),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |task: &Task| {
            let request = task.latest_request.as_deref();
            let text = with(&task.description, "; asked last: ", request);
            let restated = task.restated.as_ref();
            let restated = restated.map(|restated| format!("{} ({})", restated.text, restated.by));
            Item::whole(with(&text, "; in other words: ", restated.as_deref()))
        };
        self.iter().map(said).collect()
    }

    /// What the session has been asked for since is the latest request in the resumed task. A
    /// sub-agent that was given a task of its own keeps it.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<TaskEvent> {
        let Some(task) = self else { return Vec::new() };
        let is_wanted = match taking.relation() {
            Relation::Resumed => true,
            Relation::Parent => own.is_none(),
            Relation::Project => false,
        };
        if !is_wanted {
            return Vec::new();
        }
        let description = task.description.clone();
        let mut events = vec![match task.pinned {
            true => TaskPin {
                pinned: true,
                description: Some(description),
            }
            .into(),
            false => TaskSet { description }.into(),
        }];
        let own = own
            .as_ref()
            .map(|own| own.latest_request.as_ref().unwrap_or(&own.description));
        if let Some(request) = own.or(task.latest_request.as_ref()) {
            let update = TaskUpdate {
                description: None,
                latest_request: Some(request.clone()),
            };
            events.push(update.into());
        }
        events
    }
}

/// Whether somebody may replace a task or end it: one that the user stated is the user's.
fn may_replace(task: &Task, actor: &Actor) -> bool {
    *actor == Actor::User || task.by != Actor::User
}

/// Sets the task. Where the user stated one, or asked for something within it, that stays.
fn set(slot: &mut CurrentTask, description: &str, when: &Happened<'_>) {
    match slot {
        Some(task) if !may_replace(task, when.actor) => restate(task, description, when),
        // The request within it is the user's.
        Some(task) if *when.actor != Actor::User && task.latest_request.is_some() => {
            if !description.is_empty() {
                reword(task, description, when);
            }
        }
        _ => *slot = (!description.is_empty()).then(|| new(description, when)),
    }
}

/// Puts other words beside the task that the user stated; none where they are the same.
fn restate(task: &mut Task, text: &str, when: &Happened<'_>) {
    let is_other = !text.is_empty() && text != task.description;
    task.restated = is_other.then(|| Restated {
        text: text.to_owned(),
        by: when.actor.clone(),
        turn: when.turn,
    });
}

/// Gives the task a better description.
fn reword(task: &mut Task, description: &str, when: &Happened<'_>) {
    description.clone_into(&mut task.description);
    task.by = when.actor.clone();
    task.restated = None;
    task.done = false;
    task.updated_at = when.at;
    task.turn = when.turn;
}

/// Refines the task. Without one, what is given becomes it: a first request is the task until
/// one is set.
fn update(slot: &mut CurrentTask, event: &TaskUpdate, when: &Happened<'_>) {
    let description = event.description.as_deref().filter(|text| !text.is_empty());
    let description = description.filter(|_| !is_pinned(slot));
    // What the user asked for is neither replaced nor taken back by others.
    let asks = matches!(when.actor, Actor::User | Actor::Derived) || slot.is_none();
    let request = event.latest_request.as_deref().filter(|_| asks);
    if description.is_none() && request.is_none() {
        return;
    }
    if slot.is_none() {
        let first = description.or(request).filter(|text| !text.is_empty());
        *slot = first.map(|text| new(text, when));
    }
    let Some(task) = slot else { return };
    if let Some(description) = description {
        match may_replace(task, when.actor) {
            true => reword(task, description, when),
            false => restate(task, description, when),
        }
    }
    if let Some(request) = request {
        // To say the task twice would add nothing.
        let news = !request.is_empty() && request != task.description;
        task.done &= request.is_empty();
        task.latest_request = news.then(|| request.to_owned());
        // It is answered.
        task.offer = None;
        task.updated_at = when.at;
        task.turn = when.turn;
    }
}

fn is_pinned(task: &CurrentTask) -> bool {
    task.as_ref().is_some_and(|task| task.pinned)
}

/// Pins the task or frees it, in other words perhaps. Where there is none and none is said, nothing is pinned.
fn pin(slot: &mut CurrentTask, event: &TaskPin, when: &Happened<'_>) {
    let is_users = slot
        .as_ref()
        .is_some_and(|task| !may_replace(task, when.actor));
    match (event.description.as_deref(), &mut *slot) {
        (Some(description), Some(task)) if is_users => restate(task, description, when),
        (Some(""), _) => *slot = None,
        (Some(description), None) => *slot = Some(new(description, when)),
        (Some(description), Some(task)) if task.description != description => {
            reword(task, description, when);
        }
        _ => {}
    }
    if let Some(task) = slot {
        task.pinned = event.pinned;
        task.updated_at = when.at;
        task.turn = when.turn;
    }
}

fn new(description: &str, when: &Happened<'_>) -> Task {
    Task {
        description: description.to_owned(),
        by: when.actor.clone(),
        restated: None,
        latest_request: None,
        offer: None,
        done: false,
        pinned: false,
        set_at: when.at,
        updated_at: when.at,
        turn: when.turn,
    }
}

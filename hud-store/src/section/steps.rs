//! The plan.

use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{Bearing, Happened, Item, Relation, Section, Taking};
use crate::bounded::first;
use crate::event::Actor;

/// How many steps are kept. A plan is kept whole, however few of its steps are shown: one that had
/// lost steps would count wrongly, and a step that left could not be started.
pub const STEPS_CAP: usize = 500;

crate::events! {@built_in
    /// What happens to the plan.
    pub enum StepEvent {
        /// a step joins the end of the plan.
        "step.add" 1 Add(
            /// Adds a step at the end of the plan.
            StepAdd {
                /// Names it within the session.
                id: String,
                /// What is to be done.
                description: String,
            }
        ) item id names id words [description],
        /// a step becomes the one being worked on.
        "step.start" 1 Start(
            /// Starts a step; a step that was in progress waits again.
            StepStart {
                /// Which one.
                id: String,
            }
        ) item id,
        /// a step is done.
        "step.complete" 1 Complete(
            /// Completes a step.
            StepComplete {
                /// Which one.
                id: String,
            }
        ) item id,
        /// a step leaves the plan.
        "step.remove" 1 Remove(
            /// Removes a step.
            StepRemove {
                /// Which one.
                id: String,
            }
        ) item id,
        /// the plan gets another order.
        "step.reorder" 1 Reorder(
            /// Reorders the plan.
            StepReorder {
                /// These come first, in this order; the others keep theirs.
                #[serde(deserialize_with = "first::<_, _, 100_000>")]
                ids: Vec<String>,
            }
        ),
    }
}

/// A step of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Names it within the session.
    pub id: String,
    /// What is to be done.
    pub description: String,
    /// How far it is.
    pub status: StepStatus,
    /// Whether a summary added it, or a model that was asked. Where a request is done and the user goes on to
    /// another one, it leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub summarised: bool,
    /// Who added it.
    #[serde(default = "Actor::derived", skip_serializing_if = "Actor::is_derived")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "derived")))]
    pub by: Actor,
    /// The turn in which it was added, or moved on last.
    #[serde(default)]
    pub turn: u64,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Not begun.
    Pending,
    /// The one being worked on; never more than one.
    InProgress,
    /// Done.
    Completed,
}

/// The section: the plan, in its order; at most [`STEPS_CAP`].
pub type NextSteps = Vec<Step>;

impl Step {
    /// How it bears on the work: open while it is being done.
    pub const fn bearing(&self) -> Bearing {
        let bearing = Bearing::holds(self.turn);
        match self.status {
            StepStatus::Pending => bearing,
            StepStatus::InProgress => bearing.when(true),
            StepStatus::Completed => bearing.when(false),
        }
    }
}

impl Section for NextSteps {
    const NAME: &'static str = "next_steps";
    const ITEM: &'static str = "step";
    const VERSION: u32 = 2;
    type Event = StepEvent;

    fn apply(&mut self, event: &StepEvent, when: &Happened<'_>) {
        match event {
            StepEvent::Add(e) => add(self, e, when),
            StepEvent::Start(e) => start(self, &e.id, when.turn),
            // Wherever it was.
            StepEvent::Complete(e) => {
                let is_it =
                    |step: &&mut Step| step.id == e.id && step.status != StepStatus::Completed;
                if let Some(step) = self.iter_mut().find(is_it) {
                    step.status = StepStatus::Completed;
                    step.turn = when.turn;
                }
            }
            StepEvent::Remove(e) => self.retain(|step| step.id != e.id),
            // Stable: those that are not named keep their order behind the others.
            StepEvent::Reorder(e) => self.sort_by_key(|step| {
                let place = e.ids.iter().position(|id| *id == step.id);
                place.unwrap_or(e.ids.len())
            }),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |step: &Step| {
            let status = match step.status {
                StepStatus::Pending => "pending",
                StepStatus::InProgress => "in progress",
                StepStatus::Completed => "completed",
            };
            Item::new(&step.id, format!("{} ({status})", step.description))
        };
        self.iter().map(said).collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(Step::bearing).collect()
    }

    /// The steps that are not done.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<StepEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let is_at_work = |step: &Step| step.status == StepStatus::InProgress;
        let has_own = own.iter().any(is_at_work);
        let mut events = Vec::new();
        for step in self {
            if step.status == StepStatus::Completed {
                continue;
            }
            let id = taking.name(&step.id);
            let add = StepAdd {
                id: id.clone(),
                description: step.description.clone(),
            };
            events.push(add.into());
            if is_at_work(step) && !has_own {
                events.push(StepStart { id }.into());
            }
        }
        events
    }

    /// No more than the plan holds, and one at work.
    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, STEPS_CAP);
        let at_work = |step: &&mut Step| step.status == StepStatus::InProgress;
        for step in self.iter_mut().filter(at_work).skip(1) {
            step.status = StepStatus::Pending;
        }
    }
}

/// Adds a step at the end of the plan. Two steps may have the same text: a plan may well say "run the
/// tests" twice.
fn add(steps: &mut NextSteps, event: &StepAdd, when: &Happened<'_>) {
    let by = when.actor;
    if let Some(known) = steps.iter_mut().find(|known| known.id == event.id) {
        known.description.clone_from(&event.description);
        // What somebody says again is no longer only a summary's.
        known.summarised &= matches!(by, Actor::Summary | Actor::Distilled);
        return;
    }
    while steps.len() >= STEPS_CAP {
        steps.remove(leaves_first(steps));
    }
    steps.push(Step {
        id: event.id.clone(),
        description: event.description.clone(),
        status: StepStatus::Pending,
        summarised: matches!(by, Actor::Summary | Actor::Distilled),
        by: by.clone(),
        turn: when.turn,
    });
}

/// What is done matters least, then what comes last.
fn leaves_first(steps: &[Step]) -> usize {
    let done = |step: &Step| step.status == StepStatus::Completed;
    let waits = |step: &Step| step.status == StepStatus::Pending;
    let first = steps.iter().position(done);
    first.or_else(|| steps.iter().rposition(waits)).unwrap_or(0)
}

/// Makes a step the one being worked on; a completed one is taken up again.
fn start(steps: &mut [Step], id: &str, turn: u64) {
    // A plan that somebody else wrote may have an id twice, and there is one step at work.
    let Some(started) = steps.iter().position(|step| step.id == id) else {
        return;
    };
    for (place, step) in steps.iter_mut().enumerate() {
        if place == started {
            if step.status != StepStatus::InProgress {
                step.turn = turn;
            }
            step.status = StepStatus::InProgress;
        } else if step.status == StepStatus::InProgress {
            step.status = StepStatus::Pending;
        }
    }
}

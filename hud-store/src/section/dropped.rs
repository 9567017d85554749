//! What the agent dropped of what others recorded.

use serde::{Deserialize, Serialize};

use super::list;
use super::{
    ConstraintEvent, DecisionEvent, FindingEvent, Happened, Item, Pace, Relation, RequestEvent,
    Section, StepEvent, Taking,
};
use crate::event::HudEvent;
use crate::state::{Change, HudState};

/// How many dropped items are kept.
pub const DROPPED_CAP: usize = 60;

/// How many characters of each are kept.
const KEPT: usize = 400;

crate::events! {@built_in
    /// What happens to what was dropped.
    pub enum DroppedEvent {
        /// what was dropped in the session that this one goes on with stays dropped.
        "dropped.keep" 1 Keep(
            /// Keeps an item dropped that was dropped in another session.
            DroppedKeep {
                /// The name that it had there.
                id: String,
                /// What it said.
                text: String,
            }
        ) item id words [text],
    }
}

/// An item that somebody else had recorded than the agent, and that the agent removed or rewrote with the
/// tool: it is not derived again from the same words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedItem {
    /// The name that it had within the session.
    pub id: String,
    /// What it said.
    pub text: String,
}

/// The section: what was dropped, oldest first; at most [`DROPPED_CAP`].
pub type Dropped = Vec<DroppedItem>;

impl Section for Dropped {
    const NAME: &'static str = "dropped";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = DroppedEvent;

    fn apply(&mut self, event: &DroppedEvent, _: &Happened<'_>) {
        match event {
            DroppedEvent::Keep(e) => drop_item(self, e.id.clone(), &e.text),
        }
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        if when.actor.is_agent()
            && let Some(keep) = dropped_with(event, when.rest)
        {
            drop_item(self, keep.id, &keep.text);
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|dropped| Item::new(&dropped.id, &dropped.text))
            .collect()
    }

    /// The agent dropped it itself.
    fn is_news(&self, _: &Change) -> bool {
        false
    }

    /// What is wrong is wrong in the session that goes on with the work, too.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<DroppedEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let is_known = |text: &str| own.iter().any(|known| known.text == text);
        let room = DROPPED_CAP.saturating_sub(own.len());
        let new = self.iter().filter(|dropped| !is_known(&dropped.text));
        let older = new.clone().count().saturating_sub(room);
        let event = |dropped: &DroppedItem| {
            let keep = DroppedKeep {
                id: dropped.id.clone(),
                text: dropped.text.clone(),
            };
            keep.into()
        };
        new.skip(older).map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        list::newest(self, DROPPED_CAP);
    }
}

/// What stays dropped where an event takes an item away that the agent had not recorded. What the agent says of it
/// is dropped by itself; where a person takes it away elsewhere than in the conversation, this is recorded too: what
/// the user says there may well be said again.
pub fn dropped_with(event: &HudEvent, state: &HudState) -> Option<DroppedKeep> {
    let text = leaves(event, state)?.to_owned();
    let id = event.subject()?.item?.into_owned();
    Some(DroppedKeep { id, text })
}

/// Keeps what an item said that was dropped.
fn drop_item(dropped: &mut Dropped, id: String, text: &str) {
    let text: String = text.chars().take(KEPT).collect();
    dropped.retain(|known| known.text != text);
    dropped.push(DroppedItem { id, text });
    list::newest(dropped, DROPPED_CAP);
}

/// The text that leaves a state with an event, if it was not the agent's own.
fn leaves<'s>(event: &HudEvent, state: &'s HudState) -> Option<&'s str> {
    let (text, new) = match event {
        HudEvent::Decision(event) => {
            let (id, new) = match event {
                DecisionEvent::Record(e) => (&e.id, Some(&e.summary)),
                DecisionEvent::Remove(e) => (&e.id, None),
            };
            let made = state.decisions.iter().find(|made| made.id == *id);
            (
                made.filter(|made| !made.by.is_agent())
                    .map(|made| &made.summary)?,
                new,
            )
        }
        HudEvent::Finding(event) => {
            let (id, new) = match event {
                FindingEvent::Record(e) => (&e.id, Some(&e.text)),
                FindingEvent::Remove(e) => (&e.id, None),
            };
            let found = state.findings.iter().find(|found| found.id == *id);
            (
                found
                    .filter(|found| !found.by.is_agent())
                    .map(|found| &found.text)?,
                new,
            )
        }
        HudEvent::Constraint(event) => {
            let (id, new) = match event {
                ConstraintEvent::Add(e) => (&e.id, Some(&e.text)),
                ConstraintEvent::Lift(e) => (&e.id, None),
            };
            let rule = state.constraints.iter().find(|rule| rule.id == *id);
            (
                rule.filter(|rule| !rule.by.is_agent())
                    .map(|rule| &rule.text)?,
                new,
            )
        }
        HudEvent::Request(event) => {
            let (id, new) = match event {
                RequestEvent::Make(e) => (&e.id, Some(&e.text)),
                RequestEvent::Close(e) => (&e.id, None),
            };
            let request = state.requests.iter().find(|request| request.id == *id);
            (
                request
                    .filter(|request| !request.by.is_agent())
                    .map(|request| &request.text)?,
                new,
            )
        }
        HudEvent::Step(event) => {
            let (id, new) = match event {
                StepEvent::Add(e) => (&e.id, Some(&e.description)),
                StepEvent::Remove(e) => (&e.id, None),
                StepEvent::Start(_) | StepEvent::Complete(_) | StepEvent::Reorder(_) => {
                    return None;
                }
            };
            let step = state.next_steps.iter().find(|step| step.id == *id);
            (
                step.filter(|step| step.summarised)
                    .map(|step| &step.description)?,
                new,
            )
        }
        _ => return None,
    };
    (new != Some(text)).then_some(text)
}

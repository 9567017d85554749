//! What was decided.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, Weighed, fitting, newest};
use super::{Bearing, Happened, Item, Section, Taking, with};
use crate::event::Actor;

/// How many decisions are kept.
pub const DECISIONS_CAP: usize = 30;

crate::events! {@built_in
    /// What happens to decisions.
    pub enum DecisionEvent {
        /// the agent records a decision.
        "decision.record" 1 Record(
            /// Records a decision.
            DecisionRecord {
                /// Names it within the session.
                id: String,
                /// What was decided, in one line.
                summary: String,
                /// Why, and what was turned down.
                #[serde(skip_serializing_if = "Option::is_none")]
                details: Option<String>,
                /// What it is worth beside the others, from 1 to 9, where nobody recorded it with the tool.
                #[serde(skip_serializing_if = "Option::is_none")]
                weight: Option<u8>,
            }
        ) item id names id words [summary, details],
        /// a decision no longer holds.
        "decision.remove" 1 Remove(
            /// Removes a decision.
            DecisionRemove {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// A decision the agent recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// Names it within the session.
    pub id: String,
    /// What was decided, in one line.
    pub summary: String,
    /// Why, and what was turned down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// Who recorded it: the agent with the tool, or what derives from what is said.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which it was recorded, or recorded again with other words.
    #[serde(default)]
    pub turn: u64,
    /// What it is worth beside the others, from 1 to 9; what the agent recorded is worth more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u8>,
    /// When it was recorded, or recorded again with other words.
    pub recorded_at: Timestamp,
}

/// The section: decisions, oldest first; at most [`DECISIONS_CAP`].
pub type Decisions = Vec<Decision>;

impl Section for Decisions {
    const NAME: &'static str = "decisions";
    const ITEM: &'static str = "decision";
    const VERSION: u32 = 3;
    type Event = DecisionEvent;

    fn apply(&mut self, event: &DecisionEvent, when: &Happened<'_>) {
        match event {
            DecisionEvent::Record(e) => {
                let decision = Decision {
                    id: e.id.clone(),
                    summary: e.summary.clone(),
                    details: e.details.clone(),
                    by: when.actor.clone(),
                    turn: when.turn,
                    weight: e.weight,
                    recorded_at: when.at,
                };
                list::add_weighed(self, decision, DECISIONS_CAP);
            }
            DecisionEvent::Remove(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |decision: &Decision| {
            let text = with(&decision.summary, ": ", decision.details.as_deref());
            Item::new(&decision.id, text)
        };
        self.iter().map(said).collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        let each = self.iter().map(|decision| decision.turn);
        each.map(Bearing::holds).collect()
    }

    fn handed_up(event: &DecisionEvent, name: &dyn Fn(&str) -> String) -> Option<DecisionEvent> {
        let mut up = event.clone();
        match &mut up {
            DecisionEvent::Record(e) => e.id = name(&e.id),
            DecisionEvent::Remove(e) => e.id = name(&e.id),
        }
        Some(up)
    }

    /// Whoever a session comes from, its decisions hold.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<DecisionEvent> {
        let same = |one: &Decision, other: &Decision| one.summary == other.summary;
        let taken = fitting(self, own, DECISIONS_CAP, same);
        let event = |decision: &Decision| {
            let record = DecisionRecord {
                id: taking.name(&decision.id),
                summary: decision.summary.clone(),
                details: decision.details.clone(),
                weight: decision.weight,
            };
            record.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, DECISIONS_CAP);
    }
}

impl Weighed for Decision {
    fn weight(&self) -> Option<u8> {
        self.weight
    }

    fn turn(&self) -> u64 {
        self.turn
    }
}

impl Decision {
    /// What it is worth beside the others in a turn, to choose those that are shown: what was recorded
    /// most. What was just said is worth more, what was said long ago less.
    pub fn worth(&self, turn: u64) -> i64 {
        list::worth(self.weight, self.turn, turn)
    }
}

impl Listed for Decision {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.summary == other.summary
    }

    fn rewrite(&mut self, other: Self) {
        let mut details = other.details;
        if details.is_none() && self.summary == other.summary {
            details = self.details.clone();
        }
        if other.by.is_agent() {
            // What was derived is the agent's own once it records it.
            self.by = other.by;
            self.weight = None;
        } else if !self.by.is_agent() {
            self.by = other.by;
        }
        if (&self.summary, &self.details) != (&other.summary, &details) {
            self.summary = other.summary;
            self.details = details;
            self.turn = other.turn;
            self.recorded_at = other.recorded_at;
        }
    }
}

//! What was found out.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, Weighed, fitting, newest};
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking};
use crate::event::Actor;

/// How many findings are kept.
pub const FINDINGS_CAP: usize = 30;

crate::events! {@built_in
    /// What happens to findings.
    pub enum FindingEvent {
        /// something is found out.
        "finding.record" 1 Record(
            /// Records what was found out.
            FindingRecord {
                /// Names it within the session.
                id: String,
                /// What was found out, in one line.
                text: String,
                /// What it is worth beside the others, from 1 to 9, where nobody recorded it with the tool.
                #[serde(skip_serializing_if = "Option::is_none")]
                weight: Option<u8>,
            }
        ) item id names id words [text],
        /// a finding no longer holds.
        "finding.remove" 1 Remove(
            /// Removes a finding.
            FindingRemove {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// Something that was found out, which would have to be found out again without it: a cause, a place, a
/// command that works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Names it within the session.
    pub id: String,
    /// What was found out, in one line.
    pub text: String,
    /// Who recorded it: the agent with the tool, or what derives from what is said.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which it was recorded.
    #[serde(default)]
    pub turn: u64,
    /// What it is worth beside the others, from 1 to 9; what the agent recorded is worth more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u8>,
    /// When it was recorded.
    pub at: Timestamp,
}

/// The section: findings, oldest first; at most [`FINDINGS_CAP`].
pub type Findings = Vec<Finding>;

impl Section for Findings {
    const NAME: &'static str = "findings";
    const ITEM: &'static str = "finding";
    const VERSION: u32 = 2;
    const PACE: Pace = Pace::Working;
    type Event = FindingEvent;

    fn apply(&mut self, event: &FindingEvent, when: &Happened<'_>) {
        match event {
            FindingEvent::Record(e) => {
                let finding = Finding {
                    id: e.id.clone(),
                    text: e.text.clone(),
                    by: when.actor.clone(),
                    turn: when.turn,
                    weight: e.weight,
                    at: when.at,
                };
                list::add_weighed(self, finding, FINDINGS_CAP);
            }
            FindingEvent::Remove(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|finding| Item::new(&finding.id, &finding.text))
            .collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        let each = self.iter().map(|finding| finding.turn);
        each.map(Bearing::holds).collect()
    }

    fn handed_up(event: &FindingEvent, name: &dyn Fn(&str) -> String) -> Option<FindingEvent> {
        let mut up = event.clone();
        match &mut up {
            FindingEvent::Record(e) => e.id = name(&e.id),
            FindingEvent::Remove(e) => e.id = name(&e.id),
        }
        Some(up)
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<FindingEvent> {
        if taking.relation() == Relation::Parent {
            return Vec::new();
        }
        let same = |one: &Finding, other: &Finding| one.text == other.text;
        let taken = fitting(self, own, FINDINGS_CAP, same);
        let event = |finding: &Finding| {
            let record = FindingRecord {
                id: taking.name(&finding.id),
                text: finding.text.clone(),
                weight: finding.weight,
            };
            record.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, FINDINGS_CAP);
    }
}

impl Weighed for Finding {
    fn weight(&self) -> Option<u8> {
        self.weight
    }

    fn turn(&self) -> u64 {
        self.turn
    }
}

impl Finding {
    /// What it is worth beside the others in a turn, to choose those that are shown: what was recorded
    /// most. What was just said is worth more, what was said long ago less.
    pub fn worth(&self, turn: u64) -> i64 {
        list::worth(self.weight, self.turn, turn)
    }
}

impl Listed for Finding {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.text == other.text
    }

    /// What the agent recorded stays its own, whoever says the same.
    fn rewrite(&mut self, other: Self) {
        let is_own = self.by.is_agent() && !other.by.is_agent();
        if is_own && self.text == other.text {
            return;
        }
        let id = std::mem::take(&mut self.id);
        *self = Self { id, ..other };
    }
}

//! The rules that the user set.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, fitting, newest};
use super::{Bearing, Happened, Item, Section, Taking};
use crate::event::Actor;

/// How many constraints are kept.
pub const CONSTRAINTS_CAP: usize = 20;

crate::events! {@built_in
    /// What happens to constraints.
    pub enum ConstraintEvent {
        /// the user sets a rule.
        "constraint.add" 1 Add(
            /// Adds a rule that holds until it is lifted.
            ConstraintAdd {
                /// Names it within the session.
                id: String,
                /// The rule, as the user said it.
                text: String,
            }
        ) item id names id words [text],
        /// a rule no longer holds.
        "constraint.lift" 1 Lift(
            /// Lifts a rule.
            ConstraintLift {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// A rule that the work has to keep to until it is lifted: "never commit", "no new dependencies".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constraint {
    /// Names it within the session.
    pub id: String,
    /// The rule, as the user said it.
    pub text: String,
    /// Who recorded it: the agent with the tool, or what derives from what is said.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which it was recorded.
    #[serde(default)]
    pub turn: u64,
    /// When it was recorded.
    pub at: Timestamp,
}

impl Constraint {
    /// How it bears on the work, beside others: it holds. All of them together are worth the same however old
    /// they are, so the section has no [bearings](Section::bearings).
    pub const fn bearing(&self) -> Bearing {
        Bearing::holds(self.turn)
    }
}

/// The section: constraints, oldest first; at most [`CONSTRAINTS_CAP`].
pub type Constraints = Vec<Constraint>;

impl Section for Constraints {
    const NAME: &'static str = "constraints";
    const ITEM: &'static str = "constraint";
    type Event = ConstraintEvent;

    fn apply(&mut self, event: &ConstraintEvent, when: &Happened<'_>) {
        match event {
            ConstraintEvent::Add(e) => {
                let constraint = Constraint {
                    id: e.id.clone(),
                    text: e.text.clone(),
                    by: when.actor.clone(),
                    turn: when.turn,
                    at: when.at,
                };
                list::add(self, constraint, CONSTRAINTS_CAP);
            }
            ConstraintEvent::Lift(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|constraint| Item::new(&constraint.id, &constraint.text))
            .collect()
    }

    /// Whoever a session comes from, its rules hold.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<ConstraintEvent> {
        let same = |one: &Constraint, other: &Constraint| one.text == other.text;
        let taken = fitting(self, own, CONSTRAINTS_CAP, same);
        let event = |constraint: &Constraint| {
            let add = ConstraintAdd {
                id: taking.name(&constraint.id),
                text: constraint.text.clone(),
            };
            add.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, CONSTRAINTS_CAP);
    }
}

impl Listed for Constraint {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn rewrite(&mut self, other: Self) {
        let id = std::mem::take(&mut self.id);
        *self = Self { id, ..other };
    }
}

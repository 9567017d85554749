//! The rules that the user set.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, fitting, newest};
use super::{Bearing, Happened, Item, Record, Section, Taking, UserMessage};
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
            /// Lifts a rule. One that the user set is lifted by the user, or by naming the message of the
            /// user's that ended it.
            ConstraintLift {
                /// Which one.
                id: String,
                /// The [message](crate::state::UserMessage) of the user's that ended it, where somebody else
                /// lifts it.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                message: Option<String>,
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
    /// Who set it: the user, or somebody else who says that it holds.
    #[serde(default = "Actor::agent")]
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

impl Constraint {
    /// The message of the user's, by its name, that may have ended it: one that came later.
    pub fn ended_by<'r>(&self, name: &str, record: &'r Record) -> Option<UserMessage<'r>> {
        let mut messages = record.user_messages();
        messages.find(|message| message.id == name && self.is_before(message))
    }

    /// Whether it was there before a message of the user's.
    pub fn is_before(&self, message: &UserMessage<'_>) -> bool {
        message.at > self.at || message.turn > self.turn
    }
}

/// The section: constraints, oldest first; at most [`CONSTRAINTS_CAP`].
pub type Constraints = Vec<Constraint>;

impl Section for Constraints {
    const NAME: &'static str = "constraints";
    const ITEM: &'static str = "constraint";
    const VERSION: u32 = 2;
    type Event = ConstraintEvent;

    /// What the user set, nobody else rewrites, lifts or takes the room of.
    fn apply(&mut self, event: &ConstraintEvent, when: &Happened<'_>) {
        let is_user = *when.actor == Actor::User;
        match event {
            ConstraintEvent::Add(e) if !is_user && self.keeps_from_others(e) => {}
            ConstraintEvent::Add(e) => {
                if self.len() >= CONSTRAINTS_CAP
                    && let Some(other) = self.iter().position(|rule| rule.by != Actor::User)
                {
                    self.remove(other);
                }
                let constraint = Constraint {
                    id: e.id.clone(),
                    text: e.text.clone(),
                    by: when.actor.clone(),
                    turn: when.turn,
                    at: when.at,
                };
                list::add(self, constraint, CONSTRAINTS_CAP);
            }
            ConstraintEvent::Lift(e) => {
                let name = e.message.as_deref();
                let ended = |rule: &Constraint| {
                    let record = &when.rest.record;
                    name.is_some_and(|name| rule.ended_by(name, record).is_some())
                };
                self.retain(|rule| {
                    rule.id != e.id || (!is_user && rule.by == Actor::User && !ended(rule))
                });
            }
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

/// What of a list of rules is asked before somebody else than the user adds to it.
trait FromOthers {
    /// Whether a rule of somebody else's is not taken: it would rewrite one of the user's, or there is no room.
    fn keeps_from_others(&self, add: &ConstraintAdd) -> bool;
}

impl FromOthers for Constraints {
    fn keeps_from_others(&self, add: &ConstraintAdd) -> bool {
        let is_users = |rule: &Constraint| {
            rule.by == Actor::User && (rule.id == add.id || rule.text == add.text)
        };
        let all_users = || self.iter().all(|rule| rule.by == Actor::User);
        self.iter().any(is_users) || (self.len() >= CONSTRAINTS_CAP && all_users())
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

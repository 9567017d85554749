//! What is in the agent's way.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, fitting, newest};
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking};

/// How many blockers are kept.
pub const BLOCKERS_CAP: usize = 10;

crate::events! {@built_in
    /// What happens to blockers.
    pub enum BlockerEvent {
        /// something outside the agent's reach is in its way.
        "blocker.add" 1 Add(
            /// Something outside the agent's reach is in its way.
            BlockerAdd {
                /// Names it within the session.
                id: String,
                /// What is in the way.
                description: String,
            }
        ) item id names id words [description],
        /// the way is free again.
        "blocker.remove" 1 Remove(
            /// The way is free again.
            BlockerRemove {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// Something outside the agent's reach that is in its way. Once
/// removed it leaves the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blocker {
    /// Names it within the session.
    pub id: String,
    /// What is in the way.
    pub description: String,
    /// When it was noticed.
    pub added_at: Timestamp,
    /// The turn in which it was noticed.
    #[serde(default)]
    pub turn: u64,
}

impl Blocker {
    /// How it bears on the work: it is open until it is removed.
    pub const fn bearing(&self) -> Bearing {
        Bearing::holds(self.turn).when(true)
    }
}

/// The section: what is in the way, oldest first; at most [`BLOCKERS_CAP`].
pub type Blockers = Vec<Blocker>;

impl Section for Blockers {
    const NAME: &'static str = "blockers";
    const ITEM: &'static str = "blocker";
    const VERSION: u32 = 2;
    const PACE: Pace = Pace::Working;
    type Event = BlockerEvent;

    fn apply(&mut self, event: &BlockerEvent, when: &Happened<'_>) {
        match event {
            BlockerEvent::Add(e) => {
                let blocker = Blocker {
                    id: e.id.clone(),
                    description: e.description.clone(),
                    added_at: when.at,
                    turn: when.turn,
                };
                list::add(self, blocker, BLOCKERS_CAP);
            }
            BlockerEvent::Remove(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|blocker| Item::new(&blocker.id, &blocker.description))
            .collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(Blocker::bearing).collect()
    }

    fn handed_up(event: &BlockerEvent, name: &dyn Fn(&str) -> String) -> Option<BlockerEvent> {
        let mut up = event.clone();
        match &mut up {
            BlockerEvent::Add(e) => e.id = name(&e.id),
            BlockerEvent::Remove(e) => e.id = name(&e.id),
        }
        Some(up)
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<BlockerEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let same = |one: &Blocker, other: &Blocker| one.description == other.description;
        let taken = fitting(self, own, BLOCKERS_CAP, same);
        let event = |blocker: &Blocker| {
            let add = BlockerAdd {
                id: taking.name(&blocker.id),
                description: blocker.description.clone(),
            };
            add.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, BLOCKERS_CAP);
    }
}

impl Listed for Blocker {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.description == other.description
    }

    fn rewrite(&mut self, other: Self) {
        self.description = other.description;
    }
}

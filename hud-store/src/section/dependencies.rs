//! What the project depends on, as far as the session has to do with it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{fitting, newest};
use super::{Happened, Item, Pace, Relation, Section, Taking, with};
use crate::event::Actor;

/// How many dependencies are kept.
pub const DEPENDENCIES_CAP: usize = 20;

crate::events! {@built_in
    /// What happens to dependencies.
    pub enum DependencyEvent {
        /// a package or a file is depended on.
        "dependency.add" 1 Add(
            /// Adds a dependency, or says of one that it is the newest.
            DependencyAdd {
                /// Names it: a package, a file.
                name: String,
                /// Where it is declared: a package manager, a manifest.
                #[serde(skip_serializing_if = "Option::is_none")]
                declared: Option<String>,
            }
        ) item name words [name, declared],
        /// a dependency is no longer one.
        "dependency.remove" 1 Remove(
            /// Removes a dependency.
            DependencyRemove {
                /// Which one.
                name: String,
            }
        ) item name,
    }
}

/// Something that is depended on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dependency {
    /// Names it: a package, a file.
    pub name: String,
    /// Where it is declared: a package manager, a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<String>,
    /// Who recorded it.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// When it was added, or added again.
    pub added_at: Timestamp,
    /// The turn in which it was.
    #[serde(default)]
    pub turn: u64,
}

/// The section: dependencies, oldest first; at most [`DEPENDENCIES_CAP`].
pub type Dependencies = Vec<Dependency>;

impl Section for Dependencies {
    const NAME: &'static str = "dependencies";
    const ITEM: &'static str = "dependency";
    const PACE: Pace = Pace::Working;
    type Event = DependencyEvent;

    fn apply(&mut self, event: &DependencyEvent, when: &Happened<'_>) {
        match event {
            DependencyEvent::Add(e) => {
                let known = self.iter().position(|known| known.name == e.name);
                let known = known.map(|at| self.remove(at));
                self.push(Dependency {
                    name: e.name.clone(),
                    declared: e
                        .declared
                        .clone()
                        .or(known.and_then(|known| known.declared)),
                    by: when.actor.clone(),
                    added_at: when.at,
                    turn: when.turn,
                });
                newest(self, DEPENDENCIES_CAP);
            }
            DependencyEvent::Remove(e) => self.retain(|known| known.name != e.name),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|known| {
                let text = with(&known.name, ", declared in ", known.declared.as_deref());
                Item::new(&known.name, text)
            })
            .collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<DependencyEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let same = |one: &Dependency, other: &Dependency| one.name == other.name;
        let taken = fitting(self, own, DEPENDENCIES_CAP, same);
        let event = |known: &Dependency| {
            let add = DependencyAdd {
                name: known.name.clone(),
                declared: known.declared.clone(),
            };
            add.into()
        };
        // The session's own were added since.
        let own = own.iter().filter(|_| !taken.is_empty());
        taken.iter().copied().chain(own).map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, DEPENDENCIES_CAP);
    }
}

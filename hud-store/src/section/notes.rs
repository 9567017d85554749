//! The agent's scratchpad.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, fitting, newest};
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking};
use crate::event::Actor;

/// How many notes are kept.
pub const NOTES_CAP: usize = 20;

crate::events! {@built_in
    /// What happens to notes.
    pub enum NoteEvent {
        /// the agent adds a note.
        "note.add" 1 Add(
            /// Adds a note.
            NoteAdd {
                /// Names it within the session.
                id: String,
                /// The note.
                content: String,
            }
        ) item id names id words [content],
        /// the agent rewrites a note.
        "note.update" 1 Update(
            /// Rewrites a note.
            NoteUpdate {
                /// Which one.
                id: String,
                /// The whole new note.
                content: String,
            }
        ) item id words [content],
        /// the agent removes a note.
        "note.remove" 1 Remove(
            /// Removes a note.
            NoteRemove {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// A line on the agent's scratchpad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// Names it within the session.
    pub id: String,
    /// The note.
    pub content: String,
    /// When it was written or rewritten.
    pub updated_at: Timestamp,
    /// Who wrote it.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which it was written or rewritten.
    #[serde(default)]
    pub turn: u64,
}

/// The section: notes, oldest first; at most [`NOTES_CAP`].
pub type Notes = Vec<Note>;

impl Note {
    /// How it bears on the work.
    pub const fn bearing(&self) -> Bearing {
        Bearing::holds(self.turn)
    }
}

impl Section for Notes {
    const NAME: &'static str = "notes";
    const ITEM: &'static str = "note";
    const VERSION: u32 = 2;
    const PACE: Pace = Pace::Working;
    type Event = NoteEvent;

    fn apply(&mut self, event: &NoteEvent, when: &Happened<'_>) {
        let note = |id: &str, content: &str| Note {
            id: id.to_owned(),
            content: content.to_owned(),
            updated_at: when.at,
            by: when.actor.clone(),
            turn: when.turn,
        };
        match event {
            NoteEvent::Add(e) => list::add(self, note(&e.id, &e.content), NOTES_CAP),
            NoteEvent::Update(e) => {
                if let Some(known) = self.iter_mut().find(|note| note.id == e.id) {
                    known.rewrite(note(&e.id, &e.content));
                }
            }
            NoteEvent::Remove(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|note| Item::new(&note.id, &note.content))
            .collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(Note::bearing).collect()
    }

    fn handed_up(event: &NoteEvent, name: &dyn Fn(&str) -> String) -> Option<NoteEvent> {
        let mut up = event.clone();
        match &mut up {
            NoteEvent::Add(e) => e.id = name(&e.id),
            NoteEvent::Update(e) => e.id = name(&e.id),
            NoteEvent::Remove(e) => e.id = name(&e.id),
        }
        Some(up)
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<NoteEvent> {
        if taking.relation() == Relation::Parent {
            return Vec::new();
        }
        let same = |one: &Note, other: &Note| one.content == other.content;
        let taken = fitting(self, own, NOTES_CAP, same);
        let event = |note: &Note| {
            let add = NoteAdd {
                id: taking.name(&note.id),
                content: note.content.clone(),
            };
            add.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, NOTES_CAP);
    }
}

impl Listed for Note {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.content == other.content
    }

    fn rewrite(&mut self, other: Self) {
        if self.content != other.content {
            *self = Self {
                id: std::mem::take(&mut self.id),
                ..other
            };
        }
    }
}

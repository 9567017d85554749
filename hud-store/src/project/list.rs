//! What the named lists (decisions, notes, blockers) have in common.

use jiff::Timestamp;

use crate::event::NoteUpdate;
use crate::state::{Blocker, Decision, Note};

/// How many decisions are kept.
pub const DECISIONS_CAP: usize = 10;
/// How many notes are kept.
pub const NOTES_CAP: usize = 20;
/// How many blockers are kept.
pub const BLOCKERS_CAP: usize = 10;

/// Something with an id and a text.
pub(super) trait Item {
    fn id(&self) -> &str;

    /// Whether adding `other` would only repeat this one.
    fn repeats(&self, other: &Self) -> bool;

    /// Takes over what `other` says differently; whether it said anything new.
    fn rewrite(&mut self, other: Self) -> bool;
}

/// Adds to the end; what is there already is rewritten instead.
pub(super) fn add<T: Item>(items: &mut Vec<T>, item: T, cap: usize) -> bool {
    if let Some(twin) = twin(items, &item) {
        return twin.rewrite(item);
    }
    items.push(item);
    let excess = items.len().saturating_sub(cap);
    items.drain(..excess);
    true
}

/// The item with the same id, else one with the same text.
pub(super) fn twin<'a, T: Item>(items: &'a mut [T], item: &T) -> Option<&'a mut T> {
    let at = items
        .iter()
        .position(|other| other.id() == item.id())
        .or_else(|| items.iter().position(|other| other.repeats(item)))?;
    items.get_mut(at)
}

/// Removes the item with that id.
pub(super) fn remove<T: Item>(items: &mut Vec<T>, id: &str) -> bool {
    let before = items.len();
    items.retain(|item| item.id() != id);
    items.len() != before
}

/// Rewrites a note in its place.
pub(super) fn rewrite(notes: &mut [Note], event: &NoteUpdate, at: Timestamp) -> bool {
    notes
        .iter_mut()
        .find(|note| note.id == event.id)
        .is_some_and(|note| {
            note.rewrite(Note {
                id: event.id.clone(),
                content: event.content.clone(),
                updated_at: at,
            })
        })
}

impl Item for Decision {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.summary == other.summary
    }

    fn rewrite(&mut self, other: Self) -> bool {
        let mut details = other.details;
        if details.is_none() && self.summary == other.summary {
            details = self.details.clone();
        }
        let changed = (&self.summary, &self.details) != (&other.summary, &details);
        if changed {
            self.summary = other.summary;
            self.details = details;
            self.recorded_at = other.recorded_at;
        }
        changed
    }
}

impl Item for Note {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.content == other.content
    }

    fn rewrite(&mut self, other: Self) -> bool {
        let changed = self.content != other.content;
        if changed {
            self.content = other.content;
            self.updated_at = other.updated_at;
        }
        changed
    }
}

impl Item for Blocker {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.description == other.description
    }

    fn rewrite(&mut self, other: Self) -> bool {
        let changed = self.description != other.description;
        if changed {
            self.description = other.description;
        }
        changed
    }
}

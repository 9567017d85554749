//! Which lines are still part of the conversation: a user who rewinds goes on from an earlier line, and
//! the file keeps what came after that one.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hud_store::event::EventId;
use uuid::Uuid;

use super::line::Line;

/// How many lines are walked from a prompt to the one before it. More lie between two only in a file
/// that was made to be slow.
const WALKED: usize = 10_000;

/// A line's own name and the name of the line that it follows, which is none for a first line.
#[derive(Clone, Copy)]
pub(super) struct Link {
    id: u128,
    follows: Option<u128>,
}

impl Link {
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        let id = |text: Option<&str>| Some(Uuid::try_parse(text?).ok()?.as_u128());
        let parent = line.parent_uuid.as_deref();
        Some(Self {
            id: id(line.uuid.as_deref())?,
            follows: id(parent.or(line.logical_parent_uuid.as_deref())),
        })
    }

    /// Of a line whose name is not one that the client gives: nobody goes on from it, but it happened once, too.
    pub(super) fn named(name: &str) -> Self {
        Self {
            id: EventId::of_name(name).as_uuid().as_u128(),
            follows: None,
        }
    }
}

/// The lines so far, and the user's prompts among them that still hold.
#[derive(Default)]
pub(super) struct Branch {
    follows: HashMap<u128, Option<u128>, RandomState>,
    /// The place of each prompt in `prompts`.
    places: HashMap<u128, usize, RandomState>,
    prompts: Vec<(u128, String)>,
}

impl Branch {
    /// Takes in a line; whether it is the first of its name.
    pub(super) fn see(&mut self, link: Link) -> bool {
        self.follows.insert(link.id, link.follows).is_none()
    }

    /// Takes in a prompt of the user's, and gives the first prompt that it left behind.
    pub(super) fn prompt(&mut self, link: Link, key: &str) -> Option<String> {
        let left = self.kept(link).and_then(|kept| {
            let left = self.prompts.split_off(kept);
            for (id, _) in &left {
                self.places.remove(id);
            }
            left.into_iter().next()
        });
        self.places.insert(link.id, self.prompts.len());
        self.prompts.push((link.id, key.to_owned()));
        left.map(|(_, key)| key)
    }

    /// The conversation begins anew: what was before cannot be gone back to.
    pub(super) fn compact(&mut self) {
        self.places.clear();
        self.prompts.clear();
    }

    /// How many of the prompts a line goes on from; `None` where a line on the way is not known.
    fn kept(&self, link: Link) -> Option<usize> {
        let mut at = link.follows;
        for _ in 0..WALKED {
            let Some(id) = at else { return Some(0) };
            if let Some(place) = self.places.get(&id) {
                return Some(place + 1);
            }
            at = *self.follows.get(&id)?;
        }
        None
    }
}

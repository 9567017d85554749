//! The lines that are still part of the conversation. A user who rewinds continues from an earlier line,
//! and the file keeps the lines after that one.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hud_store::event::EventId;
use uuid::Uuid;

use super::line::Line;

/// The maximum number of lines that are walked from a prompt to the one before it. Only a file that was
/// made to be slow has more between two prompts.
const WALKED: usize = 10_000;

/// The id of a line, and the id of the line that it follows (`None` for a first line).
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

    /// The link of a line whose id is not one that the client generates. No line follows it, but it
    /// still counts only once.
    pub(super) fn named(name: &str) -> Self {
        Self {
            id: EventId::of_name(name).as_uuid().as_u128(),
            follows: None,
        }
    }
}

/// The lines so far, and the user's prompts that are still part of the conversation.
#[derive(Default)]
pub(super) struct Branch {
    follows: HashMap<u128, Option<u128>, RandomState>,
    /// The index of each prompt in `prompts`.
    places: HashMap<u128, usize, RandomState>,
    prompts: Vec<(u128, String)>,
}

impl Branch {
    /// Records a line. Returns true if it is the first with its id.
    pub(super) fn see(&mut self, link: Link) -> bool {
        self.follows.insert(link.id, link.follows).is_none()
    }

    /// Records a prompt of the user. Returns the first prompt that is no longer part of the
    /// conversation.
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

    /// Begins the conversation again. The user cannot rewind to the lines before.
    pub(super) fn compact(&mut self) {
        self.places.clear();
        self.prompts.clear();
    }

    /// Returns the number of prompts that a line continues from, or `None` if a line on the way is
    /// unknown.
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

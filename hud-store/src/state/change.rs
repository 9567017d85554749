//! The difference between two states.

use crate::section::Item;

/// Something that is not the same in two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The name of the section.
    pub section: &'static str,
    /// What an item of the section is called.
    pub item: &'static str,
    /// The item's name: its id, a file's path, a block's name; empty where the section is one thing.
    pub id: String,
    /// Whether the name says something to a reader, as a path does and a number doesn't.
    pub is_named: bool,
    /// What the item said; `None` if there was none.
    pub before: Option<String>,
    /// What the item says; `None` if it is gone.
    pub after: Option<String>,
}

impl Change {
    /// Adds what changed between the items of a section.
    pub(crate) fn between(
        section: &'static str,
        item: &'static str,
        old: Vec<Item>,
        new: Vec<Item>,
        changes: &mut Vec<Self>,
    ) {
        let text = |items: &[Item], id: &str| {
            let found = items.iter().find(|other| other.id == id);
            found.map(|item| item.text.clone())
        };
        for Item {
            id,
            text: before,
            is_named,
        } in &old
        {
            let after = text(&new, id);
            if after.as_ref() != Some(before) {
                changes.push(Self {
                    section,
                    item,
                    id: id.clone(),
                    is_named: *is_named,
                    before: Some(before.clone()),
                    after,
                });
            }
        }
        for Item {
            id,
            text: after,
            is_named,
        } in new
        {
            if text(&old, &id).is_none() {
                changes.push(Self {
                    section,
                    item,
                    id,
                    is_named,
                    before: None,
                    after: Some(after),
                });
            }
        }
    }
}

//! Edits of a text that can be undone byte for byte.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One edit, with the text that it replaced and the text that it inserted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Splice {
    /// The byte offset of its start.
    at: usize,
    /// The text that it replaced. It is not empty only for our own entries that were out of date.
    old: String,
    /// The text that it inserted.
    new: String,
}

/// A text, and the edits that led to it, in order.
#[derive(Debug)]
pub(super) struct Edit {
    text: String,
    splices: Vec<Splice>,
}

impl Edit {
    /// The text before its first edit.
    pub(super) fn of(text: String) -> Self {
        let splices = Vec::new();
        Self { text, splices }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text and its edits.
    pub(super) fn into_parts(self) -> (String, Vec<Splice>) {
        (self.text, self.splices)
    }

    /// Replaces a range of the text. Does nothing if the range is not in the text.
    pub(super) fn splice(&mut self, range: Range<usize>, new: &str) {
        let Some(old) = self.text.get(range.clone()) else {
            return;
        };
        if old == new {
            return;
        }
        self.splices.push(Splice {
            at: range.start,
            old: old.to_owned(),
            new: new.to_owned(),
        });
        self.text.replace_range(range, new);
    }

    pub(super) fn insert(&mut self, at: usize, new: &str) {
        self.splice(at..at, new);
    }

    pub(super) fn delete(&mut self, range: Range<usize>) {
        self.splice(range, "");
    }
}

/// The text before the edits; `None` if the edits did not lead to this text.
pub(super) fn undone(text: &str, splices: &[Splice]) -> Option<String> {
    let mut text = text.to_owned();
    for Splice { at, old, new } in splices.iter().rev() {
        let range = *at..at.checked_add(new.len())?;
        if text.get(range.clone())? != new {
            return None;
        }
        text.replace_range(range, old);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edits_are_undone_in_any_number(
            text in ".{0,40}",
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), ".{0,8}"), 0..6),
        ) {
            let mut edit = Edit::of(text.clone());
            for (from, to, new) in edits {
                let places: Vec<usize> = (0..=edit.text().len())
                    .filter(|at| edit.text().is_char_boundary(*at))
                    .collect();
                let (from, to) = (*from.get(&places), *to.get(&places));
                edit.splice(from.min(to)..from.max(to), &new);
            }
            let (after, splices) = edit.into_parts();
            prop_assert_eq!(undone(&after, &splices), Some(text));
        }
    }
}

//! Sentences that a list completes.

use super::Statement;
use crate::lexicon::Intent;
use crate::prose;

/// The longest statement that is completed by items, in characters.
const COMPLETED: usize = 120;

/// A statement that stops before its end, because the items of a list continue it: `it is lost because:`.
pub(super) struct Half {
    /// The index of the statement.
    at: usize,
    /// The least indent of its items.
    indent: usize,
    /// True if it has no item yet.
    is_first: bool,
}

impl Half {
    /// Returns the last statement, if its line stops before its end.
    pub(super) fn of(line: &str, indent: usize, all: &[Statement]) -> Option<Self> {
        let said = line.trim_end().strip_suffix([':', '：'])?;
        let last = said.rsplit(' ').next().unwrap_or(said);
        let is_half =
            Intent::Conjunction.is(last) || (last.ends_with("ing") && !Intent::Following.is(last));
        let at = all.len().checked_sub(1).filter(|_| is_half)?;
        Some(Self {
            at,
            indent,
            is_first: true,
        })
    }

    /// Removes the conjunction before the list if the statement got no item.
    pub(super) fn end(self, all: &mut [Statement]) {
        if let Some(half) = all.get_mut(self.at).filter(|_| self.is_first)
            && let Some((whole, last)) = half.text.rsplit_once(' ')
            && Intent::Conjunction.is(last)
        {
            half.text.truncate(whole.len());
        }
    }

    /// Adds an item to the statement. True if the item belongs to its list and fits.
    pub(super) fn takes(&mut self, indent: usize, item: &str, all: &mut [Statement]) -> bool {
        let Some(half) = all.get_mut(self.at).filter(|_| indent >= self.indent) else {
            return false;
        };
        let item = prose::plain(item);
        let item = item.trim().trim_end_matches(['.', ':', ';']);
        if half.text.chars().count() + item.chars().count() + 2 > COMPLETED {
            return false;
        }
        half.text.push_str(if self.is_first { " " } else { "; " });
        half.text.push_str(item);
        self.is_first = false;
        true
    }
}

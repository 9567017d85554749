//! Sentences that a list completes.

use super::Statement;
use crate::lexicon::Intent;
use crate::prose;

/// How long a statement gets by the items that complete it, in characters.
const COMPLETED: usize = 120;

/// A statement that ends in the middle of what it says, as the items of a list go on with it: `it is lost
/// because:`.
pub(super) struct Half {
    /// Which one it is.
    at: usize,
    /// How far its items are indented at least.
    indent: usize,
    /// Whether no item was taken yet.
    is_first: bool,
}

impl Half {
    /// The last statement, if its line ends so.
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

    /// Leaves out the word that joins it to its list, where it took nothing of that.
    pub(super) fn end(self, all: &mut [Statement]) {
        if let Some(half) = all.get_mut(self.at).filter(|_| self.is_first)
            && let Some((whole, last)) = half.text.rsplit_once(' ')
            && Intent::Conjunction.is(last)
        {
            half.text.truncate(whole.len());
        }
    }

    /// Adds an item to the statement; gives whether it is one of its list and there was room.
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

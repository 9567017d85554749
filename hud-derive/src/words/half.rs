//! Sentences that a list completes.

use super::Statement;
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
        const JOINS: &[&str] = &[
            "and",
            "as",
            "because",
            "but",
            "by",
            "car",
            "contains",
            "describes",
            "for",
            "from",
            "has",
            "if",
            "in",
            "includes",
            "into",
            "means",
            "now",
            "of",
            "on",
            "or",
            "parce",
            "porque",
            "que",
            "that",
            "to",
            "und",
            "via",
            "weil",
            "when",
            "where",
            "which",
            "with",
        ];
        let said = line.trim_end().strip_suffix([':', '：'])?;
        let last = said.rsplit(' ').next().unwrap_or(said);
        let is_half = JOINS.contains(&last) || (last.ends_with("ing") && last != "following");
        let at = all.len().checked_sub(1).filter(|_| is_half)?;
        Some(Self {
            at,
            indent,
            is_first: true,
        })
    }

    /// Leaves out the word that joins it to its list, where it took nothing of that.
    pub(super) fn end(self, all: &mut [Statement]) {
        const ENDS: &[&str] = &[
            " and", " as", " because", " but", " by", " for", " from", " if", " in", " or",
            " that", " to", " via", " weil", " when", " where", " which", " with",
        ];
        if let Some(half) = all.get_mut(self.at).filter(|_| self.is_first)
            && let Some(end) = ENDS.iter().find_map(|end| half.text.strip_suffix(end))
        {
            half.text.truncate(end.len());
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

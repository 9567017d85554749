//! Groups of turns, so that a chart never has more columns than its width.

use serde::Serialize;

use super::turn::{Tokens, Turn};

/// Several consecutive turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The first of them.
    pub turn: u64,
    /// The last of them.
    pub last: u64,
    /// The lowest context use, in tokens.
    pub min: Option<u64>,
    /// The highest context use, in tokens.
    pub max: Option<u64>,
    /// The highest percentage.
    pub percent: Option<u8>,
    /// True if the conversation was compacted in one of them.
    pub compacted: bool,
    /// The highest number of open errors.
    pub errors: usize,
    /// True if something in the static layer changed.
    pub steady: bool,
    /// The tokens of their model calls.
    pub tokens: Option<Tokens>,
}

/// The maximum number of columns that are kept, twice the number that any chart requests.
const KEPT: usize = 2_048;

/// The turns that have ended, grouped as they arrive. However many there are, a chart needs only a few
/// columns.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// The number of turns in each column.
    width: usize,
    whole: Vec<Column>,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            width: 1,
            whole: Vec::new(),
        }
    }
}

impl Columns {
    /// Groups the last of some turns, which have all ended.
    pub(super) fn take(&mut self, turns: &[Turn]) {
        let left = turns.get(self.whole.len() * self.width..);
        let Some(left) = left.filter(|left| left.len() == self.width) else {
            return;
        };
        self.whole.extend(column(left));
        if self.whole.len() == KEPT {
            self.whole = together(&self.whole, 2);
            self.width *= 2;
        }
    }

    /// Returns at most `most` columns. All have the same number of turns, except the last.
    pub(super) fn at_most(&self, most: usize, turns: &[Turn]) -> Vec<Column> {
        let left = turns.get(self.whole.len() * self.width..);
        let left = left.unwrap_or_default().chunks(self.width);
        let all = [&*self.whole, &left.filter_map(column).collect::<Vec<_>>()].concat();
        let count = all.len().div_ceil(most.max(1));
        together(&all, count.max(1))
    }
}

/// Merges each `count` columns into one.
fn together(columns: &[Column], count: usize) -> Vec<Column> {
    let groups = columns.chunks(count);
    groups
        .filter_map(|group| group.iter().cloned().reduce(Column::and))
        .collect()
}

impl Column {
    /// Returns this column merged with the following one.
    fn and(self, next: Self) -> Self {
        Self {
            turn: self.turn,
            last: next.last,
            min: [self.min, next.min].into_iter().flatten().min(),
            max: self.max.max(next.max),
            percent: self.percent.max(next.percent),
            compacted: self.compacted || next.compacted,
            errors: self.errors.max(next.errors),
            steady: self.steady || next.steady,
            tokens: [self.tokens, next.tokens]
                .into_iter()
                .flatten()
                .reduce(Tokens::and),
        }
    }
}

fn column(turns: &[Turn]) -> Option<Column> {
    turns
        .iter()
        .map(|turn| Column {
            turn: turn.turn,
            last: turn.turn,
            min: turn.used,
            max: turn.used,
            percent: turn.percent,
            compacted: turn.compacted,
            errors: turn.errors,
            steady: turn.steady,
            tokens: turn.tokens,
        })
        .reduce(Column::and)
}

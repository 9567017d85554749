//! Turns put together, so that a chart never has more of them than it is wide.

use serde::Serialize;

use super::turn::{Tokens, Turn};

/// Some turns, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The first of them.
    pub turn: u64,
    /// The last of them.
    pub last: u64,
    /// The least of the context in use, in tokens.
    pub min: Option<u64>,
    /// The most of it.
    pub max: Option<u64>,
    /// The highest percentage.
    pub percent: Option<u8>,
    /// Whether the conversation was compacted in one of them.
    pub compacted: bool,
    /// The highest number of open errors.
    pub errors: usize,
    /// Whether something happened to the static layer.
    pub steady: bool,
    /// The tokens of the calls of the model in them.
    pub tokens: Option<Tokens>,
}

/// How many columns are kept at most: twice of what any chart asks for.
const KEPT: usize = 2_048;

/// The turns that are over, put together as they come: however many there are, a chart is made of a few.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// How many turns each has.
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
    /// Takes in the last of some turns, which all are over.
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

    /// At most so many columns of turns, each of as many turns but for the last.
    pub(super) fn at_most(&self, most: usize, turns: &[Turn]) -> Vec<Column> {
        let left = turns.get(self.whole.len() * self.width..);
        let left = left.unwrap_or_default().chunks(self.width);
        let all = [&*self.whole, &left.filter_map(column).collect::<Vec<_>>()].concat();
        let count = all.len().div_ceil(most.max(1));
        together(&all, count.max(1))
    }
}

/// As many columns put together into one, each time.
fn together(columns: &[Column], count: usize) -> Vec<Column> {
    let groups = columns.chunks(count);
    groups
        .filter_map(|group| group.iter().cloned().reduce(Column::and))
        .collect()
}

impl Column {
    /// The same with the turns of the column behind it.
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

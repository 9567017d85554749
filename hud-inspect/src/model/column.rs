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

/// At most so many columns of turns, each of as many turns.
pub(super) fn columns(turns: &[Turn], most: usize) -> Vec<Column> {
    let width = turns.len().div_ceil(most.max(1)).max(1);
    turns.chunks(width).filter_map(column).collect()
}

fn column(turns: &[Turn]) -> Option<Column> {
    let (first, last) = (turns.first()?, turns.last()?);
    let used = || turns.iter().filter_map(|turn| turn.used);
    Some(Column {
        turn: first.turn,
        last: last.turn,
        min: used().min(),
        max: used().max(),
        percent: turns.iter().filter_map(|turn| turn.percent).max(),
        compacted: turns.iter().any(|turn| turn.compacted),
        errors: turns.iter().map(|turn| turn.errors).max().unwrap_or(0),
        steady: turns.iter().any(|turn| turn.steady),
        tokens: turns
            .iter()
            .filter_map(|turn| turn.tokens)
            .reduce(Tokens::and),
    })
}

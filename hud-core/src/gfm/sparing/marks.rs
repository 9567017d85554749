//! Finds the `*`, `_` and `~` of texts that form no emphasis, strong emphasis or strikethrough.

use std::ops::Range;

use super::super::attention::Piece;
use super::super::punctuation;
use super::{Line, Unit};

/// The markers of attention.
const MARKERS: [char; 3] = ['*', '_', '~'];

/// The character next to a run of markers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Letter,
    Punctuation,
    Whitespace,
    /// Parsers disagree about it.
    Odd,
}

impl Beside {
    fn of(character: Option<char>) -> Self {
        match character {
            None | Some('\t' | '\n' | '\r' | ' ') => Self::Whitespace,
            // Some parsers look at the character after it, or classify it as more than punctuation.
            Some(c) if MARKERS.contains(&c) => Self::Odd,
            Some('\u{2010}'..='\u{2027}') => Self::Punctuation,
            Some(c) if c.is_ascii_punctuation() => Self::Punctuation,
            // Some letters in circles and squares are also symbols.
            Some(c) if c.is_alphanumeric() && !punctuation::contains(c) => Self::Letter,
            Some(_) => Self::Odd,
        }
    }
}

/// A run of adjacent markers in a text.
struct Run {
    units: Range<usize>,
    opens: bool,
    closes: bool,
    /// True if they have no backslashes, as in `snake_case`.
    is_bare: bool,
}

/// The runs of markers that have no counterpart to form attention with. If two runs could form
/// attention, both keep their backslashes.
pub(super) fn plain_runs(line: &Line) -> Vec<Range<usize>> {
    let mut plain = Vec::new();
    for marker in MARKERS {
        let mut openers = Vec::new();
        let mut has_bare_opener = false;
        for run in runs(line, marker) {
            if run.is_bare {
                has_bare_opener |= run.opens;
                if run.closes {
                    openers.clear();
                }
                continue;
            }
            if run.closes && (has_bare_opener || openers.pop().is_some()) {
                continue;
            }
            if run.opens {
                openers.push(run.units);
            } else {
                plain.push(run.units);
            }
        }
        plain.append(&mut openers);
    }
    plain
}

/// The runs of one marker in the texts of a block.
fn runs(line: &Line, marker: char) -> Vec<Run> {
    if !line.units.iter().any(|unit| unit.character == marker) {
        return Vec::new();
    }
    let own_closer = own_closer(&line.units, marker);
    let mut runs = Vec::new();
    // The number of open markers of the block's own attention.
    let mut open = 0_usize;
    let mut index = 0;
    while let Some(unit) = line.units.get(index) {
        if unit.character != marker {
            index += 1;
            continue;
        }
        let is_like = |other: &&Unit| {
            other.character == marker
                && other.piece == unit.piece
                && other.is_escaped == unit.is_escaped
        };
        let rest = line.units.get(index..).unwrap_or_default();
        let size = rest.iter().take_while(is_like).count();
        match unit.piece {
            Piece::Opening => open += size,
            Piece::Closing => open = open.saturating_sub(size),
            Piece::Text if !unit.is_escaped => {
                runs.push(bare_run(line, marker, index..index + size));
            }
            // The block's own attention must not pair with it.
            Piece::Text if open == 0 && own_closer.is_none_or(|closer| closer < index) => {
                runs.extend(run(line, marker, index..index + size));
            }
            Piece::Text | Piece::Code | Piece::Markup => {}
        }
        index += size;
    }
    runs
}

/// A run without backslashes.
fn bare_run(line: &Line, marker: char, units: Range<usize>) -> Run {
    let known = run(line, marker, units.clone());
    Run {
        units,
        opens: known.as_ref().is_none_or(|run| run.opens),
        closes: known.as_ref().is_none_or(|run| run.closes),
        is_bare: true,
    }
}

/// A run of a text. `None` if parsers could disagree about it.
fn run(line: &Line, marker: char, units: Range<usize>) -> Option<Run> {
    let is_own = |index: Option<usize>| {
        let unit = index.and_then(|index| line.units.get(index));
        unit.is_some_and(|unit| unit.piece != Piece::Text)
    };
    let begins = line.units.get(units.start).is_some_and(|unit| unit.begins);
    let next = line.next(units.end);
    let left = Beside::of(line.previous(units.start));
    let right = Beside::of(next);
    let is_certain = left != Beside::Odd
        && right != Beside::Odd
        && !is_own(units.start.checked_sub(1))
        && !is_own(Some(units.end))
        // Excludes a list item, a thematic break, or fenced code.
        && (!begins || next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '/')))
        && (marker != '~' || units.len() < 3);
    let flanks =
        |near, far| near == Beside::Letter || near == Beside::Punctuation && far != Beside::Letter;
    let (opens, closes) = (flanks(right, left), flanks(left, right));
    let (opens, closes) = match marker {
        '_' => (
            opens && (!closes || left == Beside::Punctuation),
            closes && (!opens || right == Beside::Punctuation),
        ),
        // Not all parsers look at the other side.
        '~' => (right != Beside::Whitespace, left != Beside::Whitespace),
        _ => (opens, closes),
    };
    is_certain.then_some(Run {
        units,
        opens,
        closes,
        is_bare: false,
    })
}

/// The index of the last marker of the block's own attention that could close a text's opener.
fn own_closer(units: &[Unit], marker: char) -> Option<usize> {
    let closes = |index: &usize| {
        let Some(unit) = units.get(*index).filter(|unit| unit.character == marker) else {
            return false;
        };
        let previous = index.checked_sub(1).and_then(|index| units.get(index));
        match unit.piece {
            // The first marker of a run needs a letter or punctuation before it.
            Piece::Opening => {
                let is_of_run = previous.is_some_and(|previous| {
                    previous.piece == unit.piece && previous.character == marker
                });
                let before = previous.map(|previous| previous.character);
                marker == '~' || !is_of_run && Beside::of(before) != Beside::Whitespace
            }
            Piece::Markup => true,
            // A closing marker pairs with its own opener. Code binds tighter than attention.
            Piece::Closing | Piece::Code | Piece::Text => false,
        }
    };
    (0..units.len()).rev().find(closes)
}

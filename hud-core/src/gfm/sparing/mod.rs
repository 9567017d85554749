//! Removes needless escapes, for [`SerializeOptions::sparing`](super::SerializeOptions::sparing).
//!
//! [`safe`](super::safe) escapes every character that could begin a construct, and only knows one
//! text. The complete text of a paragraph, a heading or a cell shows whether the construct could
//! also end. In case of doubt the escape is kept.

mod marks;

use super::attention::{Piece, Resolved};
use super::character::is_eol;

/// The text of a block with only the escapes that it needs. `has_definitions` is true if brackets
/// could be references.
pub(super) fn spare(block: Resolved, has_definitions: bool) -> String {
    if !has_escapes(&block) {
        return block.text;
    }
    let line = Line::of(&block, has_definitions);
    let needless = line.needless();
    let mut out = String::with_capacity(block.text.len());
    let mut written = 0;
    for at in needless {
        // A backslash is one byte, right before the character.
        out.push_str(&block.text[written..at - 1]);
        written = at;
    }
    out.push_str(&block.text[written..]);
    out
}

fn has_escapes(block: &Resolved) -> bool {
    let mut start = 0;
    block.pieces.iter().any(|(piece, end)| {
        let text = block.text.get(start..*end).unwrap_or_default();
        start = *end;
        *piece == Piece::Text && text.contains('\\')
    })
}

/// A character of a block's text.
#[derive(Clone, Copy)]
struct Unit {
    /// The offset, which is after its backslash.
    at: usize,
    character: char,
    piece: Piece,
    is_escaped: bool,
    /// True if only white space and digits are before it in its line.
    begins: bool,
}

/// An upper bound of the length of a character reference.
const LONGEST_REFERENCE: usize = 40;

/// The maximum distance of a search for the ends of an address.
const LONGEST_ADDRESS: usize = 1 << 10;

/// The complete text of a block.
struct Line {
    units: Vec<Unit>,
    before: Option<char>,
    after: Option<char>,
    /// True if brackets are plain, unless a resource follows them.
    has_plain_brackets: bool,
    /// True if there is only one backtick, so that it cannot form code.
    has_one_backtick: bool,
    /// The index of the last `>`.
    last_greater: Option<usize>,
    /// The index of the last `]:`.
    last_label: Option<usize>,
}

impl Line {
    fn of(block: &Resolved, has_definitions: bool) -> Self {
        let mut units = Vec::with_capacity(block.text.len());
        let mut start = 0;
        let mut begins = block.before.is_some_and(is_eol);
        let mut has_plain_brackets = !has_definitions;
        for (piece, end) in &block.pieces {
            let text = block.text.get(start..*end).unwrap_or_default();
            let piece = match piece {
                Piece::Markup if text.starts_with('`') => Piece::Code,
                piece => *piece,
            };
            has_plain_brackets &= piece != Piece::Markup || !text.starts_with(['[', '!']);
            let mut characters = text.char_indices().peekable();
            while let Some((offset, character)) = characters.next() {
                let escaped = match character == '\\' && piece == Piece::Text {
                    true => characters.next_if(|(_, next)| next.is_ascii_punctuation()),
                    false => None,
                };
                let (offset, character) = escaped.unwrap_or((offset, character));
                units.push(Unit {
                    at: start + offset,
                    character,
                    piece,
                    is_escaped: escaped.is_some(),
                    begins,
                });
                begins = is_eol(character) || begins && matches!(character, '\t' | ' ' | '0'..='9');
            }
            start = *end;
        }
        let of = |character| move |unit: &Unit| unit.character == character;
        Self {
            has_plain_brackets,
            has_one_backtick: units.iter().filter(|unit| of('`')(unit)).nth(1).is_none(),
            last_greater: units.iter().rposition(of('>')),
            last_label: units
                .windows(2)
                .rposition(|pair| matches!(pair, [one, next] if of(']')(one) && of(':')(next))),
            before: block.before,
            after: block.after,
            units,
        }
    }

    /// The offsets of the characters that need no backslash.
    fn needless(&self) -> Vec<usize> {
        let mut needless: Vec<usize> = marks::plain_runs(self)
            .into_iter()
            .flat_map(|run| self.units.get(run).unwrap_or_default())
            .map(|unit| unit.at)
            .collect();
        let mut has_bare_bracket = false;
        for (index, unit) in self.units.iter().enumerate() {
            let may_matter = unit.is_escaped || unit.character == '[';
            if !may_matter || unit.piece != Piece::Text {
                continue;
            }
            let is_needless = unit.is_escaped
                && match unit.character {
                    '[' => self.is_plain_bracket(index),
                    '(' => !has_bare_bracket,
                    _ => self.is_plain(index),
                };
            if is_needless {
                needless.push(unit.at);
            }
            has_bare_bracket |= unit.character == '[' && is_needless == unit.is_escaped;
        }
        needless.sort_unstable();
        needless
    }

    fn character(&self, index: usize) -> Option<char> {
        self.units.get(index).map(|unit| unit.character)
    }

    /// The character before an index, or before the block.
    fn previous(&self, index: usize) -> Option<char> {
        match index.checked_sub(1) {
            Some(index) => self.character(index),
            None => self.before,
        }
    }

    /// The character at an index, or after the block.
    fn next(&self, index: usize) -> Option<char> {
        self.character(index).or(self.after)
    }

    /// True if a character of a text needs no backslash. Brackets and attention depend on more than
    /// the text after them.
    fn is_plain(&self, index: usize) -> bool {
        let Some(unit) = self.units.get(index) else {
            return false;
        };
        let next = self.next(index + 1);
        match unit.character {
            '`' => self.has_one_backtick,
            '&' => !self.is_reference(index),
            '<' => !self.is_tag(index, unit.begins),
            // An image, if a link follows that is not text.
            '!' => {
                let next = self.units.get(index + 1);
                self.has_plain_brackets && next.is_some_and(|next| next.piece == Piece::Text)
            }
            // A heading has a space after its marker.
            '#' if unit.begins => next.is_some_and(char::is_alphanumeric),
            // The line under a heading has nothing else.
            '=' if unit.begins => {
                let behind = self.character(index + self.run_of(index));
                behind.is_some_and(|c| !c.is_whitespace())
            }
            // A number and its item have a space between them.
            ')' if unit.begins => next.is_some_and(|c| !c.is_whitespace()),
            ':' | '.' | '@' if !unit.begins => self.is_address(index),
            _ => false,
        }
    }

    /// The length of the run of equal characters from this one on.
    fn run_of(&self, index: usize) -> usize {
        let first = self.character(index);
        let rest = self.units.get(index..).unwrap_or_default();
        rest.iter()
            .take_while(|unit| Some(unit.character) == first)
            .count()
    }

    /// True if an opening bracket begins no reference, footnote, check box or definition. The
    /// character after the closing bracket is escaped if it would form a link.
    fn is_plain_bracket(&self, index: usize) -> bool {
        let next = self.character(index + 1);
        if !self.has_plain_brackets || next == Some('^') {
            return false;
        }
        if !self.units.get(index).is_some_and(|unit| unit.begins) {
            return true;
        }
        let is_box = next.is_none_or(|c| c.is_whitespace() || matches!(c, 'x' | 'X'))
            && self.character(index + 2) == Some(']');
        let is_label = self.last_label.is_some_and(|last| last > index);
        // An alert begins with `[!`.
        next != Some('!') && !is_box && !is_label
    }

    /// True if an ampersand could begin a character reference.
    fn is_reference(&self, index: usize) -> bool {
        let rest = self.units.get(index + 1..).unwrap_or_default();
        let end = rest
            .iter()
            .take(LONGEST_REFERENCE)
            .find(|unit| unit.character != '#' && !unit.character.is_ascii_alphanumeric());
        end.is_some_and(|unit| unit.character == ';')
    }

    /// True if a `<` could begin a tag, an autolink or another construct that ends with `>`, or
    /// HTML at the start of a line.
    fn is_tag(&self, index: usize, begins: bool) -> bool {
        let rest = self.units.get(index + 1..).unwrap_or_default();
        let is_of_name =
            |unit: &&Unit| unit.character.is_ascii_alphanumeric() || unit.character == '-';
        let name = rest.iter().take_while(is_of_name).count();
        if name == 0 {
            return begins || self.last_greater.is_some_and(|last| last > index);
        }
        // Neither a tag nor an address contains these characters.
        let behind = self.character(index + 1 + name);
        let is_none = behind.is_some_and(|c| ",()[];\"<".contains(c));
        !is_none && (begins || self.last_greater.is_some_and(|last| last > index))
    }

    /// True if the character is in an address that ends at white space on both sides and is written
    /// literally.
    fn is_address(&self, index: usize) -> bool {
        let behind = index..self.units.len();
        self.ends_address((0..index).rev(), self.before) && self.ends_address(behind, self.after)
    }

    /// True if an address ends at white space in one direction, without any text that is written
    /// differently. White space at the edge of a block may be encoded.
    fn ends_address(&self, mut indices: impl Iterator<Item = usize>, edge: Option<char>) -> bool {
        let is_space = |c: char| matches!(c, '\t' | '\n' | '\r' | ' ');
        for _ in 0..LONGEST_ADDRESS {
            let Some(index) = indices.next() else {
                return edge.is_none_or(is_space);
            };
            let Some(unit) = self
                .units
                .get(index)
                .filter(|unit| unit.piece == Piece::Text)
            else {
                return false;
            };
            if is_space(unit.character) {
                return indices.next().is_some();
            }
            let is_plain = match unit.character {
                ':' | '.' | '@' => true,
                '&' => !self.is_reference(index),
                c => !unit.is_escaped && (c.is_alphanumeric() || "-_/?#$%'+,=\"(){}".contains(c)),
            };
            if !is_plain {
                return false;
            }
        }
        false
    }
}

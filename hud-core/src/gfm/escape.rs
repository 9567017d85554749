//! Text that must not be read as markup.
//!
//! Only ASCII punctuation and white space mean something to GFM. Punctuation gets a backslash
//! where it could; white space and line endings, which a backslash does not keep, a character
//! reference. Other control characters stay as they are.

use super::phrasing::Place;

/// Escapes a text that stands behind `before` and in front of `after`, in a line at `place`.
pub(super) fn text(value: &str, before: char, after: char, place: Place) -> String {
    let characters: Vec<char> = value.chars().collect();
    let mut out = String::with_capacity(value.len() + 8);
    // Whether only white space stands between here and the beginning of the line.
    let mut at_break = before == '\n';
    // The digits at the beginning of the line, which `.` or `)` would make a list item.
    let mut digits = 0;
    for (index, &c) in characters.iter().enumerate() {
        let here = Here {
            previous: index
                .checked_sub(1)
                .map_or(before, |previous| characters[previous]),
            next: characters.get(index + 1).copied().unwrap_or(after),
            at_break,
            digits,
            place,
            rest: &characters[index..],
            run_before: &characters[..index],
            before,
            after,
        };
        match here.form(c) {
            Form::Plain => out.push(c),
            Form::Backslash => out.extend(['\\', c]),
            Form::Reference => reference(&mut out, c),
        }
        digits = if c.is_ascii_digit() && (at_break || digits > 0) {
            digits + 1
        } else {
            0
        };
        at_break = c == '\n' || (at_break && matches!(c, ' ' | '\t'));
    }
    out
}

/// Adds a character reference. A backslash that was text in front of the character must not
/// become one that escapes the reference.
pub(super) fn reference(out: &mut String, c: char) {
    let backslashes = out.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 1 {
        out.push('\\');
    }
    out.push_str(&format!("&#x{:X};", u32::from(c)));
}

enum Form {
    Plain,
    Backslash,
    Reference,
}

/// A character's surroundings.
struct Here<'c> {
    previous: char,
    next: char,
    at_break: bool,
    digits: usize,
    place: Place,
    rest: &'c [char],
    run_before: &'c [char],
    before: char,
    after: char,
}

impl Here<'_> {
    fn form(&self, c: char) -> Form {
        if matches!(c, ' ' | '\t' | '\n' | '\r') {
            return if self.white_space_means_something(c) {
                Form::Reference
            } else {
                Form::Plain
            };
        }
        if self.means_something(c) {
            Form::Backslash
        } else {
            Form::Plain
        }
    }

    /// At the ends of a line white space is dropped, and a second line ending ends a paragraph.
    fn white_space_means_something(&self, c: char) -> bool {
        let is_eol = |c| matches!(c, '\n' | '\r');
        match c {
            '\r' => true,
            '\n' => self.place.is_one_line() || is_eol(self.previous) || is_eol(self.next),
            _ => {
                is_eol(self.previous)
                    || is_eol(self.next)
                    || self.place.is_cell_edge(self.next)
                    || self.place.is_cell_edge(self.previous)
            }
        }
    }

    fn means_something(&self, c: char) -> bool {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let next = self.next;
        let at_break = self.at_break;
        match c {
            // Emphasis, code, links and their labels mean something anywhere.
            '*' | '`' | '[' | '~' => true,
            '_' => !self.is_within_word(),
            ']' => self.place.is_label() || next == '(' || next == ':' || next == '[',
            '!' => next == '[',
            '<' => next.is_ascii_alphabetic() || matches!(next, '!' | '/' | '?'),
            '&' => next == '#' || next.is_ascii_alphabetic(),
            '\\' => next.is_ascii_punctuation() || next == '\n' || next == '\r',
            // Blocks begin where a line does.
            '#' => at_break || (self.place.is_heading() && next == '\n'),
            '>' | '=' => at_break,
            '+' => at_break && blank(next),
            '-' => at_break && (blank(next) || matches!(next, '-' | ':' | '|')),
            ':' => (at_break && next == '-') || self.is_scheme(),
            '.' | ')' => (self.digits > 0 && blank(next)) || (c == '.' && self.is_www()),
            '|' => self.place.is_cell() || (at_break && (blank(next) || matches!(next, '-' | ':'))),
            '@' => {
                is_local(self.previous) && (next.is_ascii_alphanumeric() || "-._".contains(next))
            }
            _ => false,
        }
    }

    /// Whether an underscore stands in a run of them within a word: emphasis begins in none.
    fn is_within_word(&self) -> bool {
        let left = self.run_before.iter().rev().find(|c| **c != '_').copied();
        let right = self.rest.iter().find(|c| **c != '_').copied();
        let word = |c: char| c.is_alphanumeric();
        word(left.unwrap_or(self.before)) && word(right.unwrap_or(self.after))
    }

    /// `http:` and its like in front of `//` make an address a link.
    fn is_scheme(&self) -> bool {
        self.next == '/' && matches!(self.previous, 'p' | 's' | 'P' | 'S')
    }

    /// `www.` makes an address a link.
    fn is_www(&self) -> bool {
        matches!(self.previous, 'w' | 'W')
            && (self.next.is_alphanumeric() || matches!(self.next, '-' | '_' | '.'))
    }
}

/// What can stand in front of the `@` of an address.
fn is_local(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_')
}

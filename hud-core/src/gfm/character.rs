//! Character classes that decide about attention, and character references.

use std::borrow::Cow;

use super::options::SerializeOptions;
use super::punctuation;

/// The class of a character next to attention (emphasis, strong, strikethrough).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, all other characters, and the absence of a character.
    Letter,
    Punctuation,
    Whitespace,
}

/// The way to classify characters.
#[derive(Clone, Copy)]
pub(super) enum Classes {
    /// As in the reference. It looks at UTF-16 code units, so everything beyond the basic
    /// multilingual plane counts as a letter.
    Reference,
    /// As in CommonMark 0.31.2 and the `markdown` crate, which only differ on controls and on line
    /// and paragraph separators.
    Strict,
}

impl Classes {
    pub(super) fn of(options: &SerializeOptions) -> Self {
        if options.strict {
            Self::Strict
        } else {
            Self::Reference
        }
    }

    pub(super) fn kind(self, character: Option<char>) -> Kind {
        let Some(character) = character else {
            return Kind::Letter;
        };
        match (character, self) {
            ('0'..='9' | 'A'..='Z' | 'a'..='z', _) => Kind::Letter,
            ('\u{85}', Self::Reference) | ('\u{FEFF}', Self::Strict) => Kind::Letter,
            ('\u{FEFF}', Self::Reference) => Kind::Whitespace,
            ('\u{10000}'.., Self::Reference) => Kind::Letter,
            _ if character.is_whitespace() => Kind::Whitespace,
            _ if punctuation::contains(character) => Kind::Punctuation,
            _ => Kind::Letter,
        }
    }
}

pub(super) fn is_eol(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// Replaces each line ending with a space.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(is_eol) {
        true => Cow::Owned(text.replace("\r\n", " ").replace(is_eol, " ")),
        false => Cow::Borrowed(text),
    }
}

/// True if a destination with this character needs `<` and `>` around it.
pub(super) fn is_control_or_space(character: char) -> bool {
    matches!(character, '\0'..=' ' | '\u{7F}')
}

/// Writes a character reference, such as `&#x2A;`.
pub(super) fn push_reference(out: &mut String, character: char) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(out, "&#x{:X};", u32::from(character));
}

/// Writes a text whose last character is a character reference.
pub(super) fn push_encoding_last(out: &mut String, text: &str) {
    let mut characters = text.chars();
    let Some(last) = characters.next_back() else {
        return;
    };
    let head = characters.as_str();
    out.push_str(head);
    // An odd number of backslashes would escape the ampersand.
    let backslashes = head.len() - head.trim_end_matches('\\').len();
    if !backslashes.is_multiple_of(2) {
        out.push('\\');
    }
    push_reference(out, last);
}

//! Removes control characters from text, and measures its width on a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text without control characters for the terminal. Line endings are kept.
pub(super) fn visible(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push('\n'),
            '\t' => shown.push_str("    "),
            c if c.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            '\u{2028}' | '\u{2029}' => shown.push(' '),
            c if turns_direction(c) => shown.push(char::REPLACEMENT_CHARACTER),
            c if is_unseen(c) => {}
            c => shown.push(c),
        }
    }
    shown
}

/// True if a character changes the display order of the characters after it.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// True if terminals show nothing for a character, or differ in what they show. Joiners and emoji
/// selectors are not included.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{200B}' | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// The number of columns of a text.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The variation selector that shows the character before it as an emoji, which can make it wide.
pub(super) const SELECTOR: char = '\u{FE0F}';

/// Splits a text after the longest beginning that is at most `most` wide. The beginning has at
/// least one character, and the rest begins with no selector.
pub(super) fn split(text: &str, most: usize) -> (&str, &str) {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        let is_selected = text[at + c.len_utf8()..].starts_with(SELECTOR);
        let columns = c.width().unwrap_or(0) + usize::from(is_selected);
        if taken + columns > most && at > 0 && c != SELECTOR {
            return text.split_at(at);
        }
        taken += columns;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_to_a_terminal_are_shown_as_unknown() {
        let text = "a\u{1b}[31mb\u{9b}2Jc\rd\r\ne\u{8}\u{7f}\u{202e}f\u{200b}g\th";
        assert_eq!(
            visible(text),
            "a\u{fffd}[31mb\u{fffd}2Jc\u{fffd}d\ne\u{fffd}\u{fffd}\u{fffd}fg    h"
        );
    }

    #[test]
    fn a_text_is_split_between_characters_and_never_without_taking_one() {
        assert_eq!(split("abc", 2), ("ab", "c"));
        assert_eq!(split("日本", 3), ("日", "本"));
        assert_eq!(split("日本", 1), ("日", "本"));
        assert_eq!(split("e\u{301}a", 1), ("e\u{301}", "a"));
        assert_eq!(split("a☁\u{fe0f}b", 2), ("a", "☁\u{fe0f}b"));
        assert_eq!(split("", 1), ("", ""));
    }
}

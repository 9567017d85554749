//! Characters that no format has, and those at the ends of texts.

use std::borrow::Cow;

/// A text in which the characters that XML does not have, such as most control characters, are U+FFFD.
pub(crate) fn legal(text: &str) -> Cow<'_, str> {
    let is_illegal = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{7F}'..='\u{9F}'))
            || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    match text.contains(is_illegal) {
        true => text.replace(is_illegal, "\u{FFFD}").into(),
        false => text.into(),
    }
}

/// True if there is no blank between two texts, neither of which is empty.
pub(crate) fn touch(before: &str, after: &str) -> bool {
    let is_seen = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    is_seen(before.chars().next_back()) && is_seen(after.chars().next())
}

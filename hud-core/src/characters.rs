//! Characters that are illegal in XML, and blanks between adjacent texts.

use std::borrow::Cow;

/// Replaces the characters that XML does not allow, such as most control characters, with U+FFFD.
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

/// True if both texts are non-empty and neither has white space where they meet.
pub(crate) fn touch(before: &str, after: &str) -> bool {
    let is_seen = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    is_seen(before.chars().next_back()) && is_seen(after.chars().next())
}

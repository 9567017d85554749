//! Cuts of texts at boundaries of characters.

/// Returns the last character boundary at or before a byte offset of a text, or the end of the text if the offset is
/// past it. Equals `str::floor_char_boundary`, which the minimum supported Rust version does not have.
///
/// ```
/// use hud_store::text::floor_char_boundary;
///
/// assert_eq!(floor_char_boundary("né", 2), 1);
/// assert_eq!(floor_char_boundary("né", 9), 3);
/// ```
#[must_use]
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the beginning of a text, at most so many bytes.
///
/// ```
/// assert_eq!(hud_store::text::beginning("né", 2), "n");
/// ```
#[must_use]
pub fn beginning(text: &str, bytes: usize) -> &str {
    &text[..floor_char_boundary(text, bytes)]
}

/// The first boundary of a character at or after a byte of a text; the end of the text for a place that is not in it.
///
/// ```
/// assert_eq!(hud_store::text::ceil_char_boundary("né", 2), 3);
/// ```
#[must_use]
pub fn ceil_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The end of a text, with at least so many bytes if the text has them. It begins with a whole character.
///
/// ```
/// assert_eq!(hud_store::text::ending("né", 1), "é");
/// ```
#[must_use]
pub fn ending(text: &str, bytes: usize) -> &str {
    &text[floor_char_boundary(text, text.len().saturating_sub(bytes))..]
}

//! Text of the world made fit for a line: no line endings, no separators, not too long.

use std::borrow::Cow;

/// The text on one line, cut after at most `max` characters, where a word ends if one ends near,
/// with `…` behind a cut.
///
/// White space becomes single spaces, and control characters leave. The separator of a
/// [`Line`](hud_core::node::Line), `│`, becomes `|`, so that no text can pass for two.
///
/// ```
/// use hud_components::text::line;
///
/// assert_eq!(line("  two\n\nlines ", 20), "two lines");
/// assert_eq!(line("Rate limiting for every tenant", 16), "Rate limiting…");
/// assert_eq!(line("a │ b", 20), "a | b");
/// ```
pub fn line(text: &str, max: usize) -> Cow<'_, str> {
    let plain = !text
        .contains(|c: char| c == '│' || c.is_control() || (c.is_whitespace() && c != ' '))
        && !text.contains("  ")
        && text.trim().len() == text.len();
    if plain && text.chars().nth(max).is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len().min(4 * max));
    let mut length = 0;
    let mut word_end = 0;
    for word in text.split_whitespace() {
        if length > 0 {
            word_end = shown.len();
            shown.push(' ');
            length += 1;
        }
        for c in word.chars().filter(|c| !c.is_control()) {
            if length >= max {
                cut(&mut shown, word_end);
                return Cow::Owned(shown);
            }
            shown.push(if c == '│' { '|' } else { c });
            length += 1;
        }
    }
    Cow::Owned(shown)
}

/// Cuts a text at the end of its last whole word, unless that would cost more than a third of it.
fn cut(shown: &mut String, word_end: usize) {
    if word_end * 3 >= shown.len() * 2 {
        shown.truncate(word_end);
    }
    shown.truncate(shown.trim_end().len());
    shown.push('…');
}

/// The first `max` of some texts, each cut to `length`, with `; ` between them and the number
/// of those that are left out.
pub(crate) fn join<'t>(
    texts: impl ExactSizeIterator<Item = &'t str>,
    max: usize,
    length: usize,
) -> String {
    let left_out = texts.len().saturating_sub(max);
    let mut joined = String::new();
    for text in texts.take(max) {
        if !joined.is_empty() {
            joined.push_str("; ");
        }
        joined.push_str(&line(text, length));
    }
    if left_out > 0 {
        joined.push_str(&format!("; +{left_out} more"));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_borrowed() {
        assert!(matches!(line("fits", 4), Cow::Borrowed("fits")));
    }

    #[test]
    fn a_word_that_ends_at_the_limit_ends_the_text() {
        assert_eq!(line("four and more words", 4), "four…");
        assert_eq!(line("four and", 8), "four and");
    }

    #[test]
    fn a_long_word_is_cut_within() {
        assert_eq!(line("a/very/long/path/without/spaces", 10), "a/very/lon…");
    }

    #[test]
    fn control_characters_leave() {
        assert_eq!(line("a\u{1b}[2Jb\0", 20), "a[2Jb");
    }

    #[test]
    fn characters_are_not_split() {
        assert_eq!(line("äöüäöü", 3), "äöü…");
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(join(["a", "b", "c"].into_iter(), 2, 9), "a; b; +1 more");
        assert_eq!(join(["a"].into_iter(), 2, 9), "a");
    }
}

//! Text from other programs, made safe for a terminal. No character moves the cursor, begins an escape
//! sequence, changes the direction of writing or is invisible. Each character has the width that it is counted
//! with.

use std::borrow::Cow;
use std::fmt::Write as _;

use hud_components::text::visible;
use unicode_width::UnicodeWidthChar as _;

/// The maximum number of characters of a line in the output. A line can have megabytes, and nobody scrolls
/// through them.
const LONGEST: usize = 4_096;

/// Returns a line in a safe form. Characters that are invisible are replaced by their names.
pub(super) fn shown(line: &str) -> Cow<'_, str> {
    let cut = line.char_indices().nth(LONGEST).map(|(end, _)| end);
    let kept = cut.and_then(|end| line.get(..end)).unwrap_or(line);
    let is_plain = kept.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain && cut.is_none() {
        return Cow::Borrowed(line);
    }
    let mut shown = String::with_capacity(kept.len());
    for character in kept.chars() {
        push(&mut shown, character);
    }
    if let Some(end) = cut {
        let left = line.get(end..).map_or(0, |rest| rest.chars().count());
        // Writing to a string does not fail.
        let _ = write!(shown, "… {left} more characters");
    }
    Cow::Owned(shown)
}

fn push(shown: &mut String, character: char) {
    let mut bytes = [0; 4];
    let code = u32::from(character);
    match character {
        '\t' => shown.push(' '),
        // Each control character has a picture.
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + code)),
        '\u{7f}' => shown.push('\u{2421}'),
        // Joiners and selectors are harmless, and words and emoji need them.
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => shown.push(character),
        _ if visible(character.encode_utf8(&mut bytes)) == *character.encode_utf8(&mut [0; 4]) => {
            shown.push(character);
        }
        _ => {
            let _ = write!(shown, "⟨U+{code:04X}⟩");
        }
    }
}

/// Splits a line into rows of a width, at spaces if possible.
pub(super) fn rows(line: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let (mut rows, mut row, mut used) = (Vec::new(), String::new(), 0);
    // The end of the last space in the row.
    let mut space = None;
    'characters: for character in line.chars() {
        let (character, wide) = match character.width().unwrap_or(0) {
            // `៘` is three columns wide.
            wide if wide > width => ('…', 1),
            wide => (character, wide),
        };
        // This repeats if the part that moves to the next row leaves no room there.
        while used + wide > width {
            let rest = match space.take().filter(|_| character != ' ') {
                Some(end) => row.split_off(end),
                None => String::new(),
            };
            rows.push(std::mem::replace(&mut row, rest).trim_end().to_owned());
            used = row.chars().map(|kept| kept.width().unwrap_or(0)).sum();
            if character == ' ' {
                continue 'characters;
            }
        }
        row.push(character);
        used += wide;
        if character == ' ' && !row.trim_start().is_empty() {
            space = Some(row.len());
        }
    }
    if !row.is_empty() || rows.is_empty() {
        rows.push(row);
    }
    rows
}

/// Returns the byte ranges of words in a text, in order and regardless of case.
pub(super) fn found(text: &str, words: &[String]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = words.iter().filter_map(|word| begins(rest, word)).max();
        match length {
            Some(length) => {
                found.push(at..at + length);
                at += length;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// Returns the length in bytes of the word that a text begins with.
fn begins(text: &str, word: &str) -> Option<usize> {
    let mut wanted = word.chars().peekable();
    for (at, character) in text.char_indices() {
        let Some(next) = wanted.peek() else {
            return (at > 0).then_some(at);
        };
        if !character.to_lowercase().eq(next.to_lowercase()) {
            return None;
        }
        wanted.next();
    }
    (wanted.peek().is_none() && !text.is_empty()).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_be_an_order_is_a_picture_or_a_name() {
        assert_eq!(shown("plain `code`"), "plain `code`");
        assert_eq!(shown("a\u{1b}[2J\u{7}\0\tb\r"), "a␛[2J␇␀ b␍");
        assert_eq!(shown("\u{202e}gnp.exe\u{9b}"), "⟨U+202E⟩gnp.exe⟨U+009B⟩");
        assert_eq!(shown("日本 👩\u{200d}🚀"), "日本 👩\u{200d}🚀");
        let long = "x".repeat(1_000_000);
        assert!(shown(&long).ends_with("x… 995904 more characters"));
    }

    #[test]
    fn a_line_is_parted_at_spaces_and_a_word_that_is_too_long_where_it_ends() {
        assert_eq!(rows("one two three", 7), ["one two", "three"]);
        assert_eq!(rows("onetwothree", 4), ["onet", "woth", "ree"]);
        assert_eq!(rows("日本語", 4), ["日本", "語"]);
        assert_eq!(rows("a 00a㈠", 4), ["a", "00a", "㈠"]);
        assert_eq!(rows("\u{11300} 00a㈠", 4), ["\u{11300}", "00a", "㈠"]);
        assert_eq!(rows("a៘b", 2), ["a…", "b"]);
        assert_eq!(rows("a៘b", 4), ["a៘", "b"]);
        assert_eq!(rows("", 4), [""]);
    }

    #[test]
    fn words_are_found_in_any_case() {
        let words = ["redis".to_owned(), "6379".to_owned()];
        assert_eq!(found("Redis at :6379", &words), [0..5, 10..14]);
        assert_eq!(found("ΣΊΣΥΦΟΣ", &["σίσ".to_owned()]).len(), 1);
        assert!(found("", &words).is_empty() && found("x", &[]).is_empty());
        assert!(found("x", &[String::new()]).is_empty());
    }

    proptest! {
        #[test]
        fn no_text_is_an_order_or_wider_than_its_row(text in any::<String>(), width in 2_usize..40) {
            for line in text.split('\n') {
                let shown = shown(line);
                prop_assert!(!shown.contains(char::is_control), "{shown:?}");
                for row in rows(&shown, width) {
                    let used: usize = row.chars().map(|c| c.width().unwrap_or(0)).sum();
                    prop_assert!(used <= width, "{row:?}");
                }
                for range in found(&shown, &["a".to_owned(), "é".to_owned()]) {
                    prop_assert!(shown.get(range).is_some());
                }
            }
        }
    }
}

//! Names and measures in a text.

use crate::prose;

/// The number of different names in a text: files, places, identifiers, commands, hashes. At most five are counted.
pub(crate) fn names(text: &str) -> u8 {
    let mut found: Vec<&str> = Vec::new();
    for word in prose::words(text) {
        // Most words consist of letters alone, possibly with a mark after them.
        let letters = word.strip_suffix(['.', ',', ':', ')']).unwrap_or(word);
        let mut letters = letters.bytes();
        if letters
            .next()
            .is_none_or(|first| first.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_lowercase())
        {
            continue;
        }
        let word = word
            .trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '-' | '#')));
        if is_name(word) && !found.contains(&word) {
            found.push(word);
            if found.len() >= 5 {
                break;
            }
        }
    }
    found.len() as u8
}

/// True if a word is the name of something in a program or a repository.
pub fn is_name(word: &str) -> bool {
    let bytes = word.as_bytes();
    // Most words consist of letters alone.
    let is_plain = bytes.iter().skip(1).all(u8::is_ascii_lowercase);
    if is_plain && bytes.first().is_none_or(u8::is_ascii_alphabetic) {
        return false;
    }
    if word.len() < 2 || word.contains("://") {
        return word.contains("://");
    }
    let inner = |mark: u8| bytes[1..].iter().rev().skip(1).any(|byte| *byte == mark);
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let has_letter = bytes.iter().any(u8::is_ascii_alphabetic);
    let lower_upper = bytes
        .windows(2)
        .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    let is_hash =
        (7..=40).contains(&word.len()) && has_digit && bytes.iter().all(u8::is_ascii_hexdigit);
    let is_file = word.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=5).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_alphanumeric())
            && has_letter
    });
    (inner(b'_')
        || (inner(b'/') && has_letter && word.len() > 4)
        || lower_upper
        || is_hash
        || is_file
        || (word.starts_with('-') && has_letter)
        || (word.starts_with('#') && has_digit)
        || word.contains("::")
        || word.contains("()"))
        && has_letter | word.starts_with('#')
}

/// The number of measures and places in a text: `800ms`, `12 %`, `line 58`, `:163`.
pub(super) fn measures(text: &str) -> u8 {
    let bytes = text.as_bytes();
    let mut found = 0;
    let mut at = 0;
    while let Some(begin) = (at..bytes.len()).find(|at| bytes[*at].is_ascii_digit()) {
        let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        let end = (begin..bytes.len())
            .find(|at| !is_of_number(&bytes[*at]))
            .unwrap_or(bytes.len());
        at = end;
        let before = &text[..begin];
        let is_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
        let unit = text[end..]
            .trim_start()
            .split(|c: char| !(c.is_alphabetic() || c == '%'))
            .next();
        let is_measure = unit.is_some_and(|unit| UNITS.contains(&unit));
        let is_place = before.ends_with(':')
            || ["line ", "lines ", "line", "PR ", "issue ", "Zeile "]
                .iter()
                .any(|word| before.ends_with(word));
        if (is_measure && !is_word) || is_place {
            found += 1;
        }
    }
    found
}

/// Units of measures.
const UNITS: &[&str] = &[
    "ms",
    "s",
    "ns",
    "µs",
    "us",
    "sec",
    "seconds",
    "min",
    "minutes",
    "%",
    "x",
    "B",
    "KB",
    "kB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "bytes",
    "lines",
    "files",
    "tests",
    "tokens",
    "times",
    "failures",
    "errors",
    "characters",
    "chars",
    "rows",
    "places",
    "occurrences",
    "calls",
    "callers",
];

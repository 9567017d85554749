//! Kinds of lines in an output, regardless of the program that printed them.

use std::borrow::Cow;

/// A line without escape sequences, and without the name of the task that printed it.
pub(super) fn plain(line: &str) -> Cow<'_, str> {
    let mut line = match line.contains('\u{1b}') {
        true => Cow::Owned(without_escapes(line)),
        false => Cow::Borrowed(line),
    };
    if let Some(rest) = line.strip_prefix('[')
        && let Some((task, rest)) = rest.split_once("] ")
        && task.starts_with(|c: char| c.is_ascii_lowercase())
        && task
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b":-_.".contains(&b))
        && !["warn", "error", "info", "debug", "fatal"].contains(&task)
    {
        line = Cow::Owned(rest.to_owned());
    } else if let Some(rest) = line.strip_prefix("##[error]") {
        line = Cow::Owned(rest.to_owned());
    }
    line
}

fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            let rest = chars.as_str();
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
            // The sequence returns to the beginning of the line, so the text so far is overwritten.
            if rest.starts_with("1G") {
                plain.clear();
            }
        }
    }
    plain
}

/// The first word.
pub(super) fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// True if a test is a part of another one: `TestA/case` of `TestA`.
pub(super) fn is_part(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// True if one name is the end of the other, because a runner may leave out the suite.
pub(super) fn is_end(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() > other.len() {
        (one, other)
    } else {
        (other, one)
    };
    long.strip_suffix(short)
        .is_some_and(|rest| rest.ends_with([' ', ':']))
}

/// True if a line is a client's placeholder for omitted output.
pub(super) fn is_gap(text: &str) -> bool {
    let text = text.trim_start_matches(['[', '<', '(']);
    text.starts_with("...") && (text.contains("truncated") || text.contains("omitted"))
}

/// True if a line is only decoration.
pub(super) fn is_mark(text: &str) -> bool {
    text.chars().all(|c| "-=_*~^".contains(c))
}

/// True if the text at a place reports an error. Used where such a text may also report anything else.
pub(super) fn says_wrong(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "error",
        "undefined",
        "undeclared",
        "cannot",
        "unexpected",
        "expected",
        "missing",
        "unused",
        "mismatch",
        "should",
        "want",
        "got ",
        "fail",
        "panic",
        "invalid",
        "not found",
        "unresolved",
        "denied",
    ];
    let lower = text.to_lowercase();
    // The name of the linter at the end: `(errcheck)`.
    let linter = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    let names_linter = linter.is_some_and(|(_, linter)| {
        !linter.is_empty() && linter.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    });
    names_linter || WORDS.iter().any(|word| lower.contains(word))
}

/// The place of a frame of a Python trace: `File "a.py", line 3, in f`.
pub(super) fn python_frame(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("{file}:{line}"))
}

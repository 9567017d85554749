//! What is pasted into a message: output of a program, which is nobody's words.

use std::borrow::Cow;

use super::message::Line;
use super::words::{clip, head, lower, words};
use crate::derive::prose::Kind;

/// How many lines make a log.
const LOG: usize = 8;

/// How a message begins that is all pasted.
pub(super) const PASTED_MARK: &str = "(pasted, ";

/// How many pasted lines are kept of a message.
const PASTED: usize = 4;

/// Marks output that nothing is around that says so: from the first line of it to the last, with what is
/// between, as a log has lines that read like sentences, and with the rest of the paragraphs that it begins
/// and ends in. One line alone is no log.
pub(super) fn mark_pasted(lines: &mut [Line<'_>]) {
    let is_printed =
        |line: &Line<'_>| matches!(line.kind, Kind::Line | Kind::Heading) && is_output(line.text);
    let printed: Vec<usize> = (0..lines.len())
        .filter(|at| lines.get(*at).is_some_and(is_printed))
        .collect();
    let (Some(first), Some(last)) = (printed.first().copied(), printed.last().copied()) else {
        return;
    };
    let printed = printed.len();
    let is_gap = |line: &Line<'_>| line.kind == Kind::Gap;
    let before = lines.get(..first).unwrap_or(&[]);
    let from = before
        .iter()
        .rposition(|line| is_gap(line) || leads_in(line.text))
        .map_or(0, |at| at + 1);
    let to = end_of_pasted(lines, from, last);
    let Some(between) = lines.get_mut(from..to) else {
        return;
    };
    let spoken = between
        .iter()
        .filter(|line| matches!(line.kind, Kind::Item { .. }))
        .count();
    if printed < 2 || spoken > printed {
        return;
    }
    for line in between {
        line.is_pasted = true;
    }
}

/// Where output ends whose last line that looks so is known: with its paragraph. A long log ends where the
/// message does, but for a last paragraph that speaks of it.
fn end_of_pasted(lines: &[Line<'_>], from: usize, last: usize) -> usize {
    let is_gap = |line: &Line<'_>| line.kind == Kind::Gap;
    let behind = lines.get(last..).unwrap_or(&[]);
    let paragraph = behind
        .iter()
        .position(is_gap)
        .map_or(lines.len(), |at| last + at);
    if paragraph.saturating_sub(from) < LOG {
        return paragraph;
    }
    let Some(gap) = lines
        .iter()
        .rposition(is_gap)
        .filter(|gap| *gap >= paragraph)
    else {
        return lines.len();
    };
    let spoken = lines.get(gap..).unwrap_or(&[]);
    let speaks = spoken.len() <= 4
        && spoken.iter().any(|line| leads_in(line.text))
        && !spoken
            .iter()
            .any(|line| matches!(line.kind, Kind::Item { .. }));
    if speaks { gap } else { lines.len() }
}

/// Whether a line is by who pastes what follows it.
fn leads_in(line: &str) -> bool {
    let lowered = lower(head(line, 400));
    let speaks = words(&lowered).any(|word| {
        matches!(
            word,
            "i" | "you"
                | "we"
                | "my"
                | "me"
                | "this"
                | "that"
                | "please"
                | "can"
                | "it"
                | "i'm"
                | "here"
        )
    });
    line.ends_with([':', '?', '：', '？']) || speaks
}

/// Whether a line is one that a program printed, or code: nobody speaks so.
fn is_output(line: &str) -> bool {
    let trimmed = line.trim();
    let Some(first) = trimmed.chars().next() else {
        return false;
    };
    let is_long_word = trimmed.len() > 40 && first != '@' && !trimmed.contains(char::is_whitespace);
    let is_mark = |byte: &u8| b"{}()[]=;<>|/:_\"".contains(byte);
    let marks = || trimmed.bytes().filter(is_mark).count();
    matches!(
        first,
        '{' | '}' | '[' | ']' | '^' | '$' | '+' | '✓' | '✗' | '✘'
    ) || trimmed.starts_with("---")
        || trimmed.starts_with("===")
        || trimmed.starts_with("\"") && (trimmed.ends_with(',') || trimmed.ends_with('{'))
        || trimmed.ends_with(['{', '}', ';'])
        || trimmed == "FAIL"
        || is_long_word
        || place(trimmed)
        || has_stamp(trimmed)
        || is_of_program(trimmed)
        || (trimmed.len() > 12 && marks() * 5 > trimmed.chars().count())
}

/// Whether a line begins with a place in a file: `src/a.rs:12:5: ...`, or a word and a colon as programs print
/// them: `error: ...`.
fn place(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or(line);
    let mut parts = first.split(':');
    let is_file = parts.next().is_some_and(|file| file.contains(['.', '/']));
    let is_numbered = parts
        .next()
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let is_said = [
        "error:",
        "warning:",
        "fatal:",
        "Error:",
        "panic:",
        "npm",
        "Traceback",
    ]
    .contains(&first);
    (is_file && is_numbered) || is_said
}

/// Whether a line begins with the name of what printed it, `go: no such file`, or names a place on the machine,
/// and is nobody's own.
fn is_of_program(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or(line);
    let name = first.strip_suffix(':').unwrap_or("");
    let is_name =
        !name.is_empty() && name.len() <= 12 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let names_place = words.any(|word| word.starts_with('/') && word.matches('/').count() > 3);
    (is_name || names_place) && !leads_in(line)
}

/// Whether a line begins with a date or a time.
fn has_stamp(line: &str) -> bool {
    let digits = line.bytes().take(19).filter(u8::is_ascii_digit).count();
    line.starts_with(|c: char| c.is_ascii_digit()) && digits >= 6 && line.contains(':')
}

/// Whether a line has a word of what is wrong.
fn says_wrong(line: &str) -> bool {
    let lowered = lower(head(line, 400));
    let mut words = ["fail", "error", "panic", "exception"].into_iter();
    words.any(|word| lowered.contains(word))
}

/// Of pasted lines those that say what is wrong, in short.
pub(super) fn telling(pasted: &[Cow<'_, str>], is_all: bool) -> String {
    let count = pasted.iter().filter(|line| !line.is_empty()).count();
    let is_telling = |line: &&Cow<'_, str>| place(line) || says_wrong(line);
    let mut told: Vec<String> = pasted
        .iter()
        .filter(is_telling)
        .take(PASTED)
        .map(|line| clip(line, 120))
        .collect();
    if told.is_empty() && (is_all || count <= 2) {
        told.extend(
            pasted
                .iter()
                .find(|line| !line.is_empty())
                .map(|line| clip(line, 120)),
        );
    }
    match (told.is_empty(), is_all) {
        (true, _) => String::new(),
        (false, true) => format!("{PASTED_MARK}{count} lines) {}", told.join(" / ")),
        (false, false) => told.join(" / "),
    }
}

//! Pasted output of programs in a message, which is not the user's speech.

use std::borrow::Cow;

use hud_components::text::{is_printed, leads_in, names_failure};

use super::message::Line;
use super::words::clip;
use crate::prose::Kind;

/// The least number of lines of a log.
const LOG: usize = 8;

/// The beginning of the short form of a message that is all pasted.
pub(super) const PASTED_MARK: &str = "(pasted, ";

/// The largest number of pasted lines of a message that are kept.
const PASTED: usize = 4;

/// Marks output without any marks around it as pasted. It extends from its first line to its last one, because a log
/// also has lines that read like sentences. The rest of the first and the last paragraph is included. A single line is
/// not a log.
pub(super) fn mark_pasted(lines: &mut [Line<'_>]) {
    let is_printed =
        |line: &Line<'_>| matches!(line.kind, Kind::Line | Kind::Heading) && is_printed(line.text);
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

/// The end of the output whose last recognized line is `last`. It ends with its paragraph. A long log ends with the
/// message, except for a last paragraph that is about it.
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

/// The pasted lines that report an error, in short.
pub(super) fn telling(pasted: &[Cow<'_, str>], is_all: bool) -> String {
    let count = pasted.iter().filter(|line| !line.is_empty()).count();
    let is_telling = |line: &&Cow<'_, str>| names_failure(line);
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

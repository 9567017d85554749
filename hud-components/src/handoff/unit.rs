//! Units: the pieces of a text that are shown whole or not at all.

use std::borrow::Cow;

use hud_store::state::RECORD_GAP;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::{is_blank, is_printed, names_failure, visible};

/// The number of units of one text. What follows is one more.
const UNITS: usize = 160;

/// The number of characters from which on a line of text is divided into sentences.
const DIVIDED: usize = 90;

/// The number of repetitions of a character from which on a word has no meaning.
const RUN: usize = 12;

/// The number of bytes from which on a word is data.
const WORD: usize = 400;

/// A piece of a text that is shown whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// True if it begins a line.
    pub begins: bool,
    /// True if it is a block of code.
    pub is_code: bool,
}

/// The units of a message: sentences, list items, rows, blocks of code.
pub(super) fn of_prose(text: &str) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut fence: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (&mut fence, mark) {
            (None, Some(mark)) => fence = Some((mark, Vec::new())),
            (Some((open, block)), Some(mark)) if *open == mark => {
                push_code(&mut units, block);
                fence = None;
            }
            (Some((_, block)), _) => block.push(line),
            (None, None) if is_blank(trimmed) || is_rule(trimmed) => {}
            (None, None) => push_line(&mut units, line),
        }
    }
    if let Some((_, block)) = fence {
        push_code(&mut units, &block);
    }
    // A long tail is one unit: its parts are not weighed one by one.
    if units.len() > UNITS {
        let rest = units.split_off(UNITS);
        let all: Vec<usize> = (0..rest.len()).collect();
        let text = joined(&rest, &all);
        units.push(Unit {
            text: Cow::Owned(text),
            begins: true,
            is_code: false,
        });
    }
    units
}

/// Drops what a person pasted of a printed text, but for the lines that name a failure.
pub(super) fn without_pasted(units: &mut Vec<Unit<'_>>) {
    /// The number of units from which on a person's own words are not looked for between printed ones.
    const LONG: usize = 8;

    let printed: Vec<usize> = { units.iter().enumerate() }
        .filter(|(_, unit)| !unit.is_code && is_printed(&unit.text))
        .map(|(at, _)| at)
        .collect();
    let (Some(first), Some(last)) = (printed.first(), printed.last()) else {
        return;
    };
    let is_long = last - first >= LONG;
    if printed.len() < 2 {
        return;
    }
    let mut at = 0;
    units.retain(|unit| {
        let is_pasted = match is_long {
            true => (*first..=*last).contains(&at),
            false => printed.contains(&at),
        };
        at += 1;
        !is_pasted || names_failure(&unit.text)
    });
}

/// True for a line that only divides what is above it from what is below it.
fn is_rule(line: &str) -> bool {
    line.chars()
        .all(|c| matches!(c, '-' | '*' | '_' | '=' | '|' | ':' | ' ') || is_drawn(c))
}

/// True for a character that draws lines and boxes.
const fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{259F}')
}

/// A text without drawn lines and boxes, and with single spaces.
fn undrawn(text: &str) -> Cow<'_, str> {
    let is_long = text
        .split(char::is_whitespace)
        .any(|word| is_fill(word) || word.len() > WORD);
    if !is_long && !text.contains(is_drawn) && !text.contains("  ") && !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let words = text.split(|c: char| c.is_whitespace() || is_drawn(c));
    let words = words.filter(|word| !word.is_empty() && word.len() <= WORD);
    let words = words.map(|word| match is_fill(word) {
        true => Cow::Owned(unfilled(word)),
        false => Cow::Borrowed(word),
    });
    let words: Vec<Cow<'_, str>> = words.collect();
    Cow::Owned(words.join(" "))
}

/// True for a word that repeats one character, as masks and lines do.
fn is_fill(word: &str) -> bool {
    let characters: Vec<char> = word.chars().collect();
    let mut runs = characters.chunk_by(|one, other| one == other);
    runs.any(|run| run.len() >= RUN)
}

/// A word with each such run in short.
fn unfilled(word: &str) -> String {
    let characters: Vec<char> = word.chars().collect();
    let runs = characters.chunk_by(|one, other| one == other);
    let short = runs.map(|run| match run.len() >= RUN {
        true => run.iter().take(3).chain(&['…']).collect(),
        false => run.iter().collect::<String>(),
    });
    short.collect()
}

/// Adds a line of text, by sentences if it is long. Its marks of markdown are put into signs that are none, so that it
/// reads as it was written and opens no block.
fn push_line<'t>(units: &mut Vec<Unit<'t>>, line: &'t str) {
    let (mark, text) = unmarked(line);
    let divides = text.len() > DIVIDED && !mark.starts_with('|');
    let pieces = match divides {
        true => sentences(text),
        false => vec![text],
    };
    for (at, piece) in pieces.into_iter().enumerate() {
        let shown = match piece.contains("**") {
            true => Cow::Owned(undrawn(&piece.replace("**", "")).into_owned()),
            false => undrawn(piece),
        };
        let shown = match at {
            0 if !mark.is_empty() => Cow::Owned(format!("{mark}{shown}")),
            _ => shown,
        };
        if !is_blank(&shown) {
            let shown = match shown {
                Cow::Borrowed(text) => visible(text),
                Cow::Owned(text) => Cow::Owned(visible(&text).into_owned()),
            };
            units.push(Unit {
                text: shown,
                begins: at == 0,
                is_code: false,
            });
        }
    }
}

/// A line without its mark of markdown, and what stands for the mark.
fn unmarked(line: &str) -> (Cow<'_, str>, &str) {
    let text = line.trim();
    let indented = line.starts_with([' ', '\t']);
    for mark in ["- ", "* ", "+ "] {
        if let Some(item) = text.strip_prefix(mark) {
            let bullet = if indented { "◦ " } else { "• " };
            let item = item.trim_start();
            return match (item.strip_prefix("[ ] "), item.strip_prefix("[x] ")) {
                (Some(open), _) => (Cow::Borrowed("☐ "), open),
                (_, Some(done)) => (Cow::Borrowed("☑ "), done),
                (None, None) => (Cow::Borrowed(bullet), item),
            };
        }
    }
    if let Some(quoted) = text.strip_prefix('>') {
        return (Cow::Borrowed("» "), quoted.trim_start());
    }
    let headed = text.trim_start_matches('#');
    if headed.len() < text.len() && headed.starts_with(' ') {
        return (Cow::Borrowed(""), headed.trim());
    }
    if let Some(row) = text.strip_prefix('|') {
        return (Cow::Borrowed(""), row.trim_end_matches('|').trim());
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if (1..=3).contains(&digits)
        && let (number, Some(rest)) = (
            text.get(..digits).unwrap_or_default(),
            text.get(digits..)
                .and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))),
        )
    {
        return (Cow::Owned(format!("({number}) ")), rest.trim_start());
    }
    (Cow::Borrowed(""), text)
}

fn push_code<'t>(units: &mut Vec<Unit<'t>>, lines: &[&'t str]) {
    let text = lines.join("\n");
    if !is_blank(&text) {
        units.push(Unit {
            text: Cow::Owned(visible(&text).into_owned()),
            begins: true,
            is_code: true,
        });
    }
}

/// The units of an output: its lines.
pub(super) fn of_lines(text: &str) -> Vec<Unit<'_>> {
    let lines = text.lines().map(|line| Unit {
        text: visible(line),
        begins: true,
        is_code: false,
    });
    lines.collect()
}

/// The sentences of a line; pieces that are too short to say something by themselves are with the one before.
fn sentences(line: &str) -> Vec<&str> {
    let mut sentences: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut in_code = false;
    for piece in line.split_sentence_bounds() {
        at += piece.len();
        if piece.matches('`').count() % 2 == 1 {
            in_code = !in_code;
        }
        let sentence = line.get(start..at).unwrap_or_default();
        let is_long = sentence.trim().chars().nth(24).is_some();
        if is_long && !in_code {
            sentences.push(sentence.trim());
            start = at;
        }
    }
    let rest = line.get(start..).unwrap_or_default().trim();
    if !rest.is_empty() {
        sentences.push(rest);
    }
    sentences
}

/// The chosen units one after the other, with a mark for those that are left out between two; each block of code by
/// itself.
pub(super) fn blocks(units: &[Unit<'_>], chosen: &[usize]) -> Vec<(bool, String)> {
    let is_code = |at: &usize| units.get(*at).is_some_and(|unit| unit.is_code);
    let groups = chosen.chunk_by(|one, other| !is_code(one) && !is_code(other));
    let mut next = 0;
    let mut blocks = Vec::new();
    for group in groups {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let code = is_code(first);
        let text = joined_from(units, group, if code { *first } else { next });
        next = last + 1;
        blocks.push((code, text));
    }
    if let Some((false, text)) = blocks.last_mut()
        && next < units.len()
    {
        text.push(' ');
        text.push_str(RECORD_GAP);
    }
    blocks
}

/// The chosen units one after the other, with a mark for those that are left out between two and after the last.
pub(super) fn joined(units: &[Unit<'_>], chosen: &[usize]) -> String {
    let mut text = joined_from(units, chosen, 0);
    if chosen.last().is_some_and(|last| last + 1 < units.len()) {
        text.push(' ');
        text.push_str(RECORD_GAP);
    }
    text
}

fn joined_from(units: &[Unit<'_>], chosen: &[usize], from: usize) -> String {
    let mut text = String::new();
    let mut next = from;
    for at in chosen {
        let Some(unit) = units.get(*at) else {
            continue;
        };
        let gap = *at > next;
        next = at + 1;
        if gap {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(RECORD_GAP);
        }
        if !text.is_empty() {
            text.push(if unit.begins { '\n' } else { ' ' });
        }
        text.push_str(&unit.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'u>(units: &'u [Unit<'_>]) -> Vec<&'u str> {
        units.iter().map(|unit| &*unit.text).collect()
    }

    #[test]
    fn a_message_is_divided_where_sentences_items_and_blocks_end() {
        let text = "Please add rate limits to each of the tenants of the gateway. Keep it in one file, e.g. \
                    limits.rs, and use no dependency.\n\n- first\n- second\n\n```\nlet a = 1;\n\nlet b = 2;\n```\nDone?";
        let units = of_prose(text);
        assert_eq!(
            texts(&units),
            [
                "Please add rate limits to each of the tenants of the gateway.",
                "Keep it in one file, e.g. limits.rs, and use no dependency.",
                "• first",
                "• second",
                "let a = 1;\n\nlet b = 2;",
                "Done?",
            ]
        );
        assert_eq!(
            joined(&units, &[0, 2, 5]),
            "Please add rate limits to each of the tenants of the gateway. […]\n• first […]\nDone?"
        );
        let blocks = blocks(&units, &[1, 4, 5]);
        let blocks: Vec<(bool, &str)> =
            blocks.iter().map(|(code, text)| (*code, &**text)).collect();
        assert_eq!(
            blocks,
            [
                (
                    false,
                    "[…] Keep it in one file, e.g. limits.rs, and use no dependency."
                ),
                (true, "let a = 1;\n\nlet b = 2;"),
                (false, "Done?"),
            ]
        );
    }

    #[test]
    fn marks_of_markdown_become_signs_that_open_no_block() {
        let text = "## Plan\n---\n1. **Build** it\n   - deep\n> said\n| a | b |\n|---|---|\n- [x] done\n#hash";
        assert_eq!(
            texts(&of_prose(text)),
            [
                "Plan",
                "(1) Build it",
                "◦ deep",
                "» said",
                "a | b",
                "☑ done",
                "#hash"
            ]
        );
    }

    #[test]
    fn text_without_spaces_is_divided_as_its_script_is() {
        let text = "请给每个租户加上限流。".repeat(12);
        let units = of_prose(&text);
        assert!(units.len() > 3, "{}", units.len());
        let all: Vec<usize> = (0..units.len()).collect();
        assert_eq!(joined(&units, &all).replace(' ', ""), text);
    }

    #[test]
    fn of_a_paste_the_lines_that_name_a_failure_are_shown() {
        let text = "The build stopped, can you look at it?\n\n[build] GET /a/b -> http://localhost/a\n\
                    [build] step 1 of 3\n[build] error: no space left\nThanks!";
        let mut units = of_prose(text);
        without_pasted(&mut units);
        assert_eq!(
            texts(&units),
            [
                "The build stopped, can you look at it?",
                "[build] error: no space left",
                "Thanks!"
            ]
        );
        let mut spoken = of_prose("Use these:\n- a\n- b\nand nothing else.");
        without_pasted(&mut spoken);
        assert_eq!(spoken.len(), 4);
    }

    #[test]
    fn a_mask_is_shown_in_short() {
        let text = format!("KEY={} is masked", "X".repeat(60));
        assert_eq!(texts(&of_prose(&text)), ["KEY=XXX… is masked"]);
    }
}

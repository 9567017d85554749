//! Documents within a message: a licence, a page, a thread, a contract, a table. The user shows them, and where one ends
//! is not known for sure, so that what is behind its beginning sets no rule.
//!
//! They are told by what nobody says to an agent: titles, by-lines, dates, addresses, navigation, numbers of clauses, rows
//! of the same separators, lines of the same mark around a text. One of them alone may be chance.

use std::ops::Range;

use super::ask::is_directive;
use super::introduced::{asks_for_work, is_about_wording, is_own_label, points_at};
use super::rule;
use super::words::lower;
use crate::derive::prose::sentences;

/// How long a title or a by-line is at most, in characters.
const TITLE: usize = 100;

/// A line of a message.
#[derive(Clone, Copy, Debug)]
struct Row<'t> {
    at: usize,
    text: &'t str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gap,
    /// A line of one mark.
    Rule,
    /// Between fences.
    Fenced,
    Heading,
    Item,
    Text,
}

/// How much a line says that it is of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    /// A short line that ends no sentence.
    Plain,
    /// The same with a number, an address or columns.
    Marked,
    /// What is in documents alone.
    Sure,
    /// The same, of their ends.
    End,
}

/// The ranges of a text that are of documents, or may be.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    let mut rows = rows(text);
    mark_underlined(&mut rows);
    let rows = rows;
    let mut ranges = ruled(&rows, text.len());
    let begin = [table(&rows), clauses(&rows), headings(&rows), signed(&rows)];
    if let Some(row) = begin.into_iter().flatten().min() {
        ranges.push(at(&rows, row, text.len())..text.len());
    }
    ranges.extend(spoken_of(&rows));
    ranges
}

fn at(rows: &[Row<'_>], row: usize, end: usize) -> usize {
    rows.get(row).map_or(end, |row| row.at)
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let mut at = 0;
    let mut fence: Option<&str> = None;
    let row = |line| {
        let begin = at;
        at += str::len(line);
        let text = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| text.starts_with(mark));
        let kind = match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                Kind::Fenced
            }
            (Some(_), _) => Kind::Fenced,
            (None, Some(mark)) => {
                fence = Some(mark);
                Kind::Fenced
            }
            (None, None) => kind(text),
        };
        Row {
            at: begin,
            text,
            kind,
        }
    };
    text.split_inclusive('\n').map(row).collect()
}

/// Marks lines that are headings by a line below them, where there are several.
fn mark_underlined(rows: &mut [Row<'_>]) {
    let is = |at: Option<usize>, what: fn(&Row<'_>) -> bool| {
        at.and_then(|at| rows.get(at)).is_some_and(what)
    };
    let is_underlined = |at: &usize| {
        let above = at.checked_sub(1);
        is(Some(*at + 1), |row| row.kind == Kind::Rule)
            && is(Some(*at), |row| {
                row.kind == Kind::Text
                    && !ends_sentence(row.text)
                    && !row.text.ends_with([':', '：'])
            })
            && above.is_none_or(|_| is(above, |row| row.kind == Kind::Gap))
    };
    let underlined: Vec<usize> = (0..rows.len()).filter(is_underlined).collect();
    if underlined.len() < 2 {
        return;
    }
    for at in underlined {
        if let Some(row) = rows.get_mut(at) {
            row.kind = Kind::Heading;
        }
        if let Some(row) = rows.get_mut(at + 1) {
            row.kind = Kind::Gap;
        }
    }
}

fn kind(text: &str) -> Kind {
    let Some(first) = text.chars().next() else {
        return Kind::Gap;
    };
    let is_mark = !first.is_alphanumeric() && !matches!(first, '`' | '"' | '>' | '\'');
    if is_mark && text.chars().all(|c| c == first) && text.chars().nth(2).is_some() {
        return Kind::Rule;
    }
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&level)
        && text
            .get(level..)
            .is_some_and(|rest| rest.starts_with(char::is_whitespace));
    match (is_heading, numbered(text)) {
        (true, _) => Kind::Heading,
        (false, Some(_)) => Kind::Item,
        (false, None) if first == '>' => Kind::Item,
        (false, None) => Kind::Text,
    }
}

/// What is behind the mark or the number of an item: `-`, `1.`, `(1)`, `a)`, `一、`, `（一）`.
fn numbered(text: &str) -> Option<&str> {
    for mark in ["- ", "* ", "+ ", "• ", "– ", "・"] {
        if let Some(rest) = text.strip_prefix(mark) {
            return Some(rest);
        }
    }
    let inner = text.trim_start_matches(['(', '（', '[']);
    let is_open = inner.len() < text.len();
    let is_number = |c: char| c.is_numeric() || "一二三四五六七八九十".contains(c);
    let end = match inner.find(|c| !is_number(c)) {
        // A letter alone.
        Some(0) => inner
            .chars()
            .next()
            .filter(|c| c.is_alphabetic())?
            .len_utf8(),
        Some(end) if end <= 9 => end,
        _ => return None,
    };
    let rest = inner.get(end..)?;
    let mark = rest.chars().next()?;
    let behind = rest.get(mark.len_utf8()..)?;
    let is_apart = behind.starts_with(char::is_whitespace) || !mark.is_ascii() || is_open;
    let closes = match is_open {
        true => matches!(mark, ')' | '）' | ']'),
        false => matches!(mark, '.' | ')' | '、' | '．' | '）'),
    };
    (closes && is_apart).then_some(behind)
}

/// The sections between lines of one mark, but for those with a label of the user's own. Behind the last of several
/// lines the user speaks again. Behind one alone the rest is shown, or before it, where the rest asks about it.
fn ruled(rows: &[Row<'_>], end: usize) -> Vec<Range<usize>> {
    let lines: Vec<usize> = (0..rows.len())
        .filter(|row| rows.get(*row).is_some_and(|row| row.kind == Kind::Rule))
        .collect();
    let is_said = |row: &&Row<'_>| !matches!(row.kind, Kind::Gap | Kind::Rule);
    let has_label = |line: usize| {
        let below = rows.get(line..).unwrap_or_default().iter().find(is_said);
        let above = line.checked_sub(1).and_then(|above| rows.get(above));
        below.into_iter().chain(above).any(|row| is_label(row.text))
    };
    match *lines {
        [] => Vec::new(),
        [line] if has_label(line) => Vec::new(),
        [line] => {
            let place = at(rows, line, end);
            let last = rows.iter().rev().find(is_said);
            match last.is_some_and(|row| row.at > place && row.text.ends_with(['?', '？'])) {
                true => std::iter::once(0..place).collect(),
                false => std::iter::once(place..end).collect(),
            }
        }
        _ => {
            let pairs = lines.iter().zip(lines.iter().skip(1));
            let shown = pairs.filter(|(from, _)| !has_label(**from));
            shown
                .map(|(from, to)| at(rows, *from, end)..at(rows, *to, end))
                .collect()
        }
    }
}

/// Whether a line is a label or a heading of what a prompt is made of, and not the title of a text: those have numbers
/// and names beside it.
fn is_label(line: &str) -> bool {
    let label = line.trim_start_matches('#').trim_matches(['*', '_', ' ']);
    let (label, rest) = label.split_once([':', '：']).unwrap_or((label, ""));
    let is_title = label.contains(['(', '（', '|', '"', '“', '«', '§'])
        || label.contains(" - ")
        || label.contains(" — ")
        || label.contains(char::is_numeric) && rest.is_empty();
    let lowered = lower(label);
    let is_order = || is_directive(&lowered) || rule::demands_something(&lowered);
    !is_title
        && !label.trim().is_empty()
        && !ends_sentence(label)
        && (crate::derive::summary::names_kind(label) || is_own_label(label) && !is_order())
}

/// The first of at least two rows with the same separators.
fn table(rows: &[Row<'_>]) -> Option<usize> {
    const SEPARATORS: &[char] = &[';', '\t', '|', ','];
    let begins = |separator: &char| {
        let mut run = (0, 0);
        for (at, row) in rows.iter().enumerate() {
            let count = match row.kind {
                Kind::Fenced | Kind::Gap | Kind::Rule => 0,
                _ if row.text.starts_with('|') => 0,
                _ => separators(row.text, *separator),
            };
            run = match run {
                (before, length) if count > 0 && before == count => (before, length + 1),
                _ => (count, 1),
            };
            let least = if count > 1 { 2 } else { 4 };
            if count > 0 && run.1 >= least {
                return Some(at + 1 - run.1);
            }
        }
        None
    };
    SEPARATORS.iter().filter_map(begins).min()
}

/// How many separators a row has outside of quotation marks. Those of a sentence have a space behind them.
fn separators(row: &str, separator: char) -> usize {
    let mut is_quoted = false;
    let mut letters = row.chars().peekable();
    let mut count = 0;
    while let Some(letter) = letters.next() {
        is_quoted ^= letter == '"';
        let is_apart = separator != '\t' && letters.peek().is_none_or(|next| *next == ' ');
        count += usize::from(!is_quoted && letter == separator && !is_apart);
    }
    count
}

/// The first of the lines that are numbered as clauses of a contract or a law are.
fn clauses(rows: &[Row<'_>]) -> Option<usize> {
    let is_said = |row: &Row<'_>| matches!(row.kind, Kind::Item | Kind::Text | Kind::Heading);
    let numbers = |(at, row): (usize, &Row<'_>)| {
        (is_said(row) && has_parts(row.text.trim_start_matches(['#', '*', ' ']))).then_some(at)
    };
    let mut parts: Vec<usize> = rows.iter().enumerate().filter_map(numbers).collect();
    // The same with a word before it: `Clause 4.2`.
    let word = |row: &Row<'_>| {
        let (word, rest) = row.text.split_once(char::is_whitespace)?;
        has_parts(rest).then(|| word.to_owned())
    };
    let worded: Vec<(usize, String)> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| is_said(row))
        .filter_map(|(at, row)| Some((at, word(row)?)))
        .collect();
    if let [(first, word), others @ ..] = &*worded
        && others.iter().any(|(_, other)| other == word)
    {
        parts.splice(0..0, [*first, *first]);
    }
    // What is above them names what they are of.
    let parts = match *parts {
        [first, _, ..] => Some(before(rows, first)),
        _ => None,
    };
    let is_section = |row: &Row<'_>| is_said(row) && is_section(row.text);
    parts
        .into_iter()
        .chain(rows.iter().position(is_section))
        .min()
}

/// The line above a place, where it is of the same text: it ends no sentence.
fn before(rows: &[Row<'_>], place: usize) -> usize {
    let above = rows.get(..place).unwrap_or_default();
    let said = above.iter().rposition(|row| row.kind != Kind::Gap);
    let is_title = |at: &usize| rows.get(*at).is_some_and(|row| !ends_sentence(row.text));
    said.filter(is_title).unwrap_or(place)
}

/// Whether a line begins with a number of several parts: `7.1.`, `2.3.1 `.
fn has_parts(text: &str) -> bool {
    let number = text.split_whitespace().next().unwrap_or(text);
    let parts = number.trim_end_matches(['.', ')']);
    number.len() < text.len()
        && parts.contains('.')
        && parts.split('.').all(|part| {
            (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Whether a line begins with the mark of a section: `§ 7`, `第七条`.
fn is_section(text: &str) -> bool {
    let text = text.trim_start_matches(['#', '*', ' ', '(', '（']);
    if text.starts_with('§') {
        return true;
    }
    let Some(rest) = text.strip_prefix(['第', '제']) else {
        return false;
    };
    rest.chars()
        .take(6)
        .any(|c| matches!(c, '条' | '條' | '章' | '節' | '节' | '款' | '조' | '장'))
}

/// The first heading of a page that has more of them than a prompt has labels.
fn headings(rows: &[Row<'_>]) -> Option<usize> {
    let mut all = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.kind == Kind::Heading);
    let own = all.clone().filter(|(_, row)| is_label(row.text)).count();
    let is_foreign = |row: &Row<'_>| {
        let title = row.text.trim_start_matches(['#', ' ']);
        !is_label(row.text) && !is_directive(&lower(title))
    };
    let foreign = all.clone().filter(|(_, row)| is_foreign(row)).count();
    let is_page = foreign > 1 && foreign > own;
    all.next().filter(|_| is_page).map(|(at, _)| at)
}

/// The first line of a document that has signs of one.
fn signed(rows: &[Row<'_>]) -> Option<usize> {
    let signs = signs(rows);
    signs.iter().find(|(_, sign)| *sign > Sign::Plain)?;
    let begin = signs.iter().map(|(at, _)| *at).min()?;
    // What ends a document has it above.
    let ends = signs
        .iter()
        .any(|(at, sign)| *at == begin && *sign == Sign::End);
    let is_sure = signs.iter().any(|(_, sign)| *sign >= Sign::Sure);
    // Whoever writes no sentence at all is in a hurry.
    let has_sentence = || {
        let mut is_sign = vec![false; rows.len()];
        for (at, _) in &signs {
            if let Some(is_sign) = is_sign.get_mut(*at) {
                *is_sign = true;
            }
        }
        let mut others = rows
            .iter()
            .zip(is_sign)
            .filter(|(_, is_sign)| !is_sign)
            .map(|(row, _)| row);
        others.any(|row| {
            !matches!(row.kind, Kind::Gap | Kind::Rule | Kind::Fenced) && ends_sentence(row.text)
        })
    };
    let enough = if is_asked_about(rows) { 1 } else { 2 };
    if !is_sure && (signs.len() < enough || !has_sentence()) {
        return None;
    }
    // What the user says before it says that something comes. Otherwise it may be of the document itself.
    let said = rows.get(..begin).unwrap_or_default();
    let asks = |row: &Row<'_>| row.text.ends_with(['?', '？', ':', '：']);
    let is_request = |row: &Row<'_>| sentences(row.text).any(|said| is_directive(&lower(said)));
    if ends {
        return Some(0);
    }
    Some(match said.iter().position(asks) {
        Some(asked) => asked + 1,
        None if said.iter().any(is_request) => begin,
        None => 0,
    })
}

/// Whether a text of several paragraphs begins or ends with a question that asks for no work.
fn is_asked_about(rows: &[Row<'_>]) -> bool {
    let mut said = rows.iter().filter(|row| row.kind == Kind::Text);
    let asks = |row: &Row<'_>| row.text.ends_with(['?', '？']) && !asks_for_work(&lower(row.text));
    said.next().is_some_and(asks) || said.next_back().is_some_and(asks)
}

/// The lines that look as those of documents do, each once.
fn signs(rows: &[Row<'_>]) -> Vec<(usize, Sign)> {
    let mut signs = Vec::new();
    let is_within = |row: &Row<'_>| matches!(row.kind, Kind::Text | Kind::Item | Kind::Heading);
    let mut at = 0;
    let mut weighed = 0;
    while at < rows.len() && weighed < LINES {
        let block = rows.get(at..).unwrap_or_default();
        let length = block.iter().take_while(|row| is_within(row)).count();
        let block = block.get(..length).unwrap_or_default();
        let is_open = block.iter().all(|row| !ends_sentence(row.text));
        for (place, row) in block.iter().enumerate() {
            let is_edge = place == 0 || is_open || (place + 1 == length && place > 0);
            weighed += usize::from(is_edge);
            let sign = match row.kind {
                Kind::Text if weighed <= LINES => sign(row.text, is_edge),
                _ => None,
            };
            signs.extend(sign.map(|sign| (at + place, sign)));
        }
        let is_list = block.len() > 1 && block.iter().skip(1).all(|row| row.kind == Kind::Item);
        let titled = before(
            rows,
            at + usize::from(block.first().is_some_and(|row| row.kind != Kind::Item)),
        );
        let has_title = signs.iter().any(|(sign, _)| *sign == titled);
        if is_list && has_title && declares(block) {
            signs.push((at + 1, Sign::Marked));
        }
        let has_more = || {
            let behind = rows.get(at + length..).unwrap_or_default();
            behind.iter().any(is_within)
        };
        if is_farewell(block) && has_more() {
            signs.push((at, Sign::End));
        }
        at += length.max(1);
    }
    // By-lines are alike: `Ann commented yesterday`, `Bob commented last week`.
    let plain: Vec<usize> = signs
        .iter()
        .filter(|(_, sign)| *sign == Sign::Plain)
        .map(|(at, _)| *at)
        .take(ALIKE)
        .collect();
    for (place, sign) in &mut signs {
        let is_like = |other: &usize| {
            let texts = rows.get(*place).zip(rows.get(*other));
            *other != *place && texts.is_some_and(|(one, other)| are_alike(one.text, other.text))
        };
        if *sign == Sign::Plain && plain.iter().any(is_like) {
            *sign = Sign::Marked;
        }
    }
    signs
}

/// How many lines of a text are weighed.
const LINES: usize = 400;

/// How many items of a list are weighed.
const ITEMS: usize = 40;

/// How many lines are compared with each other.
const ALIKE: usize = 32;

/// Whether two lines have a word at the same place, behind their first ones that differ.
fn are_alike(one: &str, other: &str) -> bool {
    let mut pairs = one.split_whitespace().zip(other.split_whitespace());
    let differ = pairs.next().is_some_and(|(one, other)| one != other);
    differ && pairs.any(|(one, other)| one == other && one.chars().nth(2).is_some())
}

/// Whether a block ends a letter: a short line with a comma, and a name below it.
fn is_farewell(block: &[Row<'_>]) -> bool {
    let is_short = |row: &Row<'_>| {
        row.kind == Kind::Text
            && row.text.split_whitespace().nth(8).is_none()
            && !ends_sentence(row.text)
    };
    let [first, name, ..] = block else {
        return false;
    };
    block.len() <= 5
        && block.iter().all(is_short)
        && first.text.ends_with([',', '，'])
        && name.text.split_whitespace().nth(4).is_none()
        && name
            .text
            .starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
}

/// Whether the items of a list say how things are, most of them.
fn declares(block: &[Row<'_>]) -> bool {
    let items = || {
        let items = block.iter().filter_map(|row| numbered(row.text));
        items.take(ITEMS)
    };
    let asks = |item: &&str| {
        let lowered = lower(item.trim());
        is_directive(&lowered) || rule::demands_something(&lowered)
    };
    items().filter(asks).count() * 2 <= items().count()
}

fn sign(line: &str, is_edge: bool) -> Option<Sign> {
    if is_copyright(line) || is_counted(line) {
        return Some(Sign::End);
    }
    if line.chars().nth(TITLE).is_some() {
        return is_shouted(line).then_some(Sign::Marked);
    }
    let lowered = lower(line);
    let is_own = || is_directive(&lowered) || rule::demands_something(&lowered) || is_label(line);
    if is_shouted(line) && !is_own() {
        return Some(Sign::Marked);
    }
    let is_long = line.split_whitespace().nth(11).is_some();
    if !is_edge || is_long || ends_sentence(line) || line.ends_with(['：', ':']) || is_own() {
        return None;
    }
    Some(match is_marked(line) {
        true => Sign::Marked,
        false => Sign::Plain,
    })
}

/// Whether a line ends as sentences and what introduces others do.
fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end_matches(['"', '”', '“', '»', ')', '）', '*', '_', '`', '」']);
    line.ends_with(['.', '!', '?', '。', '！', '？', '…', ';', '।', '؟'])
}

/// Whether a line says whose a work is: `© 2019 Ann Lee`, `Copyright (c) 2019`.
fn is_copyright(line: &str) -> bool {
    let lowered = lower(line);
    let has_year = |behind: &str| {
        behind
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
    };
    lowered.contains('©')
        || lowered.contains("spdx-")
        || lowered.split("(c)").skip(1).any(has_year)
        || lowered.starts_with("copyright") && lowered.contains(|c: char| c.is_ascii_digit())
}

/// Whether a line only counts by signs, as reactions are: `👍 2  👎 14`.
fn is_counted(line: &str) -> bool {
    let is_sign = |c: char| u32::from(c) >= 0x2190 && !c.is_alphanumeric();
    line.contains(is_sign)
        && line.contains(|c: char| c.is_ascii_digit())
        && !line.contains(char::is_alphabetic)
}

/// Whether a line is all in capitals.
fn is_shouted(line: &str) -> bool {
    line.split_whitespace().nth(3).is_some()
        && line.contains(char::is_uppercase)
        && !line.contains(char::is_lowercase)
}

/// Whether a line has what titles, by-lines, dates, addresses and navigation have, more than sentences do.
fn is_marked(line: &str) -> bool {
    line.contains(char::is_numeric)
        || [
            "://", "www.", " | ", " · ", " • ", " › ", " » ", " – ", " — ", " - ", "  ", "\t", "@",
        ]
        .iter()
        .any(|mark| line.contains(mark))
        || line
            .split_whitespace()
            .next()
            .is_some_and(|first| first.contains('：'))
}

/// What is above a last paragraph that asks what it means, or for another text of it.
fn spoken_of(rows: &[Row<'_>]) -> Option<Range<usize>> {
    let end = rows.iter().rposition(|row| row.kind != Kind::Gap)?;
    let said = rows.get(..=end)?;
    let gap = said
        .iter()
        .rposition(|row| matches!(row.kind, Kind::Gap | Kind::Rule | Kind::Fenced))?;
    let mut last = said.get(gap + 1..)?.iter();
    let is_of_text = |sentence: &str| {
        let lowered = lower(sentence);
        is_about_wording(&lowered) && points_at(&lowered)
    };
    let speaks = last.any(|row| row.kind == Kind::Text && sentences(row.text).any(is_of_text));
    speaks.then(|| 0..said.get(gap).map_or(0, |row| row.at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let mut shown: Vec<&str> = documents(text)
            .into_iter()
            .filter_map(|range| text.get(range))
            .collect();
        shown.dedup();
        shown.concat().trim().to_owned()
    }

    #[test]
    fn a_document_begins_with_what_nobody_says_to_an_agent() {
        for (own, document) in [
            (
                "Is it fair?\n\n",
                "Odd licence 2\n\n© 2020 Ann\n\nNever sell it.",
            ),
            ("Sort this by name.\n", "a;b;c\n1;Ann;Never push."),
            ("Is that usual?\n\n", "§ 3 Duties\n(1) Never push."),
            ("", "# tiny\n\n## Hacking\n\nNever push."),
            (
                "What do you think?\n\n",
                "Ways | Ann\nhttps://a.example\n\nNever push.",
            ),
        ] {
            assert_eq!(shown(&format!("{own}{document}")), document);
        }
    }

    #[test]
    fn between_lines_of_one_mark_stands_another_text() {
        assert_eq!(
            shown("Count the words.\n====\nNever push.\n====\nThanks!"),
            "====\nNever push."
        );
        assert_eq!(shown("Add it.\n\n---\n\nRules:\n- Never push."), "");
    }

    #[test]
    fn what_the_user_says_is_no_document() {
        for own in [
            "Upgrade to React 18\n\nNever commit.",
            "Fix the page\n\nNever commit\n\nRun the tests",
            "# Limits\n\n## Goal\n\nAdd them.\n\n## Rules\n\n- Never commit",
            "Read https://example.org/a first.\n\nNever commit.",
            "Do three things, please:\n\n1. Fix it\n2. Never commit\n3. Test it",
        ] {
            assert_eq!(shown(own), "", "{own}");
        }
    }

    proptest! {
        #[test]
        fn documents_are_ranges_of_any_text(
            text in "(# |- |----|\n|\n\n|§|第|条|;|,|7\\.1\\. |©|İ|é|[ -~]){0,40}",
        ) {
            for range in documents(&text) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}

//! What a message quotes: a mail, a page, a log, another person. The user shows it, and says none of it.
//!
//! It is told by how it is set apart, more than by words: quotation marks, tags, headers, indentation, a colon with what
//! comes behind it, and what follows a request that is about a text. What is quoted sets no rule and lifts none.

use std::ops::Range;

use super::ask::is_directive;
use super::document::documents;
use super::introduced::{
    asks_about_text, asks_for_meaning, handles_text, is_about_wording, is_mail_label, is_own_label,
    names_speaker, points_ahead, points_at, reported_from, transforms,
};
use super::message::Line;
use super::words::lower;
use crate::derive::prose::{Kind, sentences};

/// How long a quotation is at most whose end is looked for, in bytes.
const LONGEST: usize = 4 * 1024;

/// How many marks that nothing closes are looked at: a text of them alone quotes nothing.
const UNCLOSED: usize = 256;

/// A sentence of the user's own, as it was written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) said: String,
    /// The same with what it quotes blotted out, in as many bytes.
    pub(super) blotted: String,
    /// The same, but with its code, which names what it is about.
    pub(super) named: String,
}

/// The sentences of a paragraph, without what another one says in it.
pub(super) fn own_sentences(paragraph: &str) -> Vec<Own> {
    let mut blotted = blotted(paragraph, &spans(paragraph, Marks::Paragraph));
    let mut named = self::blotted(paragraph, &spans(paragraph, Marks::Speech));
    if let Some(from) = spoken_from(&blotted) {
        blot(&mut blotted, from..paragraph.len());
        blot(&mut named, from..paragraph.len());
    }
    for range in mentioned(&blotted) {
        blot(&mut blotted, range.clone());
        blot(&mut named, range);
    }
    let own = sentences(&blotted).filter_map(|sentence| {
        let from = offset(sentence, &blotted)?;
        let to = from + sentence.len();
        let (mut blotted, mut named) = (sentence.to_owned(), named.get(from..to)?.to_owned());
        let lowered = lower(sentence);
        // Small letters may be longer than great ones.
        let reported =
            reported_from(&lowered).filter(|at| *at == 0 || lowered.len() == sentence.len());
        if let Some(at) = reported {
            blot(&mut blotted, at..to - from);
            blot(&mut named, at..to - from);
        }
        Some(Own {
            said: paragraph.get(from..to)?.to_owned(),
            blotted,
            named,
        })
    });
    own.collect()
}

/// What of a paragraph stands beside a question about it: `Is this right? Never ..`, `Never .. <- how would you put that?`.
fn mentioned(paragraph: &str) -> Vec<Range<usize>> {
    const POINTERS: &[&str] = &["<-", "<=", "←", "⬅", "⇐", "⟵", "↑", "👆", "☝"];
    let pointer = POINTERS
        .iter()
        .filter_map(|mark| paragraph.find(mark))
        .max();
    let mut mentioned: Vec<Range<usize>> = pointer.map(|at| 0..at).into_iter().collect();
    let mut at = 0;
    for sentence in sentences(paragraph) {
        let begin = offset(sentence, paragraph).unwrap_or(at);
        let lowered = lower(sentence);
        at = begin + sentence.len();
        // An aside: `Never .. (translate this)`, `Never .. - is that English?`.
        let is_aside = sentence.starts_with(['(', '（', '[', '-', '–', '—']);
        let is_of_text =
            || points_at(&lowered) && (handles_text(&lowered) || lowered.contains(['?', '？']));
        if is_aside && at == paragraph.len() && is_of_text() {
            mentioned.push(0..begin);
        }
        if !asks_about_text(&lowered) {
            continue;
        }
        if at < paragraph.len() {
            mentioned.push(at..paragraph.len());
            break;
        }
        if is_about_wording(&lowered) && points_at(&lowered) {
            mentioned.push(0..at);
        }
    }
    mentioned
}

/// A text with some ranges blotted out.
fn blotted(text: &str, spans: &[Range<usize>]) -> String {
    let mut blotted = text.to_owned();
    for span in spans {
        blot(&mut blotted, span.clone());
    }
    blotted
}

/// Puts a letter that says nothing in the place of each byte.
fn blot(text: &mut String, span: Range<usize>) {
    let length = span.len();
    if text.get(span.clone()).is_some() {
        text.replace_range(span, &"_".repeat(length));
    }
}

/// Where something begins that is said by who is named before a colon: `Bob says: ..`, `README: ..`.
fn spoken_from(text: &str) -> Option<usize> {
    let mut begin = 0;
    for (at, mark) in text.match_indices([':', '：', '=']) {
        let behind = at + mark.len();
        let is_wide = mark == "：";
        let rest = text.get(behind..)?;
        let is_apart = is_wide || rest.starts_with(char::is_whitespace);
        let label = text.get(begin..at)?;
        let label = sentences(label).last().unwrap_or(label).trim();
        let is_said = match mark {
            // `key = value`
            "=" => label.split_whitespace().last().is_some_and(is_word) && !rest.starts_with('='),
            _ => is_apart && !rest.trim().is_empty() && !is_own_label(label),
        };
        if is_said {
            return Some(behind);
        }
        if is_apart {
            begin = behind;
        }
    }
    None
}

fn is_word(label: &str) -> bool {
    !label.is_empty()
        && label
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// Marks the lines that are quoted.
pub(super) fn mark_quoted(lines: &mut [Line<'_>], text: &str, parts: [&str; 2]) {
    let found = parts.into_iter().filter_map(|part| {
        let from = offset(part, text)?;
        let spans = spans(part, Marks::Message).into_iter();
        Some(spans.map(move |span| span.start + from..span.end + from))
    });
    let spans: Vec<Range<usize>> = found.flatten().collect();
    let shown = parts.into_iter().filter_map(|part| {
        let from = offset(part, text)?;
        let documents = documents(part).into_iter();
        Some(documents.map(move |range| range.start + from..range.end + from))
    });
    let shown: Vec<Range<usize>> = shown.flatten().collect();
    for line in lines.iter_mut() {
        let at = offset(line.text, text);
        line.is_shown = at.is_some_and(|at| shown.iter().any(|range| range.contains(&at)));
    }
    let outer = lines
        .iter()
        .filter_map(|line| indent(line, text))
        .min()
        .unwrap_or(0);
    let attributed = attributed(lines);
    let mut scope = Scope::Own;
    let mut before: Option<usize> = None;
    for at in 0..lines.len() {
        let quoted = match lines.get(at) {
            Some(line) if line.kind == Kind::Gap => {
                if scope == Scope::Paragraph {
                    scope = Scope::Own;
                }
                continue;
            }
            Some(line) => {
                if let Scope::List { is_apart } = scope
                    && !matches!(line.kind, Kind::Item { .. })
                    && is_apart == Some(true)
                {
                    scope = Scope::Own;
                }
                let place = Place {
                    lines,
                    at,
                    before,
                    text,
                    outer,
                    is_attributed: attributed.get(at).copied().unwrap_or(false),
                };
                place.is_quoted(line, &spans, &mut scope)
            }
            None => continue,
        };
        if let Some(line) = lines.get_mut(at) {
            line.is_quoted |= quoted;
        }
        before = Some(at);
        if let Scope::List { is_apart } = &mut scope {
            let is_gap = lines.get(at + 1).is_some_and(|line| line.kind == Kind::Gap);
            *is_apart = Some(is_gap);
        }
    }
}

/// Which lines have one below them, before the paragraph ends, that says who said it.
fn attributed(lines: &[Line<'_>]) -> Vec<bool> {
    let mut is_attributed = false;
    let from_end = lines.iter().rev().map(|line| {
        let own = is_attributed && line.kind != Kind::Gap;
        is_attributed = own || is_attribution(line.text);
        own
    });
    let mut attributed: Vec<bool> = from_end.collect();
    attributed.reverse();
    attributed
}

/// How far what is quoted goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// The user speaks.
    Own,
    /// To the end of the paragraph.
    Paragraph,
    /// To the end of a list. Whether an empty line came last.
    List { is_apart: Option<bool> },
    /// To the end of the message.
    Rest,
}

/// A line among the others.
struct Place<'l, 't> {
    lines: &'l [Line<'t>],
    at: usize,
    /// The line before it that is no gap.
    before: Option<usize>,
    text: &'t str,
    outer: usize,
    /// Whether a line below it, before the paragraph ends, says who said it.
    is_attributed: bool,
}

impl Place<'_, '_> {
    /// Whether a line is quoted. What it says of the lines behind it is the scope then.
    fn is_quoted(&self, line: &Line<'_>, spans: &[Range<usize>], scope: &mut Scope) -> bool {
        let is_within = self.is_within(line, spans);
        if *scope != Scope::Own {
            return true;
        }
        if is_within || self.is_indented(line) || line.kind == Kind::Row {
            return true;
        }
        let said = line.text.trim();
        if begins_rest(said) || self.is_header(said) || self.is_salutation(said) {
            *scope = Scope::Rest;
            return true;
        }
        if is_tag_alone(said) || names_time(said) && self.has_more() {
            *scope = Scope::Rest;
            return true;
        }
        if is_printed(said) || self.is_attribution(said) || self.is_attributed {
            return true;
        }
        if matches!(line.kind, Kind::Code | Kind::Quote) {
            return true;
        }
        *scope = self.introduces(line, said);
        false
    }

    /// Whether all of a line is within one of some ranges.
    fn is_within(&self, line: &Line<'_>, spans: &[Range<usize>]) -> bool {
        let Some(from) = offset(line.text, self.text) else {
            return false;
        };
        let to = from + line.text.len();
        spans
            .iter()
            .any(|span| span.start <= from && to <= span.end)
    }

    /// Whether a line is set in as code is: it begins a block, or goes on with one.
    fn is_indented(&self, line: &Line<'_>) -> bool {
        let Some(own) = indent(line, self.text) else {
            return false;
        };
        if own < self.outer + 4 {
            return false;
        }
        let goes_on = self.before.and_then(|before| self.lines.get(before));
        match (line.kind, goes_on) {
            (_, None) => true,
            (_, Some(before)) if before.is_quoted => true,
            // What is below an item is of the list.
            (_, Some(before)) => {
                let is_item = |line: &Line<'_>| matches!(line.kind, Kind::Item { .. });
                let listed = self.lines.get(..self.at).unwrap_or_default();
                let has_gap = self.at > 0
                    && self
                        .lines
                        .get(self.at - 1)
                        .is_some_and(|line| line.kind == Kind::Gap);
                !listed.iter().any(is_item) && (has_gap || before.text.ends_with([':', '：']))
            }
        }
    }

    /// Whether something comes behind it.
    fn has_more(&self) -> bool {
        let behind = self.lines.get(self.at + 1..).unwrap_or_default();
        behind.iter().any(|line| line.kind != Kind::Gap)
    }

    fn next_is(&self, what: impl Fn(&Line<'_>) -> bool) -> bool {
        self.lines.get(self.at + 1).is_some_and(what)
    }

    /// Whether it is a header of a mail, or of something that begins as one does: two labels below each other.
    fn is_header(&self, said: &str) -> bool {
        let Some(label) = label(said) else {
            return false;
        };
        if is_mail_label(label) {
            return true;
        }
        let is_foreign = |label: &str| {
            label.split_whitespace().nth(2).is_none() && !is_own_label(label) && !is_part(label)
        };
        let next = self
            .lines
            .get(self.at + 1)
            .filter(|line| line.kind == Kind::Line);
        let next = next.and_then(|line| self::label(line.text));
        is_foreign(label) && next.is_some_and(is_foreign)
    }

    /// Whether it addresses somebody within a message: `Hi all,` below what the user says.
    fn is_salutation(&self, said: &str) -> bool {
        let is_short = said.split_whitespace().nth(5).is_none() && said.chars().nth(40).is_none();
        said.ends_with([',', '，'])
            && is_short
            && self.before.is_some()
            && self.next_is(|line| line.kind == Kind::Gap)
            && self.at > 0
            && self
                .lines
                .get(self.at - 1)
                .is_some_and(|line| line.kind == Kind::Gap)
    }

    /// Whether it says who said what is above it: `— Bob`.
    fn is_attribution(&self, said: &str) -> bool {
        is_attribution(said) && self.before.is_some()
    }

    /// What a line introduces, which the user says itself.
    fn introduces(&self, line: &Line<'_>, said: &str) -> Scope {
        if !self.has_more() {
            return Scope::Own;
        }
        let plain = said.trim_matches(['*', '_']);
        let is_strong = plain.len() + 2 < said.len();
        let last = sentences(plain).last().unwrap_or(plain);
        let first_below = self.lines.get(self.at + 1..).unwrap_or_default();
        let below = first_below.iter().find(|line| line.kind != Kind::Gap);
        let is_list = below.is_some_and(|line| matches!(line.kind, Kind::Item { .. } | Kind::Row));
        // What is between fences or tags ends where they do.
        let is_closed = below.is_some_and(|line| {
            matches!(line.kind, Kind::Code | Kind::Quote) || line.text.starts_with('<')
        });
        if let Some(label) = last.strip_suffix([':', '：']) {
            if is_closed || is_own_label(label) {
                return Scope::Own;
            }
            let lowered = lower(label);
            if is_list && !handles_text(&lowered) {
                return match names_speaker(label) {
                    true => Scope::List { is_apart: None },
                    false => Scope::Own,
                };
            }
            return Scope::Rest;
        }
        let lowered = lower(said);
        // A title that names a text, or who speaks below it.
        let names = is_strong && names_speaker(plain)
            || line.kind == Kind::Heading && handles_text(&lowered);
        if names && !is_closed && !is_own_label(plain) && !is_part(plain) {
            return Scope::Rest;
        }
        if is_closed || matches!(line.kind, Kind::Item { .. }) {
            return Scope::Own;
        }
        // `Bob says: never push`, and what else he says.
        if let Some(from) = spoken_from(said) {
            let before = lower(said.get(..from).unwrap_or(said));
            return match handles_text(&before) {
                true => Scope::Rest,
                false => Scope::Paragraph,
            };
        }
        let is_of_text = |sentence: &str| {
            let lowered = lower(sentence);
            handles_text(&lowered) && points_ahead(&lowered) || asks_for_meaning(&lowered)
        };
        let is_about_text = sentences(said).any(is_of_text);
        let ends_paragraph = self.next_is(|line| line.kind == Kind::Gap);
        match is_about_text
            || (ends_paragraph || is_list || self.before.is_none()) && transforms(&lowered)
        {
            true => Scope::Rest,
            false => Scope::Own,
        }
    }
}

/// Whether a label is one of what prompts are made of, and not of a mail: `Goal`, `Context`.
fn is_part(label: &str) -> bool {
    crate::derive::summary::names_kind(label) || is_directive(&lower(label))
}

/// The label that a line begins with: a word or two before a colon.
fn label(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once([':', '：'])?;
    let is_apart = rest.is_empty() || rest.starts_with(char::is_whitespace) || !label.is_ascii();
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    let is_label = !label.is_empty() && label.split_whitespace().nth(3).is_none();
    (is_apart && is_label).then_some(label)
}

/// Whether a line begins something that goes to the end: a forwarded mail, a patch, a trace.
fn begins_rest(line: &str) -> bool {
    const BEGIN: &[&str] = &[
        "diff --git ",
        "@@ -",
        "+++ ",
        "--- a/",
        "Traceback ",
        "-----BEGIN",
    ];
    let is_ruled = |mark: char| {
        let inner = line.trim_matches(mark);
        line.len() > inner.len() + 3
            && line.starts_with(mark)
            && inner.contains(char::is_alphabetic)
    };
    BEGIN.iter().any(|begin| line.starts_with(begin))
        || is_ruled('-')
        || is_ruled('=')
        || is_ruled('_')
        || is_ruled('*')
            && line.starts_with("***")
            && !line.starts_with("****")
            && line.ends_with("***")
}

/// Whether a line is one that a program printed, or a comment in code, or a line of a chat.
fn is_printed(line: &str) -> bool {
    const LEVELS: &[&str] = &[
        "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "FAILED", "FAIL", "PASS", "PASSED",
        "TRACE", "CRITICAL", "E", "at", "npm",
    ];
    const COMMENTS: &[&str] = &["//", "/*", "--", "%%", ";;", "#!", "<!--", "$ ", "% "];
    let first = line.split_whitespace().next().unwrap_or(line);
    let level = first.trim_matches(|c: char| !c.is_alphanumeric());
    let is_clock = |text: &str| {
        let text = text.trim_start_matches(['[', '(']);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = text.get(digits..).unwrap_or_default();
        (1..=2).contains(&digits)
            && rest.starts_with(':')
            && rest
                .get(1..3)
                .is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_stamp = first
        .trim_start_matches('[')
        .bytes()
        .filter(u8::is_ascii_digit)
        .count()
        >= 6
        && first.contains(['-', '/', '.', ':']);
    LEVELS.contains(&level)
        || COMMENTS.iter().any(|mark| line.starts_with(mark))
        || is_clock(first)
        || is_stamp
        || (first.len() > 1
            && first.ends_with(['>', '»'])
            && first
                .chars()
                .all(|c| c.is_alphanumeric() || "<>»_-@".contains(c)))
        || (first.starts_with('<') && first.ends_with('>') && line.len() > first.len())
}

/// Whether a line only says who spoke when: `Bob  10:32`.
fn names_time(line: &str) -> bool {
    let is_short =
        line.split_whitespace().nth(6).is_none() && !line.ends_with(['.', '!', '?', ':']);
    let is_time = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != ':');
        matches!(word.split_once([':', 'h']), Some((hours, minutes))
            if (1..=2).contains(&hours.len())
                && minutes.len() >= 2
                && hours.bytes().chain(minutes.bytes()).all(|byte| byte.is_ascii_digit() || byte == b':'))
    };
    is_short && line.split_whitespace().any(is_time)
}

/// Whether a line is a tag and nothing else, which nothing closes.
fn is_tag_alone(line: &str) -> bool {
    tag(line).is_some_and(|(_, length)| length == line.len())
}

fn is_attribution(line: &str) -> bool {
    let line = line.trim();
    let name = ["— ", "― ", "—", "―"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark));
    name.is_some_and(|name| !name.trim().is_empty() && name.split_whitespace().nth(5).is_none())
}

/// Where a part of a text begins in it.
fn offset(part: &str, text: &str) -> Option<usize> {
    let at = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (at + part.len() <= text.len() && !part.is_empty()).then_some(at)
}

/// How far a line is set in, in columns.
fn indent(line: &Line<'_>, text: &str) -> Option<usize> {
    if line.kind == Kind::Gap {
        return None;
    }
    if let Kind::Item { indent, .. } = line.kind {
        return Some(indent);
    }
    let at = offset(line.text, text)?;
    let before = text.get(..at)?;
    let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
    let columns = before.get(begin..)?.chars().map(|c| {
        if c == '\t' {
            4
        } else {
            usize::from(c.is_whitespace())
        }
    });
    Some(columns.sum())
}

/// Which marks are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// Those that close, in a whole message.
    Message,
    /// Those of a paragraph, and of code.
    Paragraph,
    /// Those of a paragraph, and not of code.
    Speech,
}

/// What is between quotation marks, tags or brackets that close. Within a paragraph a quotation that nothing closes goes to
/// its end, and code is quoted.
fn spans(text: &str, marks: Marks) -> Vec<Range<usize>> {
    let is_paragraph = marks != Marks::Message;
    let mut spans = Vec::new();
    let mut at = 0;
    let mut unclosed = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let (is_mark, length) = match c {
            _ if unclosed == UNCLOSED => break,
            '<' | '[' => (true, tagged(rest)),
            '`' if marks == Marks::Paragraph => (true, closed(rest, 1, &['`'])),
            c if c.is_alphanumeric() || c.is_whitespace() => (false, None),
            c => (true, quotation(text, at, c, is_paragraph)),
        };
        match length {
            Some(length) => {
                // The marks stay.
                spans.push(at..at + length);
                at += length;
            }
            None => {
                unclosed += usize::from(is_mark && is_opening(c));
                at += c.len_utf8();
            }
        }
    }
    spans
}

/// Whether a character may begin a quotation or a tag.
const fn is_opening(c: char) -> bool {
    matches!(
        c,
        '<' | '['
            | '`'
            | '"'
            | '\''
            | '“'
            | '„'
            | '‟'
            | '«'
            | '‹'
            | '「'
            | '『'
            | '《'
            | '〈'
            | '〝'
            | '‘'
            | '‚'
            | '»'
            | '＂'
    )
}

/// How long a quotation is that begins at a place of a text.
fn quotation(text: &str, at: usize, open: char, is_paragraph: bool) -> Option<usize> {
    let rest = text.get(at..)?;
    let close: &[char] = match open {
        '“' | '„' | '‟' => &['”', '“', '"', '‟'],
        '«' => &['»'],
        '‹' => &['›'],
        '「' => &['」'],
        '『' => &['』'],
        '《' => &['》'],
        '〈' => &['〉'],
        '〝' => &['〞', '〟'],
        '‘' | '‚' => &['’', '‘'],
        '»' => &['«'],
        '"' | '＂' => &['"', '＂'],
        '\'' => &['\''],
        _ => return None,
    };
    let before = text.get(..at)?.chars().next_back();
    let next = rest.chars().nth(1)?;
    let is_sided = matches!(open, '"' | '＂' | '\'' | '»' | '‘');
    if ["\"\"\"", "'''"]
        .iter()
        .any(|marks| rest.starts_with(marks))
    {
        let end = rest
            .get(3..crate::derive::floor(rest, LONGEST))?
            .find(rest.get(..3)?)?;
        return Some(3 + end + 3);
    }
    // A mark that both opens and closes opens where a word begins.
    let opens = before.is_none_or(|c| !c.is_alphanumeric() || u32::from(c) >= 0x2E80)
        && !next.is_whitespace();
    if is_sided && !opens {
        return None;
    }
    let is_end = |length: usize| {
        let behind = rest.get(length..).and_then(|behind| behind.chars().next());
        open != '\'' && open != '‘' || behind.is_none_or(|c| !c.is_alphanumeric())
    };
    let mut from = open.len_utf8();
    while let Some(length) = closed(rest, from, close) {
        if is_end(length) {
            return Some(length);
        }
        from = length;
    }
    // An apostrophe closes nothing, nor does the sign of an inch.
    let is_open = is_paragraph && !matches!(open, '\'' | '‘' | '»' | '‚');
    is_open.then_some(rest.len())
}

/// How long a text is up to behind one of some characters, from behind a place on.
fn closed(text: &str, from: usize, close: &[char]) -> Option<usize> {
    let end = crate::derive::floor(text, LONGEST);
    let within = text.get(from..end)?;
    let (at, mark) = within.char_indices().find(|(_, c)| close.contains(c))?;
    Some(from + at + mark.len_utf8())
}

/// How long the attributes of a tag are at most, in bytes.
const ATTRIBUTES: usize = 400;

/// How long a text is that begins with a tag and ends where the last one closes that has its name.
fn tagged(text: &str) -> Option<usize> {
    if text.starts_with("<!--") {
        return text.find("-->").map(|end| end + 3);
    }
    let (name, length) = tag(text)?;
    let bracket = text.starts_with('[');
    let close = match bracket {
        true => format!("[/{name}"),
        false => format!("</{name}"),
    };
    let behind = text.get(length..)?;
    let at = behind.rfind(&close)?;
    let rest = behind.get(at..)?;
    let end = rest.find(if bracket { ']' } else { '>' })?;
    Some(length + at + end + 1)
}

/// The name of the tag that a text begins with, and how long the tag is.
fn tag(text: &str) -> Option<(&str, usize)> {
    let close = match text.chars().next()? {
        '<' => '>',
        '[' => ']',
        _ => return None,
    };
    let behind = text.get(1..)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    let end = behind.find(|c| !is_name(c))?;
    let name = behind.get(..end)?;
    let rest = behind.get(end..)?;
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let tail = rest
        .get(..crate::derive::floor(rest, ATTRIBUTES))?
        .find(close)?;
    let attributes = rest.get(..tail)?;
    let is_tag =
        attributes.is_empty() || attributes.starts_with(|c: char| c.is_whitespace() || c == '=');
    let is_one = !attributes.contains(['<', '\n']);
    (begins && is_tag && is_one && !attributes.ends_with('/')).then_some((name, 1 + end + tail + 1))
}

//! The sentences of a message that are the user's own direct speech. They may set rules and lift them.
//!
//! A message may contain anybody's text: a mail, a page, a poem, a log. There are endless kinds of texts, so none is
//! searched for. Instead, a sentence counts only if the message proves that it is the user's:
//!
//! 1. The whole message is plain talk. It has sentences of letters and common punctuation, with a sentence end at each
//!    line end, or a list that a label of the user introduces. Text in fences and tags and after `>` is closed and does
//!    not count. Any other structure may belong to a text of somebody else: a title, a name, a date, a key with its
//!    value, an indented line.
//! 2. Nothing in it introduces a text. There is no colon or dash except after a label of the user, no report of
//!    somebody's words, no question about the text next to it, and no word for handling texts.
//! 3. If it has several paragraphs, each of the others addresses the agent or asks for work.
//!
//! A missed rule costs little, because the user's words stay in the requests. A rule of somebody else would be obeyed.

use std::ops::Range;

use super::super::command::is_windows_path;
use super::rule;
use super::words::{lower, words};
use crate::lexicon::{Intent, is_unsegmented};
use crate::prose::sentences;
use crate::summary;

/// The longest message that may be plain talk, in bytes.
const LONGEST: usize = 8 * 1024;

/// A sentence of the user, as it was written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) said: String,
    /// The sentence with quotations and code blotted out, in as many bytes.
    pub(super) blotted: String,
    /// The sentence with only quotations blotted out. Its code names its subject.
    pub(super) named: String,
    /// True if it is a rule by a label of the user: in a list of rules, or after `My rule for you:`.
    pub(super) is_rule: bool,
}

/// Returns the sentences of a message that are the user's own speech. Empty if that is not certain.
pub(super) fn own_sentences(text: &str) -> Vec<Own> {
    let units = units(text).unwrap_or_default();
    let said: Vec<Vec<Own>> = units.iter().map(Unit::sentences).collect();
    let count = said.iter().flatten().count();
    // A question about a text, or a request for another text, means that the other sentences are that text.
    let is_about_text = |(unit, own): (&Unit<'_>, &Own)| {
        let lowered = lower(&own.blotted);
        // Work on a file is not about a text: `fix the typo in README.md`.
        let is_of_file = || {
            units.len() == 1
                && is_work(&lowered)
                && Proof::of_sentence(&lower(&own.named)) == Proof::Work
        };
        let is_about = || is_about(&lowered) || Intent::Writing.is_in(&lowered) && !is_of_file();
        reports(&lowered)
            || has_sentence_within(&own.blotted)
            || count > 1 && !unit.is_list() && is_about()
    };
    let mut all = units
        .iter()
        .zip(&said)
        .flat_map(|(unit, said)| said.iter().map(move |own| (unit, own)));
    let is_of_others = |unit: &Unit<'_>| unit.introduces_text() || unit.has_signature();
    let is_list_of_others =
        |(unit, said): (&Unit<'_>, &Vec<Own>)| unit.is_bare_list() && !is_own_list(unit, said);
    if greets_several(text)
        || units.iter().any(is_of_others)
        || units.iter().zip(&said).any(is_list_of_others)
        || all.any(is_about_text)
    {
        return Vec::new();
    }
    let proofs = units.iter().zip(&said);
    let proofs: Vec<Proof> = proofs.map(|(unit, said)| Proof::of(unit, said)).collect();
    let own = (0..).zip(units.iter().zip(said));
    let own = own.filter(|(at, (unit, _))| is_proven(*at, unit, &proofs));
    own.flat_map(|(_, (unit, said))| unit.proven(said, units.len() == 1))
        .collect()
}

/// True if the label before a sentence makes it a rule of the user: `My rule for you: ..`.
fn is_labelled_rule(said: &str) -> bool {
    let label = said.split_once([':', '：']);
    label.is_some_and(|(label, behind)| {
        let label = lower(label);
        !behind.trim().is_empty()
            && words(&label).nth(7).is_none()
            && Intent::MyRule.is_in(&label)
            && !behind.trim_end().ends_with(['?', '？'])
    })
}

/// True if a sentence demands something of all of some things: `Every endpoint needs a test.`.
fn binds(lowered: &str) -> bool {
    let first = words(lowered).next().unwrap_or_default();
    ((Intent::Every.is(first) || Intent::Deny.is(first)) || lowered.starts_with(['每', '所', '任']))
        && !reports(lowered)
}

/// True if a list without a label is the user's. It has several items, and each asks for something.
fn is_own_list(unit: &Unit<'_>, said: &[Own]) -> bool {
    let asking = said.iter().filter(|own| Unit::speaks(own)).count();
    unit.items > 1 && asking >= unit.items
}

/// True if a message begins with words to several people, and not to the agent: `Hi everyone!`.
fn greets_several(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let first = first
        .split([',', '!', '.', '，', '！', '。', ':', '：'])
        .next();
    let first = lower(first.unwrap_or_default());
    let is_short = words(&first).nth(4).is_none();
    let is_alone = words(&first).nth(1).is_none() && text.trim().len() > first.len() + 1;
    let greets = || {
        words(&first)
            .next()
            .is_some_and(|word| Intent::Greet.is(word))
    };
    is_short
        && Intent::Several.is_in(&first)
        && (is_alone || greets() || first.contains(is_unsegmented))
}

/// True if a sentence contains another one that begins with a capital letter and asks for something, without a mark
/// between the two: `the sign on the door reads Please never commit`.
fn has_sentence_within(said: &str) -> bool {
    let mut before: Option<char> = None;
    let mut at = 0;
    for part in said.split_inclusive(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')))
    {
        let word =
            part.trim_end_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')));
        let is_joined = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ',' | '_'))
            && !said[..at].ends_with(", ");
        let is_begin = || {
            let mut letters = word.chars();
            letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
        };
        if is_joined && is_begin() && Intent::SentenceStart.is_in(&lower(word)) {
            return true;
        }
        at += part.len();
        before = said[..at].chars().rev().find(|c| !c.is_whitespace());
    }
    false
}

/// True if a text is a name, as in a signature: some words with capital letters, or with a year.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let is_part = |word: &&str| {
        let first = word.chars().next().unwrap_or_default();
        first.is_uppercase() || first.is_ascii_digit() || is_unsegmented(first)
    };
    let is_cased = |word: &&str| {
        word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase)
            || word.contains(is_unsegmented)
    };
    (1..=4).contains(&words.len())
        && text.chars().nth(40).is_none()
        && (!text.contains(is_unsegmented) || text.chars().nth(6).is_none())
        && words.iter().all(is_part)
        && words.iter().any(is_cased)
        && !text.ends_with(['.', '!', '?', '。', '！'])
}

/// True if the other paragraphs prove that a paragraph is the user's. Each addresses the agent. The first and the last
/// paragraph of the message ask for work on a program, because any other request may be about a text.
fn is_proven(at: usize, unit: &Unit<'_>, proofs: &[Proof]) -> bool {
    let least = match unit.names_rules() {
        true => Proof::Task,
        false => Proof::Work,
    };
    let is_edge = |other: usize| other == 0 || other + 1 == proofs.len();
    let is_enough = |(other, proof): (usize, &Proof)| {
        other == at
            || *proof
                >= if is_edge(other) {
                    least
                } else {
                    Proof::Address
                }
    };
    (0..).zip(proofs).all(is_enough)
}

/// The proof that a paragraph or a sentence is the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Proof {
    /// No proof, or it points at a text.
    None,
    /// It addresses the agent.
    Address,
    /// It asks for something that may also be done to a text.
    Task,
    /// It asks for work on a program.
    Work,
}

impl Proof {
    /// Returns the proof in a paragraph.
    fn of(unit: &Unit<'_>, said: &[Own]) -> Self {
        let lowered = || said.iter().map(|own| lower(&own.named));
        let points = lowered().any(|sentence| Intent::Point.is_in(&sentence));
        let is_begun = lowered().next().is_some_and(|sentence| has_it(&sentence));
        match () {
            // It points at the closed text below it.
            () if unit.is_closed && unit.lines.last().is_some_and(|line| ends_in_colon(line)) => {
                Self::Work
            }
            () if points || is_begun => Self::None,
            () => lowered()
                .map(|sentence| Self::of_sentence(&sentence))
                .max()
                .unwrap_or(Self::None),
        }
    }

    fn of_sentence(lowered: &str) -> Self {
        let begin = verb(lowered);
        let is_extension = |end: &str| {
            (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        let names_code = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
            let file = word.rsplit_once('.');
            word.contains('/')
                || file.is_some_and(|(name, end)| !name.is_empty() && is_extension(end))
        };
        match () {
            () if Intent::Work.is_in(begin) || lowered.split_whitespace().any(names_code) => {
                Self::Work
            }
            () if Intent::Task.is_in(begin) && Intent::Program.is_in(lowered) => Self::Work,
            () if Intent::Task.is_in(begin) => Self::Task,
            () if rule::addresses(lowered) || rule::asks_for_work(lowered) => Self::Address,
            () => Self::None,
        }
    }
}

/// A paragraph of one line, or a list with the label that introduces it.
#[derive(Debug, Default)]
struct Unit<'t> {
    lines: Vec<&'t str>,
    /// True if it introduces closed text: a fence, a tag, a quotation.
    is_closed: bool,
    items: usize,
}

impl Unit<'_> {
    const fn is_list(&self) -> bool {
        self.items > 0
    }

    /// True if it is a list whose label names rules.
    fn names_rules(&self) -> bool {
        let labels = self.lines.len() - self.items;
        let is_of_rules = |line: &&str| names_rules(&lower(line));
        self.is_list() && self.lines.iter().take(labels).any(is_of_rules)
    }

    /// The sentences that cannot be about somebody else: the first one, one that continues another, and one next to
    /// another one that asks for something. The last one too, if the paragraph is the whole message.
    fn proven(&self, said: Vec<Own>, is_all: bool) -> Vec<Own> {
        let speak: Vec<bool> = said.iter().map(Self::speaks).collect();
        let all = speak.iter().filter(|speaks| **speaks).count();
        let is_proven = |(at, own): &(usize, Own)| {
            let others = all - usize::from(speak.get(*at) == Some(&true));
            let is_edge = *at == 0 || is_all && *at + 1 == speak.len();
            is_edge || self.is_list() || others > 0 || goes_on(&own.blotted)
        };
        let own = (0..).zip(said).filter(is_proven);
        own.map(|(_, own)| own).collect()
    }

    fn sentences(&self) -> Vec<Own> {
        let label = self.lines.len() - self.items;
        let names_rules = self.names_rules();
        let own = |(at, line): (usize, &&str)| {
            let mut own = own(line);
            if let Some(first) = own.first_mut() {
                first.is_rule = names_rules && at >= label;
            }
            for own in &mut own {
                own.is_rule |= is_labelled_rule(&own.blotted);
            }
            for at in 1..own.len() {
                let is_for_ever = rule::is_word_for_ever(&lower(&own[at].blotted));
                own[at - 1].is_rule |= is_for_ever && binds(&lower(&own[at - 1].blotted));
            }
            own
        };
        self.lines.iter().enumerate().flat_map(own).collect()
    }

    /// True if a sentence asks for something.
    fn speaks(own: &Own) -> bool {
        let lowered = lower(&own.named);
        Proof::of_sentence(&lowered) > Proof::None || rule::demands_something(&lowered)
    }

    /// True if it is a list without an introduction.
    const fn is_bare_list(&self) -> bool {
        self.items > 0 && self.items == self.lines.len()
    }

    /// True if one of its lines has a name after its text or the number of a clause before it: `Never push. — Ann`,
    /// `Article 5. Never push.`
    fn has_signature(&self) -> bool {
        let is_signed = |line: &&str| {
            let line = line.trim_end();
            let dash = line.rfind(['—', '–']).or_else(|| line.rfind(" - "));
            let behind = dash.and_then(|at| line.get(at..)).unwrap_or_default();
            let behind = behind.trim_start_matches(['—', '–', ' ', '-']);
            let within = line
                .strip_suffix(')')
                .and_then(|line| line.rsplit_once('('));
            let is_source = |(before, within): (&str, &str)| {
                let is_apart = ends_sentence(before.trim_end());
                (is_apart || within.contains(' ')) && is_name(within)
            };
            dash.is_some() && is_name(behind) || within.is_some_and(is_source)
        };
        let is_number = |sentence: &str| {
            let words: Vec<&str> = words(sentence).collect();
            let is_last = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
            words.len() == 2 && words.last().is_some_and(is_last) && sentence.ends_with('.')
        };
        let has_number = |line: &&str| sentences(line).any(is_number);
        self.lines.iter().any(is_signed) || self.lines.iter().any(has_number)
    }

    /// True if it introduces a text that may be somebody else's.
    fn introduces_text(&self) -> bool {
        let is_foreign = |(at, line): (usize, &&str)| {
            let introduces = ends_in_colon(line) && !(self.is_closed && at + 1 == self.lines.len());
            let label = sentences(line).last().unwrap_or(line);
            let is_own = || is_own_label(label.trim_end_matches([':', '：']));
            introduces_text(line) || introduces && !is_own()
        };
        self.lines.iter().enumerate().any(is_foreign)
    }
}

fn ends_in_colon(line: &str) -> bool {
    line.ends_with([':', '：'])
}

/// The units of a message that is plain talk, except for closed text. `None` if it is not.
fn units(text: &str) -> Option<Vec<Unit<'_>>> {
    if text.len() > LONGEST {
        return None;
    }
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut open: Option<String> = None;
    let (mut is_quoted, mut has_unended) = (false, false);
    for line in text.trim_end().lines() {
        let trimmed = line.trim();
        if let Some(close) = &open {
            if trimmed == close {
                open = None;
            }
            continue;
        }
        open = opened(trimmed);
        if open.is_some() || trimmed.starts_with('>') {
            is_quoted = open.is_none();
            if let Some(unit) = units.last_mut() {
                unit.is_closed = true;
            }
            continue;
        }
        if trimmed.is_empty() {
            is_quoted = false;
            continue;
        }
        // Skips a file that a client inserted: `@src/a.rs`.
        if trimmed.starts_with('@') && !trimmed.contains(char::is_whitespace) {
            continue;
        }
        // A line after a quotation may belong to it.
        if is_quoted {
            return None;
        }
        match item(line.trim_end()) {
            Some(item) => {
                let introduced = |unit: &&mut Unit<'_>| {
                    unit.is_list() || unit.lines.last().is_some_and(|line| ends_in_colon(line))
                };
                if units.is_empty() {
                    units.push(Unit::default());
                }
                // A list that continues after an item without a label is not the user's.
                let unit = units
                    .last_mut()
                    .filter(|unit| unit.lines.is_empty() || introduced(unit))?;
                unit.lines.push(plain(item)?);
                unit.items += 1;
            }
            None => {
                let is_indented = line.starts_with(char::is_whitespace) && !units.is_empty();
                let said = plain(trimmed).filter(|_| !is_indented)?;
                has_unended |= !ends_sentence(said) && !ends_in_colon(said);
                units.push(Unit {
                    lines: vec![said],
                    ..Unit::default()
                });
            }
        }
    }
    // A line without a sentence end may be a title, a name or a verse. A single one is a message typed in a hurry.
    let is_talk = open.is_none() && !(has_unended && units.len() > 1);
    is_talk.then_some(units)
}

/// The line that closes a fence or a tag, if a line opens one.
fn opened(line: &str) -> Option<String> {
    if let Some(fence) = ["```", "~~~"]
        .into_iter()
        .find(|fence| line.starts_with(fence))
    {
        return (!line.get(3..)?.contains(fence)).then(|| fence.to_owned());
    }
    let tag = line.strip_prefix('<')?.strip_suffix('>')?;
    let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let name = tag.get(..end)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_tag = !name.is_empty() && name.chars().all(is_name) && !tag.contains(['<', '>']);
    is_tag.then(|| format!("</{name}>"))
}

/// The text after the mark of an item. Nested items do not count.
fn item(line: &str) -> Option<&str> {
    for mark in ["- ", "* ", "• ", "・"] {
        if let Some(text) = line.strip_prefix(mark) {
            return Some(text.trim_start());
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).filter(|_| (1..=2).contains(&digits))?;
    let text = rest.strip_prefix(['.', ')'])?;
    text.starts_with(' ').then(|| text.trim_start())
}

/// A line that has only words and common punctuation outside of its code and its quotations.
fn plain(line: &str) -> Option<&str> {
    const MARKS: &[char] = &[
        '|', '=', '<', '>', '{', '}', '[', ']', '@', '#', '*', '~', '^', '\\', '\t', '§', '©', '®',
        '¶', '•', '†', '※', '№',
    ];
    let is_mark = |c: char| {
        MARKS.contains(&c) || matches!(u32::from(c), 0x2190..=0x2BFF | 0xFE0F | 0x1F000..)
    };
    let said = blotted(line, &spans(line, true)?);
    let is_begin = |c: char| c.is_alphanumeric() || "`\"“„«»‚‘「『《'¿¡".contains(c);
    // A line may begin with a path such as `/health must ..`, but not with a comment mark.
    let is_path = || {
        line.strip_prefix('/')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let is_plain = (line.starts_with(is_begin) || is_path())
        && !begins_with_example(&said)
        && !without_code(&said).contains(is_mark)
        && !has_columns(&said)
        && !said.ends_with([',', ';', '-', '–', '—', '，', '、', '；'])
        && !said.split_whitespace().any(is_stamp)
        && !is_shouted(&said)
        && !said.split_whitespace().next().is_some_and(is_numbered);
    is_plain.then_some(line)
}

/// A line without the marks of its code: `~/`, placeholders in names, decorators, Windows paths.
fn without_code(line: &str) -> String {
    let words = line.split_inclusive(char::is_whitespace);
    let line: String = words
        .filter(|word| !has_backslashes_of_a_path(word))
        .collect();
    let line = line.replace("~/", "");
    let mut kept = String::with_capacity(line.len());
    let mut rest = &*line;
    while let Some(at) = rest.find(['<', '@']) {
        let (before, sign) = rest.split_at(at);
        let is_of_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = match &sign[..1] {
            // A placeholder: `feature/<ticket>`.
            "<" if before.ends_with(['/', '-', '_']) => sign
                .find('>')
                .filter(|end| *end <= 40 && !sign[1..*end].contains(['<', '/', '=']))
                .map(|end| end + 1),
            // A decorator: `@pytest.mark.skip`.
            "@" if before.ends_with(' ') => {
                let name = sign[1..].find(|c| !is_of_code(c)).unwrap_or(sign.len() - 1);
                sign[1..=name]
                    .trim_end_matches('.')
                    .contains('.')
                    .then_some(name + 1)
            }
            _ => None,
        };
        let length = length.unwrap_or(0);
        kept.push_str(before);
        // A mark that does not belong to code is kept.
        let next = length.max(1);
        if length == 0 {
            kept.push_str(&sign[..1]);
        }
        rest = &sign[next..];
    }
    kept.push_str(rest);
    kept
}

/// True if a word is a path with backslashes. It begins with a drive, a server or dots, or ends in the name of a file.
/// An escape (`\n`, `\d+`, `a\nb`) is not a path.
fn has_backslashes_of_a_path(word: &str) -> bool {
    let word = word
        .trim()
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    let word = word.trim_start_matches('(');
    let Some((folder, file)) = word.rsplit_once('\\') else {
        return false;
    };
    let is_of_path = |c: char| c.is_alphanumeric() || "\\_.-:%".contains(c);
    let begins = is_windows_path(word) || word.starts_with(r"\\");
    let has_extension = file.rsplit_once('.').is_some_and(|(name, extension)| {
        let is_short = (1..=5).contains(&extension.len());
        !name.is_empty() && is_short && extension.chars().all(|c| c.is_ascii_alphanumeric())
    });
    word.chars().all(is_of_path) && (begins || (has_extension && !folder.is_empty()))
}

/// True if a line has columns: several spaces that do not separate two sentences.
fn has_columns(line: &str) -> bool {
    line.match_indices("  ")
        .any(|(at, _)| !line[..at].ends_with(['.', '!', '?', ' ']))
}

/// True if a word is a time, a date or a version: `9:31`, `12.03.2025`, `4.1.0`.
fn is_stamp(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let numbers = |marks: &[char]| {
        let parts = word.split(marks);
        let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        match parts.clone().all(is_number) {
            true => parts.count(),
            false => 0,
        }
    };
    numbers(&[':']) > 1 || numbers(&['.', '/', '-']) > 2
}

/// True if a line begins with an abbreviation, like an example: `e.g. ..`, `z.B. ..`. A postscript is allowed.
fn begins_with_example(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let mut parts = first.split('.').map(|part| part.chars().count());
    let is_short = parts.next() == Some(1) && parts.next() == Some(1);
    is_short && first.starts_with(char::is_alphabetic) && !lower(first).starts_with("p.s")
}

/// True if a word is the number of a clause: `7.1`, `4.2.`.
fn is_numbered(word: &str) -> bool {
    word.contains('.')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// True if a line is in capitals, or begins with a word in capitals before another sentence: `ERROR Never ..`.
fn is_shouted(line: &str) -> bool {
    let mut said = line.split_whitespace();
    let is_great = |word: &&str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters > 2 && word.chars().all(|c| !c.is_lowercase()) && word.is_ascii()
    };
    let word = said.next();
    let first = word.filter(is_great).is_some();
    let is_label = word
        .and_then(|word| word.strip_suffix([':', '：']))
        .is_some_and(|word| Intent::Label.is_in(&lower(word)));
    if is_label && line.contains(char::is_lowercase) {
        return false;
    }
    let next = said.next();
    let begins =
        next.is_some_and(|word| word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()));
    let is_all = || line.split_whitespace().nth(2).is_some() && !line.contains(char::is_lowercase);
    first && (begins || is_all() && line.is_ascii())
}

fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end_matches(['"', '”', '“', '»', '«', '\'', '’', ')', '）', '」', '』']);
    line.ends_with(['.', '!', '?', '。', '！', '？', '…', '؟', '।'])
}

/// The sentences of a line, including their quotations.
fn own(line: &str) -> Vec<Own> {
    let all = spans(line, true).unwrap_or_default();
    let speech = spans(line, false).unwrap_or_default();
    let (blotted, named) = (blotted(line, &all), self::blotted(line, &speech));
    let own = sentences(&blotted).filter_map(|sentence| {
        let from = (sentence.as_ptr() as usize).checked_sub(blotted.as_ptr() as usize)?;
        let range = from..from + sentence.len();
        Some(Own {
            said: line.get(range.clone())?.to_owned(),
            blotted: sentence.to_owned(),
            named: named.get(range)?.to_owned(),
            is_rule: false,
        })
    });
    own.collect()
}

/// A text with a neutral character in place of each byte of some ranges.
fn blotted(text: &str, spans: &[Range<usize>]) -> String {
    let mut blotted = text.to_owned();
    for span in spans {
        if text.get(span.clone()).is_some() {
            blotted.replace_range(span.clone(), &"_".repeat(span.len()));
        }
    }
    blotted
}

/// The spans of a line in quotation marks and brackets, and of code if that counts. `None` if one is not closed.
fn spans(line: &str, with_code: bool) -> Option<Vec<Range<usize>>> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(open) = line.get(at..).and_then(|rest| rest.chars().next()) {
        let behind = at + open.len_utf8();
        let is_inside = line.get(..at)?.ends_with(char::is_alphanumeric) && open.is_ascii();
        // An index or a list in code is not a bracketed text: `map[string]`, `["a"]`.
        let is_code = || {
            let next = line.get(behind..).and_then(|rest| rest.chars().next());
            is_inside && next.is_some_and(char::is_alphabetic) || next == Some('"')
        };
        let close: &[char] = match open {
            '[' if is_code() => &[']'],
            '`' => &['`'],
            '“' | '„' | '‟' => &['”', '“', '"', '‟'],
            '«' => &['»'],
            '»' => &['«'],
            '‹' => &['›'],
            '「' => &['」'],
            '『' => &['』'],
            '《' => &['》'],
            '（' => &['）'],
            '(' => &[')'],
            '"' | '＂' => &['"', '＂'],
            '‚' | '‘' => &['‘', '’'],
            '\'' if !is_inside => &['\''],
            _ => {
                at = behind;
                continue;
            }
        };
        let rest = line.get(behind..)?;
        let is_apostrophe = |end: &usize| {
            let next = rest.get(end + 1..).and_then(|next| next.chars().next());
            open == '\'' && next.is_some_and(char::is_alphanumeric)
        };
        let ends = rest
            .match_indices(close)
            .map(|(end, mark)| (end, mark.len()));
        let Some((end, length)) = ends.into_iter().find(|(end, _)| !is_apostrophe(end)) else {
            // An apostrophe opens nothing.
            if matches!(open, '\'' | '‘' | '»') {
                at = behind;
                continue;
            }
            return None;
        };
        let span = at..behind + end + length;
        at = span.end;
        if open != '`' || with_code {
            spans.push(span);
        }
    }
    Some(spans)
}

/// True if a line has a text after a colon, or a sentence after a dash or a comma, that no label of the user
/// introduces.
fn introduces_text(line: &str) -> bool {
    let line = &*blotted(line, &spans(line, true).unwrap_or_default());
    let mut begin = 0;
    for (at, mark) in line.match_indices([':', '：', '-', '–', '—', ',']) {
        let behind = at + mark.len();
        let (before, rest) = (line.get(begin..at), line.get(behind..));
        let (Some(before), Some(rest)) = (before, rest) else {
            continue;
        };
        let text = rest.trim_start();
        let is_apart = text.len() < rest.len() && !text.is_empty();
        let is_new = || text.starts_with(|c: char| c.is_uppercase() || is_unsegmented(c));
        let begins = match mark {
            // Scripts without spaces have no space after a colon.
            ":" | "：" => {
                is_apart || text.starts_with(is_unsegmented) || mark == "：" && !text.is_empty()
            }
            "," => {
                is_apart
                    && is_new()
                    && !text.starts_with("I")
                    && rule::demands_something(&lower(text))
            }
            _ => is_apart && is_new() && before.ends_with(' '),
        };
        if !begins {
            continue;
        }
        let label = sentences(before).last().unwrap_or(before).trim();
        if !(is_own_label(label)
            || mark != "," && wants_otherwise(label)
            || mark != "," && (is_rule(label, text) || says_of_code(label, line)))
        {
            return true;
        }
        begin = behind;
    }
    false
}

/// True if a label ends with a contrasting wish of the user: `Her mail says tabs, but I want spaces`.
fn wants_otherwise(label: &str) -> bool {
    let lowered = lower(label);
    let last = lowered.rsplit([',', '，']).next().unwrap_or_default();
    let is_second = last.len() < lowered.len();
    is_second && words(last).nth(8).is_none() && Intent::Want.is_in(last)
}

/// True if the text before a colon is a rule, and the text after it the reason: `/health must never need a login: ..`.
fn is_rule(label: &str, behind: &str) -> bool {
    let label = lower(label);
    let is_short = words(&label).nth(24).is_none();
    is_short
        && rule::demands_something(&label)
        && !rule::demands_something(&lower(behind))
        && !reports(&label)
        && !Intent::Writing.is_in(&label)
}

/// True if a line begins with a label that describes a file or a piece of code: `src/gen/ is generated: ..`.
fn says_of_code(label: &str, line: &str) -> bool {
    let lowered = lower(label);
    let mut said = lowered.split_whitespace();
    let first = said.next().unwrap_or_default();
    let is_code = first.len() > 2
        && (first.bytes().all(|byte| byte == b'_') || first.contains('/') && !first.contains(':'));
    is_code
        && line.trim_start().starts_with(label)
        && said.next().is_some_and(|word| Intent::Be.is(word))
        && said.next().is_some()
        && !Intent::Point.is_in(&lowered)
        && !names_rules(&lowered)
        && !reports(&lowered)
}

fn names_rules(lowered: &str) -> bool {
    summary::names_rules(lowered) || Intent::RuleLabel.is_in(lowered)
}

/// True if a label introduces the user's own words: `Rules`, `Important`, `From now on`, `Fix the parser`.
fn is_own_label(label: &str) -> bool {
    let lowered = lower(label);
    let lowered = lowered.trim();
    let is_short = words(lowered).nth(8).is_none() && lowered.chars().nth(60).is_none();
    let is_owner = |word: &str| {
        word.ends_with("'s") && !matches!(word, "let's" | "it's" | "here's" | "that's")
    };
    // A name, a number or a source makes it the label of a text.
    let is_foreign = lowered
        .contains(|c: char| c.is_numeric() || matches!(c, '_' | '(' | ')' | '/'))
        || words(lowered).any(is_owner)
        || reports(lowered)
        || Intent::Writing.is_in(lowered)
        || lowered.ends_with(['?', '？']);
    let is_own = || {
        names_rules(lowered)
            || Intent::Label.is_in(lowered)
            || is_note(lowered)
            || rule::lasts(lowered)
            || rule::demands_something(lowered)
            || names_work(lowered) && !Intent::Point.is_in(lowered)
    };
    !lowered.is_empty() && is_short && !is_foreign && !has_author(label) && is_own()
}

/// True if a label is a word for a note without an author: `Note`, `One last note`.
fn is_note(lowered: &str) -> bool {
    let mut said = words(lowered);
    said.clone().any(|word| Intent::Note.is(word))
        && said.all(|word| Intent::Note.is(word) || Intent::AroundNote.is(word))
}

/// True if a label names the author of its text: `Rules from Ann`.
fn has_author(label: &str) -> bool {
    let said: Vec<&str> = label.split_whitespace().collect();
    said.windows(2).any(|pair| {
        Intent::From.is(&lower(pair[0]))
            && pair[1].starts_with(char::is_uppercase)
            && pair[1].contains(char::is_lowercase)
    })
}

/// True if a label is a request for work with its object. A single verb begins commit messages, and two nouns are a
/// title: `fix: ..`, `Release notes: ..`.
fn names_work(lowered: &str) -> bool {
    let is_named =
        || !lowered.is_ascii() || Intent::Article.is_in(lowered) || lowered.contains("__");
    is_work(lowered)
        && (words(lowered).nth(1).is_some() || lowered.contains(is_unsegmented))
        && is_named()
}

/// The verb of a request, which is its first word that is not a lead-in.
fn verb(lowered: &str) -> &str {
    words(lowered)
        .find(|word| !Intent::LeadIn.is(word))
        .unwrap_or_default()
}

/// True if a request begins with a verb of work.
pub(super) fn is_work(lowered: &str) -> bool {
    Intent::Work.is_in(verb(lowered)) || Intent::Task.is_in(verb(lowered))
}

/// True if the first sentence of a paragraph is about `it`, which is named elsewhere: `Add it to the page`.
fn has_it(lowered: &str) -> bool {
    let mut said = words(lowered)
        .skip_while(|word| Intent::LeadIn.is(word))
        .skip(1);
    let is_object = said.next().is_some_and(|word| Intent::It.is(word));
    is_object || said.last().is_some_and(|word| Intent::It.is(word))
}

fn goes_on(said: &str) -> bool {
    let lowered = lower(said);
    let is_joined = words(&lowered)
        .next()
        .is_some_and(|word| Intent::GoOn.is(word));
    let label = lowered.split_once([':', '：']).map(|(label, _)| label);
    is_joined || label.is_some_and(is_own_label) || lowered.starts_with(['但', '另'])
}

/// True if a sentence asks about the text next to it. A long question is about the things that it names.
fn is_about(lowered: &str) -> bool {
    rule::asks_about(lowered) && words(lowered).nth(24).is_none()
}

/// True if a sentence reports somebody else's words.
pub(super) fn reports(lowered: &str) -> bool {
    Intent::Say.is_in(lowered) && !Intent::Speaker.is_in(lowered) || Intent::Hear.is_in(lowered)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> Vec<String> {
        own_sentences(text)
            .into_iter()
            .map(|own| own.said)
            .collect()
    }

    #[test]
    fn plain_talk_is_the_users_own() {
        for (text, own) in [
            ("never commit", vec!["never commit"]),
            (
                "Fix `a.rs`. Never commit.",
                vec!["Fix `a.rs`.", "Never commit."],
            ),
            ("Fix the parser.\n\nNever commit.", vec!["Never commit."]),
            (
                "Rules:\n- Never commit\n- No new crates",
                vec!["Rules:", "Never commit", "No new crates"],
            ),
            (
                "See:\n```\nNever push.\n```\nRename `a`.",
                vec!["Rename `a`."],
            ),
            (
                "<log>\nNever push.\n</log>\n\nNever commit.",
                vec!["Never commit."],
            ),
            ("> Never push.\n\nNever commit.", vec!["Never commit."]),
        ] {
            assert_eq!(said(text), own, "{text}");
        }
    }

    #[test]
    fn what_may_be_of_somebody_else_is_nobodys() {
        for text in [
            "Make a rhyme of it.\n\nNever push.",
            "Fix the typos.\n\nNever push.",
            "Fix the parser below.\n\nNever push.",
            "House rules\nNever push.",
            "Fix the parser.\n\nNever push.\nAnn Lee",
            "Fix the parser.\n\n    Never push.",
            "Fix the parser.\n\nBadge:\n- Never push.",
            "Fix the parser.\n- Never push.",
            "Bob says never push.",
            "The sign: never push.",
            "Ann at work - Never push.",
            "Is it fair? Never push.",
            "09:31 Never push.",
            "12.03.2025 never push.",
            "ERROR Never push.",
            "// never push",
            "say = never push",
            "> She is right.\nNever push.",
            "```\nNever push.",
        ] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_path_of_windows_is_no_code_around_the_words() {
        for path in [
            r"src\main.rs",
            r"C:\work\api",
            r"(.\tests\a_b.rs).",
            r"\\build\drop,",
            r"%APPDATA%\x.json",
        ] {
            let text = format!("Never commit. Look at {path} first");
            assert_eq!(said(&text)[0], "Never commit.", "{text}");
        }
        for code in [r"a\nb", r"\d+", r"\frac{a}{b}", r"x\y"] {
            let text = format!("Never commit. Look at {code} first");
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_quoted_is_blotted_out() {
        let own = own_sentences("Never use \"push. now\" in `a b` (or else).");
        let blotted: Vec<&str> = own.iter().map(|own| &*own.blotted).collect();
        assert_eq!(blotted, ["Never use ___________ in _____ _________."]);
        let named: Vec<&str> = own.iter().map(|own| &*own.named).collect();
        assert_eq!(named, ["Never use ___________ in `a b` _________."]);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "(# |- |\n|\n\n|```|<a>|</a>|> |: |—|「|İ|é|\"|`|\\(|[ -~]){0,40}") {
            for own in own_sentences(&text) {
                prop_assert_eq!(own.said.len(), own.blotted.len());
                prop_assert!(text.contains(&own.said));
            }
        }
    }
}

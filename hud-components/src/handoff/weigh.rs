//! The weight of a unit: how much it says that nothing else says.

use std::collections::{HashMap, HashSet};

use hud_store::event::{RecordCommand, RecordRead};
use hud_store::state::{Fact, HudState, RecordEntry};

use super::{Form, Item};

/// The weight of a name, a number, a path, in thousandths.
const NAME: u64 = 1_000;

/// The weight of any other word.
const WORD: u64 = 300;

/// The weight of a unit beside its words, as far as they are new.
const UNIT: u64 = 900;

/// The same of a line of code, of which most say little.
const LINE: u64 = 200;

/// The weight of a unit without a word that is new.
const LEAST: u64 = 60;

/// The part of a word's weight that is left where it is shown already: one of so many.
const AGAIN: u64 = 8;

/// The number of uses of a name that count.
const USES: u64 = 16;

/// The words that were met, with how often.
pub(super) type Words<'t> = HashMap<Word<'t>, u32, foldhash::fast::FixedState>;

/// A word in lower case, or a character of a script without spaces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Word<'t> {
    Own(String),
    Same(&'t str),
}

/// The words that the model reads elsewhere: those of the summary that its conversation begins with.
pub(super) fn known(state: &HudState) -> Words<'_> {
    let compacted = state.compacted.as_ref();
    let summary = compacted.and_then(|compacted| compacted.summary.as_deref());
    let mut words = Words::default();
    for (word, _) in of(summary.unwrap_or_default()) {
        *words.entry(word).or_default() += 1;
    }
    words
}

/// The number of times that words are shown, and the uses of names.
pub(super) struct Frequencies<'t> {
    words: Words<'t>,
    /// The words of the messages that are no names.
    said: HashSet<Word<'t>, foldhash::fast::FixedState>,
    uses: HashMap<Word<'t>, Use, foldhash::fast::FixedState>,
    turn: u64,
}

/// The use of a name.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// The number of entries of the record that have it.
    entries: u64,
    /// The place of the last of them.
    last: usize,
    /// The turn of the last of them.
    turn: u64,
}

impl<'t> Frequencies<'t> {
    pub(super) fn of(items: &'t [Item<'_>], state: &'t HudState) -> Self {
        let mut words = Words::default();
        for unit in items.iter().flat_map(|item| &item.units) {
            for (word, _) in of(&unit.text) {
                *words.entry(word).or_default() += 1;
            }
        }
        let mut said = HashSet::default();
        let mut uses: HashMap<Word<'t>, Use, foldhash::fast::FixedState> = HashMap::default();
        for (at, entry) in state.record.entries().iter().enumerate() {
            let is_message = matches!(entry.fact, Fact::Message { .. });
            for (name, is_name) in texts(entry).into_iter().flat_map(of) {
                if !is_name {
                    if is_message {
                        said.insert(name);
                    }
                    continue;
                }
                let turn = entry.turn;
                let used = uses.entry(name).or_insert(Use {
                    entries: 0,
                    last: usize::MAX,
                    turn,
                });
                used.entries += u64::from(used.last != at);
                (used.last, used.turn) = (at, turn);
            }
        }
        Self {
            words,
            said,
            uses,
            turn: state.turn,
        }
    }

    /// The weight of a word. Rare words say more: half as much for each time that it is four times as frequent. A name
    /// is needed again the more often and the later it was used.
    fn weight(&self, word: &Word<'_>, is_name: bool, is_code: bool) -> u64 {
        let often = self.words.get(word).copied().unwrap_or(1).max(1);
        let halves = (often.ilog2() / 2).min(4);
        if !is_name {
            let is_idle = is_code && !self.said.contains(word);
            return (if is_idle { WORD / 4 } else { WORD }) >> halves;
        }
        let used = self.uses.get(word);
        let used = used.map_or(NAME / 4, |used| {
            let fresh = match self.turn.saturating_sub(used.turn) {
                0..10 => 100,
                10..30 => 70,
                30..80 => 60,
                _ => 25,
            };
            NAME / 4 * used.entries.min(USES) * fresh / 100
        });
        // Names are the news of a message; code has many that concern nobody.
        if is_code {
            used
        } else {
            used.max(NAME >> halves)
        }
    }
}

/// The texts of an entry that name what was worked on.
fn texts(entry: &RecordEntry) -> [&str; 2] {
    match &entry.fact {
        Fact::Message { text, .. } => [text, ""],
        Fact::Change { path, diff, .. } => [path, diff],
        Fact::Command(RecordCommand {
            command, output, ..
        }) => [command, output],
        Fact::Read(RecordRead { target, lines }) => [target, lines],
        Fact::Answer(answer) => [&answer.question, &answer.answer],
        Fact::Refusal(refusal) => [&refusal.call, ""],
    }
}

/// The weight of a text, in thousandths, given how often its words are anywhere and which are shown already. Its words
/// are shown from then on.
pub(super) fn weight<'t>(
    text: &'t str,
    form: Form,
    all: &Frequencies<'_>,
    shown: &mut Words<'t>,
) -> u64 {
    let is_code = matches!(form, Form::Code("diff")) && !is_prose(text);
    let mut weight = LEAST;
    let (mut words, mut new) = (0, 0);
    for (word, is_name) in of(text) {
        let alone = all.weight(&word, is_name, is_code);
        let seen = shown.entry(word).or_default();
        weight += if *seen > 0 { alone / AGAIN } else { alone };
        words += 1;
        new += u64::from(*seen == 0);
        *seen += 1;
    }
    let unit = if is_code { LINE } else { UNIT };
    weight + (unit * new).checked_div(words).unwrap_or(0)
}

/// True for a line of code that outlines what is around it: a definition, a comment, a heading, a key without a value, an
/// element with a name.
pub(super) fn outlines(line: &str) -> bool {
    /// Words that definitions begin with, wherever they are.
    const DEFINE: &[&str] = &[
        "abstract",
        "async",
        "class",
        "create",
        "def",
        "describe",
        "enum",
        "export",
        "fn",
        "fun",
        "func",
        "function",
        "impl",
        "interface",
        "internal",
        "it",
        "macro_rules",
        "message",
        "mod",
        "module",
        "namespace",
        "object",
        "package",
        "private",
        "proc",
        "protected",
        "protocol",
        "pub",
        "public",
        "record",
        "resource",
        "service",
        "struct",
        "sub",
        "test",
        "trait",
        "type",
        "union",
    ];
    /// Words that definitions begin with at the beginning of a line.
    const DEFINE_OUTSIDE: &[&str] = &["const", "final", "let", "local", "static", "val", "var"];
    const COMMENT: &[&str] = &["//", "/*", "# ", "## ", "<!--", "-- ", ";;", "%%"];
    let line = line.trim_start_matches(['+', '-']);
    let text = line.trim();
    let first = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next();
    let first = first.unwrap_or_default().to_lowercase();
    let is_outside = line.starts_with(|c: char| !c.is_whitespace());
    let is_key = |key: &str| !key.is_empty() && !key.contains(char::is_whitespace);
    DEFINE.contains(&&*first)
        || (is_outside && DEFINE_OUTSIDE.contains(&&*first))
        || COMMENT.iter().any(|sign| text.starts_with(sign))
        || (text.starts_with('<') && (text.contains(" id=") || text.contains(" name=")))
        || text.strip_suffix(':').is_some_and(is_key)
}

/// True for a line that is mostly words and the blanks between them, as in a document.
fn is_prose(line: &str) -> bool {
    /// The number of characters of a sentence.
    const LEAST: usize = 40;
    let line = line.trim_start_matches(['+', '-', ' ', '\t', '#', '*']);
    let all = line.chars().count();
    let plain = line
        .chars()
        .filter(|c| c.is_alphabetic() || *c == ' ')
        .count();
    all >= LEAST && plain * 10 >= all * 9
}

/// The words of a text, each with whether it has the shape of a name or a number.
fn of(text: &str) -> impl Iterator<Item = (Word<'_>, bool)> {
    text.split(|c: char| {
        !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '-' | '@' | '#' | '$' | '%'))
    })
    .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '$' && c != '%'))
    .filter(|word| !word.is_empty())
    .flat_map(pieces)
}

/// The words of a text that have the shape of a name, as they are written; of a path and of what is joined by dots or
/// colons the parts as well.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let words =
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '-')));
    let words = words.flat_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let parts = word
            .split(['.', '/', ':'])
            .filter(move |part| part.len() < word.len());
        std::iter::once(word).chain(parts)
    });
    words.filter(|word| {
        word.len() > 4 && is_name(word) && !word.starts_with(|c: char| c.is_numeric())
    })
}

fn pieces(word: &str) -> Vec<(Word<'_>, bool)> {
    let is_dense = |c: char| u32::from(c) >= 0x2E80 && c.is_alphabetic();
    if word.contains(is_dense) {
        let dense = word.split("").filter(|c| !c.is_empty());
        return dense.map(|c| (Word::Same(c), false)).collect();
    }
    let is_name = is_name(word);
    let one = match word.contains(char::is_uppercase) {
        true => Word::Own(word.to_lowercase()),
        false => Word::Same(word),
    };
    vec![(one, is_name)]
}

/// True for a word with a digit, a mark within it, or a capital after its first letter.
fn is_name(word: &str) -> bool {
    let mut after_first = word.chars().skip(1);
    word.contains(|c: char| c.is_numeric() || matches!(c, '_' | '/' | '.' | ':' | '@' | '-'))
        || after_first.any(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_outline_a_file_are_told_from_those_within() {
        for line in [
            "+pub fn parse(text: &str) {",
            "+    def run(self):",
            "+const LIMIT = 3",
            "+/* Colours */",
            "+# Heading",
            "+  sign-macos:",
            "+  <section id=\"teams\">",
            "+CREATE TABLE users (",
        ] {
            assert!(outlines(line), "{line}");
        }
        for line in [
            "+    margin: 0;",
            "+    --color-primary: #1a56db;",
            "+#menu { color: red }",
            "+  const found = list[0]",
            "+  <div class=\"card\">",
            "+    return total",
            "+      runs-on: ubuntu-latest",
            "",
        ] {
            assert!(!outlines(line), "{line}");
        }
    }

    #[test]
    fn a_text_that_is_shown_already_weighs_little() {
        let text = "the cap of acme-eu is 956 in src/limits.rs";
        let state = HudState::default();
        let all = Frequencies::of(&[], &state);
        let mut shown = Words::default();
        let first = weight(text, Form::Text, &all, &mut shown);
        let again = weight(text, Form::Text, &all, &mut shown);
        assert!(first > 4 * again, "{first} {again}");
        let idle = weight("so it is then", Form::Text, &all, &mut Words::default());
        assert!(idle < first);
    }
}

//! Phrases of many languages by their intent: `lexicon/*.toml`, a file for each language.
//!
//! A file has a list for each [`Intent`]. A phrase is written in lower case, with `'` for every apostrophe. It is found
//! as whole words: `forget it` is in `please forget it!`, and not in `forget item`. A star opens an end of a phrase:
//! `remov*` begins a word, `*ursache` ends one, and `*entscheid*` is anywhere. Scripts without spaces have no words, and in
//! Korean endings join the word, so their phrases are found anywhere.

mod file;
mod intent;
mod phrases;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use self::file::{Fault, LexiconError};
pub use self::intent::Intent;
use self::phrases::Phrases;
pub(crate) use self::phrases::{Found, is_unsegmented};

/// The phrases of an intent in some languages: the code of each language, and its list.
type Languages = &'static [(&'static str, &'static [&'static str])];

/// The phrases of `lexicon/`, sorted by the names of the intents.
const ROWS: &[(&str, Languages)] = include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

/// The phrases of each intent, in the order of the intents. They are built on first use, because a hook is a process
/// that needs few of them.
static LEXICON: [OnceLock<Phrases>; Intent::ALL.len()] =
    [const { OnceLock::new() }; Intent::ALL.len()];

/// The report on a file of phrases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of its phrases without faults.
    pub phrases: usize,
    /// The intents that it has no phrases for.
    pub missing: Vec<Intent>,
    /// Its faults, by line.
    pub errors: Vec<LexiconError>,
}

/// Checks the text of a file of phrases. Errors name the file as it is given.
///
/// ```
/// use hud_derive::lexicon::check;
///
/// let checked = check("pl.toml", "withdrew = [\"nieważne\"]");
/// let error = checked.errors[0].to_string();
/// assert_eq!(error, "pl.toml, line 1: no intent is named `withdrew`. Did you mean `withdraw`?");
/// ```
pub fn check(name: &str, text: &str) -> Checked {
    let (phrases, errors) = file::parse(name, text);
    let is_missing = |intent: &Intent| !phrases.contains(intent);
    Checked {
        phrases: phrases.len(),
        missing: Intent::ALL.iter().copied().filter(is_missing).collect(),
        errors,
    }
}

impl Found {
    /// True if it is in a word that has another meaning: `算了` in `计算了`.
    pub(crate) fn is_in_other_word(&self, lowered: &str) -> bool {
        let mut others = Intent::OtherWord.all_in(lowered);
        others.any(|other| other.start < self.end && self.start < other.end)
    }
}

impl Intent {
    fn phrases(self) -> Option<&'static Phrases> {
        let read = || {
            let row = ROWS.binary_search_by_key(&self.name(), |(name, _)| name);
            let row = row.ok().and_then(|at| ROWS.get(at));
            Phrases::of(row.map_or(&[], |(_, languages)| languages))
        };
        Some(LEXICON.get(self as usize)?.get_or_init(read))
    }

    /// True if a text in lower case has one of its phrases.
    pub(crate) fn is_in(self, lowered: &str) -> bool {
        self.all_in(lowered).next().is_some()
    }

    /// The first of its phrases in a text in lower case. If several begin there, the longest.
    pub(crate) fn first_in(self, lowered: &str) -> Option<Found> {
        let earlier = |found: &Found| (found.start, std::cmp::Reverse(found.end));
        self.all_in(lowered).min_by_key(earlier)
    }

    /// All of its phrases in a text in lower case, in the order of their ends.
    pub(crate) fn all_in(self, lowered: &str) -> impl Iterator<Item = Found> {
        { self.phrases().into_iter() }.flat_map(move |phrases| phrases.all_in(lowered))
    }

    /// The text after the longest of its phrases that a text in lower case begins with.
    pub(crate) fn after(self, lowered: &str) -> Option<&str> {
        let end = self.phrases()?.at_begin(lowered)?;
        lowered.get(end..)
    }

    /// The text after all of its phrases at the beginning of a text in lower case.
    pub(crate) fn skip(self, lowered: &str) -> &str {
        let mut rest = lowered;
        while let Some(behind) = self.after(rest) {
            rest = behind.trim_start_matches([' ', ',']);
        }
        rest
    }

    /// True if a text in lower case begins with one of its phrases.
    pub(crate) fn begins(self, lowered: &str) -> bool {
        self.after(lowered).is_some()
    }

    /// True if a text in lower case ends with one of its phrases.
    pub(crate) fn ends(self, lowered: &str) -> bool {
        self.all_in(lowered).any(|found| found.end == lowered.len())
    }

    /// True if a word or a text in lower case equals one of its phrases.
    pub(crate) fn is(self, lowered: &str) -> bool {
        { self.phrases() }.is_some_and(|phrases| phrases.is(lowered))
    }
}

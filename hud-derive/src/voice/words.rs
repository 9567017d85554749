//! Words as they are compared: in one case, without what surrounds them and how they are inflected.

use std::collections::BTreeSet;

use hud_store::text::floor_char_boundary;

use crate::cues::{Pairs, starts};

/// Words that say nothing of what a text is about, in their order.
const EMPTY: &[&str] = &[
    "about", "after", "again", "also", "another", "because", "been", "before", "being", "case",
    "cause", "change", "check", "code", "could", "does", "doing", "done", "each", "every", "fail",
    "file", "finally", "first", "from", "have", "here", "into", "issue", "just", "know", "let'",
    "like", "line", "look", "make", "more", "need", "only", "other", "please", "really", "same",
    "should", "some", "such", "sure", "than", "that", "their", "them", "then", "there", "these",
    "they", "thing", "think", "this", "those", "time", "true", "want", "well", "were", "what",
    "when", "where", "which", "while", "will", "with", "work", "would", "your",
];

/// A text in small letters, with `'` for every apostrophe.
pub(super) fn lower(text: &str) -> String {
    let lower = text.to_lowercase();
    // What most texts are without: the first byte of the others, and the one in ASCII.
    match memchr::memchr2(0xE2, b'`', lower.as_bytes()) {
        None => lower,
        Some(_) => lower.replace(['\u{2019}', '\u{2018}', '`'], "'"),
    }
}

/// The words of a text in small letters, with the apostrophes in them.
pub(super) fn words(lowered: &str) -> impl Iterator<Item = &str> + Clone {
    lowered
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
}

/// What a text is about: its words of four letters and more, without their endings, and each two characters
/// that follow each other where no spaces part words.
pub(super) fn about(text: &str) -> BTreeSet<String> {
    let text = lower(text);
    let mut about = BTreeSet::new();
    for word in words(&text) {
        if !word.is_ascii() && word.contains(is_dense) {
            let next = word.chars().skip(1);
            about.extend(
                word.chars()
                    .zip(next)
                    .map(|(one, other)| format!("{one}{other}")),
            );
        } else if word.chars().nth(3).is_some() {
            let stem = stem(word);
            about.extend(EMPTY.binary_search(&stem).is_err().then(|| stem.to_owned()));
        }
    }
    about
}

/// Whether two texts are about the same: they have a quarter of the words of the shorter one in common.
pub(super) fn share(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    shared > 0 && shared * 4 >= one.len().min(other.len())
}

fn stem(word: &str) -> &str {
    for ending in ["ing", "ied", "ies", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().nth(2).is_some()
        {
            return stem;
        }
    }
    word
}

/// Whether a character is of a script in which it says as much as a word, or in which no spaces part words.
pub(super) fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a text begins with a phrase that ends where a word does. Phrases of scripts without spaces
/// end anywhere.
pub(super) fn begins(lowered: &str, phrase: &str) -> bool {
    starts(lowered, phrase).is_some_and(|rest| {
        phrase.ends_with(is_dense) || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

/// Where a phrase is in a text as words of their own.
pub(super) fn find(lowered: &str, phrase: &str) -> Option<usize> {
    // Most phrases are in no text, and that is seen sooner than where they are.
    if !lowered.contains(phrase) {
        return None;
    }
    let mut places = lowered.match_indices(phrase).map(|(at, _)| at);
    places.find(|at| is_apart(lowered, *at, phrase))
}

/// Whether a phrase that is at a place of a text is there as words of their own.
pub(super) fn is_apart(lowered: &str, at: usize, phrase: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
    begins(&lowered[at..], phrase)
        && (phrase.starts_with(is_dense) || !lowered[..at].ends_with(is_inside))
}

/// Whether a text has one of some phrases as words of their own.
pub(super) fn has(lowered: &str, phrases: &[&str]) -> bool {
    first_in(lowered, phrases).is_some()
}

/// A text in small letters in which phrases of several sorts are looked for, one sort after the other.
pub(super) struct Lowered<'t> {
    pub(super) text: &'t str,
    pairs: Pairs,
}

impl<'t> Lowered<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let pairs = Pairs::of(text);
        Self { text, pairs }
    }

    /// Whether it has one of some phrases as words of their own.
    pub(super) fn has(&self, phrases: &[&str]) -> bool {
        self.places(phrases).next().is_some()
    }

    /// The place of the first of some phrases.
    pub(super) fn first_of(&self, phrases: &[&str]) -> Option<usize> {
        self.places(phrases).min()
    }

    fn places(&self, phrases: &[&str]) -> impl Iterator<Item = usize> {
        let phrases = phrases.iter().filter(|phrase| self.pairs.may_have(phrase));
        phrases.filter_map(|phrase| find(self.text, phrase))
    }

    /// Where a mark is in it, each time.
    pub(super) fn marks<'m>(&self, mark: &'m str) -> impl Iterator<Item = usize> + use<'t, 'm> {
        let text = self.pairs.may_have(mark).then_some(self.text);
        let found = text
            .into_iter()
            .flat_map(move |text| text.match_indices(mark));
        found.map(|(at, _)| at)
    }
}

/// The first of some phrases that a text has as words of their own.
pub(super) fn first_in<'p>(lowered: &str, phrases: &[&'p str]) -> Option<&'p str> {
    found(lowered, phrases).map(|(phrase, _)| phrase).next()
}

fn found<'p>(lowered: &str, phrases: &[&'p str]) -> impl Iterator<Item = (&'p str, usize)> {
    // To look for each in vain takes longer than to see that most can't be there.
    let pairs = (phrases.len() > 4).then(|| Pairs::of(lowered));
    let may_have = move |phrase: &&str| pairs.as_ref().is_none_or(|pairs| pairs.may_have(phrase));
    let phrases = phrases.iter().copied().filter(may_have);
    phrases.filter_map(|phrase| Some((phrase, find(lowered, phrase)?)))
}

/// The beginning of a text, of at most so many bytes.
pub(super) fn head(text: &str, most: usize) -> &str {
    &text[..floor_char_boundary(text, most)]
}

/// The end of a text, of about so many bytes.
pub(super) fn tail(text: &str, most: usize) -> &str {
    &text[floor_char_boundary(text, text.len().saturating_sub(most))..]
}

/// A text cut after at most so many characters, at the end of a word, with `…` behind a cut.
pub(super) fn clip(text: &str, most: usize) -> String {
    hud_components::text::line(text, most).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_nothing_are_in_their_order() {
        assert!(EMPTY.is_sorted());
    }

    #[test]
    fn texts_share_what_they_are_about_however_it_is_inflected() {
        let shared = |one, other| share(&about(one), &about(other));
        assert!(shared("Remove the start command", "what commands remain?"));
        assert!(shared("修复测试", "修复测试"));
        assert!(!shared("Please make it work", "what does that do?"));
    }

    #[test]
    fn a_phrase_is_found_only_as_words() {
        assert!(has("never mind that", &["never mind"]));
        assert!(!has("whenever minding", &["never mind"]));
        assert!(has("请不要提交", &["不要"]));
    }
}

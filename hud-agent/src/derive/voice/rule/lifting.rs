//! What lifts a rule: a sentence that allows it, takes it back, or asks for just what it forbids.

use std::collections::BTreeSet;

use super::super::ask::is_directive;
use super::super::words::{Lowered, about, has, is_dense, lower};
use super::Sentence;

/// Words by which something is allowed.
const ALLOWS: &[&str] = &[
    "you can now",
    "you can",
    "you may",
    "feel free to",
    "it's ok to",
    "it's okay to",
    "it is ok to",
    "it's fine to",
    "now you can",
    "no longer need to avoid",
    "go ahead and",
    "is allowed now",
    "are allowed now",
    "is fine now",
    "is ok now",
    "are ok now",
    "allowed to",
    "du kannst jetzt",
    "du darfst",
    "tu peux",
    "puedes",
    "можешь",
    "можно",
    "现在可以",
    "可以",
    "てもいい",
    "해도 돼",
];

/// Words by which a rule is taken back.
const LIFTS: &[&str] = &[
    "forget the rule",
    "forget that rule",
    "ignore the rule",
    "ignore that rule",
    "drop the rule",
    "lift the rule",
    "rule no longer",
    "no longer applies",
    "no longer holds",
    "forget what i said about",
    "disregard what i said",
    "never mind the rule",
];

/// Words of a rule that do not say what it is about.
const EMPTY: &[&str] = &[
    "never", "always", "don't", "avoid", "must", "without", "possible", "keep", "using", "allow",
    "nothing", "run", "use",
];

/// A sentence that lifts rules: it allows what a rule is about, takes the rule back by what it is about, or
/// asks for just that which was forbidden.
pub(super) enum Lifting {
    /// It allows, or takes back, whatever has one of these words.
    Any(BTreeSet<String>),
    /// It asks for what has these words, all of them.
    All(BTreeSet<String>),
}

impl Lifting {
    /// What a sentence lifts, if it may lift anything.
    pub(super) fn of(sentence: &Sentence<'_>) -> Option<Self> {
        let (said, lowered) = (sentence.said, &*sentence.lowered);
        let phrases = Lowered::of(lowered);
        if phrases.has(LIFTS) {
            return Some(Self::Any(about(said)));
        }
        let is_forbidding =
            || phrases.has(&["can't", "cannot", "only", "not"]) || sentence.place().is_some();
        if lowered.trim_end().ends_with(['?', '？']) || is_forbidding() {
            return None;
        }
        match phrases.first_of(ALLOWS) {
            // Where no spaces part words, what is allowed may be said before that it is.
            Some(_) if lowered.contains(is_dense) => Some(Self::Any(about(said))),
            Some(at) => Some(Self::Any(about(lowered.get(at..).unwrap_or(lowered)))),
            None => is_directive(lowered).then(|| Self::All(about(said))),
        }
    }

    /// Whether it lifts a rule.
    pub(super) fn lifts(&self, rule: &str) -> bool {
        let mut of = about(rule);
        of.retain(|word| !EMPTY.contains(&word.as_str()));
        match self {
            Self::Any(said) => of.intersection(said).next().is_some(),
            Self::All(said) => !of.is_empty() && of.is_subset(said) && is_prohibition(rule),
        }
    }
}

fn is_prohibition(rule: &str) -> bool {
    let lowered = lower(rule);
    has(
        &lowered,
        &[
            "don't",
            "do not",
            "never",
            "no",
            "must not",
            "avoid",
            "without",
            "mustn't",
            "shouldn't",
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifts(sentence: &str, rule: &str) -> bool {
        Lifting::of(&Sentence::of(sentence)).is_some_and(|lifting| lifting.lifts(rule))
    }
    #[test]
    fn a_rule_is_lifted_by_what_allows_or_asks_for_what_it_forbids() {
        for (said, of) in [
            ("you can commit now", "never commit"),
            ("It's ok to add new dependencies.", "No new dependencies."),
            ("commit it", "don't commit yet"),
            (
                "forget what I said about dependencies",
                "No new dependencies.",
            ),
            ("现在可以提交代码了", "不要提交代码"),
        ] {
            assert!(lifts(said, of), "{said}: {of}");
        }
        for (said, of) in [
            (
                "run the unit tests",
                "don't run CI or integration tests, too slow.",
            ),
            ("you can't commit now", "never commit"),
            ("can you commit?", "never commit"),
            ("never commit to main", "never commit"),
            ("fix the parser", "keep it simple"),
            ("you can commit now", "No new dependencies."),
        ] {
            assert!(!lifts(said, of), "{said}: {of}");
        }
    }
}

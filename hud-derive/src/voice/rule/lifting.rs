//! What lifts a rule: a sentence that allows it, takes it back, or asks for just what it forbids.

use std::collections::BTreeSet;

use super::super::ask::is_directive;
use super::super::words::{Lowered, about, has, is_dense, lower, words};
use super::Sentence;
use super::half::{Half, common, halves, without};

/// Words by which something is allowed that comes behind them.
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

/// Words by which something is allowed that comes before them.
const ALLOWED: &[&str] = &[
    "is allowed",
    "are allowed",
    "is permitted",
    "are permitted",
    "is fine now",
    "are fine now",
    "is fine again",
    "are fine again",
    "is ok now",
    "are ok now",
    "is ok again",
    "are ok again",
    "is okay now",
    "are okay now",
    "is okay again",
    "are okay again",
    "is possible again",
    "are possible again",
    "no longer forbidden",
    "ist wieder erlaubt",
    "sind wieder erlaubt",
    "ist jetzt erlaubt",
    "sind jetzt erlaubt",
    "ist wieder ok",
    "ist wieder okay",
    "darf wieder",
    "dürfen wieder",
    "est de nouveau autorisé",
    "est de nouveau autorisée",
    "est à nouveau autorisé",
    "est à nouveau autorisée",
    "sont de nouveau autorisés",
    "sont de nouveau autorisées",
    "está permitido",
    "está permitida",
    "están permitidos",
    "están permitidas",
    "снова можно",
    "снова разрешён",
    "снова разрешен",
    "снова разрешена",
    "снова разрешены",
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

/// Words of two and three letters that say nothing of what a sentence is about.
const SHORT: &[&str] = &[
    "add", "all", "am", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "das",
    "de", "den", "der", "des", "did", "die", "do", "du", "ein", "el", "en", "es", "est", "et",
    "for", "get", "go", "had", "has", "he", "her", "his", "how", "if", "im", "in", "is", "ist",
    "it", "its", "la", "las", "le", "les", "let", "los", "may", "me", "my", "ne", "new", "no",
    "nor", "not", "now", "of", "off", "ok", "old", "on", "one", "or", "ou", "our", "out", "own",
    "pas", "put", "que", "run", "say", "se", "see", "set", "she", "si", "sie", "so", "son", "the",
    "to", "too", "try", "tu", "two", "un", "una", "und", "une", "up", "us", "use", "was", "way",
    "we", "who", "why", "wir", "yes", "yet", "you", "zu",
];

/// What a rule, or what lifts one, is about: names of few letters (`CI`, `npm`, `API`) among it.
fn subjects(text: &str) -> BTreeSet<String> {
    let mut subjects = about(text);
    subjects.retain(|word| !EMPTY.contains(&word.as_str()));
    let lowered = lower(text);
    let short = words(&lowered).filter(|word| {
        (2..=3).contains(&word.chars().count())
            && !word.contains(is_dense)
            && !word.contains('\'')
            && !SHORT.contains(word)
            && !EMPTY.contains(word)
    });
    subjects.extend(short.map(str::to_owned));
    subjects
}

/// A sentence that lifts rules: it allows what a rule is about, takes the rule back by what it is about, or
/// asks for just that which was forbidden.
pub(super) enum Lifting {
    /// It allows, or takes back, whatever has one of these words.
    Any(BTreeSet<String>),
    /// It asks for what has these words, all of them.
    All(BTreeSet<String>),
}

/// What is left of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// All of it.
    Whole,
    /// One half, of a rule with several.
    Half(String),
    Nothing,
}

impl Lifting {
    /// What a sentence lifts, if it may lift anything.
    pub(super) fn of(sentence: &Sentence<'_>) -> Option<Self> {
        let lowered = &*sentence.lowered;
        let phrases = Lowered::of(lowered);
        if phrases.has(LIFTS) {
            return Some(Self::Any(subjects(sentence.named)));
        }
        if lowered.trim_end().ends_with(['?', '？']) || phrases.has(&["only"]) {
            return None;
        }
        let forbids = |clause: &str| {
            has(clause, &["can't", "cannot", "not"]) || super::place(clause).is_some()
        };
        if let Some(at) = phrases.first_of(ALLOWED) {
            // `CI is allowed again, but never commit`
            let clause = clause_at(lowered, at);
            return (!forbids(clause)).then(|| Self::Any(subjects(clause)));
        }
        if forbids(lowered) {
            return None;
        }
        match phrases.first_of(ALLOWS) {
            // Where no spaces part words, what is allowed may be said before that it is.
            Some(_) if lowered.contains(is_dense) => Some(Self::Any(subjects(sentence.named))),
            Some(at) => Some(Self::Any(subjects(lowered.get(at..).unwrap_or(lowered)))),
            None => is_directive(lowered).then(|| Self::All(subjects(sentence.named))),
        }
    }

    /// What it leaves of a rule.
    pub(super) fn leaves(&self, rule: &str) -> Left {
        let (Self::Any(said) | Self::All(said)) = self;
        // Most sentences are about something else.
        if subjects(rule).is_disjoint(said) {
            return Left::Whole;
        }
        let halves = halves(rule);
        let common = common(rule, &halves);
        let lifts = |half: &Half<'_>| self.lifts(common, half.text);
        let is_lifted: Vec<bool> = halves.iter().map(lifts).collect();
        let lifted = is_lifted.iter().filter(|is_lifted| **is_lifted).count();
        match lifted {
            0 if self.lifts("", rule) => Left::Nothing,
            0 => Left::Whole,
            some if some < halves.len() => Left::Half(without(rule, &halves, &is_lifted)),
            _ => Left::Nothing,
        }
    }

    /// Whether it lifts a half of a rule, which has something in common with the others: `don't touch`.
    fn lifts(&self, common: &str, half: &str) -> bool {
        match self {
            Self::Any(said) => !subjects(half).is_disjoint(said),
            Self::All(said) => {
                let whole = format!("{common} {half}");
                let of = subjects(&whole);
                !of.is_empty() && of.is_subset(said) && is_prohibition(&whole)
            }
        }
    }
}

/// The clause of a sentence that a place is in.
fn clause_at(lowered: &str, at: usize) -> &str {
    const BETWEEN: &[&str] = &[", ", "; ", " but ", " - ", " — "];
    let (before, behind) = lowered.split_at_checked(at).unwrap_or((lowered, ""));
    let begin = BETWEEN
        .iter()
        .filter_map(|mark| Some(before.rfind(mark)? + mark.len()))
        .max();
    let end = BETWEEN.iter().filter_map(|mark| behind.find(mark)).min();
    let (begin, end) = (begin.unwrap_or(0), at + end.unwrap_or(behind.len()));
    lowered.get(begin..end).unwrap_or(lowered)
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

    fn left(sentence: &str, rule: &str) -> Left {
        let lifting = Lifting::of(&Sentence::of(sentence));
        lifting.map_or(Left::Whole, |lifting| lifting.leaves(rule))
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
            ("CI is allowed again", "never run CI"),
            ("ci is fine again", "Don't run CI, it is too slow."),
            ("You can use npm now.", "never use npm"),
            ("commits are allowed now", "never commit"),
            ("CI ist wieder erlaubt.", "Niemals CI laufen lassen"),
        ] {
            assert_eq!(left(said, of), Left::Nothing, "{said}: {of}");
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
            ("CI is not allowed again", "never run CI"),
            ("is CI allowed again?", "never run CI"),
            ("CI is green again", "never run CI"),
            ("it is allowed to be slow", "never run CI"),
            ("run the tests", "don't touch the docs or the tests"),
            ("keep it simple", "keep it simple, never commit"),
        ] {
            assert_eq!(left(said, of), Left::Whole, "{said}: {of}");
        }
    }

    #[test]
    fn of_a_rule_with_several_halves_the_one_is_lifted_that_is_meant() {
        let half = |text: &str| Left::Half(text.to_owned());
        for (said, of, kept) in [
            (
                "CI is allowed again",
                "never run CI, never commit",
                "never commit",
            ),
            (
                "You can run CI again.",
                "Never run CI, never commit.",
                "never commit.",
            ),
            (
                "ok, CI is fine again",
                "never run CI and never commit",
                "never commit",
            ),
            (
                "you can commit now",
                "never run CI, never commit",
                "never run CI",
            ),
            (
                "commit it please",
                "never run CI, never commit",
                "never run CI",
            ),
            (
                "forget the rule about CI",
                "never run CI; never commit",
                "never commit",
            ),
            (
                "CI is allowed again, but never commit",
                "never run CI, never commit",
                "never commit",
            ),
            (
                "CI is okay now",
                "don't run CI or integration tests, too slow.",
                "don't run integration tests, too slow.",
            ),
            (
                "feel free to run the integration tests",
                "don't run CI or integration tests, too slow.",
                "don't run CI, too slow.",
            ),
            (
                "you may push now",
                "Please never commit or push",
                "Please never commit",
            ),
            (
                "you can touch the tests now",
                "do not touch docs, tests or CI",
                "do not touch docs or CI",
            ),
            (
                "new dependencies are allowed",
                "no new dependencies, no unsafe code",
                "no unsafe code",
            ),
            (
                "现在可以提交代码了",
                "不要提交代码，不要修改测试",
                "不要修改测试",
            ),
            (
                "Committen ist wieder erlaubt",
                "Niemals pushen, niemals committen",
                "Niemals pushen",
            ),
        ] {
            assert_eq!(left(said, of), half(kept), "{said}: {of}");
        }
    }

    #[test]
    fn a_reason_is_no_half() {
        for of in [
            "never run CI, it's slow and flaky",
            "never run CI because it is slow or down",
            "don't run CI, the runners are busy and nobody pays for them",
        ] {
            assert_eq!(left("CI is allowed again", of), Left::Nothing, "{of}");
        }
    }
}

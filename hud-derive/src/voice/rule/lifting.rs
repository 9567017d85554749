//! Sentences that lift a rule. They allow what it forbids, retract it, or ask for just what it forbids.

use std::collections::BTreeSet;

use super::super::ask::is_directive;
use super::super::words::{about, lower, words};
use super::Sentence;
use super::half::{Half, common, halves, without};
use crate::lexicon::{Intent, is_unsegmented};
use crate::prose::after_marks;

/// The subjects of a rule or of a sentence that lifts one, including short names (`CI`, `npm`, `API`).
fn subjects(text: &str) -> BTreeSet<String> {
    let mut subjects = about(text);
    subjects.retain(|word| !Intent::RuleWord.is(word));
    let lowered = lower(text);
    let short = words(&lowered).filter(|word| {
        (2..=3).contains(&word.chars().count())
            && !word.contains(is_unsegmented)
            && !word.contains('\'')
            && !Intent::StopWord.is(word)
            && !Intent::RuleWord.is(word)
    });
    subjects.extend(short.map(str::to_owned));
    subjects
}

/// The effect of a sentence that lifts rules. It allows the subject of a rule, retracts the rule by its subject, or
/// asks for just what was forbidden.
pub(super) enum Lifting {
    /// Lifts rules about any of these words.
    Any(BTreeSet<String>),
    /// Lifts prohibitions of these words, if all of their words are among them.
    All(BTreeSet<String>),
}

/// The rest of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The whole rule.
    Whole,
    /// A part of a rule with several halves.
    Half(String),
    Nothing,
}

impl Lifting {
    /// Returns the effect of a sentence. `None` if it lifts nothing.
    pub(super) fn of(sentence: &Sentence<'_>) -> Option<Self> {
        let lowered = &*sentence.lowered;
        if Intent::Lift.is_in(lowered) {
            return Some(Self::Any(subjects(sentence.named)));
        }
        if lowered.trim_end().ends_with(['?', '？']) || Intent::Only.is_in(lowered) {
            return None;
        }
        let forbids = |clause: &str| Intent::Not.is_in(clause) || super::place(clause).is_some();
        if let Some(at) = Intent::Allowed.first_in(lowered).map(|found| found.start) {
            // Only the clause itself counts: `CI is allowed again, but never commit`.
            let clause = clause_at(lowered, at);
            return (!forbids(clause)).then(|| Self::Any(subjects(clause)));
        }
        if forbids(lowered) {
            return None;
        }
        match Intent::Allow.first_in(lowered).map(|found| found.start) {
            // In scripts without spaces, the allowed thing may come before the verb.
            Some(_) if lowered.contains(is_unsegmented) => {
                Some(Self::Any(subjects(sentence.named)))
            }
            Some(at) => Some(Self::Any(subjects(lowered.get(at..).unwrap_or(lowered)))),
            None => is_directive(lowered).then(|| Self::All(subjects(sentence.named))),
        }
    }

    /// Returns the rest of a rule.
    pub(super) fn leaves(&self, rule: &str) -> Left {
        let (Self::Any(said) | Self::All(said)) = self;
        // Most sentences have another subject.
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

    /// True if it lifts a half of a rule. `common` is the text before the halves: `don't touch`.
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

/// The clause of a sentence that contains an offset.
fn clause_at(lowered: &str, at: usize) -> &str {
    let (before, behind) = lowered.split_at_checked(at).unwrap_or((lowered, ""));
    let parted =
        |text| after_marks(text).chain(Intent::Clause.all_in(text).map(|clause| clause.end));
    let begin = parted(before).max();
    let end = parted(behind).min();
    let (begin, end) = (begin.unwrap_or(0), at + end.unwrap_or(behind.len()));
    lowered.get(begin..end).unwrap_or(lowered)
}

fn is_prohibition(rule: &str) -> bool {
    Intent::Prohibit.is_in(&lower(rule))
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

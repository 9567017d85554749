//! Rules with several halves: `never run CI, never commit`, `don't touch the docs or the tests`.

use super::super::words::{begins, lower};
use super::place;

/// A half of a rule: a clause that demands something itself, or one of the things that a clause forbids.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Half<'r> {
    /// Where it begins in the rule.
    at: usize,
    pub(super) text: &'r str,
}

impl Half<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// What parts two clauses.
const CLAUSES: &[&str] = &[", ", "; ", ". ", " and ", " but ", "，", "、", "；", "。"];

/// What parts two things of which each is forbidden.
const THINGS: &[&str] = &[" or ", " and ", " nor ", ", "];

/// The halves of a rule; one that is a whole has itself.
pub(super) fn halves(rule: &str) -> Vec<Half<'_>> {
    let mut clauses: Vec<Half<'_>> = Vec::new();
    for part in parts(rule, CLAUSES) {
        let demands = place(&lower(part.text)).is_some();
        match clauses.last_mut() {
            // What demands nothing is of what comes before it: its reason, and what else it forbids.
            Some(last) if !demands => {
                last.text = rule.get(last.at..part.end()).unwrap_or(last.text);
            }
            _ => clauses.push(part),
        }
    }
    match clauses.as_slice() {
        [] | [_] => things(rule).unwrap_or_else(|| vec![Half { at: 0, text: rule }]),
        _ => clauses,
    }
}

/// What the halves of a rule have in common, before the first of them: `don't touch`.
pub(super) fn common<'r>(rule: &'r str, halves: &[Half<'_>]) -> &'r str {
    let first = halves.first().map_or(0, |half| half.at);
    rule.get(..first).unwrap_or_default()
}

/// A rule without some of its halves.
pub(super) fn without(rule: &str, halves: &[Half<'_>], is_lifted: &[bool]) -> String {
    let mut left = common(rule, halves).to_owned();
    let begin = left.len();
    let mut last_end = begin;
    let mut before = None;
    for (half, is_lifted) in halves.iter().zip(is_lifted) {
        let between = rule.get(last_end..half.at).unwrap_or_default();
        last_end = half.end();
        if *is_lifted {
            // `or` is between the last two.
            before = Some(between).filter(|between| *between != ", ").or(before);
            continue;
        }
        if left.len() > begin {
            left.push_str(before.unwrap_or(between));
        }
        before = None;
        left.push_str(half.text);
    }
    left.push_str(rule.get(last_end..).unwrap_or_default());
    left
}

/// The parts of a text between some marks.
fn parts<'r>(text: &'r str, marks: &[&str]) -> Vec<Half<'r>> {
    let mut all = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let next = marks
            .iter()
            .filter_map(|mark| Some((rest.find(mark)?, mark.len())));
        let next = next.min_by_key(|(place, length)| (*place, std::cmp::Reverse(*length)));
        let (end, length) = next.unwrap_or((rest.len(), 0));
        let part = rest.get(..end).unwrap_or_default();
        if !part.is_empty() {
            all.push(Half { at, text: part });
        }
        if length == 0 {
            return all;
        }
        at += end + length;
    }
}

/// The things that a rule of one clause forbids: the docs and the tests of `don't touch the docs or the tests, please`.
/// None where there are not several.
fn things(rule: &str) -> Option<Vec<Half<'_>>> {
    let lowered = rule.to_lowercase();
    // Small letters may be longer than great ones.
    let (begin, end) = list(&lowered).filter(|_| lowered.len() == rule.len())?;
    let mut things = parts(rule.get(begin..end)?, THINGS);
    for thing in &mut things {
        thing.at += begin;
    }
    (things.len() > 1).then_some(things)
}

/// Where the list of what a rule forbids begins and ends, behind the verb that all of it has in common. Without one
/// it is not known where each thing begins: `no new files or folders`.
fn list(lowered: &str) -> Option<(usize, usize)> {
    const FORBIDS: &[&str] = &[
        "don't",
        "don’t",
        "do not",
        "dont",
        "never",
        "must not",
        "mustn't",
        "mustn’t",
        "avoid",
    ];
    const REASONS: &[&str] = &[
        ", it",
        ", the ",
        ", they",
        ", this",
        ", that",
        ", there",
        ", we",
        ", you",
        ", i ",
        ", too ",
        ", as ",
        ", because",
        ", since",
        ", so ",
        ", please",
        ", ever",
        ", for ",
        ", until",
        " because ",
        " since ",
        " until ",
        " unless ",
        " as ",
        " so ",
        "; ",
        ". ",
        " - ",
        " — ",
    ];
    let said = lowered
        .trim_start()
        .strip_prefix("please ")
        .unwrap_or(lowered.trim_start());
    let forbids = FORBIDS.iter().find(|word| begins(said, word))?;
    let from = lowered.len() - said.len() + forbids.len() + 1;
    let rest = lowered.get(from..)?;
    let verb = rest.split(' ').next()?;
    let is_list = |text: &str| THINGS.iter().any(|mark| text.starts_with(mark));
    let behind = rest.get(verb.len()..)?;
    // The verbs themselves are the list of `never commit or push`.
    let begin = match verb.ends_with(',') || is_list(behind) || *forbids == "avoid" {
        true => from,
        false => from + verb.len() + 1,
    };
    let listed = lowered.get(begin..)?;
    let end = REASONS
        .iter()
        .filter_map(|reason| listed.find(reason))
        .min();
    let end = end.unwrap_or(listed.trim_end_matches(['.', '!']).len());
    Some((begin, begin + end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(rule: &str) -> Vec<&str> {
        halves(rule).into_iter().map(|half| half.text).collect()
    }

    #[test]
    fn a_rule_has_the_halves_that_demand_something_and_those_that_one_clause_forbids() {
        for (rule, parts) in [
            (
                "never run CI, never commit",
                &["never run CI", "never commit"][..],
            ),
            (
                "don't run CI or integration tests, too slow.",
                &["CI", "integration tests"],
            ),
            ("never commit, push or tag", &["commit", "push", "tag"]),
            (
                "never run CI, it's slow and flaky",
                &["never run CI, it's slow and flaky"],
            ),
            ("no new files or folders", &["no new files or folders"]),
            (
                "Don’t touch the docs or the tests, please",
                &["the docs", "the tests"],
            ),
            ("keep it simple", &["keep it simple"]),
            ("", &[""]),
        ] {
            assert_eq!(texts(rule), parts, "{rule}");
        }
    }

    proptest! {
        #[test]
        fn what_is_left_of_any_text_is_of_it(
            rule in "(never |don't |no |, | or |; |CI|commit|push|é|İ|，|不要|[ -~]){0,12}", lifts in any::<u16>(),
        ) {
            let halves = halves(&rule);
            let is_lifted: Vec<bool> = (0..halves.len()).map(|at| lifts >> (at % 16) & 1 == 1).collect();
            let left = without(&rule, &halves, &is_lifted);
            prop_assert!(left.len() <= rule.len());
            if !is_lifted.contains(&true) {
                prop_assert_eq!(left, rule);
            }
        }
    }
}

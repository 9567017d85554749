//! Rules with several halves: `never run CI, never commit`, `don't touch the docs or the tests`.

use super::super::words::lower;
use super::place;
use crate::lexicon::Intent;

/// A half of a rule: a clause with its own demand, or one of the things that a clause forbids.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Half<'r> {
    /// The byte offset in the rule.
    at: usize,
    pub(super) text: &'r str,
}

impl Half<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// Returns the halves of a rule. A rule without halves is returned as one.
pub(super) fn halves(rule: &str) -> Vec<Half<'_>> {
    let mut clauses: Vec<Half<'_>> = Vec::new();
    for part in parts(
        rule,
        Intent::Turn,
        &[", ", "; ", ". ", "，", "、", "；", "。"],
    ) {
        let demands = place(&lower(part.text)).is_some();
        match clauses.last_mut() {
            // A part without a demand belongs to the clause before it: a reason, or another forbidden thing.
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

/// The common words of the halves of a rule, before the first half: `don't touch`.
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
            // The last two halves are joined with `or`.
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

/// The parts of a text between the given marks and the words of an intent.
fn parts<'r>(text: &'r str, intent: Intent, marks: &[&str]) -> Vec<Half<'r>> {
    let lowered = lower(text);
    let words = intent
        .all_in(&lowered)
        .map(|found| (found.start, found.end));
    // Lower case letters may be longer than upper case ones.
    let words = words.filter(|_| lowered.len() == text.len());
    let marks = marks.iter().flat_map(|mark| text.match_indices(mark));
    let marks = marks.map(|(at, mark)| (at, at + mark.len()));
    let mut between: Vec<(usize, usize)> = words.chain(marks).collect();
    between.sort_unstable();
    between.push((text.len(), text.len()));
    let mut all = Vec::new();
    let mut at = 0;
    for (end, next) in between {
        let part = text.get(at..end).unwrap_or_default();
        let begin = at + part.len() - part.trim_start().len();
        let part = part.trim();
        if !part.is_empty() {
            all.push(Half {
                at: begin,
                text: part,
            });
        }
        at = at.max(next);
    }
    all
}

/// The things that a rule of one clause forbids: the docs and the tests of `don't touch the docs or the tests, please`.
/// `None` if there is only one.
fn things(rule: &str) -> Option<Vec<Half<'_>>> {
    let lowered = lower(rule);
    let (begin, end) = list(&lowered)?;
    // Lower case letters may be longer than upper case ones.
    let at = |place: usize| {
        let count = lowered.get(..place)?.chars().count();
        let mut places = rule.char_indices().map(|(at, _)| at).chain([rule.len()]);
        places.nth(count)
    };
    let begin = at(begin)?;
    let mut things = parts(rule.get(begin..at(end)?)?, Intent::And, &[", "]);
    for thing in &mut things {
        thing.at += begin;
    }
    (things.len() > 1).then_some(things)
}

/// The byte offsets of the list of forbidden things, after the common verb. Without a verb, the beginning of each thing
/// is not known: `no new files or folders`.
fn list(lowered: &str) -> Option<(usize, usize)> {
    let said = Intent::Politely.skip(lowered.trim_start());
    let rest = Intent::ForbidVerb.after(said)?;
    let forbids = said.strip_suffix(rest)?;
    let rest = rest.trim_start();
    let verb = rest.split(' ').next()?;
    let behind = rest.get(verb.len()..)?.trim_start();
    // In `never commit or push` the verbs themselves are the list.
    let is_list = verb.ends_with(',') || Intent::And.begins(behind) || Intent::Avoid.is(forbids);
    let listed = if is_list { rest } else { behind };
    let asides = listed.match_indices(", ").map(|(at, _)| at);
    let is_aside = |at: &usize| {
        { listed.get(*at..) }
            .is_some_and(|rest| Intent::Aside.begins(rest.trim_start_matches([',', ' '])))
    };
    let marks = ["; ", ". ", " - ", " — "]
        .iter()
        .filter_map(|mark| listed.find(mark));
    let reasons = Intent::Because.all_in(listed).map(|because| because.start);
    let end = asides.filter(is_aside).chain(marks).chain(reasons).min();
    let end = end.unwrap_or(listed.trim_end_matches(['.', '!']).len());
    let begin = lowered.len() - listed.len();
    Some((begin, begin + listed.get(..end)?.trim_end().len()))
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

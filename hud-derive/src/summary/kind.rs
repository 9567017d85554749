//! What is under a heading, by the words of the heading.

use std::cmp::Reverse;

use crate::lexicon::Intent;
use crate::prose::lower;

/// What a part of a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What is to be reached.
    Task,
    /// What the user said.
    Said,
    /// What the work has to keep to.
    Rules,
    /// Rules, and how things are done here.
    Instructions,
    Decisions,
    Findings,
    Done,
    /// What is being done at this moment.
    Now,
    Next,
    Files,
    /// Other parts: a heading over all, or what was thought before it was written.
    Whole,
}

/// The words that headings have, by kind. Of several in one heading the first counts, and of two that begin
/// at the same place the longer one.
const WORDS: [(Kind, Intent); 11] = [
    (Kind::Next, Intent::HeadingNext),
    (Kind::Said, Intent::HeadingSaid),
    (Kind::Now, Intent::HeadingNow),
    (Kind::Files, Intent::HeadingFiles),
    (Kind::Decisions, Intent::HeadingDecisions),
    (Kind::Done, Intent::HeadingDone),
    (Kind::Rules, Intent::HeadingRules),
    (Kind::Instructions, Intent::HeadingInstructions),
    (Kind::Task, Intent::HeadingTask),
    (Kind::Findings, Intent::HeadingFindings),
    (Kind::Whole, Intent::HeadingWhole),
];

impl Kind {
    /// The kind of what is under a heading or label; none if nothing in it says so.
    pub(super) fn of(label: &str) -> Option<Self> {
        let lower = lower(label).replace('_', " ");
        let first = |(kind, intent): &(Self, Intent)| Some((intent.first_in(&lower)?, *kind));
        let found = WORDS.iter().filter_map(first);
        let first = found.min_by_key(|(found, _)| (found.start, Reverse(found.end)));
        first.map(|(_, kind)| kind)
    }

    /// The label that a text begins with and what is behind its colon, where the label is short and names
    /// a kind: `Next: run the tests`.
    pub(super) fn label(text: &str) -> Option<(&str, &str)> {
        let end = text.find([':', '：'])?;
        let (label, behind) = text.split_at(end);
        let behind = behind.trim_start_matches([':', '：']);
        let is_short = label.len() <= 60 && label.split_whitespace().count() <= 4;
        // A path, an address or a place in a file has a colon, too.
        let is_label = label
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '/' | '&'));
        let is_apart =
            behind.is_empty() || behind.starts_with(char::is_whitespace) || !label.is_ascii();
        (is_short && is_label && is_apart && begins_upper(label) && Self::of(label).is_some())
            .then(|| (label, behind.trim()))
    }
}

fn begins_upper(label: &str) -> bool {
    label
        .chars()
        .next()
        .is_some_and(|first| !first.is_lowercase())
}

//! Kinds of the parts of a summary, from the words of their headings.

use std::cmp::Reverse;

use crate::lexicon::Intent;
use crate::prose::lower;

/// The kind of a part of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The goal.
    Task,
    /// The user's messages.
    Said,
    /// The rules of the work.
    Rules,
    /// Rules, and descriptions of how things are done.
    Instructions,
    Decisions,
    Findings,
    Done,
    /// The current work.
    Now,
    Next,
    Files,
    /// Other parts: a heading over everything, or the thoughts before the summary.
    Whole,
}

/// The words in headings, by kind. If a heading has several, the first one counts. If two begin at the same offset,
/// the longer one counts.
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
    /// Returns the kind of the part under a heading or label. `None` if the label names no kind.
    pub(super) fn of(label: &str) -> Option<Self> {
        let lower = lower(label).replace('_', " ");
        let first = |(kind, intent): &(Self, Intent)| Some((intent.first_in(&lower)?, *kind));
        let found = WORDS.iter().filter_map(first);
        let first = found.min_by_key(|(found, _)| (found.start, Reverse(found.end)));
        first.map(|(_, kind)| kind)
    }

    /// The label that a text begins with and the text after its colon. The label must be short and name a kind:
    /// `Next: run the tests`.
    pub(super) fn label(text: &str) -> Option<(&str, &str)> {
        let end = text.find([':', '：'])?;
        let (label, behind) = text.split_at(end);
        let behind = behind.trim_start_matches([':', '：']);
        let is_short = label.len() <= 60 && label.split_whitespace().count() <= 4;
        // A path, an address or a place in a file has a colon, but is not a label.
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

//! Words that show the kind of a sentence: a finding, a choice, a change.

use crate::lexicon::Intent;

/// The kinds of cue words in a sentence.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) finds: bool,
    pub(super) chooses: bool,
    /// True if it names a decision. Its length and comparisons do not matter then: `we decided on two`.
    pub(super) decides: bool,
    /// True if it states an intention, which is weaker than a choice.
    pub(super) intends: bool,
    pub(super) contrasts: bool,
}

impl Said {
    pub(super) fn of(lower: &str) -> Self {
        let decides = Intent::Decide.all_in(lower);
        let decides = { decides }.any(|found| lower.get(..found.start).is_some_and(is_decided));
        // `should be fixed` is a hope.
        let is_hope = |rest: &str| Intent::Hope.begins(rest.trim_start());
        let mut intends = Intent::Intention.all_in(lower);
        Self {
            finds: Intent::Find.is_in(lower),
            chooses: decides || Intent::Choose.is_in(lower),
            decides,
            intends: intends.any(|found| !lower.get(found.end..).is_some_and(is_hope)),
            contrasts: lower.contains('→')
                || lower.contains(" -> ")
                || Intent::Contrast.is_in(lower),
        }
    }
}

/// True if a decision after this text was made. The text then does not end in words that leave it open.
fn is_decided(before: &str) -> bool {
    !Intent::Undecided.ends(before.trim_end())
}

/// The largest number of offsets in a sentence after which a change is looked for.
const MOST_MARKS: usize = 24;

/// True if a sentence describes a past or current change.
pub(crate) fn changes(lower: &str) -> bool {
    let begins = |text: &str| {
        let first = text
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        Intent::Change.is(first)
    };
    if begins(lower) || lower.contains('→') {
        return true;
    }
    // A change may follow a mark or a subject: `common.go - Added constants`, `I've updated`, `we renamed`.
    let marks = [" - ", " — ", " – ", ": "];
    let marks = marks.iter().flat_map(|mark| lower.match_indices(mark));
    let marks = marks.map(|(at, mark)| at + mark.len());
    let words = Intent::BeforeChange.all_in(lower).map(|found| found.end);
    let mut places = marks.chain(words).take(MOST_MARKS);
    Intent::Changed.is_in(lower)
        || places.any(|at| {
            lower
                .get(at..)
                .is_some_and(|rest| begins(rest.trim_start()))
        })
}

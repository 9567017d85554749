//! Words that say what a sentence is: what was found, chosen, changed.

use crate::lexicon::Intent;

/// Which words are in a sentence, of those that say what it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) finds: bool,
    pub(super) chooses: bool,
    /// Whether it says so of who decided, however short it is and whatever it compares: `we decided on two`.
    pub(super) decides: bool,
    /// Whether it says what will or must be done, which says less than what was chosen.
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

/// True if a decision after this text was made: the text does not end in words by which it is open still.
fn is_decided(before: &str) -> bool {
    !Intent::Undecided.ends(before.trim_end())
}

/// How many places of a sentence are looked at behind which it may say what was changed.
const MOST_MARKS: usize = 24;

/// Whether a sentence says what was or is being changed.
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
    // `common.go - Added constants`, `I've updated`, `we renamed`.
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

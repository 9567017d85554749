//! Announcements in sentences. An announced act is neither a finding nor a decision.

use crate::lexicon::Intent;
use crate::prose::after_marks;

/// The announcement in a sentence.
pub(super) struct Announcement<'l> {
    /// Its verb in lower case: `read` of `let's re-read it`.
    verb: &'l str,
    /// The clause of the announcement without subordinate clauses of purpose, reason or time.
    pub(super) clause: &'l str,
    /// The purpose, beginning with its verb. Empty if there is none.
    purpose: &'l str,
}

impl<'l> Announcement<'l> {
    /// Returns the announcement in a sentence in lower case: `read` of `To be sure, let's read it`.
    pub(super) fn of(lower: &'l str) -> Option<Self> {
        let clause = main_clause(lower);
        let is_now = Intent::Now.begins(clause);
        let said = Intent::Order.skip(clause);
        let rest = match Intent::Intend.after(said) {
            Some(rest) => rest.trim_start(),
            // An announcement without a subject: `Now fix the test.`
            None if is_now && Intent::Act.begins(said) => said,
            None => expected(said)?,
        };
        let rest = Intent::BeforeVerb.skip(rest);
        // A repeated act is the same act.
        let rest = rest.strip_prefix("re-").unwrap_or(rest);
        let verb = rest.split(|c: char| !c.is_alphabetic()).next()?;
        let purpose = Intent::To.first_in(rest).and_then(|to| rest.get(to.end..));
        Some(Self {
            verb,
            clause: without_subordinate(said),
            purpose: purpose.unwrap_or_default(),
        })
    }

    /// True if it only announces a look, or the continuation of one.
    pub(super) fn looks(&self) -> bool {
        let is_look = |verb: &str| Intent::Look.is(verb);
        match self.verb {
            // A tool that is used for a look is not a choice.
            verb if Intent::Use.is(verb) => Intent::Look.begins(self.purpose.trim_start()),
            verb => is_look(verb) || verb.strip_prefix("re").is_some_and(is_look),
        }
    }

    /// True if it announces a repair.
    pub(super) fn mends(&self) -> bool {
        Intent::Repair.is(self.verb)
    }

    /// True if it announces an act whose result is known soon.
    pub(super) fn does(&self) -> bool {
        Intent::Act.is(self.verb)
    }
}

/// True if a sentence only describes current work: `Looking at the tests`, `We are now reading it`.
pub(super) fn is_under_way(lower: &str) -> bool {
    let said = Intent::Order.skip(main_clause(lower));
    let by = Intent::Progressive.skip(said);
    let verb = Intent::BeforeVerb.skip(by);
    let has_subject = by.len() < said.len();
    let is_short = verb.split_whitespace().nth(8).is_none();
    // `Calling submit to submit` announces a call, `Calling it twice fails` does not.
    let calls = Intent::Calling.begins(verb) && Intent::To.is_in(verb);
    (calls || Intent::Looking.begins(verb)) && (has_subject || is_short)
}

/// The longest sentence that is searched for an announcement, in bytes.
const LONG: usize = 2_000;

/// The byte offset where a sentence continues with an announcement: after `The pool is empty` in `The pool is empty, so
/// let me read it`. The offset is 0 if the announcement doubts the text before it: `It is in src, but we should check`.
pub(super) fn before_announcement(lower: &str) -> Option<usize> {
    // A longer text is not a sentence.
    if lower.len() > LONG {
        return None;
    }
    let turns = Intent::Clause.all_in(lower).map(|clause| clause.start);
    let begins = after_marks(lower).chain(turns).filter_map(|at| {
        let (before, rest) = lower.split_at_checked(at)?;
        let is_turn =
            before.trim_end().ends_with([';', '-', '—', '–']) || Intent::Turn.begins(rest);
        if !is_turn || !Announcement::of(Intent::Turn.skip(rest))?.looks() {
            return None;
        }
        let before = before.trim_end_matches([' ', ',', ';', '-', '—', '–']);
        Some(if Intent::But.begins(rest) {
            0
        } else {
            before.len()
        })
    });
    begins.min()
}

/// A sentence without a leading subordinate clause: `To be certain, ..`, `Before submitting the changes, ..`. The whole
/// sentence if none of its clauses announces anything.
fn main_clause(lower: &str) -> &str {
    if !Intent::SubordinateStart.begins(lower) {
        return lower;
    }
    let behind_commas = lower
        .match_indices(", ")
        .filter_map(|(at, comma)| lower.get(at + comma.len()..));
    let announces = |clause: &&str| Intent::Intend.begins(Intent::Order.skip(clause));
    behind_commas.clone().find(announces).unwrap_or(lower)
}

/// A clause up to the first subordinate clause of time, reason or purpose.
fn without_subordinate(clause: &str) -> &str {
    let begins = Intent::Subordinator.all_in(clause).map(|found| found.start);
    let end = begins.filter(|at| *at > 0).min();
    end.and_then(|end| clause.get(..end))
        .map_or(clause, str::trim_end)
}

/// The expected act of a thing, which is not done yet: `This script will attempt to ..`.
fn expected(said: &str) -> Option<&str> {
    let expects = Intent::Expect.first_in(said)?;
    let subject = said.get(..expects.start)?;
    let rest = said.get(expects.end..)?.trim_start();
    subject.split_whitespace().nth(4).is_none().then_some(rest)
}

/// True if a sentence in a language other than English only announces a look or a step: `Ich sehe mir a.rs an.`,
/// `Смотрю a.py.`, `a.ts を確認します。`
pub(super) fn announces_abroad(lower: &str) -> bool {
    let end = lower.trim_end_matches(['.', '。', '!', '！', ':', '：']);
    Intent::Announce.begins(lower) || (!lower.is_ascii() && Intent::Announce.ends(end))
}

/// True if a sentence announces the next step.
pub(super) fn is_next(lower: &str) -> bool {
    Intent::NextStep.begins(lower)
}

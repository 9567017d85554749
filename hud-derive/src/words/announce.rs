//! What a sentence announces: what is announced was neither found nor decided.

use crate::lexicon::Intent;
use crate::prose::after_marks;

/// What a sentence announces, and what it says besides.
pub(super) struct Announcement<'l> {
    /// The verb of it, in small letters: `read` of `let's re-read it`.
    verb: &'l str,
    /// The clause that announces, without what is subordinate to it: its purpose, its reason, its time.
    pub(super) clause: &'l str,
    /// What it is for, from the verb on: nothing where that is not said.
    purpose: &'l str,
}

impl<'l> Announcement<'l> {
    /// What a sentence in small letters announces: `read` of `To be sure, let's read it`.
    pub(super) fn of(lower: &'l str) -> Option<Self> {
        let clause = main_clause(lower);
        let is_now = Intent::Now.begins(clause);
        let said = Intent::Order.skip(clause);
        let rest = match Intent::Intend.after(said) {
            Some(rest) => rest.trim_start(),
            // `Now fix the test.`
            None if is_now && Intent::Act.begins(said) => said,
            None => expected(said)?,
        };
        let rest = Intent::BeforeVerb.skip(rest);
        // What is done again is done.
        let rest = rest.strip_prefix("re-").unwrap_or(rest);
        let verb = rest.split(|c: char| !c.is_alphabetic()).next()?;
        let purpose = Intent::To.first_in(rest).and_then(|to| rest.get(to.end..));
        Some(Self {
            verb,
            clause: without_subordinate(said),
            purpose: purpose.unwrap_or_default(),
        })
    }

    /// Whether it only says what will be looked at next, or gone on with.
    pub(super) fn looks(&self) -> bool {
        let is_look = |verb: &str| Intent::Look.is(verb);
        match self.verb {
            // What is used to look is not what was chosen to build with.
            verb if Intent::Use.is(verb) => Intent::Look.begins(self.purpose.trim_start()),
            verb => is_look(verb) || verb.strip_prefix("re").is_some_and(is_look),
        }
    }

    /// Whether it says what will be mended.
    pub(super) fn mends(&self) -> bool {
        Intent::Repair.is(self.verb)
    }

    /// Whether it says what will be done, which is soon known by what it did.
    pub(super) fn does(&self) -> bool {
        Intent::Act.is(self.verb)
    }
}

/// Whether a sentence only says what is going on: `Looking at the tests`, `We are now reading it`.
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

/// How long a sentence is at most that is looked through for where it turns, in bytes.
const LONG: usize = 2_000;

/// Where a sentence goes on to announce something: behind `The pool is empty` of `The pool is empty, so let me
/// read it`. Where it doubts what it said until then, that is its beginning: `It is in src, but we should check`.
pub(super) fn before_announcement(lower: &str) -> Option<usize> {
    // What is longer is no sentence.
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

/// A sentence without the clause that it begins with and that is not its own: `To be certain, ..`, `Before
/// submitting the changes, ..`. The sentence itself where none of its clauses announces anything.
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

/// A clause up to where another one begins that says when, why or what for.
fn without_subordinate(clause: &str) -> &str {
    let begins = Intent::Subordinator.all_in(clause).map(|found| found.start);
    let end = begins.filter(|at| *at > 0).min();
    end.and_then(|end| clause.get(..end))
        .map_or(clause, str::trim_end)
}

/// What something is expected to do, and has not done yet: `This script will attempt to ..`.
fn expected(said: &str) -> Option<&str> {
    let expects = Intent::Expect.first_in(said)?;
    let subject = said.get(..expects.start)?;
    let rest = said.get(expects.end..)?.trim_start();
    subject.split_whitespace().nth(4).is_none().then_some(rest)
}

/// Whether a sentence only announces a look or a step in another language than English: `Ich sehe mir a.rs an.`,
/// `Смотрю a.py.`, `a.ts を確認します。`
pub(super) fn announces_abroad(lower: &str) -> bool {
    let end = lower.trim_end_matches(['.', '。', '!', '！', ':', '：']);
    Intent::Announce.begins(lower) || (!lower.is_ascii() && Intent::Announce.ends(end))
}

/// Whether a sentence says what is about to be done.
pub(super) fn is_next(lower: &str) -> bool {
    Intent::NextStep.begins(lower)
}

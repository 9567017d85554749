//! The relation of a message to earlier requests: it retracts, corrects or continues them.

use hud_store::event::Speaker;

use super::words::{beginning, ending, lower, words};
use crate::lexicon::{Found, Intent, is_unsegmented};
use crate::prose;

/// The number of bytes at each end of an agent's message that are read for the state of the work.
const ENDS: usize = 400;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// The last request is no longer wanted.
    pub(super) withdraws: bool,
    /// The work is wrong or not complete.
    pub(super) corrects: bool,
    /// The message cannot be understood without the last request.
    pub(super) refers: bool,
    /// It replies to the agent's message: `I understand, but ..`.
    pub(super) replies: bool,
    /// It is long enough to describe something new.
    pub(super) is_whole: bool,
}

impl Relation {
    pub(super) fn of(own: &str) -> Self {
        // The relation is at the beginning of a message.
        let lowered = lower(beginning(own, 600));
        let beginning = words(&lowered).take(14).collect::<Vec<_>>().join(" ");
        // In scripts without spaces, the whole text counts as the beginning.
        let beginning = match lowered.contains(is_unsegmented) {
            true => &lowered,
            false => &beginning,
        };
        // Skips negated phrases: `Don't forget it`.
        let is_negated = |found: &Found| {
            let before = beginning.get(..found.start).unwrap_or_default();
            Intent::Not.ends(before.trim_end()) || found.is_in_other_word(beginning)
        };
        let mut withdraws = Intent::Withdraw.all_in(beginning);
        let denies = Intent::Objection.begins(&lowered);
        let withdraws = withdraws.any(|found| !is_negated(&found));
        Self {
            withdraws,
            corrects: !withdraws && (denies || Intent::Correct.is_in(beginning)),
            refers: Intent::Refer.is_in(&lowered) && words(&lowered).nth(30).is_none(),
            replies: Intent::Reply.begins(&lowered),
            is_whole: words(&lowered).nth(20).is_some(),
        }
    }
}

/// The speaker of the last message that a message of the user retracts.
pub(crate) fn retracts(text: &str) -> Option<Speaker> {
    let beginning = lower(beginning(text, 300));
    match Relation::of(text) {
        relation if relation.withdraws => Some(Speaker::User),
        _ if Intent::Misread.is_in(&beginning) => Some(Speaker::Agent),
        _ => None,
    }
}

/// True if an agent's closing message states that the work is done.
pub(super) fn says_done(said: &str) -> bool {
    let [begin, end] = prose::read(said);
    let end = if end.is_empty() { begin } else { end };
    let first = beginning(begin, ENDS);
    let last = ending(end, ENDS);
    let (first, last) = (lower(first), lower(last));
    (Intent::Done.is_in(&first) || Intent::Done.is_in(&last)) && !Intent::NotDone.is_in(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_withdraws_corrects_or_goes_on() {
        for said in [
            "thinking again: let's completely remove it",
            "no, ignore this part",
            "Never mind.",
            "算了，先不做",
        ] {
            assert!(Relation::of(said).withdraws, "{said}");
        }
        for said in [
            "Almost there. In func A, use a literal",
            "no, the other one",
            "it still fails",
            "还是不行",
        ] {
            assert!(Relation::of(said).corrects, "{said}");
        }
        assert!(Relation::of("Great, now do that to the other one too").refers);
        assert_eq!(Relation::of("commit the merge"), Relation::default());
    }

    #[test]
    fn a_message_takes_back_the_users_last_one_or_sets_the_agents_aside() {
        for (said, expected) in [
            ("never mind, leave it as it is", Some(Speaker::User)),
            ("I meant the other repository", Some(Speaker::Agent)),
            ("ich meinte den anderen Ordner", Some(Speaker::Agent)),
            ("我的意思是另一个仓库", Some(Speaker::Agent)),
            ("Great, now add a test", None),
            ("what is meant by that?", None),
        ] {
            assert_eq!(retracts(said), expected, "{said}");
        }
    }

    #[test]
    fn a_closing_message_says_whether_it_is_done() {
        assert!(says_done("Fixed: `a` was wrong."));
        assert!(says_done(
            "Here is what I did.\n\nBuild, tests, and lint all pass."
        ));
        assert!(!says_done("The cause is in `a`. Shall I mend it?"));
        assert!(!says_done("Added `a`, but the test still fails"));
    }
}

//! Words that say what a sentence is: what was found, chosen, changed.

use std::sync::LazyLock;

use crate::derive::cues::Cues;

/// Which words are in a sentence, of those that say what it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) finds: bool,
    pub(super) chooses: bool,
    /// Whether it says what will or must be done, which says less than what was chosen.
    pub(super) intends: bool,
    pub(super) contrasts: bool,
}

impl Said {
    pub(super) fn of(lower: &str) -> Self {
        #[derive(Clone, Copy)]
        enum Sort {
            Finding,
            Choice,
            Intention,
            Contrast,
        }
        static CUES: LazyLock<Cues<Sort>> = LazyLock::new(|| {
            let sorts = [
                (FINDING, Sort::Finding),
                (CHOICE, Sort::Choice),
                (INTENTION, Sort::Intention),
                (CONTRAST, Sort::Contrast),
            ];
            let each = |(cues, sort): (&'static [&'static str], Sort)| {
                cues.iter().map(move |cue| (*cue, sort))
            };
            Cues::new(sorts.into_iter().flat_map(each))
        });
        let mut said = Self::default();
        for (at, cue, sort) in CUES.within(lower) {
            match sort {
                // `should be fixed` is a hope.
                Sort::Intention if cue == "should be" => {
                    let rest = lower.get(at + cue.len()..).unwrap_or_default();
                    let next = rest.split(|c: char| !c.is_alphabetic()).nth(1);
                    said.intends |= !next.is_some_and(|next| HOPED.contains(&next));
                }
                Sort::Intention => said.intends = true,
                Sort::Finding => said.finds = true,
                Sort::Choice => said.chooses = true,
                Sort::Contrast => said.contrasts = true,
            }
        }
        said
    }
}

/// Words of who found something out.
const FINDING: &[&str] = &[
    "root cause",
    "caused by",
    "the cause",
    "the issue is",
    "the issue was",
    "the problem is",
    "the problem was",
    "the reason",
    "found it",
    "turns out",
    "because",
    "defaults to",
    "by default",
    "confirmed",
    "intentionally",
    "on purpose",
    "which means",
    "which suggests",
    "which indicates",
    "this suggests",
    "this indicates",
    "is due to",
    "was due to",
    "this means",
    "meaning that",
    "i see",
    "out of sync",
    "the failure",
    "fails since",
    "failed because",
    "is wrong",
    "was wrong",
    "is missing",
    "doesn't exist",
    "does not exist",
    "doesn't compile",
    "does not compile",
    "already fixed",
    "needs fixing",
    "depends on",
    "relies on",
    "is defined in",
    "was defined in",
    "is responsible for",
    "ursache",
    "das problem",
    "liegt an",
    "weil ",
    "parce que",
    "la cause",
    "le problème",
    "porque",
    "el problema",
    "la causa",
    "原因",
    "因为",
    "問題",
    "问题",
    "причина",
    "потому что",
];

/// Words of who chose something.
const CHOICE: &[&str] = &[
    "instead of",
    "rather than",
    "the fix is",
    "the fix was",
    "approach is",
    "simplest",
    "recommend",
    "the plan is",
    "i'll go with",
    "i'd go with",
    "i would go with",
    "i will go with",
    "going with",
    "decided",
    "i chose",
    "replace it with",
    "stattdessen",
    "anstatt",
    "au lieu de",
    "en lugar de",
    "而不是",
    "代わりに",
    "вместо",
];

/// Words of who means to do something.
const INTENTION: &[&str] = &[
    "i'll update",
    "i'll remove",
    "i'll change",
    "should use",
    "should be",
    "need to",
    "needs to",
    "i'll use",
    "let me use",
    "let me set",
    "i'll add",
    "i'll fix",
    "i'll replace",
];

/// What something should be that is expected to be so, rather than made so.
const HOPED: &[&str] = &[
    "able", "complete", "correct", "done", "fine", "fixed", "gone", "good", "mended", "ok", "okay",
    "passing", "ready", "resolved", "solved", "working",
];

/// Words of what is otherwise than one would think.
const CONTRAST: &[&str] = &[
    " not ",
    "n't ",
    " but ",
    " still ",
    " only ",
    "already",
    "however",
    " no longer",
    "→",
    " -> ",
    " never ",
    " without ",
];

/// Verbs of what was done, at the beginning of a sentence or an item.
const CHANGE: &[&str] = &[
    "added",
    "updated",
    "removed",
    "fixed",
    "changed",
    "replaced",
    "renamed",
    "moved",
    "deleted",
    "created",
    "refactored",
    "switched",
    "implemented",
    "extracted",
    "reverted",
    "reset",
    "set",
    "made",
    "kept",
    "converted",
    "simplified",
    "split",
    "merged",
    "introduced",
    "wrote",
    "dropped",
    "disabled",
    "enabled",
    "bumped",
    "upgraded",
    "downgraded",
    "pinned",
    "wrapped",
    "inlined",
    "registered",
    "documented",
    "adjusted",
    "corrected",
    "rewrote",
    "restored",
    "committed",
];

/// Whether a sentence says what was or is being changed.
pub(in crate::derive) fn changes(lower: &str) -> bool {
    let begins = |text: &str| {
        let first = text
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        CHANGE.contains(&first)
    };
    if begins(lower) || lower.contains('→') {
        return true;
    }
    // `common.go - Added constants`, `I've updated`, `we renamed`.
    let behind = [
        " - ", " — ", " – ", ": ", "i ", "i've ", "i have ", "we ", "now ", "is now ", "are now ",
    ];
    behind.iter().any(|mark| {
        lower.contains(mark)
            && lower
                .match_indices(mark)
                .take(4)
                .any(|(at, _)| begins(&lower[at + mark.len()..]))
    })
}

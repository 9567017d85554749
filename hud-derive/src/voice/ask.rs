//! Sentences that ask for an answer or for an action.

use super::words::{beginning, lower, words};
use crate::lexicon::Intent;
use crate::prose::sentences;

/// True if a sentence asks for an action.
pub(super) fn is_directive(lowered: &str) -> bool {
    Intent::Ask.is_in(lowered) || first_word(lowered).is_some_and(|word| Intent::Verb.is(word))
}

/// The first word of a sentence that is not a filler.
pub(super) fn first_word(lowered: &str) -> Option<&str> {
    words(lowered).find(|word| !Intent::Filler.is(word))
}

/// True if a sentence refers to the one before it.
pub(super) fn refers(lowered: &str) -> bool {
    Intent::Pronoun.is_in(lowered)
}

/// True if a text asks for an answer or for a single action. Such a request is over after the agent's next message.
pub(super) fn is_question(text: &str) -> bool {
    let text = text.trim_end();
    let lowered = lower(beginning(text, 2_000));
    let is_short = words(&lowered).nth(8).is_none();
    if is_short && first_word(&lowered).is_some_and(|word| Intent::Once.is(word)) {
        return true;
    }
    // The last sentence decides.
    let ends = text.ends_with(['?', '？', '吗', '呢', '؟']);
    let Some(last) = sentences(&lowered).last() else {
        return false;
    };
    if !ends || text.lines().nth(3).is_some() {
        return false;
    }
    let first = last
        .find(first_word(last).unwrap_or(""))
        .and_then(|at| last.get(at..))
        .unwrap_or(last);
    let is_asked = Intent::Question.begins(first) || Intent::Question.begins(lowered.trim_start());
    is_asked || !is_directive(last)
}

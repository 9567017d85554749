//! The words that a model used, each with the request in whose answer it was newest.

use std::collections::HashMap;

use crate::action::Action;
use crate::derive::{floor, hashed};

/// How many words are kept at most.
const MOST: usize = 20_000;

/// How many requests back words are kept where there are more.
const RECENT: u64 = 40;

/// How many bytes of a text are looked at.
const LONGEST: usize = 16 * 1024;

/// How many letters a word has at least.
const TELLING: usize = 5;

/// The words that a model used.
#[derive(Clone, Debug, Default)]
pub struct Spoken(HashMap<u64, u64>);

impl Spoken {
    /// Takes in a text that is said with the answer to a request.
    pub fn say(&mut self, text: &str, request: u64) {
        let text = &text[..floor(text, LONGEST)];
        for (word, hash) in hashed(text) {
            if is_telling(word) {
                let newest = self.0.entry(hash).or_default();
                *newest = request.max(*newest);
            }
        }
        if self.0.len() > MOST {
            self.0.retain(|_, newest| *newest + RECENT >= request);
        }
        if self.0.len() > MOST {
            self.0.clear();
        }
    }

    /// Takes in what a call is about.
    pub fn call(&mut self, action: &Action, request: u64) {
        if let Action::Write { change, .. } | Action::Edit { change, .. } = action {
            change.names.iter().for_each(|name| self.say(name, request));
        }
        if let Some(target) = action.target() {
            self.say(target, request);
        }
    }

    /// How many words of a line were used from a request on.
    pub fn used_in(&self, line: &str, from: u64) -> usize {
        hashed(line)
            .filter(|(word, _)| is_telling(word))
            .filter(|(_, hash)| self.0.get(hash).is_some_and(|newest| *newest >= from))
            .count()
    }
}

fn is_telling(word: &str) -> bool {
    word.chars().nth(TELLING - 1).is_some()
}

//! The words that a model used, each with the newest request whose answer contains it.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hud_observe::action::Action;
use hud_store::text::beginning;

use crate::hashed;

/// The largest number of words that are kept.
const MOST: usize = 20_000;

/// The number of requests after which words are dropped if there are more.
const RECENT: u64 = 40;

/// The number of bytes of a text that are read.
const LONGEST: usize = 16 * 1024;

/// The least number of letters of a word.
const TELLING: usize = 5;

/// The number of new words before they join the words that copies share.
const NEW: usize = 500;

/// The words that a model used. A copy shares nearly all of them.
#[derive(Clone, Debug, Default)]
pub struct Spoken {
    shared: Arc<HashMap<u64, u64, RandomState>>,
    new: HashMap<u64, u64, RandomState>,
}

impl Spoken {
    /// Adds the words of a text in the answer to a request.
    pub fn say(&mut self, text: &str, request: u64) {
        let text = beginning(text, LONGEST);
        for (word, hash) in hashed(text) {
            if is_telling(word) {
                let newest = self.new.entry(hash).or_default();
                *newest = request.max(*newest);
            }
        }
        if self.new.len() > NEW {
            self.share(request);
        }
    }

    /// Moves the new words to the shared ones, and drops old words if there are too many.
    fn share(&mut self, request: u64) {
        let shared = Arc::make_mut(&mut self.shared);
        for (hash, request) in self.new.drain() {
            let newest = shared.entry(hash).or_default();
            *newest = request.max(*newest);
        }
        if shared.len() > MOST {
            shared.retain(|_, newest| *newest + RECENT >= request);
        }
        if shared.len() > MOST {
            shared.clear();
        }
    }

    /// Adds the words of an action: its target and the names in its change.
    pub fn call(&mut self, action: &Action, request: u64) {
        if let Action::Write { change, .. } | Action::Edit { change, .. } = action {
            change.names.iter().for_each(|name| self.say(name, request));
        }
        if let Some(target) = action.target() {
            self.say(target, request);
        }
    }

    /// The newest request whose answer contains a word.
    fn newest(&self, hash: u64) -> Option<u64> {
        let newest = |words: &HashMap<u64, u64, RandomState>| words.get(&hash).copied();
        newest(&self.new).max(newest(&self.shared))
    }

    /// The number of words of a line that were used in or after a request.
    pub fn used_in(&self, line: &str, from: u64) -> usize {
        hashed(line)
            .filter(|(word, _)| is_telling(word))
            .filter(|(_, hash)| self.newest(*hash).is_some_and(|newest| newest >= from))
            .count()
    }
}

fn is_telling(word: &str) -> bool {
    word.len() >= TELLING && word.chars().nth(TELLING - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_from_the_request_on_in_which_they_were_used_last_however_many_there_are() {
        let mut spoken = Spoken::default();
        spoken.say("limiter bucket", 1);
        for request in 2..40 {
            let words: Vec<String> = (0..100).map(|n| format!("other_{request}_{n}")).collect();
            spoken.say(&words.join(" "), request);
        }
        spoken.say("bucket", 40);
        let copy = spoken.clone();
        spoken.say("tenant", 41);
        assert_eq!(spoken.used_in("the limiter of a bucket by tenant", 1), 3);
        assert_eq!(spoken.used_in("the limiter of a bucket by tenant", 2), 2);
        assert_eq!(copy.used_in("tenant", 1), 0);
        for request in 42..2_000 {
            let words: Vec<String> = (0..50).map(|n| format!("many_{request}_{n}")).collect();
            spoken.say(&words.join(" "), request);
        }
        assert!(spoken.shared.len() + spoken.new.len() <= MOST + NEW + 50);
        assert_eq!(spoken.used_in("many_1999_7 many_3_7", 1), 1);
    }
}

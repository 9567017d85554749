//! The words that a model used, each with the request in whose answer it was newest.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hud_observe::action::Action;
use hud_store::text::floor_char_boundary;

use crate::hashed;

/// How many words are kept at most.
const MOST: usize = 20_000;

/// How many requests back words are kept where there are more.
const RECENT: u64 = 40;

/// How many bytes of a text are looked at.
const LONGEST: usize = 16 * 1024;

/// How many letters a word has at least.
const TELLING: usize = 5;

/// How many words are taken in before they join those that copies share.
const NEW: usize = 500;

/// The words that a model used. A copy shares nearly all of them.
#[derive(Clone, Debug, Default)]
pub struct Spoken {
    shared: Arc<HashMap<u64, u64, RandomState>>,
    new: HashMap<u64, u64, RandomState>,
}

impl Spoken {
    /// Takes in a text that is said with the answer to a request.
    pub fn say(&mut self, text: &str, request: u64) {
        let text = &text[..floor_char_boundary(text, LONGEST)];
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

    /// Has the new words join the others, of which not more are kept than matter.
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

    /// Takes in what a call is about.
    pub fn call(&mut self, action: &Action, request: u64) {
        if let Action::Write { change, .. } | Action::Edit { change, .. } = action {
            change.names.iter().for_each(|name| self.say(name, request));
        }
        if let Some(target) = action.target() {
            self.say(target, request);
        }
    }

    /// The newest request in whose answer a word was used.
    fn newest(&self, hash: u64) -> Option<u64> {
        let newest = |words: &HashMap<u64, u64, RandomState>| words.get(&hash).copied();
        newest(&self.new).max(newest(&self.shared))
    }

    /// The number of words of a line that were used from a request on.
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

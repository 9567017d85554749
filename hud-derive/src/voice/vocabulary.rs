//! Words of several languages that mean the same.

use std::collections::HashSet;

use super::words::{has, is_dense, words};

/// Words and phrases: `word`, `beginning*`, `several words`. Those of scripts that part no words, or whose words end in
/// marks, are found anywhere.
pub(super) struct Vocabulary {
    words: HashSet<&'static str>,
    beginnings: Vec<&'static str>,
    phrases: Vec<&'static str>,
    anywhere: Vec<&'static str>,
}

impl Vocabulary {
    /// The words of a list that commas part.
    pub(super) fn of(list: &'static str) -> Self {
        let mut vocabulary = Self {
            words: HashSet::new(),
            beginnings: Vec::new(),
            phrases: Vec::new(),
            anywhere: Vec::new(),
        };
        for entry in list.split(',').map(str::trim) {
            match entry.strip_suffix('*') {
                Some(beginning) => vocabulary.beginnings.push(beginning),
                None if entry.contains(|c| is_dense(c) || matches!(c, '\u{900}'..='\u{DFF}')) => {
                    vocabulary.anywhere.push(entry);
                }
                None if entry.contains([' ', '\'', '-', '.']) => vocabulary.phrases.push(entry),
                None => {
                    vocabulary.words.insert(entry);
                }
            }
        }
        vocabulary
    }

    /// True if one of them is in a text in small letters.
    pub(super) fn is_in(&self, lowered: &str) -> bool {
        words(lowered).any(|word| self.has(word))
            || has(lowered, &self.phrases)
            || !lowered.is_ascii() && self.anywhere.iter().any(|word| lowered.contains(word))
    }

    /// True if a word is one of them, or begins as one does.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word) || self.beginnings.iter().any(|begin| word.starts_with(begin))
    }
}

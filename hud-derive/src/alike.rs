//! Compares the subjects of texts by their common words.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

/// The words of a text that carry its subject, in lower case, each once.
///
/// Words are only compared, so each is kept as its hash. The statements of a session are compared with every message,
/// and no word is copied for that. The hash is the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The hashes in ascending order.
    hashes: Vec<u64>,
    /// The last six bits of each hash, with one bit for each value. Most words of another text have other values.
    ends: u64,
}

impl Words {
    /// Returns the words of a text that have three or more letters and are not in nearly every sentence.
    pub fn of(text: &str) -> Self {
        Self::of_all([text])
    }

    /// Returns the words of a text that is compared with many others, such as a statement of the session. The words are
    /// computed once.
    pub(crate) fn of_known(text: &str) -> Rc<Self> {
        /// The size of the cache, which is more than the number of statements of a session.
        const MOST: usize = 1024;
        thread_local! {
            static KNOWN: RefCell<HashMap<Box<str>, Rc<Words>, RandomState>> = RefCell::default();
        }
        KNOWN.with_borrow_mut(|known| {
            if let Some(words) = known.get(text) {
                return Rc::clone(words);
            }
            if known.len() >= MOST {
                known.clear();
            }
            let words = Rc::new(Self::of(text));
            known.insert(text.into(), Rc::clone(&words));
            words
        })
    }

    /// Returns the words of several texts.
    pub fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let words = texts.into_iter().flat_map(hashed);
        let mut hashes: Vec<u64> = words.map(|(_, hash)| hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let ends = hashes.iter().fold(0, |ends, hash| ends | end(*hash));
        Self { hashes, ends }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// True if there are no words.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The number of words in common with another text.
    pub fn common(&self, other: &Self) -> usize {
        let (mut one, mut other) = (self.hashes.as_slice(), other.hashes.as_slice());
        let mut count = 0;
        while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
            count += usize::from(first == second);
            if first <= second {
                one = rest;
            }
            if second <= first {
                other = others;
            }
        }
        count
    }

    /// An upper bound of the number of common words, which is faster to compute.
    fn common_at_most(&self, other: &Self) -> usize {
        let may_be = |hash: &&u64| other.ends & end(**hash) != 0;
        self.hashes.iter().filter(may_be).count()
    }
}

/// The last six bits of a hash, as one of 64 bits.
const fn end(hash: u64) -> u64 {
    1 << (hash % 64)
}

/// True if two texts have the same subject.
pub fn alike(one: &Words, other: &Words) -> bool {
    let least = one.len().min(other.len());
    let is_enough = |common: usize| common * 10 >= least * 7;
    least >= 2 && is_enough(one.common_at_most(other)) && is_enough(one.common(other))
}

/// The words of a text that carry its subject, as they are written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    hashed(text).map(|(word, _)| word)
}

/// The words of a text, each with its hash. ASCII is read as bytes, because the statements of a session are compared
/// with every message.
pub(crate) fn hashed(text: &str) -> impl Iterator<Item = (&str, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (begin, mut letters, mut hash) = (at, 0, NONE);
            // The length of the character that ends the word, if there is one.
            let end = loop {
                match text.as_bytes().get(at) {
                    None => break None,
                    Some(byte) if byte.is_ascii() => {
                        let small = SMALL[usize::from(*byte)];
                        if small == 0 {
                            break Some(1);
                        }
                        (hash, at) = (with(hash, char::from(small)), at + 1);
                    }
                    Some(_) => {
                        let letter = text.get(at..)?.chars().next()?;
                        if !letter.is_alphanumeric() {
                            break Some(letter.len_utf8());
                        }
                        hash = letter.to_lowercase().fold(hash, with);
                        at += letter.len_utf8();
                    }
                }
                letters += 1;
            };
            let word = begin..at;
            if letters < 3 || (letters <= LONGEST_IDLE && IDLE.contains(&hash)) {
                at += end?;
                continue;
            }
            return Some((text.get(word)?, hash));
        }
    })
}

/// The lower case of each byte of a word. 0 for other bytes.
const SMALL: [u8; 128] = {
    let mut small = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        if letter.is_ascii_alphanumeric() || letter == b'_' {
            small[byte] = letter.to_ascii_lowercase();
        }
        byte += 1;
    }
    small
};

/// The FNV-1a hash of no letters.
const NONE: u64 = 0xcbf2_9ce4_8422_2325;

const fn with(hash: u64, letter: char) -> u64 {
    (hash ^ letter as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// The number of letters of the longest word in [`IDLE`].
const LONGEST_IDLE: u32 = 5;

/// Words that are in nearly every sentence.
const IDLE: [u64; 26] = {
    const WORDS: [&str; 26] = [
        "the", "and", "that", "this", "with", "for", "was", "were", "are", "not", "now", "all",
        "its", "has", "have", "from", "into", "which", "when", "then", "also", "but", "been",
        "they", "them", "there",
    ];
    let mut hashes = [NONE; 26];
    let mut at = 0;
    while at < WORDS.len() {
        let word = WORDS[at].as_bytes();
        let mut letter = 0;
        assert!(word.len() <= LONGEST_IDLE as usize);
        while letter < word.len() {
            hashes[at] = with(hashes[at], word[letter] as char);
            letter += 1;
        }
        at += 1;
    }
    hashes
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_count_once_in_whatever_case_and_not_where_every_sentence_has_them() {
        let words = Words::of("The Cache_key LACKS the tenant; cache_key, Übergröße 東京都");
        assert_eq!(words, Words::of("tenant lacks cache_key übergröße 東京都"));
        assert_eq!(words.len(), 5);
        assert!(Words::of("and that is of it").is_empty());
    }

    #[test]
    fn a_word_is_of_letters_digits_and_underscores_of_any_script_and_of_three_at_least() {
        let words = |text| words(text).collect::<Vec<_>>();
        assert_eq!(
            words("ab abc a_1 Ärger, été! 東京都 x"),
            ["abc", "a_1", "Ärger", "été", "東京都"]
        );
        assert_eq!(words("«foo»bar—baz"), ["foo", "bar", "baz"]);
        assert!(words("").is_empty() && words("é.").is_empty() && words(", ;").is_empty());
        assert_eq!(Words::of("ÉTÉ"), Words::of("été"));
    }

    proptest! {
        #[test]
        fn words_are_found_as_letter_by_letter(text in "([a-zA-Z_0-9éÜ東. ]|\\PC){0,60}") {
            let is_telling = |word: &&str| {
                let small = word.to_ascii_lowercase();
                word.chars().count() >= 3 && !IDLE.contains(&small.chars().fold(NONE, with))
            };
            let each = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_telling);
            prop_assert_eq!(words(&text).collect::<Vec<_>>(), each.collect::<Vec<_>>());
            prop_assert_eq!(&*Words::of_known(&text), &Words::of(&text));
        }
    }

    #[test]
    fn texts_are_alike_where_most_words_of_the_shorter_one_are_in_the_other() {
        let one = Words::of("the cache key lacks the tenant");
        let is_alike =
            |other: &str| alike(&one, &Words::of(other)) && alike(&Words::of(other), &one);
        assert!(is_alike(
            "the key of the cache lacks a tenant, found in store.rs"
        ));
        assert!(!is_alike("the cache is never cleared"));
        assert!(!is_alike("cache"), "one word says little");
        assert_eq!(one.common(&Words::of("tenant cache other")), 2);
        assert_eq!(one.common(&Words::default()), 0);
    }
}

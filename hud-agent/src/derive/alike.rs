//! Whether texts are about the same: by the words that they have in common.

/// The words of a text that say what it is about, in whatever case, each once.
///
/// They are only compared, so each is kept as its hash: what a session knows is compared with every message,
/// and no word of it is copied for that. The hash is the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// The words of a text: what has three letters or more, and is not in every sentence.
    pub(crate) fn of(text: &str) -> Self {
        Self::of_all([text])
    }

    /// The words of several texts.
    pub(crate) fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let words = texts.into_iter().flat_map(hashed);
        let mut hashes: Vec<u64> = words.map(|(_, hash)| hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many words it has in common with others.
    pub(crate) fn common(&self, other: &Self) -> usize {
        let (mut one, mut other) = (self.0.as_slice(), other.0.as_slice());
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
}

/// Whether two texts are about the same.
pub(crate) fn alike(one: &Words, other: &Words) -> bool {
    let least = one.len().min(other.len());
    least >= 2 && one.common(other) * 10 >= least * 7
}

/// The words of a text that say what it is about, as they are written.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    hashed(text).map(|(word, _)| word)
}

/// The words of a text, each with its hash. What a session knows is compared with every message, so ASCII is
/// read as bytes.
pub(crate) fn hashed(text: &str) -> impl Iterator<Item = (&str, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut begin, mut letters, mut hash) = (at, 0, NONE);
        loop {
            let end = at;
            // The letter in small letters, if one goes on here.
            let next = match text.as_bytes().get(at) {
                Some(byte) if byte.is_ascii() => {
                    at += 1;
                    let is_of_word = byte.is_ascii_alphanumeric() || *byte == b'_';
                    is_of_word.then(|| with(hash, char::from(byte.to_ascii_lowercase())))
                }
                Some(_) => {
                    let letter = text.get(at..)?.chars().next()?;
                    at += letter.len_utf8();
                    let is_of_word = letter.is_alphanumeric();
                    is_of_word.then(|| letter.to_lowercase().fold(hash, with))
                }
                None if letters == 0 => return None,
                None => None,
            };
            match next {
                Some(next) => (hash, letters) = (next, letters + 1),
                None if letters >= 3 && !IDLE.contains(&hash) => {
                    return Some((text.get(begin..end)?, hash));
                }
                None => (begin, letters, hash) = (at, 0, NONE),
            }
        }
    })
}

/// The hash of no letters, and of one letter more: FNV-1a, by letters.
const NONE: u64 = 0xcbf2_9ce4_8422_2325;

const fn with(hash: u64, letter: char) -> u64 {
    (hash ^ letter as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Words that are in every sentence.
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

//! Phrases that are looked for in many texts, all of them in one pass.

/// Which pairs of bytes follow each other in some texts. What has another pair is in none of them.
pub(super) struct Pairs([u64; PLACES / 64]);

/// How many places there are for pairs. Pairs that share one are not told apart.
const PLACES: usize = 1 << 12;

const fn place([first, second]: [u8; 2]) -> usize {
    ((first as usize) << 4 ^ second as usize) % PLACES
}

impl Pairs {
    const NONE: Self = Self([0; PLACES / 64]);

    /// Those of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut pairs = Self::NONE;
        for pair in text.as_bytes().windows(2) {
            pairs.add([pair[0], pair[1]]);
        }
        pairs
    }

    const fn add(&mut self, pair: [u8; 2]) {
        self.0[place(pair) / 64] |= 1 << (place(pair) % 64);
    }

    const fn has(&self, pair: [u8; 2]) -> bool {
        self.0[place(pair) / 64] >> (place(pair) % 64) & 1 == 1
    }

    /// Whether a phrase may be in the text, by what it begins and ends with.
    pub(super) fn may_have(&self, phrase: &str) -> bool {
        let bytes = phrase.as_bytes();
        let ends = [bytes.first_chunk(), bytes.last_chunk()];
        ends.into_iter().flatten().all(|pair| self.has(*pair))
    }
}

/// Phrases of several sorts.
///
/// A text is looked through once, however many phrases there are: most places begin none of them, which their
/// first two bytes say.
pub(super) struct Cues<T> {
    /// What phrases begin with.
    pairs: Pairs,
    /// The phrases by the pair that they begin with, those of one pair in the order in which they were given.
    phrases: Vec<([u8; 2], &'static str, T)>,
}

impl<T: Copy> Cues<T> {
    /// These phrases, each with its sort. One of less than two bytes is found nowhere.
    pub(super) fn new(phrases: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut pairs = Pairs::NONE;
        let mut all = Vec::new();
        for (phrase, sort) in phrases {
            if let Some(pair) = phrase.as_bytes().first_chunk() {
                pairs.add(*pair);
                all.push((*pair, phrase, sort));
            }
        }
        all.sort_by_key(|(pair, ..)| *pair);
        Self {
            pairs,
            phrases: all,
        }
    }

    /// The phrases that are in a text, with where each is, from its beginning on.
    pub(super) fn within<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, &'static str, T)> + 't {
        let pairs = text.as_bytes().windows(2).enumerate();
        let pairs = pairs.filter_map(|(at, pair)| Some((at, *pair.first_chunk::<2>()?)));
        pairs
            .filter(|(_, pair)| self.pairs.has(*pair))
            .flat_map(|(at, pair)| {
                let begin = self.phrases.partition_point(|(other, ..)| *other < pair);
                let of_pair = self.phrases.get(begin..).unwrap_or_default().iter();
                let of_pair = of_pair.take_while(move |(other, ..)| *other == pair);
                let rest = text.as_bytes().get(at..).unwrap_or_default();
                of_pair
                    .filter(move |(_, phrase, _)| rest.starts_with(phrase.as_bytes()))
                    .map(move |(_, phrase, sort)| (at, *phrase, *sort))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phrase_is_found_wherever_it_is() {
        let cues = Cues::new([
            ("to do", 1),
            ("do", 2),
            ("次の", 3),
            (" to", 4),
            ("to", 5),
            ("x", 6),
        ]);
        let found: Vec<_> = cues.within("what to do: 次の x").collect();
        assert_eq!(
            found,
            [
                (4, " to", 4),
                (5, "to do", 1),
                (5, "to", 5),
                (8, "do", 2),
                (12, "次の", 3)
            ]
        );
        assert_eq!(cues.within("").count() + cues.within("t").count(), 0);
    }

    #[test]
    fn what_a_text_has_it_may_have() {
        let text = "the root cause isn't 因为";
        let pairs = Pairs::of(text);
        for (begin, _) in text.char_indices() {
            for (end, _) in text.char_indices().filter(|(end, _)| *end >= begin) {
                assert!(pairs.may_have(&text[begin..end]), "{begin}..{end}");
            }
        }
        assert!(!pairs.may_have("never") && !pairs.may_have("cause,") && !pairs.may_have("原因"));
    }

    #[test]
    fn the_same_phrases_are_found_as_one_by_one() {
        let phrases = ["root cause", "ca", "cause", "因为", " not ", "n't "];
        let cues = Cues::new(phrases.map(|phrase| (phrase, ())));
        for text in [
            "the root cause isn't 因为",
            "é",
            "cacause not",
            " not  not ",
            "root caus",
        ] {
            let mut found: Vec<_> = cues
                .within(text)
                .map(|(at, phrase, ())| (at, phrase))
                .collect();
            let mut each: Vec<_> = phrases
                .iter()
                .flat_map(|phrase| text.match_indices(phrase))
                .collect();
            found.sort_unstable();
            each.sort_unstable();
            assert_eq!(found, each, "{text}");
        }
    }
}

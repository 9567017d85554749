//! Phrases that are looked for in many texts, all of them in one pass.

/// Phrases of several sorts.
///
/// A text is looked through once, however many phrases there are: most places begin none of them, which their
/// first two bytes say.
pub(super) struct Cues<T> {
    /// Which pairs of bytes a phrase may begin with, a bit for each of their [places](place).
    pairs: [u64; PAIRS / 64],
    /// The phrases by the pair that they begin with, those of one pair in the order in which they were given.
    phrases: Vec<([u8; 2], &'static str, T)>,
}

/// How many places there are for pairs. Pairs that share one are told apart later.
const PAIRS: usize = 1 << 12;

const fn place([first, second]: [u8; 2]) -> usize {
    ((first as usize) << 4 ^ second as usize) % PAIRS
}

impl<T: Copy> Cues<T> {
    /// These phrases, each with its sort. One of less than two bytes is found nowhere.
    pub(super) fn new(phrases: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut pairs = [0; PAIRS / 64];
        let mut all = Vec::new();
        for (phrase, sort) in phrases {
            if let Some(pair) = phrase.as_bytes().first_chunk() {
                pairs[place(*pair) / 64] |= 1 << (place(*pair) % 64);
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
            .filter(|(_, pair)| self.pairs[place(*pair) / 64] >> (place(*pair) % 64) & 1 == 1)
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

//! Phrases that are looked for in many texts, all of them in one pass.

/// Which pairs of bytes follow each other in some texts. What has another pair is in none of them.
pub(super) struct Pairs([u64; PLACES / 64]);

/// How many places there are for pairs. Pairs that share one are not told apart.
const PLACES: usize = 1 << 12;

const fn place([first, second]: [u8; 2]) -> usize {
    ((first as usize) << 4 ^ second as usize) % PLACES
}

/// The place of three bytes among as many. Triples that share one are not told apart.
const fn place_of_three([first, second, third]: [u8; 3]) -> usize {
    (place([first, second]) ^ (third as usize) << 7) % PLACES
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

/// What is behind a phrase that a text begins with. Most begin with another byte, which is seen without a call.
pub(super) fn starts<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    match text.as_bytes().first() == phrase.as_bytes().first() {
        true => text.strip_prefix(phrase),
        // Any text begins with nothing.
        false => phrase.is_empty().then_some(text),
    }
}

/// Whether a text begins with one of some phrases.
pub(super) fn starts_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| starts(text, phrase).is_some())
}

/// Phrases of several sorts.
///
/// A text is looked through once, however many phrases there are: most places begin none of them, which their
/// first three bytes say.
pub(super) struct Cues<T> {
    /// Whether one may begin with three bytes, by their place.
    may_begin: Box<[bool; PLACES]>,
    /// The phrases by the place of the pair that they begin with, those of one place in the order in which they
    /// were given.
    phrases: Vec<(&'static str, T)>,
    /// Where those of each place begin, and where the last ones end.
    begins: Box<[u16; PLACES + 1]>,
}

impl<T: Copy> Cues<T> {
    /// These phrases, each with its sort. One of less than two bytes is found nowhere.
    pub(super) fn new(phrases: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let at = |phrase: &str| phrase.as_bytes().first_chunk().map(|pair| place(*pair));
        let mut phrases: Vec<(&'static str, T)> = phrases
            .into_iter()
            .filter(|(phrase, _)| at(phrase).is_some())
            .collect();
        phrases.sort_by_key(|(phrase, _)| at(phrase));
        // How many there are of each place, then of all before it.
        let mut begins = Box::new([0_u16; PLACES + 1]);
        for place in phrases.iter().filter_map(|(phrase, _)| at(phrase)) {
            begins[place + 1] += 1;
        }
        let mut before = 0;
        for begin in begins.iter_mut() {
            before += *begin;
            *begin = before;
        }
        let mut may_begin = Box::new([false; PLACES]);
        for (phrase, _) in &phrases {
            match *phrase.as_bytes() {
                [first, second, third, ..] => {
                    may_begin[place_of_three([first, second, third])] = true;
                }
                // Anything may follow.
                [first, second] => (0..=u8::MAX)
                    .for_each(|third| may_begin[place_of_three([first, second, third])] = true),
                _ => {}
            }
        }
        Self {
            may_begin,
            phrases,
            begins,
        }
    }

    /// Where the next place is that a phrase may begin at, from a place on.
    fn next(&self, text: &[u8], from: usize) -> Option<usize> {
        // Several at once: that none of them is one takes a single branch.
        const AT_ONCE: usize = 8;
        let is_one = |three: &[u8]| self.may_begin[place_of_three([three[0], three[1], three[2]])];
        let mut at = from;
        while let Some(several) = text
            .get(at..)
            .and_then(<[u8]>::first_chunk::<{ AT_ONCE + 2 }>)
        {
            let triples = several.windows(3);
            if triples.fold(false, |any, three| any | is_one(three)) {
                break;
            }
            at += AT_ONCE;
        }
        let rest = text.get(at..)?;
        match rest.windows(3).position(is_one) {
            Some(found) => Some(at + found),
            // One of two bytes may be all that is left.
            None => text.len().checked_sub(2).filter(|last| *last >= at),
        }
    }

    /// The phrases that are in a text, with where each is, from its beginning on.
    pub(super) fn within<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, &'static str, T)> + 't {
        let bytes = text.as_bytes();
        let mut from = 0;
        let places = std::iter::from_fn(move || {
            let at = self.next(bytes, from)?;
            from = at + 1;
            Some(at)
        });
        places.flat_map(move |at| {
            let rest = bytes.get(at..).unwrap_or_default();
            let place = rest.first_chunk().map_or(0, |pair| place(*pair));
            let of_place = usize::from(self.begins[place])..usize::from(self.begins[place + 1]);
            let of_place = self.phrases.get(of_place).unwrap_or_default();
            of_place
                .iter()
                .filter(move |(phrase, _)| rest.starts_with(phrase.as_bytes()))
                .map(move |(phrase, sort)| (at, *phrase, *sort))
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
    fn what_a_text_starts_with_is_seen_by_its_first_byte() {
        for (text, phrase) in [
            ("to do", "to"),
            ("to do", "do"),
            ("次の", "次"),
            ("", "a"),
            ("a", ""),
            ("", ""),
        ] {
            assert_eq!(
                starts(text, phrase),
                text.strip_prefix(phrase),
                "{text}: {phrase}"
            );
        }
        assert!(starts_any("to do", &["do", "to "]) && !starts_any("to do", &["do", "too"]));
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
            "ca",
            "the long way to say it: ca",
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

//! The matcher, which finds the phrases of an intent in a text in one pass.

use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::automaton::OverlappingState;
use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};
use foldhash::fast::RandomState;

/// A phrase of a file, without its stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phrase<'t> {
    pub(super) text: &'t str,
    /// For the start and for the end: true if a word may continue there.
    pub(super) is_open: (bool, bool),
}

impl<'t> Phrase<'t> {
    pub(super) fn of(written: &'t str) -> Self {
        let text = written.strip_prefix('*');
        let (text, starts) = (text.unwrap_or(written), text.is_some());
        let inner = text.strip_suffix('*');
        Self {
            text: inner.unwrap_or(text),
            is_open: (starts, inner.is_some()),
        }
    }

    /// True if the phrase covers a text, except for the parts that a star matches.
    fn covers(&self, text: &str) -> bool {
        match self.is_open {
            (false, false) => text == self.text,
            (true, false) => text.ends_with(self.text),
            (false, true) => text.starts_with(self.text),
            (true, true) => text.contains(self.text),
        }
    }
}

/// A phrase in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The byte range in the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The code of its language.
    pub(crate) language: &'static str,
}

/// The phrases of an intent in all languages.
pub(super) struct Phrases {
    /// The phrases without a star, because most lookups are of one word.
    whole: HashSet<&'static str, RandomState>,
    /// The phrases with a star.
    starred: Vec<Phrase<'static>>,
    patterns: Vec<Pattern>,
    /// The automaton of the patterns, once it pays. None if there are too many phrases for one.
    automaton: OnceLock<Option<AhoCorasick>>,
    /// The bytes that were searched.
    searched: AtomicUsize,
}

/// Bytes that are searched pattern by pattern, which takes less time for them than to build an automaton.
pub(super) const FEW_BYTES: usize = 8 * 1024;

/// The byte range of a pattern in a text.
type Place = (usize, usize);

struct Pattern {
    phrase: Phrase<'static>,
    /// For the start and for the end: true if a word may continue there, because the phrase has a star, a punctuation
    /// mark or a character of a script without spaces.
    is_within: (bool, bool),
    language: &'static str,
}

impl Pattern {
    fn of(phrase: Phrase<'static>, language: &'static str) -> Self {
        let is_apart = |c: char| is_unsegmented(c) || !is_word(c);
        let Phrase { text, is_open } = &phrase;
        let is_within = (
            is_open.0 || text.starts_with(is_apart),
            is_open.1 || text.ends_with(is_apart),
        );
        Self {
            phrase,
            is_within,
            language,
        }
    }

    /// True if the pattern is at a range of a text as whole words.
    fn is_apart(&self, text: &str, (start, end): Place) -> bool {
        let before = || text.get(..start).unwrap_or_default();
        let behind = || text.get(end..).unwrap_or_default();
        (self.is_within.0 || !before().ends_with(|c: char| is_word(c) || c == '\''))
            && (self.is_within.1 || !behind().starts_with(is_word))
    }
}

impl Phrases {
    /// Returns the phrases of some languages, each list with the code of its language.
    pub(super) fn of(languages: &[(&'static str, &[&'static str])]) -> Self {
        let phrases = languages.iter().flat_map(|(language, phrases)| {
            let phrases = phrases.iter().map(|written| Phrase::of(written));
            phrases.map(|phrase| Pattern::of(phrase, language))
        });
        let patterns: Vec<Pattern> = phrases.collect();
        let phrases = patterns.iter().map(|pattern| pattern.phrase);
        let (closed, starred): (Vec<_>, Vec<_>) =
            phrases.partition(|phrase| phrase.is_open == (false, false));
        Self {
            whole: closed.into_iter().map(|phrase| phrase.text).collect(),
            starred,
            patterns,
            automaton: OnceLock::new(),
            searched: AtomicUsize::new(0),
        }
    }

    /// The automaton of the kind that is built fastest. A prefilter is of no use to overlapping phrases.
    fn automaton(&self) -> Option<&AhoCorasick> {
        let texts = || {
            let patterns = self.patterns.iter();
            patterns.map(|pattern| pattern.phrase.text.as_bytes())
        };
        let build = || {
            AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::ContiguousNFA))
                .prefilter(false)
                .match_kind(MatchKind::Standard)
                .start_kind(StartKind::Both)
                .build(texts())
                .ok()
        };
        self.automaton.get_or_init(build).as_ref()
    }

    /// The ranges of all phrases in a text as whole words, in the order of their ends.
    pub(super) fn all_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Found> + 't {
        self.places(text, Anchored::No)
            .filter(move |(pattern, place)| pattern.is_apart(text, *place))
            .map(|(pattern, (start, end))| Found {
                start,
                end,
                language: pattern.language,
            })
    }

    /// The end of the longest phrase that a text begins with.
    pub(super) fn at_begin(&self, text: &str) -> Option<usize> {
        self.places(text, Anchored::Yes)
            .filter(move |(pattern, place)| pattern.is_apart(text, *place))
            .map(|(_, (_, end))| end)
            .max()
    }

    /// True if a text is a phrase.
    pub(super) fn is(&self, text: &str) -> bool {
        self.whole.contains(text) || self.starred.iter().any(|phrase| phrase.covers(text))
    }

    /// All places of patterns, in the order of their ends, and of those with the same end the longest first.
    fn places<'t>(
        &'t self,
        text: &'t str,
        anchored: Anchored,
    ) -> impl Iterator<Item = (&'t Pattern, Place)> + 't {
        let searched = self.searched.fetch_add(text.len(), Ordering::Relaxed);
        let few = searched < FEW_BYTES && text.len() < FEW_BYTES;
        let mut one_by_one = few.then(|| self.one_by_one(text, anchored).into_iter());
        let mut state = OverlappingState::start();
        std::iter::from_fn(move || {
            if let Some(places) = &mut one_by_one {
                return places.next();
            }
            let automaton = self.automaton()?;
            // The automaton supports every search here, so no error is possible.
            automaton
                .try_find_overlapping(Input::new(text).anchored(anchored), &mut state)
                .ok()?;
            let found = state.get_match()?;
            let pattern = self.patterns.get(found.pattern().as_usize())?;
            Some((pattern, (found.start(), found.end())))
        })
    }

    /// The same places, pattern by pattern, for texts that are too few to build an automaton for.
    fn one_by_one(&self, text: &str, anchored: Anchored) -> Vec<(&Pattern, Place)> {
        let mut places = Vec::new();
        for pattern in &self.patterns {
            let phrase = pattern.phrase.text;
            let mut from = 0;
            while let Some(rest) = text.as_bytes().get(from..) {
                let at = match anchored {
                    Anchored::No => memchr::memmem::find(rest, phrase.as_bytes()),
                    _ => (from == 0 && text.starts_with(phrase)).then_some(0),
                };
                let Some(at) = at else { break };
                let start = from + at;
                places.push((pattern, (start, start + phrase.len())));
                from = start + 1;
            }
        }
        places.sort_by_key(|(_, (start, end))| (*end, *start));
        places
    }
}

/// True for a character of a word.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True for a character of a script that has no spaces between words, or in which endings join the word, as in Korean.
pub(crate) fn is_unsegmented(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

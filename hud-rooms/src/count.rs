//! The length of a text: the exact number of tokens, and the number of words.

use std::sync::Arc;

use hud_core::tokens::{Encoding, Ledger, TokenCounter};

/// A token counter that caches its counts, because most of a HUD stays the same between heartbeats.
#[derive(Clone)]
pub struct Counter(Arc<Ledger<Arc<dyn TokenCounter>>>);

impl Default for Counter {
    fn default() -> Self {
        Self(Arc::new(Ledger::new(Encoding::O200k.counter())))
    }
}

impl std::fmt::Debug for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Counter").field(&self.0.name()).finish()
    }
}

impl Counter {
    /// Returns the number of tokens of a text. A text that cannot be counted returns `u32::MAX`.
    pub fn tokens(&self, text: &str) -> u32 {
        pieces(text)
            .try_fold(0, |sum: u32, piece| {
                sum.checked_add(self.0.count(piece).ok()?)
            })
            .unwrap_or(u32::MAX)
    }
}

/// The length in bytes from which on a line is counted in pieces.
const LONG_LINE: usize = 256;

/// Splits a text into pieces that share no token, so that each is counted once and its neighbours may
/// change. The pieces are its lines; a long line is also split before quotes that follow letters or
/// digits.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    split(text, is_line_end).flat_map(|line| {
        let is_short = line.len() <= LONG_LINE;
        split(line, move |before, behind| {
            !is_short && is_quote(before, behind)
        })
    })
}

/// Splits a text where `is_cut` is true for the bytes before and after a place. A cut must be between
/// ASCII characters.
fn split(text: &str, is_cut: impl Fn(&[u8], &[u8]) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let cut = (1..bytes.len()).find(|at| is_cut(&bytes[..*at], &bytes[*at..]));
        let (piece, behind) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = behind;
        Some(piece)
    })
}

/// True if a line ends here and the next one is not empty. Tokens join a line end with the white space
/// and marks before it, but not with the indentation after it.
fn is_line_end(before: &[u8], behind: &[u8]) -> bool {
    if before.last() != Some(&b'\n') || behind.first() == Some(&b'/') {
        return false;
    }
    let next = behind.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    next.is_some_and(u8::is_ascii_graphic)
}

/// True if an ASCII word or number ends at a quote. Tokens join these with the text before them, but
/// with no mark after them except an apostrophe.
fn is_quote(before: &[u8], behind: &[u8]) -> bool {
    behind.first() == Some(&b'"') && before.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// The length from which on a word counts as several, so that a text without spaces is not counted as
/// one word.
const LONGEST_WORD: usize = 30;

/// Returns the number of words of a text. In scripts without spaces between words, two letters count as
/// one word.
///
/// ```
/// use hud_rooms::count::words;
///
/// assert_eq!(words("  two\nwords "), 2);
/// assert_eq!(words("你好吗"), 2);
/// assert_eq!(words(&"x".repeat(90)), 3);
/// ```
pub fn words(text: &str) -> u32 {
    let count = |word: &str| {
        let unspaced = word.chars().filter(|c| is_unspaced(*c)).count();
        let others = word.chars().count() - unspaced;
        unspaced.div_ceil(2) + others.div_ceil(LONGEST_WORD)
    };
    let count: usize = text.split_whitespace().map(count).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// True if a letter is of a script without spaces between words: Thai to Khmer, kana and Han.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

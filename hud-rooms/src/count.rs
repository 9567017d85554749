//! How long a text is: in tokens, exactly, and in words.

use std::sync::Arc;

use hud_core::tokens::{Encoding, Ledger, TokenCounter};

/// Counts tokens, and keeps the counts: heartbeat after heartbeat, most of a HUD is the same.
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
    /// How many tokens a text has. What can't be counted counts as too much.
    pub fn tokens(&self, text: &str) -> u32 {
        pieces(text)
            .try_fold(0, |sum: u32, piece| {
                sum.checked_add(self.0.count(piece).ok()?)
            })
            .unwrap_or(u32::MAX)
    }
}

/// A line that is longer than this is counted in pieces, too.
const LONG_LINE: usize = 256;

/// A text in pieces that have no token in common, so that each is counted once and what is next to it may
/// change: its lines, and of a long one what is between two quotes behind letters or digits.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    split(text, is_line_end).flat_map(|line| {
        let is_short = line.len() <= LONG_LINE;
        split(line, move |before, behind| {
            !is_short && is_quote(before, behind)
        })
    })
}

/// A text in pieces, cut where a rule says so of what is before a place and behind it. A cut is between ASCII
/// characters.
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

/// Whether a line ends here, and the next one is not empty. Line ends are tokens with white space before them
/// and with marks, never with an indentation behind them.
fn is_line_end(before: &[u8], behind: &[u8]) -> bool {
    if before.last() != Some(&b'\n') || behind.first() == Some(&b'/') {
        return false;
    }
    let next = behind.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    next.is_some_and(u8::is_ascii_graphic)
}

/// Whether a word or a number in ASCII ends at a quote: they are tokens with what is before them, and with no
/// mark behind them but an apostrophe.
fn is_quote(before: &[u8], behind: &[u8]) -> bool {
    behind.first() == Some(&b'"') && before.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// A word that is longer than this counts as several: nobody types without end because there is no space.
const LONGEST_WORD: usize = 30;

/// How many words a text has. Scripts that put no spaces between words count two letters as one.
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

/// Whether a letter is of a script that puts no spaces between words: Thai to Khmer, kana and Han.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

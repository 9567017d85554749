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
        self.0.count(text).unwrap_or(u32::MAX)
    }
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

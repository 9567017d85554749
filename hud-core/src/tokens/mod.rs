//! Token counts of texts: [`TokenCounter`].
//!
//! | counter | unit | cost |
//! | --- | --- | --- |
//! | `Exact` (feature `bpe`) | the tokens of OpenAI's encodings, exactly | some 40 ms when an encoding is first used, then some 20 µs for each kB |
//! | [`Estimate`] | an estimate of the `o200k` tokens | some 4 µs for each kB, and no table |
//! | [`Characters`] | characters | |
//!
//! Anthropic and Google publish no tokenizer. The tokens of their models are those of `o200k` times
//! a factor of their [`Family`].
//!
//! # The block rule
//!
//! The encodings split a text before they look for tokens. No piece of the split has a line ending
//! before other characters, except for a slash. So the count of a text is the sum of the counts of
//! its blocks, if each block includes the blank line after it ([`is_seam`]). A [`Ledger`] caches
//! the count of each block by its content. If one block of a text changes, only that block is
//! counted.
//!
//! ```
//! use hud_core::tokens::{Estimate, Ledger, TokenCounter};
//!
//! let ledger = Ledger::new(Estimate);
//! let blocks = ["# Menu\n\n", "- soup\n- cake\n"];
//! let each: Vec<u32> = blocks.iter().map(|block| ledger.count(block)).collect::<Result<_, _>>()?;
//! assert_eq!(ledger.count(&blocks.concat())?, each.iter().sum::<u32>());
//! // The text as a whole was never counted: it is the sum of two known blocks.
//! assert_eq!(ledger.counted(), 2);
//! # Ok::<(), hud_core::tokens::CountError>(())
//! ```

mod estimate;
#[cfg(feature = "bpe")]
mod exact;
mod family;
mod ledger;

use std::sync::Arc;

pub use estimate::Estimate;
#[cfg(feature = "bpe")]
pub use exact::Exact;
pub use family::{FAMILIES, Family};
pub use ledger::Ledger;

/// Counts the tokens of a text.
pub trait TokenCounter: Send + Sync {
    /// The unit for people, such as `o200k`.
    fn name(&self) -> &str;

    /// The number of tokens of a text, at most [`u32::MAX`].
    ///
    /// # Errors
    ///
    /// [`CountError`], if the text cannot be counted.
    fn count(&self, text: &str) -> Result<u32, CountError>;

    /// True if the count of two adjacent texts is the sum of their counts. `false` is always
    /// correct: a [`Ledger`] then caches both as one block.
    fn adds_up(&self, before: &str, after: &str) -> bool {
        before.is_empty() || after.is_empty()
    }
}

impl<T: TokenCounter + ?Sized> TokenCounter for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        (**self).count(text)
    }

    fn adds_up(&self, before: &str, after: &str) -> bool {
        (**self).adds_up(before, after)
    }
}

/// The error of a text that cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{counter}` can't count a text of {bytes} bytes: {said}")]
pub struct CountError {
    /// The counter.
    pub counter: String,
    /// The length of the text.
    pub bytes: usize,
    /// The message of the counter.
    pub said: String,
}

/// Counts characters, for limits in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Characters;

impl TokenCounter for Characters {
    fn name(&self) -> &str {
        "characters"
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        Ok(u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
    }

    fn adds_up(&self, _: &str, _: &str) -> bool {
        true
    }
}

/// A token encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The encoding of GPT-4o and later models.
    #[default]
    O200k,
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100k,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 2] = [Self::O200k, Self::Cl100k];

    /// The name: `o200k` or `cl100k`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
        }
    }

    /// The best available counter: exact with the feature `bpe`, otherwise [`Estimate`].
    pub fn counter(self) -> Arc<dyn TokenCounter> {
        #[cfg(feature = "bpe")]
        return Arc::new(Exact(self));
        #[cfg(not(feature = "bpe"))]
        return Arc::new(Estimate);
    }
}

/// True if no token of any [encoding](Encoding) spans the boundary of two texts: the first ends
/// with a line ending, and the second begins with neither white space nor a slash.
///
/// ```
/// use hud_core::tokens::is_seam;
///
/// assert!(is_seam("soup\n\n", "- cake"));
/// assert!(!is_seam("soup\n\n", "\n- cake"));
/// assert!(!is_seam("soup:\n\n", "/cake"));
/// assert!(!is_seam("so", "up"));
/// ```
pub fn is_seam(before: &str, after: &str) -> bool {
    if before.is_empty() || after.is_empty() {
        return true;
    }
    let begins = |c: char| !c.is_whitespace() && c != '/';
    before.ends_with('\n') && after.starts_with(begins)
}

#[cfg(test)]
mod tests;

//! How many tokens a text has: [`TokenCounter`].
//!
//! | counter | what it counts | costs |
//! | --- | --- | --- |
//! | `Exact` (feature `bpe`) | the tokens of OpenAI's encodings, exactly | some 40 ms when an encoding is first used, then some 20 µs for each kB |
//! | [`Estimate`] | about as many tokens as `o200k` has | some 4 µs for each kB, and no table |
//! | [`Characters`] | characters | |
//!
//! Anthropic and Google publish no tokenizer. Their models' tokens are those of `o200k` times a factor of
//! their [`Family`].
//!
//! # The block rule
//!
//! The encodings take a text apart before they look for tokens, and what they take apart never has a line
//! ending before other characters, but for a slash. So a text counts as much as its blocks do, as long as
//! each has the blank line behind it ([`is_seam`]). A [`Ledger`] keeps the count of each block by its
//! content: of a text that changed in one block, one block is counted.
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
    /// What it counts, for people: `o200k` for example.
    fn name(&self) -> &str;

    /// How many tokens a text has, or [`u32::MAX`] where it has more.
    ///
    /// # Errors
    ///
    /// [`CountError`], where it can't say.
    fn count(&self, text: &str) -> Result<u32, CountError>;

    /// Whether two texts one behind the other count as much as both by themselves. It may be `false`
    /// wherever that is not certain: a [`Ledger`] keeps both as one, then.
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

/// Why a text can't be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{counter}` can't count a text of {bytes} bytes: {said}")]
pub struct CountError {
    /// The counter.
    pub counter: String,
    /// The length of the text.
    pub bytes: usize,
    /// What it said.
    pub said: String,
}

/// Counts characters: for what is limited in those.
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

/// A way to write texts as tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Of GPT-4o and what came after it.
    #[default]
    O200k,
    /// Of GPT-4 and GPT-3.5.
    Cl100k,
}

impl Encoding {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::O200k, Self::Cl100k];

    /// Its name: `o200k` or `cl100k`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
        }
    }

    /// The best counter that this build has for it: exact with the feature `bpe`, and [`Estimate`] without.
    pub fn counter(self) -> Arc<dyn TokenCounter> {
        #[cfg(feature = "bpe")]
        return Arc::new(Exact(self));
        #[cfg(not(feature = "bpe"))]
        return Arc::new(Estimate);
    }
}

/// Whether what is before a place and what is behind it have no token in common, in any of the
/// [encodings](Encoding): a line ends before it, and what begins behind it is neither white space nor a
/// slash.
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

//! Exact counts.

use bpe_openai::Tokenizer;

use super::{CountError, Encoding, TokenCounter, is_seam};

/// Counts the tokens of an encoding exactly. The first count loads the encoding's table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact(pub Encoding);

impl Exact {
    fn tokenizer(self) -> &'static Tokenizer {
        match self.0 {
            Encoding::O200k => bpe_openai::o200k_base(),
            Encoding::Cl100k => bpe_openai::cl100k_base(),
        }
    }
}

impl TokenCounter for Exact {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        Ok(u32::try_from(self.tokenizer().count(text)).unwrap_or(u32::MAX))
    }

    fn adds_up(&self, before: &str, after: &str) -> bool {
        is_seam(before, after)
    }
}

//! What may be cleared of a conversation, where its client takes out nothing by itself.

use crate::text::{line, thousands};

/// How many characters of what an output is of are shown.
const SHOWN: usize = 60;

/// How many outputs are named.
const NAMED: usize = 3;

/// The outputs of tools that are no longer needed in a conversation: an ambient value, by default none.
///
/// ```
/// use hud_components::Clearable;
///
/// let clearable = Clearable {
///     outputs: vec!["Read src/a.rs".to_owned(), "Bash cargo test".to_owned()],
///     tokens: 14_000,
/// };
/// assert_eq!(
///     clearable.said().as_deref(),
///     Some("May be cleared (14,000 tokens): Read src/a.rs, Bash cargo test."),
/// );
/// assert_eq!(Clearable::default().said(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clearable {
    /// What each is of, the longest first.
    pub outputs: Vec<String>,
    /// The tokens of all of them.
    pub tokens: u64,
}

impl Clearable {
    /// All of it in a line; `None` where there is nothing.
    pub fn said(&self) -> Option<String> {
        let named = self.outputs.iter().take(NAMED);
        let named: Vec<_> = named.map(|output| line(output, SHOWN)).collect();
        let more = match self.outputs.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", +{more} more"),
        };
        let tokens = thousands(usize::try_from(self.tokens).unwrap_or(usize::MAX));
        let said = || {
            format!(
                "May be cleared ({tokens} tokens): {}{more}.",
                named.join(", ")
            )
        };
        (!named.is_empty()).then(said)
    }
}

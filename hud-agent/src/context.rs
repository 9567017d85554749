//! The context window: how large it is, and when a client compacts what is in it.

use serde::{Deserialize, Serialize};

/// Tokens that a client keeps free for what the model writes, where the window for the input is
/// known by itself.
pub const COMPACTION_BUFFER: u64 = 20_000;

/// Tokens that a model writes at most, where it is not known or more (opencode's
/// `OUTPUT_TOKEN_MAX`).
pub const OUTPUT_MAX: u64 = 32_000;

/// The window of a model in tokens, and how a client uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Tokens that fit; 0 if that is not known.
    pub context: u64,
    /// Tokens that may be sent, where the provider says so.
    #[serde(default)]
    pub input: Option<u64>,
    /// Tokens that the model may write.
    #[serde(default)]
    pub output: Option<u64>,
    /// Tokens that the client keeps free, where its user says so.
    #[serde(default)]
    pub reserved: Option<u64>,
    /// Whether the client compacts the conversation by itself.
    #[serde(default)]
    pub compacts: bool,
}

impl Window {
    /// A window of which no more than its size is known.
    pub const fn of(context: u64) -> Self {
        Self {
            context,
            input: None,
            output: None,
            reserved: None,
            compacts: false,
        }
    }

    /// Tokens in use from which on the client compacts; `None` if it does not. They are kept with the
    /// reading: see [`ContextUsage::is_overflow`](hud_store::state::ContextUsage::is_overflow).
    ///
    /// ```
    /// use hud_agent::context::Window;
    ///
    /// let window = Window { output: Some(8_000), compacts: true, ..Window::of(200_000) };
    /// assert_eq!(window.usable(), Some(192_000));
    /// let window = Window { input: Some(180_000), ..window };
    /// assert_eq!(window.usable(), Some(172_000));
    /// assert_eq!(Window::of(200_000).usable(), None);
    /// ```
    pub fn usable(&self) -> Option<u64> {
        if !self.compacts || self.context == 0 {
            return None;
        }
        let output = self.output.filter(|output| *output > 0);
        let output = output.unwrap_or(OUTPUT_MAX).min(OUTPUT_MAX);
        Some(match self.input.filter(|input| *input > 0) {
            Some(input) => {
                let reserved = self.reserved.unwrap_or(output.min(COMPACTION_BUFFER));
                input.saturating_sub(reserved)
            }
            None => self.context.saturating_sub(output),
        })
    }
}

/// The window of a model in tokens; none where the model is not known. A usage above the window
/// means that the client has the larger one.
///
/// ```
/// use hud_agent::context::window;
///
/// assert_eq!(window(Some("claude-sonnet-4-5-20250929"), 90_000), Some(200_000));
/// assert_eq!(window(Some("claude-sonnet-4-5-20250929"), 300_000), Some(1_000_000));
/// assert_eq!(window(Some("a-model-of-my-own"), 90_000), None);
/// ```
pub fn window(model: Option<&str>, used: u64) -> Option<u64> {
    let model = model?;
    let (_, sizes) = WINDOWS.iter().find(|(name, _)| model.contains(name))?;
    if model.contains("[1m]") {
        return sizes.last().copied();
    }
    sizes
        .iter()
        .find(|size| used <= **size)
        .or(sizes.last())
        .copied()
}

/// Window sizes by a part of the model's name, the first that fits; several sizes where a client
/// can ask for a larger window.
const WINDOWS: &[(&str, &[u64])] = &[
    ("claude", &[200_000, 1_000_000]),
    ("gpt-5", &[400_000]),
    ("gpt-4.1", &[1_047_576]),
    ("gpt-4o", &[128_000]),
    ("gemini", &[1_048_576]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_in_the_clients() {
        let window = Window {
            compacts: true,
            ..Window::of(200_000)
        };
        assert_eq!(window.usable(), Some(168_000), "no limit for the output");
        let input = Window {
            input: Some(180_000),
            ..window
        };
        assert_eq!(input.usable(), Some(160_000), "20,000 for the output");
        let reserved = Some(5_000);
        assert_eq!(Window { reserved, ..input }.usable(), Some(175_000));
        let context = 0;
        assert_eq!(Window { context, ..input }.usable(), None);
        let context = 1_000;
        assert_eq!(Window { context, ..window }.usable(), Some(0));
    }
}

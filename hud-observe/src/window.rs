//! The context window: how large it is, and when a client compacts what is in it.

use serde::{Deserialize, Serialize};

/// Tokens that a client keeps free for what the model writes, where the window for the input is
/// known by itself, by default.
pub const COMPACTION_BUFFER: u64 = 20_000;

/// Tokens that a model writes at most, where it is not known or more, by default (opencode's
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
    /// Of the output limit and the free part, those of the window count, else `buffer` and `output_max`.
    ///
    /// ```
    /// use hud_observe::window::{COMPACTION_BUFFER, OUTPUT_MAX, Window};
    ///
    /// let usable = |window: Window| window.usable(COMPACTION_BUFFER, OUTPUT_MAX);
    /// let window = Window { output: Some(8_000), compacts: true, ..Window::of(200_000) };
    /// assert_eq!(usable(window), Some(192_000));
    /// let window = Window { input: Some(180_000), ..window };
    /// assert_eq!(usable(window), Some(172_000));
    /// assert_eq!(usable(Window::of(200_000)), None);
    /// ```
    pub fn usable(&self, buffer: u64, output_max: u64) -> Option<u64> {
        if !self.compacts || self.context == 0 {
            return None;
        }
        let output = self.output.filter(|output| *output > 0);
        let output = output.unwrap_or(output_max).min(output_max);
        Some(match self.input.filter(|input| *input > 0) {
            Some(input) => {
                let reserved = self.reserved.unwrap_or(output.min(buffer));
                input.saturating_sub(reserved)
            }
            None => self.context.saturating_sub(output),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_in_the_clients() {
        let window = Window {
            compacts: true,
            ..Window::of(200_000)
        };
        assert_eq!(
            window.usable(COMPACTION_BUFFER, OUTPUT_MAX),
            Some(168_000),
            "no limit for the output"
        );
        let input = Window {
            input: Some(180_000),
            ..window
        };
        assert_eq!(
            input.usable(COMPACTION_BUFFER, OUTPUT_MAX),
            Some(160_000),
            "20,000 for the output"
        );
        let reserved = Some(5_000);
        assert_eq!(
            Window { reserved, ..input }.usable(COMPACTION_BUFFER, OUTPUT_MAX),
            Some(175_000)
        );
        let context = 0;
        assert_eq!(
            Window { context, ..input }.usable(COMPACTION_BUFFER, OUTPUT_MAX),
            None
        );
        let context = 1_000;
        assert_eq!(
            Window { context, ..window }.usable(COMPACTION_BUFFER, OUTPUT_MAX),
            Some(0)
        );
    }
}

//! The context window of a model, and the client's limit for a compaction.

use serde::{Deserialize, Serialize};

/// The default number of tokens that a client keeps free for the output, if the limit of the input is known
/// separately.
pub const COMPACTION_BUFFER: u64 = 20_000;

/// The default limit of output tokens, if the model's own is unknown or higher (opencode's
/// `OUTPUT_TOKEN_MAX`).
pub const OUTPUT_MAX: u64 = 32_000;

/// The window of a model in tokens, and the client's use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The size of the window; 0 if it is unknown.
    pub context: u64,
    /// The limit of the input, if the provider has one.
    #[serde(default)]
    pub input: Option<u64>,
    /// The limit of the output.
    #[serde(default)]
    pub output: Option<u64>,
    /// The tokens that the client keeps free, if its user sets that.
    #[serde(default)]
    pub reserved: Option<u64>,
    /// True if the client compacts the conversation automatically.
    #[serde(default)]
    pub compacts: bool,
}

impl Window {
    /// Returns a window of which only the size is known.
    pub const fn of(context: u64) -> Self {
        Self {
            context,
            input: None,
            output: None,
            reserved: None,
            compacts: false,
        }
    }

    /// Returns the number of used tokens at which the client compacts; `None` if it does not. The reading
    /// keeps it: see [`ContextUsage::is_overflow`](hud_store::state::ContextUsage::is_overflow).
    ///
    /// The output limit and the reserved tokens are those of the window. The defaults are `output_max` and
    /// `buffer`.
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

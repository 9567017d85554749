//! Which outputs of tools leave a conversation to make room: the old ones, when it is worth it.
//!
//! An output that leaves is kept in the log, and a line takes its place that says how it is read
//! again. That makes the conversation another one from there on, and the provider reads anew what
//! it had cached; so outputs leave many at once, and only when the context fills.

use std::fmt;

use serde::Deserialize;

use crate::settings::Prune;

/// Tokens of the most recent outputs that stay in any case, by default (`PRUNE_PROTECT`).
pub const PROTECT: u64 = 40_000;

/// Tokens that must be gained, or nothing leaves, by default (`PRUNE_MINIMUM`).
pub const MINIMUM: u64 = 20_000;

/// Tools whose outputs never leave, by default (`PRUNE_PROTECTED_TOOLS`).
pub const PROTECTED_TOOLS: &[&str] = &["skill"];

/// Characters that count as a token, as opencode estimates.
const TOKEN: u64 = 4;

/// A tool's output in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Output {
    /// The call, as the client names it.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// How many characters it has.
    pub chars: u64,
    /// Whether it left already.
    #[serde(default)]
    pub pruned: bool,
}

/// The outputs that are to leave, newest first; `outputs` are those of the conversation, oldest
/// first.
///
/// From the newest on, [`protect`](Prune::protect) tokens stay, and in any case the newest `unread`
/// outputs, which the model has not seen yet. What is older leaves, up to where outputs left before, if
/// that gains at least [`minimum`](Prune::minimum) tokens.
///
/// ```
/// use hud_agent::prune::{Output, leaving};
/// use hud_agent::settings::Settings;
///
/// let output = |call: &str, tokens: u64| Output {
///     call: call.to_owned(),
///     tool: "read".to_owned(),
///     chars: 4 * tokens,
///     pruned: false,
/// };
/// let outputs = [output("a", 12_000), output("b", 8_000), output("c", 40_000)];
/// let prune = Settings::default().prune;
/// let calls: Vec<&str> = leaving(&outputs, 1, &prune).map(|output| output.call.as_str()).collect();
/// assert_eq!(calls, ["b", "a"]);
/// assert_eq!(leaving(&outputs[1..], 1, &prune).count(), 0, "too little is gained");
/// ```
pub fn leaving<'o, I>(
    outputs: I,
    unread: usize,
    prune: &Prune,
) -> impl Iterator<Item = &'o Output> + use<'o, I>
where
    I: IntoIterator<Item = &'o Output>,
    I::IntoIter: DoubleEndedIterator,
{
    let (mut seen, mut gained) = (0_u64, 0_u64);
    let mut leaving = Vec::new();
    for (index, output) in outputs.into_iter().rev().enumerate() {
        if output.pruned {
            break;
        }
        if prune.protected_tools.contains(&output.tool) {
            continue;
        }
        let tokens = output.chars.saturating_add(TOKEN / 2) / TOKEN;
        seen = seen.saturating_add(tokens);
        if seen > prune.protect && index >= unread {
            gained = gained.saturating_add(tokens);
            leaving.push(output);
        }
    }
    if gained < prune.minimum || !prune.on {
        leaving.clear();
    }
    leaving.into_iter()
}

/// What takes the place of an output that left: how it is read again.
///
/// ```
/// use hud_agent::prune::Placeholder;
///
/// let placeholder = Placeholder { seq: 42, chars: 48_000 };
/// assert_eq!(
///     placeholder.to_string(),
///     r#"[Taken out to make room: 48000 characters. The hud tool has them: {"tool":"recall","args":{"seq":42}}]"#,
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The seq of the event that keeps the output.
    pub seq: u64,
    /// How many characters the output had.
    pub chars: u64,
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seq, chars } = self;
        write!(
            f,
            "[Taken out to make room: {chars} characters. The hud tool has them: \
             {{\"tool\":\"recall\",\"args\":{{\"seq\":{seq}}}}}]"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(tool: &str, tokens: u64, pruned: bool) -> Output {
        Output {
            call: String::new(),
            tool: tool.to_owned(),
            chars: TOKEN * tokens,
            pruned,
        }
    }

    fn gained(outputs: &[Output]) -> u64 {
        leaving(outputs, 1, &Prune::default())
            .map(|output| output.chars / TOKEN)
            .sum()
    }

    #[test]
    fn the_most_recent_outputs_stay_and_little_is_not_worth_it() {
        let old = |tokens| {
            [
                output("read", tokens, false),
                output("read", PROTECT, false),
            ]
        };
        assert_eq!(gained(&old(MINIMUM)), MINIMUM);
        assert_eq!(gained(&old(MINIMUM - 1)), 0);
        // One that reaches over the border leaves whole.
        let over = [
            output("read", MINIMUM, false),
            output("read", PROTECT - 1, false),
        ];
        assert_eq!(gained(&over), MINIMUM);
    }

    #[test]
    fn what_the_model_has_not_seen_stays_however_long_it_is() {
        let prune = Prune::default();
        let long = output("read", 3 * PROTECT, false);
        assert_eq!(leaving([&long], 1, &prune).count(), 0);
        assert_eq!(leaving([&long, &long], 1, &prune).count(), 1);
        assert_eq!(leaving([&long, &long], 2, &prune).count(), 0);
    }

    #[test]
    fn protected_tools_neither_leave_nor_count() {
        let outputs = [
            output("read", MINIMUM, false),
            output("skill", 10 * PROTECT, false),
            output("read", PROTECT, false),
        ];
        assert_eq!(gained(&outputs), MINIMUM);
    }

    #[test]
    fn nothing_behind_what_left_is_looked_at_again() {
        let outputs = [
            output("read", 10 * MINIMUM, false),
            output("read", 1, true),
            output("read", PROTECT, false),
        ];
        assert_eq!(gained(&outputs), 0);
    }

    #[test]
    fn absurd_sizes_do_no_harm() {
        let huge = Output {
            chars: u64::MAX,
            ..output("read", 0, false)
        };
        let outputs = [huge.clone(), huge.clone(), huge];
        assert_eq!(leaving(&outputs, 0, &Prune::default()).count(), 3);
    }

    #[test]
    fn what_leaves_can_be_set() {
        let outputs = [output("read", 300, false), output("skill", 200, false)];
        let gained = |prune: &Prune| leaving(&outputs, 0, prune).count();
        let mut prune = Prune::default();
        (prune.protect, prune.minimum) = (0, 0);
        assert_eq!(gained(&prune), 1);
        prune.protected_tools.clear();
        assert_eq!(gained(&prune), 2);
        prune.on = false;
        assert_eq!(gained(&prune), 0);
    }
}

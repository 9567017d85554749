//! The context window: how large it is, and what a compaction's summary says.

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

/// Words with which Claude Code begins a summary; they say nothing about the session.
const PREAMBLE: &str = "This session is being continued from a previous conversation";

/// A compaction's summary without its preamble and its notes on how it was made.
pub fn essence(summary: &str) -> &str {
    let summary = summary.trim();
    if !summary.starts_with(PREAMBLE) {
        return summary;
    }
    match summary.split_once("\nSummary:") {
        Some((_, rest)) => rest.trim(),
        None => summary
            .split_once("\n\n")
            .map_or(summary, |(_, rest)| rest.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summarys_preamble_is_left_out() {
        let summary = format!("{PREAMBLE} that ran out.\nAnalysis:\nhow\n\nSummary:\n1. The task");
        assert_eq!(essence(&summary), "1. The task");
        assert_eq!(essence(" plain "), "plain");
        assert_eq!(
            essence(&format!("{PREAMBLE}.\n\nwhat it was")),
            "what it was"
        );
    }
}

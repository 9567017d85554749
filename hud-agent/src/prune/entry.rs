//! Pruning at entry: a long output is cut before the model reads it.
//!
//! It is off by default ([`Prune::entry`](crate::settings::Prune::entry)), as it takes what nobody has read
//! yet: of what models used at once of outputs of recorded sessions, 9 % is cut while there is room, 16 %
//! under a moderate pressure and 38 % under a high one (`hud prune` says it as `met at once`).

use super::rule::Pressure;

/// How many lines an output may have, and how many of a longer one stay at each end.
///
/// ```
/// use hud_agent::prune::entry::bounds;
/// use hud_agent::prune::rule::Pressure;
///
/// assert_eq!(bounds(Pressure::Safe), (50, 30));
/// ```
pub const fn bounds(pressure: Pressure) -> (usize, usize) {
    match pressure {
        Pressure::Safe => (50, 30),
        Pressure::Moderate => (30, 20),
        Pressure::High | Pressure::Critical => (15, 10),
    }
}

/// The first and the last `kept` lines of a text, with a line between them that says what is missing;
/// nothing where it has no more than `longest` lines, or the cut one would not be shorter.
///
/// ```
/// use hud_agent::prune::entry::cut;
///
/// let text: String = (1..=8).map(|n| format!("line {n}\n")).collect();
/// assert_eq!(cut(&text, 6, 1).as_deref(), Some("line 1\n[6 lines left out]\nline 8\n"));
/// assert_eq!(cut("1\n2\n", 6, 1), None);
/// ```
pub fn cut(text: &str, longest: usize, kept: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let missing = lines.len().checked_sub(kept.saturating_mul(2))?;
    if lines.len() <= longest || missing == 0 {
        return None;
    }
    let (first, last) = (lines.get(..kept)?, lines.get(lines.len() - kept..)?);
    let mut cut = String::new();
    for line in first {
        cut.push_str(line);
        cut.push('\n');
    }
    cut.push_str(&format!("[{missing} lines left out]\n"));
    for line in last {
        cut.push_str(line);
        cut.push('\n');
    }
    (cut.len() < text.len()).then_some(cut)
}

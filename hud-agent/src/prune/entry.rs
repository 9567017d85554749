//! Pruning at entry, which cuts a long output before the model reads it.
//!
//! It is off by default ([`Prune::entry`](crate::settings::Prune::entry)), as it removes text that nobody has
//! read yet. It cuts a share of the text that models used at once in recorded sessions: at most 9 % while
//! there is room, 16 % under a moderate pressure, and 38 % under a high one (`met at once` of `hud-eval`'s
//! `prune`).

use super::rule::Pressure;
use hud_derive::outline::says_error;

/// Returns the maximum number of lines of an output, and the number of lines to keep at each end of a longer
/// one.
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

/// Returns the first and the last `kept` lines of a text. Between them are at most `kept` lines from the
/// middle: the first lines that report an error, each with the next line, which names its location. Lines in
/// brackets count the removed lines. `None` if the text has at most `longest` lines, or the cut text is not
/// shorter.
///
/// ```
/// use hud_agent::prune::entry::cut;
///
/// let text: String = (11..=30).map(|n| format!("line {n}\n")).collect();
/// assert_eq!(cut(&text, 6, 1).as_deref(), Some("line 11\n[18 lines left out]\nline 30\n"));
/// let text = text.replace("line 14", "error: no such file");
/// let shown = "line 11\n[2 lines left out]\nerror: no such file\n[15 lines left out]\nline 30\n";
/// assert_eq!(cut(&text, 6, 1).as_deref(), Some(shown));
/// assert_eq!(cut("1\n2\n", 6, 1), None);
/// ```
pub fn cut(text: &str, longest: usize, kept: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let missing = lines.len().checked_sub(kept.saturating_mul(2))?;
    if lines.len() <= longest || missing == 0 {
        return None;
    }
    let last = lines.len() - kept;
    let middle = lines.iter().enumerate().take(last).skip(kept);
    let mut after_error = false;
    let errors = middle.filter(|(_, line)| {
        let is_error = says_error(line);
        let is_kept = is_error || after_error;
        after_error = is_error;
        is_kept
    });
    let errors = errors.map(|(place, _)| place).take(kept);
    let places = (0..kept).chain(errors).chain(last..lines.len());
    let mut cut = String::new();
    let mut next = 0;
    for place in places {
        match place - next {
            0 => {}
            1 => cut.push_str("[1 line left out]\n"),
            missing => cut.push_str(&format!("[{missing} lines left out]\n")),
        }
        cut.push_str(lines.get(place)?);
        cut.push('\n');
        next = place + 1;
    }
    if next < lines.len() {
        cut.push_str(&format!("[{} lines left out]\n", lines.len() - next));
    }
    (cut.len() < text.len()).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn an_error_in_the_middle_of_a_long_output_stays_with_its_place() {
        let mut lines: Vec<String> = (1..=162)
            .map(|n| format!("   Compiling crate_{n}"))
            .collect();
        lines[80] = "error[E0425]: cannot find value `limit` in this scope".to_owned();
        lines[81] = "  --> src/limit.rs:12:9".to_owned();
        let cut = cut(&(lines.join("\n") + "\n"), 50, 30).unwrap();
        let error = "[50 lines left out]\nerror[E0425]: cannot find value `limit` in this scope\n  \
                     --> src/limit.rs:12:9\n[50 lines left out]\n";
        assert!(cut.contains(error), "{cut}");
        assert_eq!(cut.lines().count(), 64);
    }

    #[test]
    fn no_more_errors_stay_than_lines_at_one_end() {
        let text: String = (1..=400).map(|n| format!("error {n}: refused\n")).collect();
        let cut = cut(&text, 50, 30).unwrap();
        assert_eq!(cut.lines().count(), 91);
        assert!(
            cut.contains("error 60: refused\n[310 lines left out]\n"),
            "{cut}"
        );
    }
}

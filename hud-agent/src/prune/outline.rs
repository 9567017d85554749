//! What stays of an output that leaves: the lines that are most likely to be needed.

use std::collections::HashSet;

use hud_store::state::OutputClass;

use super::need::unnumbered;
use crate::change::defines;

/// How much of an output stays at most, in per cent, and in characters.
const SHARE: usize = 4;
const LONGEST: usize = 800;

/// How many of a line's words count.
const WORDS: usize = 3;

/// Whose lines are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'o> {
    /// What kind of output it is.
    pub class: OutputClass,
    /// Whether it is of a command, or of something that failed: its errors are what matters.
    pub has_errors: bool,
    /// What was said.
    pub text: &'o str,
}

/// The lines of an output that stay: those with words that the model `used` since it was read, and
/// besides, of a file its definitions, of a command its errors, of a search its paths. In the order of
/// the output, each as it is; a line that is there twice stays once. At most a twenty-fifth of it.
///
/// `used` gives how many words of a line the model used.
pub fn outline(whole: &Whole<'_>, used: impl Fn(&str) -> usize) -> String {
    let length = whole.text.chars().count();
    let mut room = (length * SHARE / 100).min(LONGEST);
    let mut known = HashSet::new();
    let mut lines: Vec<(usize, usize, &str)> = Vec::new();
    for (place, line) in whole.text.lines().enumerate() {
        let worth = whole.worth(line) + 2 * used(line).min(WORDS);
        if worth > 0 && line.chars().nth(room).is_none() && known.insert(line.trim()) {
            lines.push((worth, place, line));
        }
    }
    lines.sort_by_key(|(worth, place, _)| (usize::MAX - worth, *place));
    lines.retain(|(_, _, line)| {
        let chars = line.chars().count() + 1;
        let fits = chars <= room;
        room -= if fits { chars } else { 0 };
        fits
    });
    lines.sort_by_key(|(_, place, _)| *place);
    lines
        .iter()
        .fold(String::new(), |all, (_, _, line)| all + line + "\n")
}

impl Whole<'_> {
    /// What a line is worth whatever the model said.
    fn worth(&self, line: &str) -> usize {
        let code = unnumbered(line);
        if code.trim().is_empty() {
            return 0;
        }
        match self.class {
            OutputClass::Read if defines(code) => match code.starts_with([' ', '\t']) {
                true => 4,
                false => 8,
            },
            OutputClass::Read => 0,
            _ if self.has_errors && says_error(line) => 6,
            _ if line.contains('/') => 2,
            _ => 0,
        }
    }
}

/// Whether a line of what a command printed says that something went wrong.
fn says_error(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "fail", "panic"]
        .iter()
        .any(|word| line.contains(word))
}

//! The diff of a change.

use hud_store::state::DIFF_PLACE;
use similar::{ChangeTag, TextDiff};

use super::{Kind, defines, key};

/// The maximum number of bytes of a diff.
const LONGEST: usize = 4 * 1024;

/// The maximum number of lines of a diff that is kept whole.
const LINES: usize = 60;

/// The maximum number of characters of a line.
const LINE: usize = 240;

/// The maximum number of bytes of a word. A line with a longer one counts as data and is left out.
const DATA: usize = 160;

/// Returns the removed and the added lines of a change, each after its `-` or `+`, with a line `@@` between
/// two places. A long diff keeps only the lines that define something, are a heading or set a key.
pub(super) fn lines(path: &str, removed: &str, added: &str) -> String {
    let diff = TextDiff::from_lines(removed, added);
    let mut all: Vec<(usize, char, &str)> = Vec::new();
    for (at, change) in diff.iter_all_changes().enumerate() {
        let sign = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let line = change.value().trim_end();
        let has_data = line.split_whitespace().any(|word| word.len() > DATA);
        if !line.trim_start().is_empty() && !has_data {
            all.push((at, sign, line));
        }
    }
    let bytes: usize = all.iter().map(|(_, _, line)| line.len() + 2).sum();
    if bytes > LONGEST || all.len() > LINES {
        let kind = Kind::of(path);
        let tells = |line: &str| match kind {
            Kind::Code => defines(line),
            Kind::Data => is_outer(line) && key(line).is_some(),
            Kind::Prose => line.starts_with('#'),
        };
        if all.iter().any(|(_, _, line)| tells(line)) {
            all.retain(|(_, _, line)| tells(line));
        }
    }
    let mut text = String::new();
    let mut before: Option<usize> = None;
    for (at, sign, line) in all {
        let line = match line.char_indices().nth(LINE) {
            Some((end, _)) => &line[..end],
            None => line,
        };
        if text.len() + line.len() + 2 > LONGEST {
            break;
        }
        if before.is_some_and(|before| before + 1 < at) {
            text.push_str(DIFF_PLACE);
            text.push('\n');
        }
        before = Some(at);
        text.push(sign);
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// True if a line has at most two characters of indentation.
fn is_outer(line: &str) -> bool {
    line.len() - line.trim_start().len() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_that_differ_are_kept() {
        let (before, after) = ("a\nb\nc\nd\ne\n", "a\nx\nc\nd\n\ne\nf\n");
        assert_eq!(lines("a.rs", before, after), "-b\n+x\n@@\n+f\n");
        assert_eq!(lines("a.rs", before, before), "");
    }

    #[test]
    fn of_a_long_one_the_lines_that_define_something_are_kept() {
        let body: String = (0..90).map(|at| format!("    call({at});\n")).collect();
        let added = format!("pub fn one() {{\n{body}}}\n\nfn two() {{}}\n");
        assert_eq!(
            lines("a.rs", "", &added),
            "+pub fn one() {\n@@\n+fn two() {}\n"
        );
        let steps: String = (0..90)
            .map(|at| format!("    - run: step {at}\n"))
            .collect();
        let added = format!("jobs:\n  build:\n{steps}  sign:\n{steps}");
        assert_eq!(
            lines("ci.yml", "", &added),
            "+jobs:\n+  build:\n@@\n+  sign:\n"
        );
        let plain = "ü".repeat(300) + "\n";
        assert!(lines("a.rs", "", &plain.repeat(99)).len() <= LONGEST);
    }
}

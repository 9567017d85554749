//! Places that a search found, so that the agent need not search for them again.
//!
//! Only the places are taken from the output, never the text at them.

use std::borrow::Cow;

use hud_observe::action::Action;

use super::command;
use super::printed::Printed;

/// The largest number of places. A search that finds more found nothing in particular.
const MOST: usize = 12;

/// The largest number of files with such places.
const FILES: usize = 5;

/// The longest output of a search that is read, in bytes. A longer one has more than a few places.
const READ: usize = 8 * 1024;

/// Returns the places that a search found, as one line: `JSONLBytes: committed.go:201, 452`. `None` if it found
/// nothing or too much.
pub(super) fn places(action: &Action, output: &Printed<'_>) -> Option<String> {
    let sought = sought(action)?;
    if output.len() > READ {
        return None;
    }
    let mut files: Vec<(&str, Vec<u32>)> = Vec::new();
    let mut count = 0;
    for line in output.text().lines() {
        let Some((file, number)) = place(line) else {
            continue;
        };
        count += 1;
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, numbers)) => numbers.push(number),
            None => files.push((file, vec![number])),
        }
    }
    if count == 0 || count > MOST || files.len() > FILES {
        return None;
    }
    let files = files.into_iter().map(|(file, numbers)| {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        format!("{}:{}", short(file), numbers.join(", "))
    });
    Some(format!(
        "{sought}: {}",
        files.collect::<Vec<_>>().join("; ")
    ))
}

/// True if an action searches files.
pub(super) fn searches(action: &Action) -> bool {
    match action {
        Action::Look { target, .. } => target.is_some(),
        Action::Run { command } => command::sought(command).is_some(),
        _ => false,
    }
}

/// Returns the files that a search names at the beginnings of lines or as whole lines, each once. Empty if most
/// lines are something else.
pub(super) fn files<'o>(output: &'o Printed<'_>) -> Vec<&'o str> {
    if output.len() > READ {
        return Vec::new();
    }
    let (mut files, mut others) = (Vec::new(), 0);
    for line in output
        .text()
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let file = place(line).map(|(file, _)| file);
        match file.or_else(|| is_file(line).then_some(line)) {
            Some(file) if files.contains(&file) => {}
            Some(file) => files.push(file),
            None => others += 1,
        }
    }
    match others > files.len() {
        true => Vec::new(),
        false => files,
    }
}

/// Returns the pattern that an action searches for.
fn sought(action: &Action) -> Option<Cow<'_, str>> {
    let pattern = match action {
        Action::Look { target, .. } => Cow::Borrowed(target.as_deref()?),
        Action::Run { command } => Cow::Owned(command::sought(command)?),
        _ => return None,
    };
    let plain: String = pattern.chars().filter(|c| *c != '\\').take(60).collect();
    let names_something = plain
        .chars()
        .filter(|c| c.is_alphanumeric())
        .nth(2)
        .is_some();
    (names_something && !plain.contains('\n')).then(|| Cow::Owned(plain.trim().to_owned()))
}

/// The place that a line of a search begins with: `path/file.rs:12:`.
fn place(line: &str) -> Option<(&str, u32)> {
    let (file, rest) = line.split_once(':')?;
    let (number, _) = rest.split_once(':')?;
    let number = number.parse().ok()?;
    is_file(file).then_some((file, number))
}

/// True if a word is the path of a file.
fn is_file(word: &str) -> bool {
    let is_sign = |c: char| matches!(c, '/' | '.' | '_' | '-' | '@' | '+');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || is_sign(char::from(byte));
    let mut name = word.bytes().rev().take_while(|byte| *byte != b'/');
    word.len() < 200
        && name.any(|byte| byte == b'.')
        && (word.bytes().all(is_plain) || word.chars().all(|c| c.is_alphanumeric() || is_sign(c)))
}

/// The last two parts of a path.
fn short(path: &str) -> &str {
    let from = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    path.get(from..).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Secrets;

    fn look(pattern: &str, output: &str) -> Option<String> {
        let action = Action::Look {
            tool: "Grep".to_owned(),
            target: Some(pattern.to_owned()),
        };
        places(&action, &Printed::new(output, Secrets::Mask))
    }

    #[test]
    fn a_search_says_where_something_is() {
        let output = "cmd/cli/a.go:20:x\ncmd/cli/a.go:45:y\nb.go:7:z";
        let said = "redact.(A|B): cli/a.go:20, 45; b.go:7";
        assert_eq!(look(r"redact\.(A|B)", output).as_deref(), Some(said));
        let run = Action::Run {
            command: "cd x && grep -rn 'fn pool' src | head -5".to_owned(),
        };
        assert_eq!(
            places(&run, &Printed::new("src/p.rs:3:fn pool() {", Secrets::Mask)).as_deref(),
            Some("fn pool: src/p.rs:3")
        );
    }

    #[test]
    fn only_places_are_taken_from_what_a_search_prints() {
        assert_eq!(
            look("x_y", "the user decided: 1: never test\nNo matches found"),
            None
        );
        assert_eq!(look("pool", "# Rules.md x:1:y"), None);
        assert_eq!(look(".*", "a.rs:1:x"), None);
        let many: String = (0..20).map(|n| format!("a.rs:{n}:x\n")).collect();
        assert_eq!(look("pool", &many), None);
    }
}

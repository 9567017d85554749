//! Messages of failed calls.

use hud_observe::action::Action;
use hud_store::text::beginning;

use super::super::command;

/// Returns the message of a failed call, which is its most informative line. `None` if the call only looked at
/// something that is not there.
pub(crate) fn message(action: &Action, content: &str) -> Option<String> {
    let content = content
        .trim()
        .trim_start_matches("<tool_use_error>")
        .trim_end_matches("</tool_use_error>")
        .trim();
    let missed = match action {
        Action::Run { command } => command::only_looks(command) || is_slip(content),
        Action::Read { .. } | Action::Look { .. } => says_missing(content),
        _ => false,
    };
    (!missed).then(|| salient(content))
}

/// True if the target of a look is not there.
fn says_missing(content: &str) -> bool {
    const WORDS: &[&str] = &[
        "does not exist",
        "doesn't exist",
        "no such file",
        "not found",
        "enoent",
        "cannot find",
        "no files found",
        "no matches",
        "is a directory",
        "eisdir",
    ];
    let lower = beginning(content, 400).to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// True if a shell could not parse its command line, so that nothing ran.
pub(crate) fn is_slip(content: &str) -> bool {
    const SLIPS: &[&str] = &[
        "parse error near",
        "syntax error near unexpected",
        "unexpected eof while looking",
        "unterminated quoted string",
        "no matches found:",
        "unknown file attribute",
        "bad substitution",
        "unmatched \"",
        "unmatched '",
    ];
    let lower = beginning(content, 400).to_lowercase();
    let mut lines = lower.lines().filter(|line| !line.starts_with("exit code "));
    let first = lines.find(|line| !line.trim().is_empty()).unwrap_or("");
    let shell = ["(eval):", "bash:", "zsh:", "sh:", "/bin/", "fish:", "eval:"];
    shell.iter().any(|shell| first.starts_with(shell))
        && SLIPS.iter().any(|slip| first.contains(slip))
}

/// The most informative line of an output about the error, or the exit code if there is no such line.
pub(super) fn salient(content: &str) -> String {
    let content = beginning(content, 64 * 1024);
    let (exit, output) = match content.split_once('\n') {
        _ if !content.starts_with("Exit code ") => (None, content),
        Some((first, rest)) => (Some(first), rest),
        None => (Some(content), ""),
    };
    let lines: Vec<&str> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // The first of the lines with the largest weight. Without `rev`, `max_by_key` would return the last one.
    let best = (0..lines.len())
        .rev()
        .max_by_key(|index| weight(lines[*index]));
    match (best, exit) {
        // The message is on the next line: `panicked at src/lib.rs:5:9:`.
        (Some(index), _) if lines[index].ends_with(':') && index + 1 < lines.len() => {
            clip(&format!("{} {}", lines[index], lines[index + 1]))
        }
        (Some(index), _) => clip(lines[index]),
        (None, Some(exit)) => exit.to_lowercase(),
        (None, None) => "failed without a message".to_owned(),
    }
}

/// True for a line of an output that reports a part as fine, or only progress.
pub(crate) fn is_fine(line: &str) -> bool {
    const FINE: &[&str] = &[
        "--- pass",
        "=== run",
        "=== cont",
        "=== pause",
        "ok ",
        "ok\t",
        "✓",
        "✔",
        "? ",
        "?\t",
        "(pass)",
    ];
    const PROGRESS: &[&str] = &[
        "INFO",
        "DEBUG",
        "TRACE",
        "[INFO]",
        "[DEBUG]",
        "level=info",
        "level=debug",
    ];
    let lower = beginning(line.trim_start(), 80).to_lowercase();
    FINE.iter().any(|fine| lower.starts_with(fine))
        || lower.ends_with("... ok")
        || line
            .split_whitespace()
            .take(12)
            .any(|word| PROGRESS.contains(&word))
}

/// The weight of a line of output. An exception weighs most, then an error with its place, then any other error.
pub(crate) fn weight(line: &str) -> u8 {
    let lower = beginning(line, 600).to_lowercase();
    const FINE: &[&str] = &[
        "--- pass", "pass ", "ok ", "ok\t", "✓", "✔", "warning", "note:", "=== run",
    ];
    if FINE.iter().any(|fine| lower.starts_with(fine)) || lower.ends_with("... ok") {
        return 0;
    }
    // The exception at the end of a trace explains more than the code at its places.
    if names_exception(line) {
        return 6;
    }
    if ["raise ", "throw "]
        .iter()
        .any(|code| lower.starts_with(code))
    {
        return 1;
    }
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let wrong = says(&[
        "error",
        "panicked",
        "undefined",
        "cannot ",
        "mismatch",
        "exception",
        "expected",
        "undeclared",
        "not found",
    ]);
    let failed = says(&["fail", "fatal", "denied", "no such file", "unable"]);
    match (wrong, failed, has_place(line)) {
        // The runner only announces the lines below.
        _ if lower.ends_with("task failed") || lower.starts_with("your proposed edit") => 1,
        (true, _, true) => 5,
        (_, true, true) => 4,
        (true, ..) => 3,
        (_, true, _) => 2,
        (.., true) => 2,
        _ => 0,
    }
}

/// True if a line begins with the class of an exception: `pkg.ValueError: no such key`.
fn names_exception(line: &str) -> bool {
    line.split_once(':').is_some_and(|(class, _)| {
        let name = class.rsplit('.').next().unwrap_or(class);
        let is_class = class
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
        // `Error:` without a class may begin anything.
        let is_of = |end: &&str| name.len() > end.len() && name.ends_with(*end);
        is_class && name.starts_with(char::is_uppercase) && ["Error", "Exception"].iter().any(is_of)
    })
}

/// True if a line contains a place: `file.rs:12`.
fn has_place(line: &str) -> bool {
    line.match_indices(':').any(|(colon, _)| {
        let before = line[..colon].rsplit([' ', '\t', '(']).next().unwrap_or("");
        let after = line.as_bytes().get(colon + 1);
        before.contains('.') && after.is_some_and(u8::is_ascii_digit)
    })
}

/// At most 400 characters of a line. Even less is shown.
pub(super) fn clip(line: &str) -> String {
    match line.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    fn run(command: &str) -> Action {
        Action::Run {
            command: command.to_owned(),
        }
    }

    fn message(content: &str) -> String {
        super::message(&run("make"), content).unwrap()
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure() {
        assert_eq!(
            super::message(&run("grep -rn redis ."), "Exit code 1"),
            None
        );
    }

    #[test]
    fn the_line_that_names_the_place_is_the_message() {
        let go = "Exit code 1\n[test] $ go test ./...\n[test] ERROR task failed\n\n\
                  # pkg\ncmd/setup_test.go:50:21: env.run undefined\nFAIL\tpkg [build failed]";
        assert_eq!(message(go), "cmd/setup_test.go:50:21: env.run undefined");
        let rust = "running 1 test\nthread 'a' panicked at src/a.rs:1:2:\nno redis\nnote: run";
        assert_eq!(
            message(rust),
            "thread 'a' panicked at src/a.rs:1:2: no redis"
        );
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    raise last_exception\n\
                      AttributeError: no attribute 'x'";
        assert_eq!(message(python), "AttributeError: no attribute 'x'");
        assert_eq!(message("Exit code 1"), "exit code 1");
        assert_eq!(
            message("<tool_use_error>File does not exist.</tool_use_error>"),
            "File does not exist."
        );
        assert_eq!(message(""), "failed without a message");
    }
}

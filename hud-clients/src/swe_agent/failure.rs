//! Failed actions, recognised by their observation because exit codes are not recorded.

/// The beginnings and ends of the first line of an observation with which SWE-agent reports a failure.
/// They come from its tools (`tools/*/bin`, `windowed_file.py`), its templates, and its earlier shell
/// functions.
const OWN_WORDS: &[(&str, &str)] = &[
    ("Your proposed edit has introduced new syntax error(s)", ""),
    ("Your edit was not applied", ""),
    ("Your search and replace strings are the same", ""),
    ("No replacement was performed", ""),
    ("No file open", ""),
    ("Usage: ", ""),
    ("Error: ", ""),
    ("File ", " not found"),
    ("Directory ", " not found"),
    ("File already exists at: ", ""),
    ("The path ", " Please provide a valid path."),
    ("The parent directory ", " Please create it first."),
    ("Invalid `", ""),
    ("Operation '", " is not supported by this environment."),
    (
        "Interactive operation '",
        " is not supported by this environment.",
    ),
    ("The command '", ""),
    ("EXECUTION TIMED OUT", ""),
    ("COMMAND FAILED TO EXECUTE", ""),
];

/// The beginnings and ends of the lines with which a shell or Python reports that a command failed.
/// Tools that show files may show such lines, so these count only for a command.
const SHELL_WORDS: &[(&str, &str)] = &[
    ("Traceback (most recent call last)", ""),
    ("", ": command not found"),
    ("", ": No such file or directory"),
];

/// True if the observation after a tool call reports that it failed.
pub(super) fn says_failure(tool: &str, observation: &str) -> bool {
    let is = |line: &str, words: &[(&str, &str)]| {
        let line = line.trim_end();
        words
            .iter()
            .any(|(start, end)| line.starts_with(start) && line.ends_with(end))
    };
    let mut lines = observation.trim_start().lines();
    let first = lines.clone().next().unwrap_or_default();
    is(first, OWN_WORDS) || (tool == "bash" && lines.any(|line| is(line, SHELL_WORDS)))
}

#[cfg(test)]
mod tests {
    use super::says_failure;

    #[test]
    fn a_failure_is_told_from_a_file_that_speaks_of_one() {
        for (tool, observation, failed) in [
            (
                "edit",
                "Your edit was not applied (file not modified): Text",
                true,
            ),
            ("open", "Error: File /repo/b.py not found\r\n", true),
            ("open", "File b.py not found", true),
            ("edit", "File updated. Please review the changes", false),
            ("bash", "bash: line 1: pyhton: command not found\r\n", true),
            (
                "bash",
                "x\n  y\nTraceback (most recent call last):\n  z",
                true,
            ),
            (
                "open",
                "[File: a.md]\n1:Usage: a\nTraceback (most recent call last)",
                false,
            ),
            ("bash", "Script completed successfully, no errors.", false),
        ] {
            assert_eq!(says_failure(tool, observation), failed, "{observation}");
        }
    }
}

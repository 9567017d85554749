//! Our lines in a script that a client runs as a hook.

use super::command::Program;

/// The start of a script of ours.
const BEGIN: &str = "#!/bin/sh\n";

/// The line that identifies a script as ours.
const MARK: &str = "# Agent HUD\n";

/// The script as we write it.
pub(super) fn new(command: &str) -> String {
    format!("{BEGIN}{MARK}{command}\n")
}

/// True if a script is ours, with or without lines that the user added.
pub(super) fn is_ours(text: &str) -> bool {
    text.lines().any(|line| line == MARK.trim_end())
}

/// The script with the wanted command, and with all lines that the user added.
pub(super) fn with_command(text: &str, program: &Program, command: &str) -> String {
    let is_there = text.lines().any(|line| program.is_hook(line));
    let mut after = String::new();
    for line in text.split_inclusive('\n') {
        if program.is_hook(line) {
            after.push_str(command);
            after.push_str(&line[line.trim_end().len()..]);
        } else {
            after.push_str(line);
            if !is_there && line == MARK {
                after.push_str(command);
                after.push('\n');
            }
        }
    }
    after
}

/// The script without our lines; `None` if nothing else is in it.
pub(super) fn without(text: &str, program: &Program) -> Option<String> {
    let lines = text.split_inclusive('\n');
    let rest: String = lines
        .filter(|line| line.trim_end() != MARK.trim_end() && !program.is_hook(line))
        .collect();
    (rest.trim() != BEGIN.trim() && !rest.trim().is_empty()).then_some(rest)
}

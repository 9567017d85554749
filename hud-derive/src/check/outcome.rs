//! Outcomes of the checks of a command line.

use super::{Check, Kind};
use crate::command::{self, Link, Part};
use crate::output::{self, Output};

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// It did not run, or its outcome is not known.
    Unknown,
}

/// Returns the outcomes of the checks of a command line, from its exit code and its output.
pub(crate) fn outcomes(
    command: &str,
    checks: &[(Check, Part)],
    output: &Output,
    failed: bool,
) -> Vec<Outcome> {
    let says_failed = output.says == Some(false) || !output.found.is_empty();
    let culprit = (failed || says_failed)
        .then(|| culprit(checks, output))
        .flatten();
    let printed = printed_status(command, checks, output);
    let is_shown = checks.len() == 1 && is_only_shown(command);
    let mut stopped = false;
    let outcome = |(index, (check, part)): (usize, &(Check, Part))| {
        if stopped {
            return Outcome::Unknown;
        }
        let is_culprit = culprit == Some(index);
        let outcome = match (part.is_masked, failed) {
            (is_masked, false)
                if check.is_silent
                    && is_shown
                    && !output.is_empty
                    && (is_masked || check.kind == Kind::Format) =>
            {
                Outcome::Failed
            }
            _ if printed.is_some_and(|(at, _)| at == index) => match printed {
                Some((_, 0)) if check.is_silent && check.kind == Kind::Format => Outcome::Unknown,
                Some((_, 0)) => Outcome::Passed,
                _ => Outcome::Failed,
            },
            (true, _) if is_culprit && says_failed => Outcome::Failed,
            (true, _) if says_failed => Outcome::Unknown,
            (true, _) if output.says == Some(true) => Outcome::Passed,
            (true, _) => {
                match output.is_empty && check.kind != Kind::Test && is_only_cut(command) {
                    true => Outcome::Passed,
                    false => Outcome::Unknown,
                }
            }
            (false, false) => match is_culprit
                && output.says == Some(false)
                && (check.kind == Kind::Test || !output.found.is_empty())
            {
                true => Outcome::Failed,
                false => Outcome::Passed,
            },
            (false, true) if is_culprit => Outcome::Failed,
            // An earlier check passed if its failure would have stopped the line.
            (false, true) => match culprit.is_some_and(|culprit| index < culprit) {
                true => Outcome::Passed,
                false => Outcome::Unknown,
            },
        };
        stopped = part.link == Link::And && outcome == Outcome::Failed;
        outcome
    };
    checks.iter().enumerate().map(outcome).collect()
}

/// The check whose exit status a command line prints at its end, and that status: `pytest; echo $?`.
fn printed_status(
    command: &str,
    checks: &[(Check, Part)],
    output: &Output,
) -> Option<(usize, u32)> {
    let parts = command::linked(command);
    let (echo, before) = parts.split_last()?;
    let (program, shown) = echo.words.split_first()?;
    let last = before.last().filter(|last| last.link == Link::Then)?;
    if program != "echo" {
        return None;
    }
    let shown = shown.join(" ");
    let (around, of) = match shown.split_once("${PIPESTATUS[0]}") {
        None => (shown.split_once("$?")?, last),
        Some(around) => {
            let piped = before.iter().rev().skip(1);
            let piped = piped.take_while(|part| part.link == Link::Pipe).count();
            (around, before.get(before.len() - 1 - piped)?)
        }
    };
    let status = output.last.strip_prefix(around.0)?.strip_suffix(around.1)?;
    let at = checks.iter().position(|(_, part)| part == of)?;
    Some((at, status.parse().ok()?))
}

/// The check that failed, if one did.
fn culprit(checks: &[(Check, Part)], output: &Output) -> Option<usize> {
    let has = |kind: output::Kind| output.found.iter().any(|one| one.kind == kind);
    let fits = |check: &Check| match check.kind {
        Kind::Test => has(output::Kind::Test) || output.fails_tests,
        Kind::Lint | Kind::Types | Kind::Build => has(output::Kind::Place) && !output.fails_tests,
        Kind::Format => false,
    };
    let position = checks.iter().position(|(check, _)| fits(check));
    // Nothing names the failed check. It is the last one, unless something else ran after it.
    let last = || {
        let (_, part) = checks.last()?;
        let is_last = matches!(part.link, Link::End | Link::Pipe) || part.is_masked;
        let says_passed = output.says == Some(true);
        // The exit code belongs to the check, regardless of its output. A linter may fail for its warnings.
        let is_own = part.link == Link::End && !part.is_masked;
        let is_it = is_last && (is_own || !says_passed) || output.says == Some(false);
        is_it.then(|| checks.len() - 1)
    };
    position.or_else(last)
}

/// True if a command line prints the output of its first program, or a part of it.
fn is_only_shown(command: &str) -> bool {
    let parts = command::linked(command);
    let is_piped = |part: &Part| matches!(part.link, Link::Pipe | Link::End);
    is_only_cut(command)
        && parts
            .iter()
            .all(|part| is_piped(part) && part.writes.is_empty())
}

/// True if the programs after pipes change only the length of the output.
fn is_only_cut(command: &str) -> bool {
    let parts = command::linked(command);
    let mut behind = parts.windows(2).filter(|pair| pair[0].link == Link::Pipe);
    behind.all(|pair| matches!(pair[1].words[0].as_str(), "head" | "tail" | "cat" | "tee"))
        && parts.iter().all(|part| part.link != Link::Or)
}

/// True if a filter may have left out a part of the output.
pub(crate) fn is_cut(command: &str) -> bool {
    command::linked(command)
        .iter()
        .any(|part| part.link == Link::Pipe)
}

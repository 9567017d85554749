//! What came of the checks of a command line.

use super::{Check, Kind};
use crate::derive::command::{self, Link, Part};
use crate::derive::output::{self, Output};

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::derive) enum Outcome {
    Passed,
    Failed,
    /// It did not run, or nobody can say.
    Unknown,
}

/// What came of the checks of a command line, by its exit code and by what it printed.
pub(in crate::derive) fn outcomes(
    command: &str,
    checks: &[(Check, Part)],
    output: &Output,
    failed: bool,
) -> Vec<Outcome> {
    let says_failed = output.says == Some(false) || !output.found.is_empty();
    let culprit = (failed || says_failed)
        .then(|| culprit(checks, output))
        .flatten();
    let mut stopped = false;
    let outcome = |(index, (check, part)): (usize, &(Check, Part))| {
        if stopped {
            return Outcome::Unknown;
        }
        let is_culprit = culprit == Some(index);
        let outcome = match (part.is_masked, failed) {
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
            // What came before the one that failed passed, if a failure would have stopped the line.
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

/// The check that failed, if one did.
fn culprit(checks: &[(Check, Part)], output: &Output) -> Option<usize> {
    let has = |kind: output::Kind| output.found.iter().any(|one| one.kind == kind);
    let fits = |check: &Check| match check.kind {
        Kind::Test => has(output::Kind::Test) || output.fails_tests,
        Kind::Lint | Kind::Types | Kind::Build => has(output::Kind::Place) && !output.fails_tests,
        Kind::Format => false,
    };
    let position = checks.iter().position(|(check, _)| fits(check));
    // Nothing says which: the last one, unless something else ran behind it.
    let last = || {
        let (_, part) = checks.last()?;
        let is_last = matches!(part.link, Link::End | Link::Pipe) || part.is_masked;
        let says_passed = output.says == Some(true);
        (is_last && !says_passed || output.says == Some(false)).then(|| checks.len() - 1)
    };
    position.or_else(last)
}

/// Whether nothing but the length of an output is changed behind a pipe.
fn is_only_cut(command: &str) -> bool {
    let parts = command::linked(command);
    let mut behind = parts.windows(2).filter(|pair| pair[0].link == Link::Pipe);
    behind.all(|pair| matches!(pair[1].words[0].as_str(), "head" | "tail" | "cat" | "tee"))
        && parts.iter().all(|part| part.link != Link::Or)
}

/// Whether a filter may have left out a part of what was printed.
pub(in crate::derive) fn is_cut(command: &str) -> bool {
    command::linked(command)
        .iter()
        .any(|part| part.link == Link::Pipe)
}

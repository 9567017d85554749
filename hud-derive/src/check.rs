//! Checks: which commands are tests, linters, formatters, builds, and what came of a run of them.

mod options;
mod outcome;
mod program;

use hud_store::text::beginning;

pub(super) use self::outcome::{Outcome, is_cut, outcomes};
use self::program::of;
use super::command::{self, Part};
pub(super) use super::runner::Kind;

/// A check of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub kind: Kind,
    /// The check as a person would write it, on what it runs: it is a command line itself.
    pub name: String,
    /// The program and what it is asked to do.
    head: String,
    /// On which files, packages, tests.
    targets: Vec<String>,
    /// The options that narrow it, with their values.
    narrowing: Vec<(String, String)>,
    /// True if it prints nothing where it finds nothing.
    is_silent: bool,
    /// The long options that change what is run.
    options: Vec<String>,
}

impl Check {
    /// Whether a pass of this run means that all that another one ran passes.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let covered = |target: &String| self.targets.iter().any(|own| reaches(own, target));
        let targets = match (self.targets.is_empty(), other.targets.is_empty()) {
            (true, _) => true,
            (false, true) => self.targets.iter().any(|own| is_all(own)),
            (false, false) => other.targets.iter().all(covered),
        };
        self.head == other.head
            && targets
            && self
                .narrowing
                .iter()
                .all(|one| other.narrowing.contains(one))
            && other.options.iter().all(|one| self.options.contains(one))
    }

    /// Whether the run is narrowed to tests of which one has that name.
    pub(super) fn names_test(&self, test: &str) -> bool {
        let mut names = self
            .narrowing
            .iter()
            .map(|(_, value)| value)
            .chain(&self.targets);
        names.any(|name| {
            let name = name.trim_matches(['^', '$', '"']);
            let mut parts = name.split('|');
            name.len() > 2 && parts.any(|part| part.len() > 2 && test.contains(part))
        })
    }

    /// Whether a formatter only says what it would change.
    pub(super) fn only_looks(&self) -> bool {
        let mut words = self.name.split([' ', ':', '-', '_']);
        words.any(|word| matches!(word, "check" | "diff" | "verify"))
    }
}

/// Whether a target is everything.
fn is_all(target: &str) -> bool {
    matches!(target, "." | "./..." | "..." | "./" | "*" | "all")
}

/// Whether a target has another one in it: a folder its files, a file its tests.
fn reaches(target: &str, other: &str) -> bool {
    let plain = |target: &str| {
        let target = target.trim_start_matches("./").trim_end_matches("...");
        target.trim_end_matches(['/', '*']).to_owned()
    };
    let (target, whole, other) = (plain(target), target, plain(other));
    is_all(whole)
        || other == target
        || other
            .strip_prefix(&target)
            .is_some_and(|rest| !target.is_empty() && rest.starts_with(['/', ':', '[', '.']))
}

/// The checks of a command line, each with its part of it.
pub(super) fn checks(command: &str) -> Vec<(Check, Part)> {
    let mut folder: Option<String> = None;
    let mut checks = Vec::new();
    for part in command::linked(beginning(command, 8 * 1024)).iter() {
        if let [cd, to] = part.words.as_slice()
            && cd == "cd"
        {
            let is_below = !to.starts_with(['/', '~', '$', '-']) && !to.starts_with("..");
            folder = is_below.then(|| to.clone());
            continue;
        }
        for mut check in of(&part.words) {
            if let Some(folder) = &folder {
                check.name = format!("cd {folder} && {}", check.name);
                check.head = format!("{folder}/ {}", check.head);
            }
            checks.push((check, part.clone()));
        }
    }
    checks
}

#[cfg(test)]
mod tests;

//! Checks: the command lines that run tests, linters, formatters and builds, and the outcomes of their runs.

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
    /// The check with its targets, as a command line that a person would write.
    pub name: String,
    /// The program with its subcommand.
    head: String,
    /// The files, packages or tests that it runs on.
    targets: Vec<String>,
    /// The options that narrow it, each with its value.
    narrowing: Vec<(String, String)>,
    /// True if it prints nothing when it finds nothing.
    is_silent: bool,
    /// The long options that change what is run.
    options: Vec<String>,
}

impl Check {
    /// True if a pass of this run means that everything in the other run passes.
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

    /// True if the run includes a test of that name, alone or among others.
    pub(super) fn runs_test(&self, test: &str) -> bool {
        let is_narrow = !self.narrowing.is_empty() || !self.targets.iter().all(|own| is_all(own));
        self.kind == Kind::Test && (!is_narrow || self.names_test(test))
    }

    /// True if the run is narrowed to a set of tests that includes this one.
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

    /// True if a formatter only reports the changes that it would make.
    pub(super) fn only_looks(&self) -> bool {
        let mut words = self.name.split([' ', ':', '-', '_']);
        words.any(|word| matches!(word, "check" | "diff" | "verify"))
    }

    /// True if the run looks at a file.
    pub(super) fn looks_at(&self, path: &str) -> bool {
        self.targets.is_empty() || self.targets.iter().any(|own| reaches(own, path))
    }
}

/// True if a target stands for everything.
fn is_all(target: &str) -> bool {
    matches!(target, "." | "./..." | "..." | "./" | "*" | "all")
}

/// True if a target includes another one: a folder its files, a file its tests.
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

/// Returns the checks of a command line, each with its part of the line.
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

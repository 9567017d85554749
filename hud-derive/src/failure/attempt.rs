//! Failures, and what was attempted in enough detail to recognize a later success.

use hud_observe::action::Action;
use hud_store::state::{Attempted, ErrorRecord, HudState};

use super::super::check::{self, Check};
use super::super::command::{self, Run};
use super::super::output::{Found, Kind};
use super::message::clip;

/// A failure that is not resolved.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) id: String,
    pub(super) attempt: Attempt,
    pub(super) message: String,
    pub(super) turn: u64,
    /// True for a failure that does not matter for long, such as a missing file or an error in a shell line.
    pub(super) passing: bool,
}

/// An attempt, in enough detail to recognize a later success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    Read(String),
    /// Writes, changes, removes or renames a file.
    Edit(String),
    Check(Box<Check>),
    Run(Vec<Run>),
    Call {
        tool: String,
        target: Option<String>,
    },
    /// The user pasted the failure, and the command is not known.
    Pasted,
}

impl Attempt {
    pub(super) fn of(action: &Action) -> Self {
        Self::new(action.attempted(), action.tool(), action.target())
    }

    /// Returns the attempt of a recorded error. `None` if the log does not have it.
    pub(super) fn failed(error: &ErrorRecord) -> Option<Self> {
        let tool = error.tool.as_deref().unwrap_or_default();
        Some(Self::new(error.attempted?, tool, error.target.as_deref()))
    }

    fn new(attempted: Attempted, tool: &str, target: Option<&str>) -> Self {
        let on = || target.unwrap_or_default().to_owned();
        match (attempted, target) {
            (Attempted::Read, _) => Self::Read(on()),
            (Attempted::Edit, _) => Self::Edit(on()),
            (Attempted::Run, None) => Self::Pasted,
            (Attempted::Run, Some(command)) => match check::checks(command).pop() {
                Some((check, _)) if check.name == command => Self::Check(Box::new(check)),
                _ => Self::Run(command::runs(command)),
            },
            (Attempted::Call, _) => Self::Call {
                tool: tool.to_owned(),
                target: target.map(ToOwned::to_owned),
            },
        }
    }

    /// True if a success on `self` resolves a failure on `failed`.
    pub(super) fn mends(&self, failed: &Self) -> bool {
        match (self, failed) {
            (Self::Run(runs), Self::Run(failed)) => runs.iter().any(|run| {
                let is_same = |failed: &Run| {
                    run.covers(failed) || run.is_run_by(failed) || failed.is_run_by(run)
                };
                failed.iter().any(is_same)
            }),
            (Self::Edit(path), Self::Read(failed)) => path == failed,
            _ => self == failed,
        }
    }
}

impl Failure {
    pub(super) fn new(id: String, attempt: Attempt, message: String, turn: u64) -> Self {
        Self {
            id,
            passing: is_passing(&attempt, &message),
            attempt,
            message,
            turn,
        }
    }

    /// The test or the place in the message.
    pub(super) fn name(&self) -> &str {
        let name = self.message.split(": ").next().unwrap_or_default();
        name.strip_suffix(" failed").unwrap_or(name)
    }

    /// The first file in the message.
    pub(super) fn path(&self) -> Option<&str> {
        let name = self.name();
        name.split_once(':')
            .map(|(path, _)| path)
            .filter(|path| path.contains('.') && !path.contains(' '))
    }

    pub(super) fn is_same(&self, found: &Found) -> bool {
        let message = found.message();
        let rest = |message: &str| message.split_once(": ").map(|(_, rest)| rest.to_owned());
        self.message == clip(&message)
            || (found.kind == Kind::Test && self.name() == found.name)
            // An edit above the place moves it.
            || (found.kind == Kind::Place
                && self.path().is_some_and(|path| found.name.starts_with(path))
                && rest(&self.message) == rest(&message))
    }

    /// True if a file that the failure may be about was changed since.
    pub(super) fn is_worked_on(&self, state: &HudState) -> bool {
        let failed = state.errors.iter().find(|error| error.id == self.id);
        let Some(since) = failed.map(|error| (error.turn, error.encountered_at)) else {
            return false;
        };
        state.active_files.iter().any(|file| {
            let path = &*file.path;
            let is_about = self.path().is_none_or(|place| {
                path.ends_with(place.trim_start_matches("./")) || place.ends_with(path)
            });
            file.status.is_change() && (file.turn, file.last_accessed) > since && is_about
        })
    }

    /// True if a passed run of a check resolves this failure.
    pub(super) fn is_mended_by(&self, check: &Check) -> bool {
        match &self.attempt {
            Attempt::Check(failed) if check.covers(failed) => true,
            Attempt::Check(failed) if failed.kind == check.kind => match check.kind {
                check::Kind::Test => self.path().is_none() && check.names_test(self.name()),
                _ => false,
            },
            Attempt::Pasted => match (check.kind, self.path()) {
                (check::Kind::Test, None) => check.runs_test(self.name()),
                (check::Kind::Format, _) | (_, None) => false,
                (check::Kind::Lint, Some(path)) => check.looks_at(path),
                // A compiler does not report what a linter does.
                (_, Some(path)) => !self.message.ends_with(')') && check.looks_at(path),
            },
            _ => false,
        }
    }
}

/// Messages of a shell about the command line, not about the work.
const SLIPS: &[&str] = &[
    "parse error",
    "syntax error near",
    "command not found",
    "no such file or directory",
    "unexpected eof",
    "exit code 1",
];

fn is_passing(attempt: &Attempt, message: &str) -> bool {
    let message = message.to_lowercase();
    match attempt {
        Attempt::Read(_) | Attempt::Call { .. } => true,
        Attempt::Edit(_) | Attempt::Check(_) | Attempt::Pasted => false,
        Attempt::Run(_) => SLIPS.iter().any(|slip| message.contains(slip)),
    }
}

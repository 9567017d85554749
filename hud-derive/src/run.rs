//! Events of a command that was run: the results of its checks, and its effects on the repository.

use hud_observe::action::Action;
use hud_store::event::{CheckRun, HudEvent};
use hud_store::state::HudState;

use super::check::{self, Check, Kind, Outcome};
use super::failure::{self, FailedRun};
use super::output::{self, Output};
use super::{Derived, Deriver, ToolResult, derived, repository};
use crate::settings::Rule;

impl Deriver {
    /// Returns the checks of a command line, the failures and resolved errors in them, and the effects on the
    /// repository. Empty for any other command.
    pub(super) fn ran(
        &mut self,
        action: &Action,
        command: &str,
        result: &ToolResult<'_>,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let failed = result.failed();
        let mut events = match self.by(Rule::Repository) && repository::concerns(command) {
            true => {
                let printed = result.content.text();
                repository::done(command, printed, failed, &state.repository)
            }
            false => Vec::new(),
        };
        let checks = match self.by(Rule::Checks) {
            true => check::checks(command),
            false => Vec::new(),
        };
        if checks.is_empty() || failure::is_slip(result.content.text()) {
            return events;
        }
        let output = output::read(result.content.text());
        let is_whole = !check::is_cut(command);
        let outcomes = check::outcomes(command, &checks, &output, failed);
        for ((check, _), outcome) in checks.iter().zip(outcomes) {
            let passed = match outcome {
                Outcome::Passed => true,
                Outcome::Failed => false,
                Outcome::Unknown => continue,
            };
            let said = said(check, &output, passed, checks.len());
            let mut known = state.checks.iter();
            // That a formatter ran does not show anything about the work.
            let is_news = !passed
                || check.kind != Kind::Format
                || check.only_looks()
                || known.any(|known| known.check == check.name);
            events.extend(is_news.then(|| {
                HudEvent::from(CheckRun {
                    check: check.name.clone(),
                    passed,
                    said,
                })
            }));
            events.extend(match passed {
                true => self.failures.check_passed(check),
                false => {
                    let run = FailedRun {
                        output: &output,
                        content: result.content.text(),
                        is_whole,
                    };
                    let numbering = &mut self.numbering;
                    self.failures
                        .check_failed(check, action.tool(), &run, self.turn, numbering)
                }
            });
        }
        events.extend(self.failures.tests_passed(&output));
        events
    }

    /// Returns the errors of the failures that the user pasted.
    pub(super) fn pasted(&mut self, text: &str) -> Vec<Derived> {
        let output = output::read_pasted(text);
        derived(
            self.failures
                .pasted(&output, self.turn, &mut self.numbering),
        )
    }
}

/// The result of a check as a whole, as its run reports it.
fn said(check: &Check, output: &Output, passed: bool, checks: usize) -> Option<String> {
    let (tests, problems) = (output.tests.clone(), output.problems.clone());
    let says_it = |said: &String| passed != (said.contains("failed") || said.contains("error"));
    let said = match check.kind {
        Kind::Test if checks == 1 => tests.or(problems),
        Kind::Test => tests,
        Kind::Lint | Kind::Types | Kind::Build => problems,
        Kind::Format => None,
    };
    said.filter(says_it)
}

#[cfg(test)]
mod tests;

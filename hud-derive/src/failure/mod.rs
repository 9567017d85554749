//! Failures that count, with their messages and their resolution.

mod attempt;
mod message;

use hud_observe::action::Action;
use hud_store::event::{ErrorEncountered, ErrorResolved, HudEvent};
use hud_store::state::{Attempted, HudState};

use self::attempt::{Attempt, Failure};
use self::message::{clip, salient};
pub(super) use self::message::{is_fine, is_slip, message, weight};
use super::check::{self, Check};
use super::command;
use super::output::{Found, Kind, Output};
use crate::numbering::{Item, Numbering};

/// The number of turns after which a failure is resolved if files that it may be about were changed since.
const STALE_TURNS: u64 = 24;

/// The failures that are not resolved.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    open: Vec<Failure>,
}

/// The number of failures of one run that become errors. The check reports their total.
const NAMED: usize = 3;

impl Failures {
    /// Returns the unresolved failures of a state, as far as it has what was attempted.
    pub(super) fn of(state: &HudState) -> Self {
        let open = state.errors.iter().filter(|error| !error.is_resolved());
        Self {
            open: open
                .filter_map(|error| {
                    let attempt = Attempt::failed(error)?;
                    let (id, message) = (error.id.clone(), error.message.clone());
                    Some(Failure::new(id, attempt, message, error.turn))
                })
                .collect(),
        }
    }

    /// A call failed. A repeated failure of the same attempt keeps its id.
    pub(super) fn failed(
        &mut self,
        action: &Action,
        message: String,
        turn: u64,
        numbering: &mut Numbering,
    ) -> HudEvent {
        let attempt = Attempt::of(action);
        let known = self
            .open
            .iter()
            .position(|failure| failure.attempt == attempt);
        let id = known.map(|index| self.open.remove(index).id);
        let tool = Some(action.tool().to_owned());
        let target = action.target().map(ToOwned::to_owned);
        let event = ErrorEncountered {
            id: id.unwrap_or_else(|| numbering.next(Item::Error)),
            message,
            tool,
            target,
            attempted: Some(action.attempted()),
        };
        self.open(attempt, turn, event)
    }

    fn open(&mut self, attempt: Attempt, turn: u64, event: ErrorEncountered) -> HudEvent {
        let (id, message) = (event.id.clone(), event.message.clone());
        self.open.push(Failure::new(id, attempt, message, turn));
        event.into()
    }

    /// A check failed. Earlier failures that are missing from this run are resolved, and its own failures are opened.
    /// Nothing is resolved if the output may be incomplete.
    pub(super) fn check_failed(
        &mut self,
        check: &Check,
        tool: &str,
        run: &FailedRun<'_>,
        turn: u64,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let mut found = run.output.found.clone();
        // A run that a compiler stopped does not show the outcomes of tests.
        let has_tests = found.iter().any(|one| one.kind == Kind::Test);
        let says = |failure: &Failure| {
            run.is_whole && !found.is_empty() && (has_tests || failure.path().is_some())
        };
        let known = self.known(check, &found);
        let is_over = |failure: &Failure| {
            matches!(&failure.attempt, Attempt::Check(failed) if check.covers(failed))
                && says(failure)
                && !known.contains(&Some(failure.id.clone()))
        };
        let mut events = self.close(is_over, "it is not among what fails now");
        if found.is_empty() {
            found.push(Found {
                kind: Kind::Stop,
                name: String::new(),
                detail: salient(run.content),
            });
        }
        let attempt = Attempt::Check(Box::new(check.clone()));
        for (index, one) in found.iter().enumerate() {
            let id = known.get(index).cloned().flatten();
            if id.is_none() && index >= NAMED {
                continue;
            }
            // A failure that stopped the whole run is one failure, whatever its message is.
            let is_it = |failure: &Failure| match &id {
                Some(id) => failure.id == *id,
                None => one.kind == Kind::Stop && failure.attempt == attempt,
            };
            let before = self.open.iter().position(is_it);
            let id = before.map(|index| self.open.remove(index).id);
            let event = ErrorEncountered {
                id: id.unwrap_or_else(|| numbering.next(Item::Error)),
                message: clip(&one.message()),
                tool: Some(tool.to_owned()),
                target: Some(check.name.clone()),
                attempted: Some(Attempted::Run),
            };
            events.push(self.open(attempt.clone(), turn, event));
        }
        events
    }

    /// The ids of the open failures among those that a run of a check found. Failures with the same name are matched
    /// first, then those that only moved.
    fn known(&self, check: &Check, found: &[Found]) -> Vec<Option<String>> {
        let mut known: Vec<Option<String>> = vec![None; found.len()];
        let is_of = |failure: &Failure| matches!(&failure.attempt, Attempt::Check(failed) if check.kind == failed.kind);
        for is_exact in [true, false] {
            for (index, one) in found.iter().enumerate() {
                let is_it = |failure: &&Failure| {
                    is_of(failure)
                        && failure.is_same(one)
                        && (!is_exact || failure.name() == one.name)
                        && !known.contains(&Some(failure.id.clone()))
                };
                if known[index].is_none() {
                    known[index] = self.open.iter().find(is_it).map(|one| one.id.clone());
                }
            }
        }
        known
    }

    /// A check passed, which resolves its failures.
    pub(super) fn check_passed(&mut self, check: &Check) -> Vec<HudEvent> {
        self.close(|failure| failure.is_mended_by(check), "it passes now")
    }

    /// Resolves the failures of tests that a run lists as passed, whatever its command was.
    pub(super) fn tests_passed(&mut self, output: &Output) -> Vec<HudEvent> {
        if output.passed.is_empty() {
            return Vec::new();
        }
        let is_over = |failure: &Failure| {
            let is_of_test = match &failure.attempt {
                Attempt::Check(check) => check.kind == check::Kind::Test,
                attempt => *attempt == Attempt::Pasted,
            };
            let fails = |one: &Found| one.name == failure.name();
            is_of_test && output.passed.contains(failure.name()) && !output.found.iter().any(fails)
        };
        self.close(is_over, "it passes now")
    }

    /// Opens an error for each failure in output that the user pasted.
    pub(super) fn pasted(
        &mut self,
        output: &Output,
        turn: u64,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let mut events = Vec::new();
        for one in output.found.iter().take(NAMED) {
            if self.open.iter().any(|failure| failure.is_same(one)) {
                continue;
            }
            let event = ErrorEncountered {
                id: numbering.next(Item::Error),
                message: clip(&one.message()),
                tool: None,
                target: None,
                attempted: Some(Attempted::Run),
            };
            events.push(self.open(Attempt::Pasted, turn, event));
        }
        events
    }

    /// A call succeeded, which resolves failures of the same attempt.
    pub(super) fn succeeded(&mut self, action: &Action) -> Vec<HudEvent> {
        let attempt = match action {
            Action::Run { command } => Attempt::Run(command::worked(command)),
            _ => Attempt::of(action),
        };
        self.close(|failure| attempt.mends(&failure.attempt), "it works now")
    }

    /// A turn begins. Resolves failures with `passing` set after `passing_turns`. Resolves other failures if they did
    /// not occur again for [`STALE_TURNS`] and their files were changed.
    pub(super) fn forget(
        &mut self,
        turn: u64,
        passing_turns: u64,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let passing = |failure: &Failure| {
            failure.passing && failure.turn.saturating_add(passing_turns) <= turn
        };
        let mut events = self.close(passing, "it did not matter any more");
        let is_stale = |failure: &Failure| {
            failure.turn.saturating_add(STALE_TURNS) <= turn && failure.is_worked_on(state)
        };
        events.extend(self.close(is_stale, "files were changed, and it was not seen again"));
        events
    }

    fn close(&mut self, over: impl Fn(&Failure) -> bool, resolution: &str) -> Vec<HudEvent> {
        self.open
            .extract_if(.., |failure| over(failure))
            .map(|failure| {
                HudEvent::from(ErrorResolved {
                    id: failure.id,
                    resolution: Some(resolution.to_owned()),
                })
            })
            .collect()
    }
}

/// A run of a check that failed.
pub(super) struct FailedRun<'r> {
    pub output: &'r Output,
    pub content: &'r str,
    /// True if nothing of the output was left out.
    pub is_whole: bool,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_store::event::{Actor, EventId, SessionId, StoredEvent};
    use hud_store::fold::fold;
    use jiff::Timestamp;

    use super::*;

    fn stored(event: HudEvent) -> StoredEvent {
        StoredEvent {
            seq: 1,
            session: SessionId::new("s").unwrap(),
            version: 1,
            id: EventId::now_v7(),
            turn: 1,
            at: Timestamp::UNIX_EPOCH,
            actor: Actor::Derived,
            cause: None,
            event,
        }
    }

    fn run(command: &str) -> Action {
        Action::Run {
            command: command.to_owned(),
        }
    }

    #[test]
    fn what_failed_in_passing_is_over_after_as_many_turns_as_are_set() {
        let mut failures = Failures::default();
        let read = Action::read("a");
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(2, 2, &HudState::default()).len(), 0);
        assert_eq!(
            failures
                .forget(u64::MAX, u64::MAX, &HudState::default())
                .len(),
            1
        );
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(3, 2, &HudState::default()).len(), 1);
    }

    #[test]
    fn a_run_by_another_program_on_the_same_machine_is_the_same_run() {
        for (failed, worked, is_over) in [
            ("make install", "sudo make install", true),
            ("npx jest src/a.test.ts", "jest src/a.test.ts", true),
            ("wrap bun run deploy", "bun run deploy 2>&1", true),
            ("make install", "sudo make uninstall", false),
            (
                "docker compose exec app ./migrate now",
                "./migrate now",
                false,
            ),
            ("ssh host make install", "make install", false),
            ("wrap deploy", "deploy", false),
        ] {
            let mut failures = Failures::default();
            failures.failed(&run(failed), "no".into(), 1, &mut Numbering::default());
            let over = failures.succeeded(&run(worked));
            assert_eq!(over.len(), usize::from(is_over), "{failed}: {worked}");
        }
    }

    #[test]
    fn what_failed_is_mended_after_a_restart_whatever_the_tool_is_called() {
        let read = |path: &str| Action::read(path);
        let look = |target: Option<&str>| Action::Look {
            tool: "Bash".into(),
            target: target.map(Into::into),
        };
        let edit = Action::Delete { path: "a".into() };
        for action in [
            read("a"),
            edit,
            run("deploy"),
            look(Some("make")),
            look(None),
        ] {
            let event =
                Failures::default().failed(&action, "no".into(), 1, &mut Numbering::default());
            let mut failures = Failures::of(&fold(HudState::default(), &stored(event)));
            for other in [read("b"), run("ls"), look(Some("ls"))] {
                assert!(failures.succeeded(&other).is_empty(), "{action:?}");
            }
            assert_eq!(failures.succeeded(&action).len(), 1, "{action:?}");
        }
    }
}

//! Unresolved failures after runs, in the state of a session.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_observe::observation::Observation;
use hud_store::event::{EventId, SessionId, StoredEvent};
use hud_store::fold::fold;
use jiff::Timestamp;

use super::*;

#[derive(Default)]
struct Session {
    deriver: Deriver,
    state: HudState,
}

impl Session {
    fn see(&mut self, observation: &Observation) {
        for derived in self.deriver.derive(observation, &self.state) {
            let stored = StoredEvent {
                seq: 1,
                session: SessionId::new("s").unwrap(),
                version: 1,
                id: EventId::now_v7(),
                turn: self.deriver.turn(),
                at: Timestamp::UNIX_EPOCH,
                actor: derived.actor,
                cause: None,
                event: derived.event,
            };
            self.state = fold(std::mem::take(&mut self.state), &stored);
        }
    }

    fn acted(&mut self, action: Action, content: &str, is_error: bool) -> &mut Self {
        self.see(&Observation::ModelCall);
        self.see(&Observation::ToolResult {
            call: String::new(),
            actions: action.into(),
            content: content.into(),
            is_error,
            not_run: None,
            task: None,
            change: None,
        });
        self
    }

    fn ran(&mut self, command: &str, content: &str, is_error: bool) -> &mut Self {
        let command = command.to_owned();
        self.acted(Action::Run { command }, content, is_error)
    }

    fn edited(&mut self, path: &str) -> &mut Self {
        let path = path.to_owned();
        self.acted(Action::edit(path), "", false)
    }

    fn said(&mut self, text: &str) -> &mut Self {
        let text = text.into();
        self.see(&Observation::User { text });
        self
    }

    /// Restarts the deriver, like another process that continues the session.
    fn restarted(&mut self) -> &mut Self {
        self.deriver = Deriver::of(&self.state);
        self
    }

    fn open(&self) -> Vec<&str> {
        let open = self
            .state
            .errors
            .iter()
            .filter(|error| !error.is_resolved());
        open.map(|error| error.message.as_str()).collect()
    }
}

const TWO: &str = "--- FAIL: TestA (0.0s)\n    a_test.go:1: no\n--- FAIL: TestB (0.0s)\nFAIL";

#[test]
fn each_failure_of_a_run_is_open_until_it_passes() {
    let mut session = Session::default();
    session.ran("go test ./...", TWO, true);
    assert_eq!(session.open(), ["TestA: a_test.go:1: no", "TestB failed"]);
    assert_eq!(session.state.checks[0].said.as_deref(), Some("2 failed"));
    // Another run names a passing test and a failing one.
    let one = "--- PASS: TestB (0.0s)\n--- FAIL: TestA (0.0s)\n    a_test.go:1: no\nFAIL";
    session
        .restarted()
        .ran("go test ./a -v 2>&1 | head -99", one, false);
    assert_eq!(session.open(), ["TestA: a_test.go:1: no"]);
    session.ran("go test ./...", "ok  \ta\t0.1s", false);
    assert!(session.open().is_empty());
}

#[test]
fn what_does_not_show_that_it_passes_resolves_nothing() {
    let mut session = Session::default();
    session.ran("go test ./...", TWO, true);
    for (command, printed) in [
        ("go test ./... | tail -1", ""),
        ("go test ./...; echo done", "done"),
        ("go test ./... || true", ""),
        ("go test --help", "usage"),
        ("go test -run TestC ./...", "ok  \ta\t0.1s"),
        ("go build ./...", ""),
        ("go vet ./... && echo ok", "ok"),
    ] {
        session.ran(command, printed, false);
        assert_eq!(session.open().len(), 2, "{command}");
    }
    session.ran("go test -run 'TestA|TestB' ./...", "ok  \ta\t0.1s", false);
    assert!(session.open().is_empty());
}

#[test]
fn what_fails_anew_takes_the_place_of_what_does_not_fail_any_more() {
    let mut session = Session::default();
    session.ran("make lint", "a.go:1:2: missing f\n1 issues:", true);
    session.ran("make lint", "a.go:2:2: missing g\n1 issues:", true);
    assert_eq!(session.open(), ["a.go:2:2: missing g"]);
    session.ran(
        "make lint",
        "a.go:2:2: missing g\na.go:5:2: missing g\n2 issues:",
        true,
    );
    assert_eq!(
        session.open(),
        ["a.go:2:2: missing g", "a.go:5:2: missing g"]
    );
    session.ran("make lint", "a.go:2:2: missing g\n1 issues:", true);
    // The same failure, moved by an edit above it.
    session.ran("make lint", "a.go:9:2: missing g\n1 issues:", true);
    assert_eq!(session.open(), ["a.go:9:2: missing g"]);
    assert_eq!(
        session
            .state
            .errors
            .iter()
            .filter(|one| !one.is_resolved())
            .count(),
        1
    );
}

#[test]
fn a_compiler_that_stops_says_nothing_of_the_tests() {
    let mut session = Session::default();
    session.ran("go test ./...", TWO, true);
    session.ran(
        "go test ./...",
        "a.go:1:2: undefined: x\nFAIL\ta [build failed]",
        true,
    );
    assert_eq!(session.open().len(), 3);
}

#[test]
fn a_look_that_missed_a_slip_and_a_call_that_was_declined_are_no_errors() {
    let mut session = Session::default();
    let missing = "Exit code 1\ncat: x: No such file or directory";
    session.ran("cat x | head", missing, true);
    session.ran(
        "git show nothing:a.rs",
        "fatal: invalid object name 'nothing'",
        true,
    );
    session.ran(
        "f=$(ls a@*) && ./x",
        "Exit code 1\n(eval):1: parse error near `('",
        true,
    );
    let path = "a".to_owned();
    session.acted(Action::read(path), "File does not exist.", true);
    assert!(session.open().is_empty());
}

#[test]
fn what_the_user_pasted_is_open_until_the_check_passes() {
    let pasted = "fix this:\n  a.go:1:2: string `x` has 5 occurrences (goconst)\n      return x";
    let mut session = Session::default();
    session
        .said(pasted)
        .edited("a.go")
        .ran("go build ./...", "", false);
    assert_eq!(session.open().len(), 1);
    session.restarted().ran("make lint", "0 issues.", false);
    assert!(session.open().is_empty());
    session.said("--- FAIL: TestA (0.0s)\n    a_test.go:1: no\nFAIL");
    session.ran("go test -run TestB ./...", "ok  \ta\t0.1s", false);
    assert_eq!(session.open(), ["TestA: a_test.go:1: no"]);
    session.ran("go test -run TestA ./...", "ok  \ta\t0.1s", false);
    assert!(session.open().is_empty());
}

#[test]
fn the_users_own_words_open_no_error() {
    let mut session = Session::default();
    session.said("The login page still crashes, and the tests fail.");
    assert!(session.open().is_empty());
}

#[test]
fn what_was_worked_on_and_not_seen_again_is_stale() {
    let mut session = Session::default();
    session.ran("make lint", "src/a.go:1:2: missing f\n1 issues:", true);
    session.ran("make test", "--- FAIL: TestA (0.0s)\nFAIL", true);
    session.edited("other.go");
    for _ in 0..30 {
        session.ran("ls", "", false);
    }
    // The file of the first failure was not changed.
    assert_eq!(session.open(), ["src/a.go:1:2: missing f"]);
    session.edited("/repo/src/a.go").ran("ls", "", false);
    assert!(session.open().is_empty());
}

#[test]
fn a_check_says_whether_files_were_changed_since() {
    let mut session = Session::default();
    session
        .ran("mise run fmt && mise run lint", "0 issues.", false)
        .edited("a.go");
    let checks = &session.state.checks;
    let said: Vec<_> = checks
        .iter()
        .map(|check| (&*check.check, check.edits_since))
        .collect();
    // A run of the formatter is not a result.
    assert_eq!(said, [("mise run lint", 1)]);
    assert_eq!(checks[0].said.as_deref(), Some("0 issues"));
}

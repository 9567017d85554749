//! Failures: which ones count, what they say, and when they are over.

use hud_store::event::{ErrorEncountered, ErrorResolved, HudEvent};
use hud_store::state::{Attempted, ErrorRecord, HudState};

use super::command::{self, Run};
use crate::action::Action;
use crate::tool::{Item, Numbering};

/// What the result of a failed call says: the line that says most. Nothing, if it was a search that found
/// nothing.
pub(super) fn message(action: &Action, content: &str) -> Option<String> {
    let content = content
        .trim()
        .trim_start_matches("<tool_use_error>")
        .trim_end_matches("</tool_use_error>")
        .trim();
    let found_nothing = content == "Exit code 1"
        && matches!(action, Action::Run { command } if command::only_looks(command));
    (!found_nothing).then(|| salient(content))
}

/// The line of an output that says most about what is wrong, with the exit code before it.
fn salient(content: &str) -> String {
    let (exit, output) = match content.split_once('\n') {
        _ if !content.starts_with("Exit code ") => (None, content),
        Some((first, rest)) => (Some(first), rest),
        None => (Some(content), ""),
    };
    let lines: Vec<&str> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // The first of the best: `max_by_key` alone would take the last.
    let best = (0..lines.len())
        .rev()
        .max_by_key(|index| weight(lines[*index]));
    match (best, exit) {
        // The next line has what it says: `panicked at src/lib.rs:5:9:`.
        (Some(index), _) if lines[index].ends_with(':') && index + 1 < lines.len() => {
            clip(&format!("{} {}", lines[index], lines[index + 1]))
        }
        (Some(index), _) => clip(lines[index]),
        (None, Some(exit)) => exit.to_lowercase(),
        (None, None) => "failed without a message".to_owned(),
    }
}

/// How much a line of output says: which place is wrong, then that something is.
fn weight(line: &str) -> u8 {
    let lower = line.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let wrong = says(&[
        "error",
        "panicked",
        "undefined",
        "cannot ",
        "mismatch",
        "exception",
        "expected",
        "undeclared",
        "not found",
    ]);
    let failed = says(&["fail", "fatal", "denied", "no such file", "unable"]);
    match (wrong, failed, has_place(line)) {
        // A runner's own words for what the lines below it say.
        _ if lower.ends_with("task failed") || lower.starts_with("your proposed edit") => 1,
        (true, _, true) => 5,
        (_, true, true) => 4,
        (true, ..) => 3,
        (_, true, _) => 2,
        (.., true) => 2,
        _ => 0,
    }
}

/// Whether a line names a place: `file.rs:12`.
fn has_place(line: &str) -> bool {
    line.match_indices(':').any(|(colon, _)| {
        let before = line[..colon].rsplit([' ', '\t', '(']).next().unwrap_or("");
        let after = line.as_bytes().get(colon + 1);
        before.contains('.') && after.is_some_and(u8::is_ascii_digit)
    })
}

/// At most 400 characters of a line: what is shown is shorter still.
fn clip(line: &str) -> String {
    match line.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The failures that are not over.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    open: Vec<Failure>,
}

#[derive(Clone, Debug)]
struct Failure {
    id: String,
    attempt: Attempt,
    turn: u64,
    /// Whether it was only in passing: a file that is not there, a slip in a shell line.
    passing: bool,
}

/// What was attempted, as far as a later success of the same can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Attempt {
    Read(String),
    /// To write, change, remove or rename a file.
    Edit(String),
    Run(Vec<Run>),
    Call {
        tool: String,
        target: Option<String>,
    },
}

impl Attempt {
    fn of(action: &Action) -> Self {
        Self::new(action.attempted(), action.tool(), action.target())
    }

    /// What an error was on; none where the log does not say it.
    fn failed(error: &ErrorRecord) -> Option<Self> {
        let tool = error.tool.as_deref().unwrap_or_default();
        Some(Self::new(error.attempted?, tool, error.target.as_deref()))
    }

    fn new(attempted: Attempted, tool: &str, target: Option<&str>) -> Self {
        let on = || target.unwrap_or_default().to_owned();
        match attempted {
            Attempted::Read => Self::Read(on()),
            Attempted::Edit => Self::Edit(on()),
            Attempted::Run => Self::Run(command::runs(&on())),
            Attempted::Call => Self::Call {
                tool: tool.to_owned(),
                target: target.map(ToOwned::to_owned),
            },
        }
    }

    /// Whether a success on `self` means that a failure on `failed` is over.
    fn mends(&self, failed: &Self) -> bool {
        match (self, failed) {
            (Self::Run(runs), Self::Run(failed)) => runs
                .iter()
                .any(|run| failed.iter().any(|failed| run.covers(failed))),
            (Self::Edit(path), Self::Read(failed)) => path == failed,
            _ => self == failed,
        }
    }
}

impl Failures {
    /// The failures that are open in a state, as far as it says what was attempted.
    pub(super) fn of(state: &HudState) -> Self {
        let open = state.errors.iter().filter(|error| !error.is_resolved());
        Self {
            open: open
                .filter_map(|error| {
                    let attempt = Attempt::failed(error)?;
                    Some(Failure {
                        id: error.id.clone(),
                        passing: is_passing(&attempt, &error.message),
                        attempt,
                        turn: error.turn,
                    })
                })
                .collect(),
        }
    }

    /// A call failed. A failure of the same thing again keeps its id.
    pub(super) fn failed(
        &mut self,
        action: &Action,
        message: String,
        turn: u64,
        numbering: &mut Numbering,
    ) -> HudEvent {
        let attempt = Attempt::of(action);
        let passing = is_passing(&attempt, &message);
        let known = self
            .open
            .iter()
            .position(|failure| failure.attempt == attempt);
        let id = match known {
            Some(index) => self.open.remove(index).id,
            None => numbering.next(Item::Error),
        };
        self.open.push(Failure {
            id: id.clone(),
            attempt,
            turn,
            passing,
        });
        ErrorEncountered {
            id,
            message,
            tool: Some(action.tool().to_owned()),
            target: action.target().map(ToOwned::to_owned),
            attempted: Some(action.attempted()),
        }
        .into()
    }

    /// A call worked: what failed on the same is over.
    pub(super) fn succeeded(&mut self, action: &Action) -> Vec<HudEvent> {
        let attempt = Attempt::of(action);
        self.close(|failure| attempt.mends(&failure.attempt), "it works now")
    }

    /// A turn begins: what failed in passing so many turns ago is over.
    pub(super) fn forget(&mut self, turn: u64, passing_turns: u64) -> Vec<HudEvent> {
        self.close(
            |failure| failure.passing && failure.turn.saturating_add(passing_turns) <= turn,
            "it did not matter any more",
        )
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

/// Words of a shell about the line that it was given, not about the work.
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
        Attempt::Edit(_) => false,
        Attempt::Run(_) => SLIPS.iter().any(|slip| message.contains(slip)),
    }
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

    fn message(content: &str) -> String {
        super::message(&run("make"), content).unwrap()
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure() {
        assert_eq!(
            super::message(&run("grep -rn redis ."), "Exit code 1"),
            None
        );
    }

    #[test]
    fn what_failed_in_passing_is_over_after_as_many_turns_as_are_set() {
        let mut failures = Failures::default();
        let read = Action::Read { path: "a".into() };
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(2, 2).len(), 0);
        assert_eq!(failures.forget(u64::MAX, u64::MAX).len(), 1);
        failures.failed(&read, "no such file".into(), 1, &mut Numbering::default());
        assert_eq!(failures.forget(3, 2).len(), 1);
    }

    #[test]
    fn what_failed_is_mended_after_a_restart_whatever_the_tool_is_called() {
        let read = |path: &str| Action::Read { path: path.into() };
        let look = |target: Option<&str>| Action::Look {
            tool: "Bash".into(),
            target: target.map(Into::into),
        };
        let edit = Action::Delete { path: "a".into() };
        for action in [read("a"), edit, run("make"), look(Some("make")), look(None)] {
            let event =
                Failures::default().failed(&action, "no".into(), 1, &mut Numbering::default());
            let mut failures = Failures::of(&fold(HudState::default(), &stored(event)));
            for other in [read("b"), run("ls"), look(Some("ls"))] {
                assert!(failures.succeeded(&other).is_empty(), "{action:?}");
            }
            assert_eq!(failures.succeeded(&action).len(), 1, "{action:?}");
        }
    }

    #[test]
    fn the_line_that_names_the_place_is_the_message() {
        let go = "Exit code 1\n[test] $ go test ./...\n[test] ERROR task failed\n\n\
                  # pkg\ncmd/setup_test.go:50:21: env.run undefined\nFAIL\tpkg [build failed]";
        assert_eq!(message(go), "cmd/setup_test.go:50:21: env.run undefined");
        let rust = "running 1 test\nthread 'a' panicked at src/a.rs:1:2:\nno redis\nnote: run";
        assert_eq!(
            message(rust),
            "thread 'a' panicked at src/a.rs:1:2: no redis"
        );
        assert_eq!(message("Exit code 1"), "exit code 1");
        assert_eq!(
            message("<tool_use_error>File does not exist.</tool_use_error>"),
            "File does not exist."
        );
        assert_eq!(message(""), "failed without a message");
    }
}

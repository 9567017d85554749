//! The results that Codex 0.171, Gemini CLI 0.61, Cline 3.0.65 and opencode 1.18.33 handed on, for each of their tools and
//! each outcome, and the state that they lead to. The snapshots are beside the events.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_clients::transcript::Entry;
use hud_clients::{Host, Source, named};
use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation};
use hud_store::event::SessionId;
use hud_store::state::HudState;
use serde_json::Value;

/// The folder of a client, with its events and its own files.
fn folder(client: &str) -> PathBuf {
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/live");
    live.join(client)
}

/// The lines of a file of a client's.
fn lines(client: &str, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder(client).join(name)).unwrap();
    let read = |line: &str| match serde_json::from_str(line) {
        Ok(read) => read,
        Err(error) => panic!("{line}: {error}"),
    };
    text.lines().map(read).collect()
}

/// A machine that has the files in the folder of a client, as they are when an event comes.
#[derive(Debug)]
struct Machine<'e> {
    folder: PathBuf,
    event: &'e Value,
}

impl Host for Machine<'_> {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        let text = fs::read_to_string(self.folder.join(path.file_name()?)).ok()?;
        // What became of a call is written before its hook runs, and its result for the model afterwards.
        let lines: Vec<&str> = text.lines().collect();
        let written = match self.event["tool_use_id"].as_str() {
            None if self.event["last_assistant_message"].is_null() => 0,
            None => lines.len(),
            Some(call) => {
                let with = |what: &'static str| {
                    move |line: &&str| line.contains(call) && line.contains(what)
                };
                let ended = lines.iter().rposition(with(r#""item_completed""#));
                let result = lines.iter().position(with("_call_output\""));
                ended.map(|line| line + 1).or(result).unwrap_or(0)
            }
        };
        let known = lines.get(..written)?.join("\n");
        Some(Box::new(Cursor::new(known.into_bytes())))
    }

    fn variable(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }
}

/// The observations that a client's hooks lead to, in their order.
fn observed(client: &str) -> Vec<Observation> {
    let known = named(client).unwrap();
    let (mut observed, mut names) = (Vec::new(), HashSet::new());
    for event in lines(client, "hooks.jsonl") {
        assert!(known.owns(&event), "{event}");
        let machine = Machine {
            folder: folder(client),
            event: &event,
        };
        let read = known.read(&event, &machine);
        for found in read.found.into_iter().chain(read.said) {
            // It is taken in once, wherever else it is found.
            if names.insert(found.name) {
                observed.extend(found.observations);
            }
        }
        observed.extend(read.observations);
    }
    observed
}

/// The state that observations lead to.
fn state(observed: &[Observation]) -> HudState {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    for (place, observation) in (1..).zip(observed) {
        replay.observe(Entry {
            place,
            key: place.to_string(),
            at: None,
            bytes: 0,
            observation: observation.clone(),
        });
    }
    replay.state().clone()
}

/// A text as its first and its last line.
fn ends(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let short = |line: &str| line.chars().take(100).collect::<String>();
    match (lines.next(), lines.next_back()) {
        (None, _) => "(nothing)".to_owned(),
        (Some(only), None) => short(only),
        (Some(first), Some(last)) => format!("{} .. {}", short(first), short(last)),
    }
}

fn outcome(is_error: bool, not_run: Option<&NotRun>) -> &'static str {
    match (not_run, is_error) {
        (None, false) => "passed",
        (None, true) => "failed",
        (Some(NotRun::Declined { .. }), _) => "declined",
        (Some(NotRun::Cancelled), _) => "cancelled",
        (Some(NotRun::Refused), _) => "refused",
        (Some(NotRun::NoSuchTool), _) => "no such tool",
        (Some(NotRun::Unfinished), _) => "unfinished",
    }
}

/// The observations, a line each, and the state at the end.
fn shown(observed: &[Observation]) -> String {
    let mut shown = String::new();
    for observation in observed {
        let _ = match observation {
            Observation::User { text } => writeln!(shown, "user: {}", ends(text)),
            Observation::Agent { text, .. } => writeln!(shown, "agent: {}", ends(text)),
            Observation::ToolResult {
                actions,
                content,
                is_error,
                not_run,
                ..
            } => {
                let labels: Vec<String> = actions.iter().map(Action::label).collect();
                let (labels, outcome) = (labels.join(", "), outcome(*is_error, not_run.as_ref()));
                writeln!(shown, "{labels} [{outcome}] {}", ends(content))
            }
            _ => Ok(()),
        };
    }
    let state = state(observed);
    shown.push('\n');
    for check in &state.checks {
        let outcome = if check.passed { "passed" } else { "failed" };
        let said = check.said.as_deref().unwrap_or_default();
        let _ = writeln!(shown, "check: {} {outcome} ({said})", check.check);
    }
    for error in &state.errors {
        let outcome = if error.is_resolved() {
            "resolved"
        } else {
            "open"
        };
        let _ = writeln!(shown, "error: {outcome}: {}", error.message);
    }
    for file in &state.active_files {
        let _ = writeln!(shown, "file: {} {:?}", file.path, file.status);
    }
    for step in &state.next_steps {
        let _ = writeln!(shown, "step: {} {:?}", step.description, step.status);
    }
    for note in &state.notes {
        let _ = writeln!(shown, "note: {}", note.content);
    }
    let branch = state.repository.branch.as_deref().unwrap_or("unknown");
    let _ = writeln!(shown, "branch: {branch}");
    for commit in &state.repository.commits {
        let _ = writeln!(shown, "commit: {}", commit.message);
    }
    shown
}

/// Compares a client's observations with its snapshot, and checks what holds for every client.
fn assert_read(client: &str, observed: &[Observation]) {
    insta::with_settings!({
        snapshot_path => folder(client),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("expected", shown(observed));
    });
    let state = state(observed);
    for error in &state.errors {
        let message = error.message.trim_start();
        assert!(!message.starts_with(['{', '[', '<']), "{client}: {message}");
    }
    let check = |name: &str| {
        let mut checks = state.checks.iter().filter(|check| check.check == name);
        checks.next().map(|check| check.passed)
    };
    assert_eq!(check("pytest"), Some(false), "{client}");
    assert_eq!(check("cargo test --lib"), Some(true), "{client}");
    assert_eq!(state.repository.commits.len(), 2, "{client}");
    let branch = state.repository.branch.as_deref();
    assert_eq!(branch, Some("feature"), "{client}");
}

#[test]
fn the_results_of_codex_are_read() {
    assert_read("codex", &observed("codex"));
}

#[test]
fn the_results_of_gemini_are_read() {
    assert_read("gemini", &observed("gemini"));
}

#[test]
fn the_results_of_cline_are_read() {
    assert_read("cline", &observed("cline"));
}

/// The reports of opencode's plugin to `hud bridge`.
#[test]
fn the_results_of_opencode_are_read() {
    let reports = lines("opencode", "reports.jsonl")
        .into_iter()
        .map(|line| hud_clients::report(line).unwrap());
    let observed: Vec<_> = reports.map(|reported| reported.observation).collect();
    assert_read("opencode", &observed);
}

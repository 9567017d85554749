//! A session gives the same state whether its hooks report it or its record is read: what Claude Code 2.1.332 handed to
//! its hooks and wrote into its transcript, for each of its tools and each outcome, and what goose documents.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_clients::transcript::{Entry, Transcript, TranscriptError};
use hud_clients::{Client, Host, Source, named, of_event};
use hud_observe::observation::{Actions, NotRun, Observation};
use hud_store::event::SessionId;
use hud_store::state::HudState;
use serde_json::{Value, json};

/// A machine that has the files of the test's folder alone.
#[derive(Debug)]
struct Machine;

impl Host for Machine {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        let name = path.file_name()?;
        let file = folder().join(name);
        Some(Box::new(File::open(file).ok()?))
    }

    fn variable(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/live")
}

/// The sessions that there are of a client, each with what its hooks were handed and its record.
const SESSIONS: &[(&str, &str)] = &[
    ("claude-code", "claude-code-1"),
    ("claude-code", "claude-code-2"),
    ("goose", "goose"),
];

struct Session {
    client: &'static dyn Client,
    name: &'static str,
    record: PathBuf,
    events: Vec<Value>,
}

fn sessions() -> Vec<Session> {
    let session = |(client, name): &(&str, &'static str)| {
        let hooks = fs::read_to_string(folder().join(name).join("hooks.jsonl")).unwrap();
        // Half of an emoji, as the client hands it on: whoever reads the events of hooks replaces it.
        let hooks = hooks.replace(r"\ud83d", r"\ufffd");
        let events = hooks
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        Session {
            client: named(client).unwrap(),
            name,
            record: folder().join(name).join("transcript.jsonl"),
            events: events.collect(),
        }
    };
    SESSIONS.iter().map(session).collect()
}

impl Session {
    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        Transcript::open(&self.record)
            .unwrap()
            .read(&mut |entry| {
                entries.push(entry);
                Ok::<_, TranscriptError>(())
            })
            .unwrap();
        entries
    }

    /// The results that its hooks report, and those of which it runs no hook, by their calls.
    fn live(&self) -> HashMap<String, Observation> {
        let mut live = HashMap::new();
        let mut take = |observation: Observation| {
            if let Observation::ToolResult { call, .. } = &observation {
                live.insert(call.clone(), observation);
            }
        };
        for event in &self.events {
            assert!(self.client.owns(event), "{event}");
            self.client
                .read(event, &Machine)
                .observations
                .into_iter()
                .for_each(&mut take);
        }
        let record = Recorded(&self.record);
        let missed = self.client.missed(&self.record, 0, &record);
        for found in missed.into_iter().flat_map(|(found, _)| found) {
            found.observations.into_iter().for_each(&mut take);
        }
        live
    }
}

/// A machine with a record where it is.
#[derive(Debug)]
struct Recorded<'r>(&'r Path);

impl Host for Recorded<'_> {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        (path == self.0).then(|| Box::new(File::open(path).unwrap()) as Box<dyn Source>)
    }

    fn variable(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }
}

/// The state that entries lead to, without times. How many events it took is no part of it: a record has a call and its
/// result, and a hook has both at once.
fn state(entries: impl IntoIterator<Item = Entry>) -> HudState {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    for entry in entries {
        replay.observe(Entry { at: None, ..entry });
    }
    HudState {
        version: 0,
        ..replay.state().clone()
    }
}

#[test]
fn each_result_says_the_same_live_and_recorded() {
    for session in sessions() {
        let live = session.live();
        let mut calls: HashMap<String, Actions> = HashMap::new();
        let mut compared: BTreeMap<String, usize> = BTreeMap::new();
        for entry in session.entries() {
            match entry.observation {
                Observation::ToolCall { call, actions } => {
                    calls.insert(call, actions);
                }
                Observation::ToolResult {
                    call,
                    content,
                    is_error,
                    not_run,
                    task,
                    ..
                } => {
                    let Some(Observation::ToolResult {
                        actions,
                        content: said,
                        is_error: failed,
                        not_run: live_not_run,
                        task: live_task,
                        ..
                    }) = live.get(&call)
                    else {
                        panic!("{}: no hook and no record reports {call}", session.name);
                    };
                    let label = actions.iter().next().unwrap().label();
                    let what = format!("{} {call} {label}", session.name);
                    assert_eq!(calls.get(&call), Some(actions), "{what}");
                    assert_eq!((failed, live_not_run), (&is_error, &not_run), "{what}");
                    assert_eq!(live_task, &task, "{what}");
                    // Of what is changed and listed the client has more words than its structure.
                    let is_run = actions.iter().any(|action| action.tool() == "Bash");
                    if is_run || content.len().max(said.len()) >= 300 {
                        assert_eq!(said, &content, "{what}");
                    }
                    *compared.entry(label).or_default() += 1;
                }
                _ => {}
            }
        }
        assert!(compared.len() > 5, "{}: {compared:?}", session.name);
    }
}

#[test]
fn a_session_leads_to_the_same_state_live_and_recorded() {
    for session in sessions() {
        let live = session.live();
        let entries = session.entries();
        let reported = entries.iter().filter_map(|entry| {
            let observation = match &entry.observation {
                Observation::ToolCall { .. } => return None,
                Observation::ToolResult { call, .. } => live[call].clone(),
                other => other.clone(),
            };
            Some(Entry {
                observation,
                ..entry.clone()
            })
        });
        let (live, recorded) = (state(reported), state(entries.iter().cloned()));
        let name = session.name;
        assert!(!live.checks.is_empty() && !live.errors.is_empty(), "{name}");
        assert_eq!(live.errors, recorded.errors, "{name}");
        assert_eq!(live.checks, recorded.checks, "{name}");
        assert_eq!(live.outputs, recorded.outputs, "{name}");
        assert_eq!(live, recorded, "{name}");
    }
}

#[test]
fn a_failure_behind_a_pipe_is_one_and_a_pass_ends_it() {
    for session in sessions() {
        let state = state(session.entries());
        let check = |name: &str| {
            let mut checks = state.checks.iter().filter(|check| check.check == name);
            checks
                .next()
                .map(|check| (check.passed, check.said.as_deref().unwrap_or_default()))
        };
        match session.name {
            "claude-code-1" => {
                assert_eq!(check("cargo test --lib"), Some((true, "2 passed")));
                assert_eq!(check("go test ./..."), Some((false, "1 failed")));
                assert_eq!(check("pytest"), Some((false, "1 failed, 2 passed")));
                let branch = state.repository.branch.as_deref();
                assert_eq!(branch, Some("feature"));
                assert_eq!(state.repository.commits.len(), 1);
                // A tool for plans that is disabled plans nothing.
                assert_eq!(state.next_steps.len(), 1);
            }
            "goose" => {
                assert_eq!(check("cargo test"), Some((true, "2 passed")));
                assert_eq!(check("pytest"), Some((true, "4 passed")));
                assert_eq!(state.repository.commits.len(), 1);
            }
            _ => {}
        }
        let mut open = state.errors.iter().filter(|error| !error.is_resolved());
        let is_missing = |message: &str| {
            let words = [
                "No such tool",
                "Unknown skill",
                "Agent type",
                "Tool 'developer__browse'",
            ];
            words.iter().any(|words| message.contains(words))
        };
        assert!(
            !open.any(|error| is_missing(&error.message)),
            "{:?}",
            state.errors
        );
    }
}

/// Results as the other clients hand them to their hooks, each with the text that was printed, whether the call failed, and
/// why it was not carried out.
#[test]
fn each_client_says_what_was_printed_and_how_it_ended() {
    let gemini = |tool: &str, response: Value| {
        json!({ "hook_event_name": "AfterTool", "session_id": "s", "timestamp": "2026-11-27T11:33:12.000Z",
                "tool_name": tool, "tool_input": { "command": "make" }, "tool_response": response })
    };
    let shell = |said: Value, shown: &str| {
        let response = json!({ "llmContent": said, "returnDisplay": shown });
        gemini("run_shell_command", response)
    };
    let codex = |response: Value| {
        json!({ "hook_event_name": "PostToolUse", "session_id": "s", "turn_id": "t", "tool_use_id": "c",
                "tool_name": "Bash", "tool_input": { "command": "make" }, "tool_response": response })
    };
    let cline = |tool: &str, output: Value| {
        json!({ "hookName": "tool_result", "taskId": "s", "postToolUse": { "success": true },
                "tool_result": { "id": "c", "name": tool, "input": { "commands": ["make"] }, "output": output } })
    };
    let tagged = |said: &str| json!(format!("<untrusted_context>\n{said}\n</untrusted_context>"));
    let ended = "Output: cc a.c\nok\nProcess Group PGID: 7";
    let failed = "Output: cc a.c\nExit Code: 2\nProcess Group PGID: 7";
    let background = "Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view.";
    for (event, content, is_error, not_run) in [
        (shell(json!(ended), "cc a.c\nok"), "cc a.c\nok", false, None),
        (
            shell(json!([{ "text": ended }]), ""),
            "cc a.c\nok",
            false,
            None,
        ),
        (shell(json!(failed), "cc a.c"), "cc a.c", true, None),
        (shell(tagged(failed), "cc a.c"), "cc a.c", true, None),
        (
            shell(json!(background), background),
            background,
            false,
            Some(NotRun::Unfinished),
        ),
        (
            gemini(
                "grep",
                json!({ "llmContent": "", "error": { "message": "Tool \"grep\" not found.", "type": "x" } }),
            ),
            "Tool \"grep\" not found.",
            true,
            Some(NotRun::NoSuchTool),
        ),
        (codex(json!("cc a.c\nok\n")), "cc a.c\nok\n", false, None),
        (
            codex(json!({ "content": [{ "type": "text", "text": "no" }], "isError": true })),
            "no",
            true,
            None,
        ),
        (
            cline(
                "run_commands",
                json!([{ "query": "make", "result": "cc a.c", "success": true }]),
            ),
            "cc a.c",
            false,
            None,
        ),
        (
            cline(
                "run_commands",
                json!([{ "query": "make", "success": false,
                "result": "[Command exited with code 2]\ncc a.c" }]),
            ),
            "cc a.c",
            true,
            None,
        ),
        (
            cline("grep", json!({ "error": "Unknown tool: grep" })),
            "Unknown tool: grep",
            true,
            Some(NotRun::NoSuchTool),
        ),
        (
            cline(
                "run_commands",
                json!({ "error": "This tool call was rejected by the user and not executed. NOT a tool or system \
                                  failure. Clarify with user before proceeding." }),
            ),
            "This tool call was rejected by the user and not executed. NOT a tool or system \
             failure. Clarify with user before proceeding.",
            true,
            Some(NotRun::Declined { said: None }),
        ),
    ] {
        let client = of_event(&event).unwrap();
        let read = client.read(&event, &Machine).observations;
        let [
            Observation::ToolResult {
                content: said,
                is_error: has_failed,
                not_run: why,
                ..
            },
        ] = &read[..]
        else {
            panic!("{event}: {read:?}");
        };
        assert_eq!(
            (said.as_str(), *has_failed, why),
            (content, is_error, &not_run),
            "{event}"
        );
    }
}

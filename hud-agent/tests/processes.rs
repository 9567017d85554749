//! A session of which each call is taken in by a process of its own, as the hooks of a client do, has the
//! state that its replay has.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_agent::session::Session;
use hud_clients::transcript::{Entry, Transcript, TranscriptError};
use hud_observe::action::Action;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use jiff::Timestamp;
use serde_json::Value;

use crate::reading::data;

fn id() -> SessionId {
    SessionId::new("s").unwrap()
}

fn entries(file: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    let read = Transcript::open(file).unwrap().read(&mut |entry| {
        entries.push(entry);
        Ok::<_, TranscriptError>(())
    });
    read.unwrap();
    entries
}

/// What happened, with when, for each process: a call with its result and what was said before it, a
/// message of the user, with what the agent said before.
fn processes(entries: &[Entry]) -> Vec<Vec<(Timestamp, Observation)>> {
    let mut at = Timestamp::UNIX_EPOCH;
    let mut calls = HashMap::new();
    let (mut all, mut open) = (Vec::new(), Vec::new());
    let mut said: Option<String> = None;
    let mut subjects: HashMap<String, String> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        at = entry.at.unwrap_or(at);
        match &entry.observation {
            Observation::ToolCall { call, actions } => {
                calls.insert(call.clone(), actions.clone());
            }
            Observation::ToolResult { call, .. } => {
                let mut result = entry.observation.clone();
                if let (Some(known), Observation::ToolResult { actions, .. }) =
                    (calls.remove(call), &mut result)
                {
                    *actions = known;
                }
                described(&mut result, &mut subjects);
                open.push((at, result));
                all.push(std::mem::take(&mut open));
            }
            Observation::User { .. } => {
                all.push(std::mem::take(&mut open));
                let before = said.take().map(|text| Observation::AgentBefore { text });
                let mut prompt: Vec<_> = before.into_iter().map(|before| (at, before)).collect();
                prompt.push((at, entry.observation.clone()));
                all.push(prompt);
            }
            Observation::ModelCall => {
                open.push((at, Observation::ModelCall));
                // A hook knows of the call by how full the context is after it.
                let is_next = |entry: &&Entry| entry.observation == Observation::ModelCall;
                let is_usage =
                    |entry: &&Entry| matches!(entry.observation, Observation::Usage { .. });
                let behind = entries.iter().skip(index + 1);
                let usage = behind.take_while(|entry| !is_next(entry)).find(is_usage);
                open.extend(usage.map(|usage| (at, usage.observation.clone())));
            }
            Observation::Usage { .. } => {}
            observed => {
                if let Observation::Agent { text } = observed {
                    said = Some(text.clone());
                }
                open.push((at, observed.clone()));
            }
        }
    }
    all.push(open);
    all
}

/// What a step of the plan is that a call moves on: the client's file says what its number was given to.
fn described(result: &mut Observation, subjects: &mut HashMap<String, String>) {
    let Observation::ToolResult { actions, task, .. } = result else {
        return;
    };
    let mut known: Vec<Action> = actions.iter().cloned().collect();
    for action in &mut known {
        match action {
            Action::AddStep { description } => {
                subjects.extend(task.clone().map(|number| (number, description.clone())));
            }
            Action::UpdateStep {
                number,
                description,
                ..
            } => *description = subjects.get(number).cloned(),
            _ => {}
        }
    }
    *actions = known.into();
}

fn taken_in(entries: &[Entry]) -> HudState {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("hud.db");
    let mut works_in: Option<String> = None;
    for process in processes(entries) {
        let mut session = Session::open(SqliteLog::open(&log).unwrap(), id()).unwrap();
        if let Some(path) = &works_in {
            session.work_in(path);
        }
        for (at, observed) in process {
            if let Observation::Directory { path } = &observed {
                works_in = Some(path.clone());
            }
            session.observe(&observed, at).unwrap();
        }
    }
    let session = Session::open(SqliteLog::open(&log).unwrap(), id()).unwrap();
    session.state().clone()
}

fn replayed(entries: &[Entry]) -> HudState {
    let mut replay = Replay::new(id());
    for entry in entries {
        replay.observe(entry.clone());
    }
    replay.state().clone()
}

/// What is derived of what is said and done, without what counts the events.
fn derived(state: &HudState) -> Value {
    let mut state = serde_json::to_value(state).unwrap();
    let fields = state.as_object_mut().unwrap();
    for counted in ["version", "turn", "epoch", "cause", "numbers", "context"] {
        fields.remove(counted);
    }
    // A hook is run when the call is through.
    for file in fields["active_files"].as_array_mut().unwrap() {
        file.as_object_mut().unwrap().remove("last_accessed");
    }
    if let Some(sent) = fields["outputs"]["sent"].as_object_mut() {
        sent.remove("at");
    }
    for item in fields["working_memory"]["pool"].as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("added_at");
    }
    // Of calls that are made at once, a hook sees the one first that is through first.
    let steps = fields["next_steps"].as_array_mut().unwrap();
    for step in steps.iter_mut() {
        step.as_object_mut().unwrap().remove("id");
    }
    steps.sort_by_key(Value::to_string);
    state
}

#[track_caller]
fn is_the_same(file: &Path) {
    let entries = entries(file);
    let is_rewound = |entry: &Entry| matches!(entry.observation, Observation::Rewind { .. });
    if entries.iter().any(is_rewound) {
        // A running session is taken back by the conversation that its client sends.
        return;
    }
    let (one, other) = (derived(&taken_in(&entries)), derived(&replayed(&entries)));
    for (section, replayed) in other.as_object().unwrap() {
        assert_eq!(&one[section], replayed, "{section} of {}", file.display());
    }
}

#[test]
fn the_example_is_the_same_in_a_process_for_each_call() {
    is_the_same(
        &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl"),
    );
}

#[test]
fn recorded_sessions_are_the_same_in_a_process_for_each_call() {
    let Some(data) = data() else { return };
    let sessions = data.join("sessions/claude-code");
    for file in std::fs::read_dir(sessions).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|end| end == "jsonl") {
            is_the_same(&file);
        }
    }
}

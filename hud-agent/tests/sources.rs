//! Each item of a state names where it is from: the turn, and the events that made it, each with the message
//! or the call that it followed from.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_store::event::{EventId, NewEvent, SessionId};
use hud_store::state::HudState;
use serde_json::Value;

use crate::reading::data;

/// The events of a recorded session, the names of what its client recorded, and its state.
fn replayed(file: &Path) -> (Vec<NewEvent>, HashSet<EventId>, HudState) {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let (mut events, mut names) = (Vec::new(), HashSet::new());
    let read = Transcript::open(file).unwrap().read(&mut |entry| {
        names.insert(EventId::of_name(&entry.key));
        let observed = serde_json::to_value(&entry.observation).unwrap_or_default();
        names.extend(observed["call"].as_str().map(EventId::of_name));
        events.extend(replay.observe(entry));
        Ok::<_, TranscriptError>(())
    });
    read.unwrap();
    (events, names, replay.state().clone())
}

/// The sections of a state that have items, with the name that an item has in each.
const ITEMS: &[(&str, &str)] = &[
    ("task", ""),
    ("requests", "id"),
    ("constraints", "id"),
    ("decisions", "id"),
    ("findings", "id"),
    ("notes", "id"),
    ("blockers", "id"),
    ("errors", "id"),
    ("checks", "check"),
    ("active_files", "path"),
    ("next_steps", "id"),
];

#[track_caller]
fn each_item_names_its_source(file: &Path) {
    let (events, names, state) = replayed(file);
    for event in &events {
        assert!(
            event.cause.is_some_and(|cause| names.contains(&cause)),
            "{:?} follows from nothing that was recorded",
            event.event
        );
    }
    let mut turns: HashMap<(&str, String), HashSet<u64>> = HashMap::new();
    for event in &events {
        if let Some(subject) = event.event.subject() {
            let item = subject.item.unwrap_or_default().into_owned();
            let known = turns.entry((subject.section, item)).or_default();
            known.insert(event.turn);
        }
    }
    let state = serde_json::to_value(state).unwrap();
    let mut seen = 0;
    for (section, key) in ITEMS {
        let items = match &state[section] {
            Value::Array(items) => items.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        for item in items {
            let name = item[key].as_str().unwrap_or_default().to_owned();
            let turn = item["turn"].as_u64();
            let known = turns.get(&(*section, name.clone()));
            assert!(
                turn.is_some_and(|turn| known.is_some_and(|turns| turns.contains(&turn))),
                "{section} {name}: turn {turn:?} is none of {known:?}, {item}"
            );
            seen += 1;
        }
    }
    assert!(seen > 0, "{} has no items", file.display());
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn each_item_of_the_example_names_its_turn_and_its_events() {
    each_item_names_its_source(&folder().join("../examples/sessions/rate-limiter.jsonl"));
    each_item_names_its_source(&folder().join("tests/data/calls.traj"));
}

#[test]
fn each_item_of_recorded_sessions_names_its_turn_and_its_events() {
    let Some(data) = data() else { return };
    for client in ["claude-code", "swe-agent"] {
        let sessions = data.join("sessions").join(client);
        for file in std::fs::read_dir(sessions).unwrap() {
            let file = file.unwrap().path();
            if file
                .extension()
                .is_some_and(|end| end == "jsonl" || end == "traj")
            {
                each_item_names_its_source(&file);
            }
        }
    }
}

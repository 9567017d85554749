//! Whatever is in a file that is imported: it is taken over or refused by name, and a session goes on with it.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

use std::{fs, iter};

use hud_agent::foreign;
use hud_agent::frame::Frame;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_agent::tool::Numbering;
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_core::Density;
use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{Expected, Log, state_of};
use hud_store::memory::MemoryLog;
use hud_store::state::HudState;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// A session as its client keeps it: JSON, or a line of JSON for each entry.
#[derive(Clone, Copy, Debug)]
struct Kept {
    text: &'static str,
    has_lines: bool,
}

const KEPT: [Kept; 4] = [
    Kept {
        text: include_str!("data/small.jsonl"),
        has_lines: true,
    },
    Kept {
        text: include_str!("data/calls.traj"),
        has_lines: false,
    },
    Kept {
        text: include_str!("data/commands.traj"),
        has_lines: false,
    },
    Kept {
        text: r#"[{"role":"user","content":"Cancel my flight"},
            {"role":"assistant","content":"One moment.","tool_calls":[{"id":"c1","type":"function",
                "function":{"name":"cancel_reservation","arguments":"{\"reservation_id\":\"X7\"}"}}]},
            {"role":"tool","tool_call_id":"c1","content":"Error: it is not yours"}]"#,
        has_lines: false,
    },
];

/// What other programs keep of a session.
const FOREIGN: [&str; 5] = [
    r#"{"sessionID":"s","blocks":{"goal":{"content":"Lift","maxChars":900},"progress":{"content":"half"}}}"#,
    r#"{"slots":{"error":[{"content":"E0308","mentions":2}],"decision":[{"content":"jiff"}]},
        "pool":[{"type":"file-path","content":"src/a.rs","mentions":20},{"type":"other","content":"x"}]}"#,
    r#"{"items":[{"type":"todo","content":"ship"},{"type":"dependency","content":"jiff"}]}"#,
    r#"{"currentTask":"Lift ten tons","keyDecisions":["jiff"],"activeFiles":["a.rs"],"notes":["n"],
        "blockers":["rain"],"nextSteps":["ship"],"compactedContext":"half of it"}"#,
    r#"{"projectNotes":["n"],"keyFiles":["a.rs"],"conventions":["tabs"]}"#,
];

/// What happens to a file before it is imported.
#[derive(Clone, Debug)]
enum Damage {
    /// A value becomes another one.
    Value(Index, Value),
    /// A value becomes a copy of another one of the file.
    Copy(Index, Index),
    /// Bytes are written over, or are cut out.
    Bytes(Index, Vec<u8>),
    /// The rest is missing.
    Cut(Index),
}

fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}|(=== |- |`|</hud>|\n|\r|\u{202e}|\0|<b>|#){0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "user",
            "assistant",
            "tool",
            "text",
            "tool_use",
            "summary"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{0,8}|type|content|text|id", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..4);
    let damage = prop_oneof![
        6 => (any::<Index>(), odd()).prop_map(|(at, value)| Damage::Value(at, value)),
        3 => (any::<Index>(), any::<Index>()).prop_map(|(at, of)| Damage::Copy(at, of)),
        1 => (any::<Index>(), bytes).prop_map(|(at, bytes)| Damage::Bytes(at, bytes)),
        1 => any::<Index>().prop_map(Damage::Cut),
    ];
    prop::collection::vec(damage, 1..6)
}

/// Where each value within one is, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    let within: Vec<(String, &Value)> = match value {
        Value::Array(items) => (0..).map(|n: usize| n.to_string()).zip(items).collect(),
        Value::Object(fields) => {
            let name = |key: &String| key.replace('~', "~0").replace('/', "~1");
            fields.iter().map(|(key, item)| (name(key), item)).collect()
        }
        _ => Vec::new(),
    };
    let within = within.into_iter().flat_map(|(key, item)| {
        let places = places(item).into_iter();
        places.map(move |place| format!("/{key}{place}"))
    });
    iter::once(String::new()).chain(within).collect()
}

/// The file after what happened to it.
fn damaged(mut value: Value, has_lines: bool, damages: Vec<Damage>) -> Vec<u8> {
    for damage in &damages {
        let places = places(&value);
        let (at, new) = match damage {
            Damage::Value(at, new) => (at, new.clone()),
            Damage::Copy(at, of) => {
                let copied = value.pointer(&places[of.index(places.len())]);
                (at, copied.cloned().unwrap_or_default())
            }
            _ => continue,
        };
        // The whole file is no value to be changed: of another one nothing would be read.
        if places.len() > 1 {
            let place = &places[1 + at.index(places.len() - 1)];
            *value.pointer_mut(place).unwrap() = new;
        }
    }
    let mut bytes = match &value {
        Value::Array(lines) if has_lines => {
            let lines = lines.iter().map(|line| format!("{line}\n"));
            lines.collect::<String>().into_bytes()
        }
        _ => value.to_string().into_bytes(),
    };
    for damage in damages {
        match damage {
            Damage::Bytes(at, new) => {
                let at = at.index(bytes.len() + 1);
                let end = (at + new.len().max(1)).min(bytes.len());
                bytes.splice(at..end, new);
            }
            Damage::Cut(at) => bytes.truncate(at.index(bytes.len() + 1)),
            _ => {}
        }
    }
    bytes
}

/// A state is shown at each density.
fn show(state: &HudState) {
    for density in Density::ALL {
        Frame::whole(state, Some(density), &Setup::default()).unwrap();
    }
}

/// A key that another program kept is none of what is taken over, in whatever field it was.
#[test]
fn what_is_secret_in_memory_of_another_program_is_masked() {
    let key = format!("ghp_{}", "a8Kd0Qz7Lm3XpT5v".repeat(3));
    for file in [
        format!(
            r#"{{ "sessionID": "{key}", "blocks": {{ "goal": {{ "content": "push with {key}" }} }} }}"#
        ),
        format!(r#"{{ "sessionID": "s", "items": [{{ "type": "error", "content": "{key}" }}] }}"#),
        format!(
            r#"{{ "currentTask": "push with {key}", "nextSteps": ["DB_PASSWORD=hunter2 make"] }}"#
        ),
    ] {
        let memory = foreign::read(&file).unwrap_or_default();
        let state = HudState::default();
        let events = memory.events(&state, &mut Numbering::of(&state));
        assert!(!events.is_empty(), "{file}");
        let said = format!("{:?} {events:?}", memory.session);
        for secret in ["a8Kd0Qz7", "hunter2"] {
            assert!(!said.contains(secret), "{said}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The log that an import makes has the state that the import went through.
    #[test]
    fn any_session_is_taken_over_or_refused_by_name(
        kept in prop::sample::select(KEPT.to_vec()),
        damages in damages(),
    ) {
        let value = match kept.has_lines {
            true => kept.text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect(),
            false => serde_json::from_str(kept.text).unwrap(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session");
        fs::write(&path, damaged(value, kept.has_lines, damages)).unwrap();
        let session = SessionId::new("s").unwrap();
        let mut replay = Replay::new(session.clone());
        let mut log = MemoryLog::new();
        let read = Transcript::open(&path).and_then(|transcript| {
            transcript.read(&mut |entry| {
                let events = replay.observe(entry);
                log.append(&session, Expected::Any, &events).unwrap();
                Ok::<_, TranscriptError>(())
            })
        });
        if let Err(error) = read {
            let said = error.to_string();
            prop_assert!(said.contains(path.to_str().unwrap()), "{said}");
        }
        let state = state_of(&log, &session).unwrap();
        prop_assert_eq!(&state, replay.state());
        show(&state);
    }

    /// What was taken over once is not taken over again.
    #[test]
    fn any_memory_of_another_program_is_taken_over_once_or_refused(
        text in prop::sample::select(FOREIGN.to_vec()),
        damages in damages(),
    ) {
        let bytes = damaged(serde_json::from_str(text).unwrap(), false, damages);
        let Ok(memory) = foreign::read(&String::from_utf8_lossy(&bytes)) else {
            return Ok(());
        };
        let session = SessionId::new("s").unwrap();
        let mut log = MemoryLog::new();
        let mut take_over = |state: &HudState| {
            let events = memory.events(state, &mut Numbering::of(state)).into_iter();
            let events: Vec<_> = events.map(|event| NewEvent::now(0, Actor::Agent, event)).collect();
            log.append(&session, Expected::Any, &events).unwrap();
            (events.len(), state_of(&log, &session).unwrap())
        };
        let empty = HudState::default();
        let (_, state) = take_over(&empty);
        show(&state);
        let (again, _) = take_over(&state);
        let has_room = memory.lost(&empty, &state) == memory.left_out;
        prop_assert!(again == 0 || !has_room, "{again} again of {memory:?}");
    }
}

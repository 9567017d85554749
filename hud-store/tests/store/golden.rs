//! A log as version 0.1.0 wrote it: every kind of event, one that no program knew, sessions that
//! come from others, a compaction, a redaction, a session that was rewound and one that was forked,
//! events that are archived and a state that was kept. Beside it, the states that version 0.1.0
//! folded its events to.

use std::fs;
use std::path::PathBuf;

use hud_store::log::{self, Log, Moment, state_at, state_of};
use hud_store::sqlite::SqliteLog;
use serde_json::{Map, Value};

use crate::given::session;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/store/golden")
        .join(name)
}

/// What states had and no longer have, or have since, as paths in their JSON. An epoch has more
/// sections since.
const DIFFERENT: &[&str] = &[
    "touched",
    "dropped",
    "reminder",
    "active_files/edits",
    "errors/attempted",
    "pruned/seq",
    "pruned/version",
    "pruned/target",
    "pruned/tool",
    "pruned/rows",
    "compacting/turn",
    "compacted/turn",
    "compacted/reported_at",
    "working_memory",
    "decisions/by",
    "decisions/turn",
    // What the agent calls the task is beside what the user said now.
    "task",
    "record",
    "notes/by",
    "notes/turn",
    "next_steps/by",
    "next_steps/turn",
    "blockers/turn",
    "epoch/task",
    "epoch/next_steps/by",
    "epoch/next_steps/turn",
    "epoch/decisions/by",
    "epoch/decisions/turn",
    "epoch/notes",
    "epoch/active_files",
    "epoch/blockers",
    "epoch/errors",
    "epoch/compacted",
    "epoch/core_memory",
    "epoch/working_memory",
    "epoch/origin",
];

/// A state's JSON without what is different.
fn kept(mut state: Value) -> Value {
    for path in DIFFERENT {
        remove(&mut state, path);
    }
    state
}

fn remove(value: &mut Value, path: &str) {
    let (key, rest) = path.split_once('/').unwrap_or((path, ""));
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, path)),
        Value::Object(fields) if rest.is_empty() => drop(fields.remove(key)),
        Value::Object(fields) => {
            if let Some(value) = fields.get_mut(key) {
                remove(value, rest);
            }
        }
        _ => {}
    }
}

#[test]
fn a_log_of_version_0_1_opens_and_folds_to_the_same_states() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    fs::copy(file("version_0_1.db"), &path).unwrap();
    let states = fs::read_to_string(file("version_0_1.json")).unwrap();
    let states: Map<String, Value> = serde_json::from_str(&states).unwrap();

    let log = SqliteLog::open(&path).unwrap();
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
    for (moment, then) in states {
        let (name, version) = moment.split_once(' ').unwrap();
        let version = Moment::Version(version.parse().unwrap());
        let now = state_at(&log, &session(name), version).unwrap();
        let now = serde_json::to_value(now).unwrap();
        compare(&moment, &kept(then), &kept(now));
    }
    for info in log.sessions().unwrap() {
        let whole = state_at(&log, &info.id, Moment::Version(u64::MAX)).unwrap();
        for left in &whole.pruned {
            let kept = log::kept(&log, &info.id, left).unwrap().unwrap();
            let kept = kept.event.encode().unwrap();
            assert!(
                kept.payload
                    .contains(&format!("\"call\":\"{}\"", left.call))
            );
        }
        assert_eq!(state_of(&log, &info.id).unwrap(), whole, "{}", info.id);
    }
}

/// Compares field by field, so that a failure names the field and not two whole states.
fn compare(moment: &str, then: &Value, now: &Value) {
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (then, now) = (fields(then), fields(now));
    for name in then.keys().chain(now.keys()) {
        assert_eq!(then.get(name), now.get(name), "{name} at {moment}");
    }
}

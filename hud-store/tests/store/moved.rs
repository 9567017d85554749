//! A session in another log than the one that it was recorded in: its events have other seqs there. Also what
//! programs recorded that named events by their seq.

use hud_store::event::{Content, HudEvent, OutputKeep, OutputSeen, SessionId};
use hud_store::jsonl::export;
use hud_store::log::{Expected, Log, Point, kept, restore, state_of};
use hud_store::memory::MemoryLog;
use hud_store::sqlite::SqliteLog;
use hud_store::state::{HudState, OutputClass};
use serde_json::{Value, json};

use crate::given::{at, contents, notes, nth, session};

fn keeps(call: &str, target: &str) -> HudEvent {
    OutputKeep {
        call: Some(call.into()),
        tool: "Read".into(),
        target: Some(target.into()),
        content: Content::from(format!("what {call} said").as_str()),
        outline: None,
    }
    .into()
}

fn seen(call: &str, target: &str, recalls: Option<&str>) -> OutputSeen {
    OutputSeen {
        call: call.into(),
        tool: "Read".into(),
        class: OutputClass::Read,
        target: Some(target.into()),
        lines: None,
        rows: 1,
        chars: 400,
        error: false,
        recalls: recalls.map(Into::into),
    }
}

/// A log with those events of a session.
fn log_of(name: &str, events: impl IntoIterator<Item = HudEvent>) -> (MemoryLog, SessionId) {
    let (mut log, session) = (MemoryLog::new(), session(name));
    let events: Vec<_> = (1..).zip(events).map(|(n, event)| nth(n, event)).collect();
    log.append(&session, Expected::Any, &events).unwrap();
    (log, session)
}

/// The calls whose outputs a session finds where its state says that they are kept.
fn found<L: Log>(log: &L, session: &SessionId) -> Vec<String> {
    let state = state_of(log, session).unwrap();
    let events = state.pruned.iter();
    let events = events.filter_map(|left| kept(log, session, left).unwrap());
    events
        .filter_map(|event| {
            let payload: Value =
                serde_json::from_str(&event.event.encode().unwrap().payload).unwrap();
            Some(payload["call"].as_str()?.to_owned())
        })
        .collect()
}

#[test]
fn a_session_that_moves_finds_its_own_outputs_and_has_the_same_state() {
    let again = seen("c3", "a.rs", Some("c1")).into();
    let (log, s) = log_of("s", [keeps("c1", "a.rs"), keeps("c2", "b.rs"), again]);
    let mut lines = Vec::new();
    export(&log, Some(&s), &mut lines).unwrap();

    let mut other = SqliteLog::open_in_memory().unwrap();
    let mut strangers = notes(101..=107);
    strangers.push(nth(108, keeps("c1", "a.rs")));
    other
        .append(&session("stranger"), Expected::Any, &strangers)
        .unwrap();
    other.import_lines(&mut lines.as_slice()).unwrap();

    assert_eq!(contents(&other)[8].seq, 9, "its events have other seqs");
    assert_eq!(state_of(&other, &s).unwrap(), state_of(&log, &s).unwrap());
    assert_eq!(found(&other, &s), ["c1", "c2"]);
}

#[test]
fn what_left_a_conversation_before_it_was_forked_is_kept_in_the_original() {
    let (mut log, s) = log_of("s", [keeps("c1", "a.rs")]);
    let mut from = s.clone();
    for name in ["fork", "fork of the fork"] {
        let to = session(name);
        let version = state_of(&log, &from).unwrap().version;
        let point = Point {
            session: from,
            version,
        };
        restore(&mut log, &to, HudState::default(), &point, at(50)).unwrap();
        let left = &state_of(&log, &to).unwrap().pruned[0];
        assert_eq!((left.session.as_ref(), left.version), (Some(&s), Some(1)));
        assert_eq!(found(&log, &to), ["c1"]);
        from = to;
    }
    let back = Point {
        session: from,
        version: 1,
    };
    let state = state_of(&log, &s).unwrap();
    let (state, _) = restore(&mut log, &s, state, &back, at(60)).unwrap();
    assert_eq!(state.pruned[0].session, None, "it is its own");
}

#[test]
fn what_an_older_program_recalled_is_known_by_what_it_is_of() {
    let payload = json!({
        "call": "c3", "tool": "Read", "class": "read", "target": "a.rs",
        "rows": 1, "chars": 400, "recalls": 42,
    });
    let older = HudEvent::decode("output.seen", 1, &payload.to_string()).unwrap();
    let (log, s) = log_of("s", [keeps("c1", "a.rs"), keeps("c2", "b.rs"), older]);
    let state = state_of(&log, &s).unwrap();
    let recalled: Vec<_> = state.pruned.iter().map(|left| left.recalled).collect();
    assert_eq!(recalled, [1, 0]);
    let recalls = state.outputs.of("c3").unwrap().recalls.as_deref();
    assert_eq!(recalls, Some("c1"));
}

#[test]
fn a_state_that_an_older_program_went_back_to_finds_its_outputs_by_their_calls() {
    let (mut log, s) = log_of(
        "s",
        [keeps("c1", "a.rs"), seen("c3", "a.rs", Some("c1")).into()],
    );
    let mut state = json!(state_of(&log, &s).unwrap());
    let left = state["pruned"][0].as_object_mut().unwrap();
    left.remove("version");
    left.insert("seq".into(), json!(42));
    state["outputs"]["seen"][0]["recalls"] = json!(42);

    for (kind, v) in [("session.restore", 2), ("compact.before", 1)] {
        let payload = json!({ "session": "s", "version": 2, "state": state });
        let older = HudEvent::decode(kind, v, &payload.to_string()).unwrap();
        let fork = session(kind);
        log.append(&fork, Expected::Any, &[nth(50 + u64::from(v), older)])
            .unwrap();
    }
    let fork = session("session.restore");
    let now = state_of(&log, &fork).unwrap();
    let left = &now.pruned[0];
    assert_eq!((left.session.as_ref(), left.version), (Some(&s), None));
    assert_eq!(now.outputs.seen[0].recalls.as_deref(), Some("c1"));
    assert_eq!(found(&log, &fork), ["c1"]);
}

//! What is derived from small sessions of each format, event by event.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::path::PathBuf;

use hud_agent::replay::Replay;
use hud_clients::transcript::{Summary, Transcript, TranscriptError};
use hud_store::event::{NewEvent, SessionId};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn replayed(name: &str) -> (Vec<NewEvent>, Summary) {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let mut events = Vec::new();
    let summary = Transcript::open(data(name))
        .unwrap()
        .read(&mut |entry| {
            events.extend(replay.observe(entry));
            Ok::<_, TranscriptError>(())
        })
        .unwrap();
    (events, summary)
}

/// The events, one a line, without the state that `compact.before` carries.
fn described(events: &[NewEvent]) -> String {
    let line = |event: &NewEvent| {
        let encoded = event.event.encode().unwrap();
        let payload = match encoded.payload.split_once("{\"state\":") {
            Some(_) => "{\"state\": ..}",
            None => &encoded.payload,
        };
        format!(
            "{} {} {} {payload}\n",
            event.turn,
            event.actor.as_str(),
            encoded.kind
        )
    };
    events.iter().map(line).collect()
}

#[test]
fn claude_code() {
    let (events, summary) = replayed("small.jsonl");
    insta::assert_snapshot!(described(&events));
    assert_eq!(summary.sidechain, 1);
}

#[test]
fn swe_agent_with_tool_calls() {
    insta::assert_snapshot!(described(&replayed("calls.traj").0));
}

#[test]
fn swe_agent_with_command_lines() {
    insta::assert_snapshot!(described(&replayed("commands.traj").0));
}

#[test]
fn ids_are_the_same_each_time_and_none_is_there_twice() {
    let ids = |name| -> Vec<_> { replayed(name).0.into_iter().map(|event| event.id).collect() };
    let first = ids("small.jsonl");
    assert_eq!(first, ids("small.jsonl"));
    let mut distinct = first.clone();
    distinct.sort_by_key(|id| *id.as_uuid());
    distinct.dedup();
    assert_eq!(distinct.len(), first.len());
}

#[test]
fn reading_stops_where_the_sink_fails() {
    #[derive(Debug, thiserror::Error)]
    enum Stop {
        #[error("enough")]
        Enough,
        #[error(transparent)]
        Transcript(#[from] TranscriptError),
    }
    for name in ["small.jsonl", "calls.traj"] {
        let mut seen = 0;
        let outcome = Transcript::open(data(name)).unwrap().read(&mut |_| {
            seen += 1;
            if seen == 3 { Err(Stop::Enough) } else { Ok(()) }
        });
        assert!(matches!(outcome, Err(Stop::Enough)), "{name}");
        assert_eq!(seen, 3, "{name}");
    }
}

//! Sub-agents on other machines than their parents.

use hud_postgres::{Address, Pulled, pull, pull_sub_agents, take};
use hud_store::event::{
    Actor, BlockerAdd, BlockerRemove, DecisionRecord, DecisionRemove, EventId, FindingRecord,
    HudEvent, NewEvent, NoteAdd, NoteUpdate, TaskSet,
};
use hud_store::log::{EventName, Expected, Log, Redact, begin, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::{HudState, Origin};
use jiff::Timestamp;

use crate::given::session;
use crate::nodes::{open, shared};
use crate::push::{noted, sent};

fn file() -> SqliteLog {
    SqliteLog::open_in_memory().unwrap()
}

fn record(log: &mut SqliteLog, name: &str, event: impl Into<HudEvent>) -> EventId {
    let event = NewEvent::now(1, Actor::Agent, event);
    log.append(&session(name), Expected::Any, std::slice::from_ref(&event))
        .unwrap();
    event.id
}

fn decision(id: &str, summary: &str) -> DecisionRecord {
    DecisionRecord {
        id: id.into(),
        summary: summary.into(),
        details: None,
        weight: None,
    }
}

fn state(log: &SqliteLog, name: &str) -> HudState {
    state_of(log, &session(name)).unwrap()
}

/// The decisions of a session.
fn decisions(log: &SqliteLog, name: &str) -> Vec<(String, String)> {
    let made = state(log, name).decisions.into_iter();
    made.map(|made| (made.id, made.summary)).collect()
}

fn pair(id: &str, summary: &str) -> (String, String) {
    (id.into(), summary.into())
}

/// Begins a sub-agent's session where its parent is a copy.
fn delegate(log: &mut SqliteLog, name: &str, parent: &str) {
    let origin = Origin {
        parent: Some(session(parent)),
        ..Origin::default()
    };
    begin(log, &session(name), &origin, Timestamp::now()).unwrap();
}

/// Copies what sub-agents elsewhere did, and gives what was copied.
fn heard(log: &mut SqliteLog, from: &Address, since: &mut u64) -> Vec<Pulled> {
    let mut all = Vec::new();
    pull_sub_agents(log, &open(from), since, &mut |pulled| {
        all.push(pulled.unwrap());
    })
    .unwrap();
    all
}

/// A machine with a session `main`, and one with a copy of it and a sub-agent `tester`.
fn two(address: &Address) -> (SqliteLog, SqliteLog) {
    let (mut one, mut two) = (file(), file());
    let task = TaskSet {
        description: "Limit rates".into(),
    };
    record(&mut one, "main", task);
    record(
        &mut one,
        "main",
        decision("d1", "A token bucket for each key"),
    );
    sent(&one, address);
    pull(&mut two, &open(address), &session("main")).unwrap();
    delegate(&mut two, "tester", "main");
    (one, two)
}

#[test]
fn what_a_sub_agent_records_elsewhere_comes_up_to_its_parent_once() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = two(&address);
    let begun = state(&two, "tester");
    assert_eq!(begun.task.unwrap().description, "Limit rates");
    assert_eq!(begun.decisions.len(), 1);

    record(&mut two, "tester", decision("d2", "Test against redis 7"));
    let found = FindingRecord {
        id: "f1".into(),
        text: "The clock in the bucket is in seconds".into(),
        weight: None,
    };
    record(&mut two, "tester", found);
    let note = |content: &str| NoteAdd {
        id: "n1".into(),
        content: content.into(),
    };
    record(&mut two, "tester", note("redis runs on 6380"));
    let blocker = BlockerAdd {
        id: "b1".into(),
        description: "No rights to restart redis".into(),
    };
    record(&mut two, "tester", blocker);
    sent(&two, &address);
    let mut since = 0;
    let pulled = heard(&mut one, &address, &mut since);
    assert_eq!(pulled[0].session, session("tester"));
    let now = state(&one, "main");
    let texts = (
        now.decisions[1].summary.as_str(),
        now.findings[0].text.as_str(),
        now.notes[0].content.as_str(),
        now.blockers[0].description.as_str(),
    );
    assert_eq!(
        texts,
        (
            "Test against redis 7",
            "The clock in the bucket is in seconds",
            "redis runs on 6380",
            "No rights to restart redis"
        )
    );
    // What the sub-agent took over is no news to its parent, and who recorded the rest is said.
    assert_eq!(now.decisions.len(), 2);
    assert_eq!(now.decisions[1].by, Actor::Other("sub-agent".into()));
    assert_eq!(now.decisions[1].id, "d2@tester");

    // Nothing of it comes twice, whoever looks how often.
    assert_eq!(heard(&mut one, &address, &mut since), []);
    assert_eq!(heard(&mut one, &address, &mut 0), []);
    pull(&mut one, &open(&address), &session("tester")).unwrap();
    assert_eq!(state(&one, "main").version, now.version);

    // What becomes of it comes up as well; what the parent removed stays away.
    let gone = DecisionRemove {
        id: "d2@tester".into(),
    };
    record(&mut one, "main", gone);
    record(&mut two, "tester", BlockerRemove { id: "b1".into() });
    let update = NoteUpdate {
        id: "n1".into(),
        content: "redis runs on 6381".into(),
    };
    record(&mut two, "tester", update);
    sent(&two, &address);
    assert_eq!(heard(&mut one, &address, &mut since).len(), 1);
    let now = state(&one, "main");
    assert_eq!((now.decisions.len(), now.blockers.len()), (1, 0));
    assert_eq!(now.notes[0].content, "redis runs on 6381");
    // All of it is in the parent's own events, which go where those go.
    sent(&one, &address);
    let mut copy = file();
    pull(&mut copy, &open(&address), &session("main")).unwrap();
    assert_eq!(state(&copy, "main"), now);
}

#[test]
fn a_parent_is_found_by_the_name_that_it_has_where_its_sub_agent_is() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = (file(), file());
    record(&mut one, "main", decision("d1", "Of the first"));
    sent(&one, &address);
    record(&mut two, "main", decision("d1", "Of the second"));
    sent(&two, &address);
    let copy = pull(&mut two, &open(&address), &session("main")).unwrap();
    assert_ne!(copy.session, session("main"));

    delegate(&mut two, "far", copy.session.as_str());
    record(&mut two, "far", decision("d2", "For the first"));
    delegate(&mut two, "near", "main");
    record(&mut two, "near", decision("d2", "For the second"));
    sent(&two, &address);
    assert_eq!(heard(&mut one, &address, &mut 0).len(), 1);
    assert_eq!(
        decisions(&one, "main"),
        [pair("d1", "Of the first"), pair("d2@far", "For the first")]
    );
}

#[test]
fn what_sub_agents_of_sub_agents_record_comes_up_from_machine_to_machine() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = two(&address);
    sent(&two, &address);
    let mut three = file();
    pull(&mut three, &open(&address), &session("tester")).unwrap();
    delegate(&mut three, "a-sub-agent-with-a-long-name", "tester");
    record(
        &mut three,
        "a-sub-agent-with-a-long-name",
        decision("d2", "Mock the clock"),
    );
    sent(&three, &address);
    assert_eq!(heard(&mut one, &address, &mut 0).len(), 1);
    assert_eq!(decisions(&one, "main").len(), 1);
    heard(&mut two, &address, &mut 0);
    sent(&two, &address);
    heard(&mut one, &address, &mut 0);
    let (id, summary) = decisions(&one, "main").pop().unwrap();
    assert_eq!(summary, "Mock the clock");
    let name = id.strip_prefix("d2@").unwrap();
    let short = name.strip_suffix("@tester").unwrap();
    assert_eq!(short.len(), 6, "{id}");
}

#[test]
fn what_is_taken_out_of_a_sub_agents_session_is_taken_out_above() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = two(&address);
    let said = record(&mut two, "tester", decision("d2", "The key is hunter2"));
    record(&mut two, "tester", decision("d3", "Rotate keys"));
    sent(&two, &address);
    heard(&mut one, &address, &mut 0);
    sent(&one, &address);
    let mut copies = file();
    for name in ["main", "tester"] {
        pull(&mut copies, &open(&address), &session(name)).unwrap();
    }
    assert_eq!(decisions(&copies, "main").len(), 3);
    two.redact(&EventName::Id(said), None, &mut |taken_out| {
        NewEvent::now(1, Actor::User, taken_out)
    })
    .unwrap();
    sent(&two, &address);
    heard(&mut one, &address, &mut 0);
    sent(&one, &address);
    assert_eq!(
        decisions(&one, "main"),
        [
            pair("d1", "A token bucket for each key"),
            pair("d3@tester", "Rotate keys")
        ]
    );
    let log = address.log();
    let count = format!("SELECT count(*) FROM {log}.event WHERE payload LIKE '%hunter2%'");
    assert_eq!(nodes.sql(&count).trim(), "0");
    // A log that has copies of both sessions learns of each redaction from the home of its session.
    for name in ["tester", "main"] {
        pull(&mut copies, &open(&address), &session(name)).unwrap();
    }
    assert_eq!(state(&copies, "main"), state(&one, "main"));

    two.delete(&session("tester"), |deleted| {
        NewEvent::now(1, Actor::User, deleted)
    })
    .unwrap();
    sent(&two, &address);
    heard(&mut one, &address, &mut 0);
    assert_eq!(decisions(&one, "main").len(), 1);
}

#[test]
fn who_takes_a_parent_over_hears_of_its_sub_agents_from_then_on() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = two(&address);
    record(&mut two, "tester", decision("d2", "Before"));
    sent(&two, &address);
    heard(&mut one, &address, &mut 0);
    sent(&one, &address);
    let mut three = file();
    take(&mut three, &mut open(&address), &session("main")).unwrap();
    record(&mut two, "tester", decision("d3", "After"));
    sent(&two, &address);
    assert_eq!(heard(&mut one, &address, &mut 0), []);
    heard(&mut three, &address, &mut 0);
    let own = [
        pair("d1", "A token bucket for each key"),
        pair("d2@tester", "Before"),
        pair("d3@tester", "After"),
    ];
    assert_eq!(decisions(&three, "main"), own);
    assert_eq!(decisions(&one, "main"), own[..2]);
    // A parent that is nobody's, and one that is not there, hear of nothing.
    noted(&mut two, "apart", [1]);
    assert!(!two.is_copy(&session("apart")).unwrap());
    assert!(two.is_copy(&session("main")).unwrap());
    assert_eq!(
        two.hand_up(&session("tester"), &session("nobody"), 0, Timestamp::now())
            .unwrap(),
        0
    );
}

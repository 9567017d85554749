//! The promises of [`Log`] as a test suite (feature `conformance`), for authors of other logs.
//!
//! ```
//! # use hud_store::memory::MemoryLog;
//! // In a test of the other log:
//! hud_store::conformance::check(|| Box::new(MemoryLog::new()));
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a promise that is not kept ends the test that asked"
)]

mod listing;
mod many;
mod redact;
mod search;
mod shared;

pub use many::check_many;
pub use redact::check_redact;
pub use search::check_search;
pub use shared::{check_follow, check_writers};

use std::ops::ControlFlow;

use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use crate::event::{
    Actor, ContentHash, EventId, HudEvent, Json, NewEvent, NoteAdd, OutputKeep, SessionId,
    StoredEvent,
};
use crate::log::{Appended, Expected, Log, LogError, catch_up, newer, state_of, state_while};

/// Makes an empty log.
type Make<'m> = &'m mut dyn FnMut() -> Box<dyn Log>;

/// The name of a promise, and the test that panics if it is not kept.
type Promise = (&'static str, fn(Make<'_>));

/// The promises with their tests, named as the tests are.
const PROMISES: &[Promise] = &[
    (
        "seqs are dense over the log and versions within a session",
        seqs_are_dense_over_the_log_and_versions_within_a_session,
    ),
    ("an append says what it did", an_append_says_what_it_did),
    (
        "an unmet expectation is a conflict and changes nothing",
        an_unmet_expectation_is_a_conflict_and_changes_nothing,
    ),
    (
        "an append whose answer was lost can be repeated as it was",
        an_append_whose_answer_was_lost_can_be_repeated_as_it_was,
    ),
    (
        "an id names one event for ever",
        an_id_names_one_event_for_ever,
    ),
    (
        "a batch may repeat itself but not contradict itself",
        a_batch_may_repeat_itself_but_not_contradict_itself,
    ),
    (
        "what cannot come back is not taken in",
        what_cannot_come_back_is_not_taken_in,
    ),
    (
        "an event comes back with all it had",
        an_event_comes_back_with_all_it_had,
    ),
    (
        "times are kept in whole microseconds and a repeat is still one",
        times_are_kept_in_whole_microseconds_and_a_repeat_is_still_one,
    ),
    (
        "reading starts at the version asked for and stops when the caller breaks",
        reading_starts_at_the_version_asked_for_and_stops_when_the_caller_breaks,
    ),
    (
        "sessions are listed in the order of their first events",
        sessions_are_listed_in_the_order_of_their_first_events,
    ),
    (
        "sessions come in pages in either order",
        listing::sessions_come_in_pages_in_either_order,
    ),
    (
        "a session is found by its name and by who made it",
        listing::a_session_is_found_by_its_name_and_by_who_made_it,
    ),
    (
        "a state can be had at a turn and brought up to date",
        a_state_can_be_had_at_a_turn_and_brought_up_to_date,
    ),
    (
        "what events name by its hash is kept once and read by it",
        what_events_name_by_its_hash_is_kept_once_and_read_by_it,
    ),
    (
        "the whole log is read in its order from the seq asked for",
        the_whole_log_is_read_in_its_order_from_the_seq_asked_for,
    ),
];

/// Tests each promise on logs that `make` creates. Each must be empty and independent of the others.
///
/// # Panics
///
/// With the name of the first promise that is not kept, after the panic of its test.
#[track_caller]
pub fn check(mut make: impl FnMut() -> Box<dyn Log>) {
    for (name, promise) in PROMISES {
        let kept = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| promise(&mut make)));
        assert!(kept.is_ok(), "the promise is not kept: {name}");
    }
}

fn session(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

/// Second `n` of the epoch.
fn at(n: u64) -> Timestamp {
    Timestamp::from_second(i64::try_from(n).unwrap()).unwrap()
}

/// The `n`-th event. Its id, turn and time are derived from `n`.
fn nth(n: u64, event: impl Into<HudEvent>) -> NewEvent {
    NewEvent {
        id: EventId::from_uuid(Uuid::from_u128(u128::from(n))),
        turn: n,
        at: at(n),
        actor: Actor::Agent,
        cause: None,
        event: event.into(),
    }
}

/// The `n`-th event, as a note with a unique text.
fn note(n: u64) -> NewEvent {
    let note = NoteAdd {
        id: format!("n{n}"),
        content: format!("note {n}"),
    };
    nth(n, note)
}

fn notes(numbers: std::ops::RangeInclusive<u64>) -> Vec<NewEvent> {
    numbers.map(note).collect()
}

fn read(log: &dyn Log, session: &SessionId) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    log.read(session, 1, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(events)
}

/// All events in the log.
fn contents(log: &dyn Log) -> Vec<StoredEvent> {
    let mut events = Vec::new();
    log.read_all(1, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })
    .unwrap();
    events
}

fn seqs_are_dense_over_the_log_and_versions_within_a_session(make: Make<'_>) {
    let mut log = make();
    for n in 1..=9 {
        let name = if n % 3 == 0 { "a" } else { "b" };
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    let all = contents(&*log);
    assert!(all.iter().map(|event| event.seq).eq(1..=9));
    for (name, len) in [("a", 3), ("b", 6)] {
        let versions = read(&*log, &session(name)).unwrap();
        assert!(versions.iter().map(|event| event.version).eq(1..=len));
    }
}

fn an_append_says_what_it_did(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    log.append(&session("other"), Expected::Any, &[note(100)])
        .unwrap();
    assert_eq!(
        log.append(&s, Expected::NoStream, &notes(1..=3)).unwrap(),
        Appended {
            first_seq: 2,
            last_seq: 4,
            version: 3,
            duplicates: 0,
        }
    );
    assert_eq!(
        log.append(&s, Expected::Exact(3), &notes(2..=4)).unwrap(),
        Appended {
            first_seq: 3,
            last_seq: 5,
            version: 4,
            duplicates: 2,
        }
    );
    let nothing = log.append(&s, Expected::Exact(4), &[]).unwrap();
    assert_eq!(
        (nothing.first_seq, nothing.last_seq, nothing.version),
        (0, 0, 4)
    );
}

fn an_unmet_expectation_is_a_conflict_and_changes_nothing(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    log.append(&s, Expected::Exact(0), &notes(1..=2)).unwrap();
    let before = contents(&*log);
    for expected in [Expected::NoStream, Expected::Exact(1), Expected::Exact(3)] {
        for batch in [vec![note(3)], vec![]] {
            let error = log.append(&s, expected, &batch).unwrap_err();
            assert!(
                matches!(error, LogError::Conflict { found: 2, .. }),
                "{error}"
            );
        }
    }
    assert_eq!(contents(&*log), before);
}

fn an_append_whose_answer_was_lost_can_be_repeated_as_it_was(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    let first = log.append(&s, Expected::NoStream, &notes(1..=2)).unwrap();
    log.append(&s, Expected::Any, &[note(3)]).unwrap();
    let again = log.append(&s, Expected::NoStream, &notes(1..=2)).unwrap();
    assert_eq!(
        (again.first_seq, again.last_seq),
        (first.first_seq, first.last_seq)
    );
    assert_eq!((again.version, again.duplicates), (3, 2));
    assert_eq!(contents(&*log).len(), 3);
}

fn an_id_names_one_event_for_ever(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    log.append(&s, Expected::Any, &notes(1..=2)).unwrap();
    let before = contents(&*log);
    let mut changes = vec![note(2); 5];
    changes[0].turn += 1;
    changes[1].at = at(99);
    changes[2].actor = Actor::Derived;
    changes[3].cause = Some(note(1).id);
    changes[4].event = note(3).event;
    for change in changes {
        let error = log
            .append(&s, Expected::Any, &[note(9), change])
            .unwrap_err();
        assert!(
            matches!(error, LogError::IdConflict { seq: 2, .. }),
            "{error}"
        );
    }
    let elsewhere = log.append(&session("t"), Expected::Any, &[note(2)]);
    assert!(matches!(
        elsewhere,
        Err(LogError::IdConflict { seq: 2, .. })
    ));
    assert_eq!(contents(&*log), before);
}

fn a_batch_may_repeat_itself_but_not_contradict_itself(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    let done = log
        .append(&s, Expected::Any, &[note(1), note(2), note(1)])
        .unwrap();
    assert_eq!((done.last_seq, done.version, done.duplicates), (1, 2, 1));
    let mut other = note(3);
    other.turn = 0;
    let error = log
        .append(&s, Expected::Any, &[note(3), other])
        .unwrap_err();
    assert!(
        matches!(error, LogError::IdConflict { seq: 3, .. }),
        "{error}"
    );
    assert_eq!(contents(&*log).len(), 2);
}

fn what_cannot_come_back_is_not_taken_in(make: Make<'_>) {
    let unknown = |kind: &str, payload| HudEvent::Other {
        kind: kind.into(),
        v: 1,
        payload: Json::from(payload),
    };
    let mut deep = json!(0);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let mut late = note(1);
    late.turn = u64::MAX;
    let mut nobody = note(1);
    nobody.actor = Actor::Other(String::new());
    let events = [
        nth(1, unknown("", json!({}))),
        nth(1, unknown("a\nb", json!({}))),
        nth(1, unknown("task.set", json!({"title": "x"}))),
        nth(1, unknown("todo.sync", deep)),
        late,
        nobody,
    ];
    let mut log = make();
    for event in &events {
        let batch = [note(7), event.clone()];
        let error = log
            .append(&session("s"), Expected::Any, &batch)
            .unwrap_err();
        assert!(matches!(error, LogError::Invalid { .. }), "{error}");
    }
    assert_eq!(contents(&*log), []);
}

fn an_event_comes_back_with_all_it_had(make: Make<'_>) {
    let mut new = nth(
        5,
        HudEvent::Other {
            kind: "todo.sync".into(),
            v: 9,
            payload: json!({"b": [1.1e-7, "\u{0}é"], "a": null}).into(),
        },
    );
    new.actor = Actor::Other("reviewer".into());
    new.cause = Some(EventId::from_uuid(Uuid::max()));
    new.at = "2026-11-20T12:00:00.123456Z".parse().unwrap();
    let mut log = make();
    log.append(&session("s é"), Expected::Any, &[new.clone()])
        .unwrap();
    let stored = contents(&*log).remove(0);
    assert_eq!((stored.seq, stored.version), (1, 1));
    assert_eq!(
        (stored.id, stored.turn, stored.at),
        (new.id, new.turn, new.at)
    );
    assert_eq!((&stored.actor, stored.cause), (&new.actor, new.cause));
    assert_eq!(stored.event, new.event);
    let state = state_of(&*log, &session("s é")).unwrap();
    assert_eq!((state.unknown_events, state.version, state.turn), (1, 1, 5));
}

fn times_are_kept_in_whole_microseconds_and_a_repeat_is_still_one(make: Make<'_>) {
    let mut log = make();
    let mut event = note(1);
    event.at = "2026-11-20T12:00:00.123456789Z".parse().unwrap();
    for duplicates in [0, 1] {
        let done = log
            .append(&session("s"), Expected::Any, &[event.clone()])
            .unwrap();
        assert_eq!(done.duplicates, duplicates);
    }
    let stored = contents(&*log).remove(0);
    assert_eq!(stored.at.to_string(), "2026-11-20T12:00:00.123456Z");
}

fn reading_starts_at_the_version_asked_for_and_stops_when_the_caller_breaks(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    // More than a page, and interleaved with another session.
    for n in (1..=600).step_by(2) {
        log.append(&s, Expected::Any, &[note(n)]).unwrap();
        log.append(&session("t"), Expected::Any, &[note(n + 1)])
            .unwrap();
    }
    let versions = |from, until| {
        let mut seen = Vec::new();
        log.read(&s, from, &mut |event| {
            seen.push(event.version);
            if event.version == until {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        seen
    };
    assert!(versions(0, 0).into_iter().eq(1..=300));
    assert!(versions(255, 258).into_iter().eq(255..=258));
    assert!(versions(301, 0).is_empty());
    assert!(versions(u64::MAX, 0).is_empty());
    assert_eq!(read(&*log, &session("nobody")).unwrap(), []);
}

fn sessions_are_listed_in_the_order_of_their_first_events(make: Make<'_>) {
    let mut log = make();
    assert_eq!(log.sessions().unwrap(), []);
    for (n, name) in [(1, "z"), (2, "a"), (3, "z"), (4, "m")] {
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    let listed: Vec<_> = log
        .sessions()
        .unwrap()
        .into_iter()
        .map(|info| {
            (
                info.id.to_string(),
                info.events,
                info.first_at,
                info.last_at,
            )
        })
        .collect();
    let expected = [("z", 2, 1, 3), ("a", 1, 2, 2), ("m", 1, 4, 4)]
        .map(|(name, events, first, last)| (name.to_owned(), events, at(first), at(last)));
    assert_eq!(listed, expected);
}

fn a_state_can_be_had_at_a_turn_and_brought_up_to_date(make: Make<'_>) {
    let mut log = make();
    let s = session("s");
    log.append(&s, Expected::Any, &notes(1..=5)).unwrap();
    let early = state_while(&*log, &s, |event| event.turn <= 3).unwrap();
    assert_eq!((early.version, early.notes.len()), (3, 3));
    let now = state_of(&*log, &s).unwrap();
    assert_eq!(newer(&*log, &s, &early).unwrap().as_ref(), Some(&now));
    assert_eq!(catch_up(&*log, &s, early).unwrap(), now);
    assert_eq!(newer(&*log, &s, &now).unwrap(), None);
    assert_eq!(state_of(&*log, &session("t")).unwrap(), Default::default());
}

fn the_whole_log_is_read_in_its_order_from_the_seq_asked_for(make: Make<'_>) {
    let mut log = make();
    for n in 1..=300 {
        let name = if n % 3 == 0 { "a" } else { "b" };
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    let of_sessions = ["a", "b"].map(|name| read(&*log, &session(name)).unwrap());
    let mut sorted: Vec<_> = of_sessions.concat();
    sorted.sort_by_key(|event| event.seq);
    assert_eq!(contents(&*log), sorted);
    let seqs = |from, until| {
        let mut seen = Vec::new();
        log.read_all(from, &mut |event| {
            seen.push(event.seq);
            if event.seq == until {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        seen
    };
    assert!(seqs(255, 258).into_iter().eq(255..=258));
    assert!(seqs(299, 0).into_iter().eq(299..=300));
    assert!(seqs(301, 0).is_empty());
    assert!(seqs(u64::MAX, 0).is_empty());
}

fn what_events_name_by_its_hash_is_kept_once_and_read_by_it(make: Make<'_>) {
    let mut log = make();
    let kept = |text: &str| OutputKeep {
        call: None,
        tool: "Read".to_owned(),
        target: None,
        content: text.into(),
        outline: None,
    };
    let text = "fn main() {}\n";
    let events = [nth(1, kept(text)), nth(2, kept(text))];
    log.append(&session("s"), Expected::Any, &events).unwrap();
    let read = read(&*log, &session("s")).unwrap();
    let contents: Vec<_> = read
        .iter()
        .filter_map(|event| event.event.content())
        .collect();
    assert_eq!(contents.len(), 2);
    for content in contents {
        assert_eq!(*content, text.into());
        assert_eq!(log.content(&content.hash).unwrap().as_deref(), Some(text));
    }
    let unknown = ContentHash::of("what nobody kept");
    assert_eq!(log.content(&unknown).unwrap(), None);
}

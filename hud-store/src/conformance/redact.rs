//! Tests of redaction.

use super::{contents, note, nth, read, session};
use crate::event::{ContentHash, EventId, EventRedact, HudEvent, NewEvent, NoteAdd, OutputKeep};
use crate::log::{EventName, Expected, LogError, Query, Redact, Search, state_of};

/// The text that must not remain anywhere.
const SECRET: &str = "the key is hunter2-of-all-keys";

/// Tests the promises of [`Redact`] on logs that `make` creates. Each must be empty and independent of the others.
///
/// # Panics
///
/// If a promise is not kept, with the difference.
#[track_caller]
pub fn check_redact<L: Redact + Search>(mut make: impl FnMut() -> L) {
    what_is_redacted_is_nowhere_and_the_rest_is_as_it_was(make());
    an_output_that_is_redacted_is_kept_no_longer(make());
    what_is_not_there_is_not_redacted(make());
}

fn secret(n: u64) -> NewEvent {
    let note = NoteAdd {
        id: format!("n{n}"),
        content: SECRET.to_owned(),
    };
    nth(n, note)
}

/// The event that records a redaction.
fn notice(n: u64) -> impl FnMut(EventRedact) -> NewEvent {
    move |happened| nth(n, happened)
}

fn what_is_redacted_is_nowhere_and_the_rest_is_as_it_was<L: Redact + Search>(mut log: L) {
    let (s, other) = (session("s"), session("other"));
    log.append(&s, Expected::Any, &[note(1), secret(2), note(3)])
        .unwrap();
    log.append(&other, Expected::Any, &[note(4), secret(5)])
        .unwrap();
    let query = Query {
        text: "hunter2".to_owned(),
        limit: 10,
        ..Query::default()
    };
    assert_eq!(log.search(&query).unwrap().len(), 2);
    log.save_snapshot(&s, &state_of(&log, &s).unwrap());
    let before = contents(&log);

    let name = EventName::Version(s.clone(), 2);
    let done = log
        .redact(&name, Some("a key".to_owned()), &mut notice(6))
        .unwrap();
    assert!(done.changed);
    assert_eq!(done.also_in, [5]);
    let after = contents(&log);
    let kinds: Vec<_> = after.iter().map(|event| event.event.kind()).collect();
    assert_eq!((kinds[1], kinds[5]), ("event.redacted", "event.redact"));
    for (seq, (was, is)) in (1..).zip(before.iter().zip(&after)) {
        assert!(seq == 2 || was == is, "{seq}: {is:?}");
    }
    assert_eq!(read(&log, &s).unwrap().len(), 4);
    assert!(!format!("{:?}", state_of(&log, &s).unwrap()).contains(SECRET));
    let found: Vec<_> = log.search(&query).unwrap();
    assert_eq!(found.len(), 1);
    // The same event again, by its other name.
    let id = EventName::Id(before[1].id);
    assert!(!log.redact(&id, None, &mut notice(7)).unwrap().changed);
    assert_eq!(contents(&log), after);
    // Events appended after the redaction have valid checksums.
    log.append(&s, Expected::Exact(4), &[note(8)]).unwrap();
    assert_eq!(read(&log, &s).unwrap().len(), 5);
}

fn an_output_that_is_redacted_is_kept_no_longer<L: Redact>(mut log: L) {
    let kept = |n| {
        let kept = OutputKeep {
            call: None,
            tool: "Read".to_owned(),
            target: None,
            content: SECRET.into(),
            outline: None,
        };
        nth(n, HudEvent::from(kept))
    };
    let s = session("s");
    log.append(&s, Expected::Any, &[kept(1), kept(2)]).unwrap();
    let hash = ContentHash::of(SECRET);
    let mut redact = |version, n| {
        let name = EventName::Version(s.clone(), version);
        log.redact(&name, None, &mut notice(n)).unwrap();
        log.content(&hash).unwrap()
    };
    assert_eq!(redact(1, 3).as_deref(), Some(SECRET));
    assert_eq!(redact(2, 4), None);
}

fn what_is_not_there_is_not_redacted<L: Redact>(mut log: L) {
    let s = session("s");
    log.append(&s, Expected::Any, &[note(1)]).unwrap();
    for name in [
        EventName::Version(s.clone(), 2),
        EventName::Version(session("other"), 1),
        EventName::Id(EventId::of_name("nobody")),
    ] {
        let refused = log.redact(&name, None, &mut notice(2));
        assert!(
            matches!(refused, Err(LogError::NoEvent { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(contents(&log).len(), 1);
}

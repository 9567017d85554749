//! Tests of appending to several sessions at once.

use super::{contents, note, session};
use crate::event::NewEvent;
use crate::log::{AppendMany, Batch, Expected, LogError};

fn batch<L: AppendMany>(log: &L, name: &str, expected: Expected, events: &[NewEvent]) -> Batch {
    Batch::new(session(name), expected, events, log.sections()).unwrap()
}

/// Tests the promises of [`AppendMany`] on logs that `make` creates. Each must be empty and independent of the
/// others.
///
/// # Panics
///
/// If a promise is not kept, with the difference.
#[track_caller]
pub fn check_many<L: AppendMany>(mut make: impl FnMut() -> L) {
    batches_of_several_sessions_are_appended_in_their_order_and_once(make());
    a_batch_that_is_refused_takes_the_others_with_it(make());
}

fn batches_of_several_sessions_are_appended_in_their_order_and_once<L: AppendMany>(mut log: L) {
    let batches = [
        batch(&log, "a", Expected::NoStream, &[note(1), note(2)]),
        batch(&log, "b", Expected::NoStream, &[note(3)]),
        batch(&log, "a", Expected::Exact(2), &[note(4)]),
    ];
    let done = log.append_many(&batches).unwrap();
    let places: Vec<_> = done
        .iter()
        .map(|one| (one.first_seq, one.version))
        .collect();
    assert_eq!(places, [(1, 2), (3, 1), (4, 3)]);
    let again = log.append_many(&batches).unwrap();
    let places: Vec<_> = again
        .iter()
        .map(|one| (one.first_seq, one.duplicates))
        .collect();
    assert_eq!(places, [(1, 2), (3, 1), (4, 1)]);
    let all = contents(&log);
    let sessions: Vec<_> = all.iter().map(|event| event.session.as_str()).collect();
    assert_eq!(sessions, ["a", "a", "b", "a"]);
    assert_eq!(log.append_many(&[]).unwrap(), []);
}

fn a_batch_that_is_refused_takes_the_others_with_it<L: AppendMany>(mut log: L) {
    log.append(&session("b"), Expected::Any, &[note(1)])
        .unwrap();
    let first = batch(&log, "a", Expected::NoStream, &[note(2)]);
    let stale = batch(&log, "b", Expected::NoStream, &[note(3)]);
    let error = log.append_many(&[first.clone(), stale]).unwrap_err();
    assert!(
        matches!(&error, LogError::Conflict { session, found: 1, .. } if session.as_str() == "b"),
        "{error}"
    );
    let taken = batch(&log, "c", Expected::Any, &[note(1)]);
    let error = log.append_many(&[first.clone(), taken]).unwrap_err();
    assert!(
        matches!(error, LogError::IdConflict { seq: 1, .. }),
        "{error}"
    );
    assert_eq!(contents(&log).len(), 1);
    // The first append had no effect, so the event is new.
    assert_eq!(log.append_many(&[first]).unwrap()[0].duplicates, 0);
}

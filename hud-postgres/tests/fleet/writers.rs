//! Many at once on one log.

use std::thread;

use hud_store::event::{Actor, NewEvent, NoteAdd};
use hud_store::log::{Expected, Log, LogError, append_with, state_of};

use crate::given::{contents, note, session};
use crate::nodes::{open, shared};

#[test]
fn eight_writers_of_one_session_decide_on_no_state_that_is_not_its_last() {
    const EACH: usize = 50;
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let s = session("shared");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut log = open(&made);
                for _ in 0..EACH {
                    append_with(&mut log, &s, |state| {
                        // What it decided on is in the event.
                        let content = state.version.to_string();
                        let id = format!("n{content}");
                        let event = NoteAdd { id, content };
                        Ok::<_, LogError>(vec![NewEvent::now(1, Actor::Agent, event)])
                    })
                    .unwrap();
                }
            });
        }
    });
    let log = open(&made);
    assert_eq!(state_of(&log, &s).unwrap().version, 8 * EACH as u64);
    for event in contents(&log) {
        let decided =
            serde_json::from_str::<serde_json::Value>(&event.event.encode().unwrap().payload);
        assert_eq!(decided.unwrap()["content"], (event.version - 1).to_string());
    }
}

#[test]
fn of_two_sessions_that_append_one_id_at_once_one_has_it() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    for n in 1..=20 {
        let append =
            |name: &'static str| open(&made).append(&session(name), Expected::Any, &[note(n)]);
        let outcomes = thread::scope(|scope| {
            let other = scope.spawn(|| append("a"));
            [append("b"), other.join().unwrap()]
        });
        let refused = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Err(LogError::IdConflict { .. })));
        assert_eq!((outcomes.iter().flatten().count(), refused.count()), (1, 1));
    }
    let seqs: Vec<_> = contents(&open(&made))
        .iter()
        .map(|event| event.seq)
        .collect();
    assert!(seqs.into_iter().eq(1..=20));
}

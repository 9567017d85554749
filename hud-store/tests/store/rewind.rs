//! Conversations that are rewound and forked, and what the model is shown of them.

use hud_store::event::{
    Actor, CompactAfter, ContextSnapshot, DecisionRecord, EventId, HudEvent, NewEvent, NoteAdd,
    SessionId, TaskSet,
};
use hud_store::log::{
    Conversation, Expected, Log, LogError, Moment, Point, forked_from, restore, rewound_to,
    state_at, state_of,
};
use hud_store::memory::MemoryLog;
use hud_store::state::HudState;
use proptest::prelude::*;

use crate::given::{at, nth, session, state, then};

/// A note that a message led to.
fn noted(n: u64, message: &str) -> NewEvent {
    let content = format!("of {message}");
    let id = format!("n{n}");
    let mut event = nth(n, NoteAdd { id, content });
    event.cause = (!message.is_empty()).then(|| EventId::of_name(message));
    event
}

/// A log with a session of the notes that these messages led to.
fn log_of(messages: &[&str]) -> (MemoryLog, SessionId) {
    let mut log = MemoryLog::new();
    append(&mut log, &session("s"), 1, messages);
    (log, session("s"))
}

fn append(log: &mut MemoryLog, to: &SessionId, from: u64, messages: &[&str]) {
    let events: Vec<_> = (from..)
        .zip(messages)
        .map(|(n, message)| noted(n, message))
        .collect();
    log.append(to, Expected::Any, &events).unwrap();
}

fn whole(names: &[&str]) -> Conversation {
    Conversation::new(names.iter().copied(), true)
}

/// The version that a session is rewound to by a conversation.
fn rewinds_to(log: &MemoryLog, of: &SessionId, conversation: &Conversation) -> Option<Point> {
    let state = state_of(log, of).unwrap();
    rewound_to(log, of, &state, conversation).unwrap()
}

/// Rewinds as a conversation says, and gives the notes that are left.
fn rewound(log: &mut MemoryLog, of: &SessionId, conversation: &Conversation) -> Vec<String> {
    let state = state_of(log, of).unwrap();
    if let Some(point) = rewound_to(log, of, &state, conversation).unwrap() {
        restore(log, of, state, &point, at(99)).unwrap();
    }
    notes(&state_of(log, of).unwrap())
}

fn notes(state: &HudState) -> Vec<String> {
    state
        .notes
        .iter()
        .map(|note| note.content.clone())
        .collect()
}

#[test]
fn what_messages_led_to_is_taken_back_with_them() {
    let (mut log, s) = log_of(&["m1", "m2", "m2", "m3"]);
    assert_eq!(rewound(&mut log, &s, &whole(&["m1", "m2", "m3"])).len(), 3);
    assert_eq!(rewound(&mut log, &s, &whole(&["m1"])), ["of m1"]);
    let state = state_of(&log, &s).unwrap();
    assert_eq!(
        (state.version, state.numbers.note),
        (5, 4),
        "the log goes on"
    );

    append(&mut log, &s, 6, &["m4", "m5"]);
    assert_eq!(
        rewound(&mut log, &s, &whole(&["m1", "m4"])),
        ["of m1", "of m4"]
    );
    assert_eq!(rewound(&mut log, &s, &whole(&[])), [""; 0], "all of it");
}

#[test]
fn an_event_of_no_message_goes_with_those_around_it() {
    let (mut log, s) = log_of(&["m1", "", "m2", ""]);
    assert_eq!(rewound(&mut log, &s, &whole(&["m1"])), ["of m1", "of "]);
}

#[test]
fn a_message_that_is_gone_from_the_middle_takes_nothing_back() {
    let (log, s) = log_of(&["m1", "m2", "m3"]);
    assert_eq!(rewinds_to(&log, &s, &whole(&["m1", "m3"])), None);
}

#[test]
fn what_a_compaction_leaves_behind_still_holds() {
    let (log, s) = log_of(&["m1", "m2"]);
    let left = Conversation::new(["summary"], false);
    assert_eq!(rewinds_to(&log, &s, &left), None);
    assert!(rewinds_to(&log, &s, &whole(&["summary"])).is_some());
}

#[test]
fn a_fork_goes_on_from_what_its_original_was_at_that_message() {
    let (mut log, s) = log_of(&["m1", "m2", "m3"]);
    append(&mut log, &session("other"), 20, &["o1", "o2"]);
    let (fork, again) = (session("fork"), session("fork of the fork"));
    for (number, new, of, names) in [
        (30, &fork, &s, &["m1", "m2"][..]),
        (31, &again, &fork, &["m1", "m2", "f1"][..]),
    ] {
        let point = forked_from(&log, new, &whole(names)).unwrap().unwrap();
        assert_eq!(point.session, *of);
        let (state, _) = restore(&mut log, new, HudState::default(), &point, at(50)).unwrap();
        assert_eq!(state.origin.unwrap().forks.as_ref(), Some(of));
        assert_eq!(notes(&state_of(&log, new).unwrap()).len(), names.len());
        append(&mut log, new, number, &["f1"]);
    }
    assert_eq!(
        notes(&state_of(&log, &s).unwrap()).len(),
        3,
        "it is as it was"
    );
    let rewound = rewound(&mut log, &again, &whole(&["m1"]));
    assert_eq!(rewound, ["of m1"], "to before both forks");
    let stranger = forked_from(&log, &session("new"), &whole(&["x"]));
    assert_eq!(stranger.unwrap(), None);
}

#[test]
fn a_fork_of_a_compacted_conversation_is_found_by_its_end() {
    let (log, s) = log_of(&["m1", "m2", "m3", "m4"]);
    let left = Conversation::new(["summary", "m3"], false);
    let point = forked_from(&log, &session("fork"), &left).unwrap();
    assert_eq!(
        point,
        Some(Point {
            session: s,
            version: 3
        })
    );
}

#[test]
fn nothing_is_restored_over_what_somebody_else_wrote_meanwhile() {
    struct Busy(MemoryLog);
    impl Log for Busy {
        fn append(
            &mut self,
            session: &SessionId,
            expected: Expected,
            events: &[NewEvent],
        ) -> Result<hud_store::log::Appended, LogError> {
            self.0.append(session, Expected::Any, &[noted(40, "m9")])?;
            self.0.append(session, expected, events)
        }
        fn read(
            &self,
            session: &SessionId,
            from: u64,
            each: &mut dyn FnMut(hud_store::event::StoredEvent) -> std::ops::ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.0.read(session, from, each)
        }
        fn read_all(
            &self,
            from: u64,
            each: &mut dyn FnMut(hud_store::event::StoredEvent) -> std::ops::ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.0.read_all(from, each)
        }
        fn list(
            &self,
            listing: &hud_store::log::Listing,
        ) -> Result<Vec<hud_store::log::SessionInfo>, LogError> {
            self.0.list(listing)
        }
    }
    let (log, s) = log_of(&["m1", "m2"]);
    let mut log = Busy(log);
    let point = Point {
        session: s.clone(),
        version: 1,
    };
    let outcome = restore(&mut log, &s, HudState::default(), &point, at(50));
    assert!(matches!(outcome, Err(LogError::Conflict { .. })));
    assert_eq!(state_of(&log, &s).unwrap().notes.len(), 3);
}

proptest! {
    #[test]
    fn a_session_is_what_it_was_at_the_message_that_it_is_rewound_to(
        messages in prop::collection::vec(0..6_u64, 1..30),
        kept in 0..7_u64,
    ) {
        let mut messages = messages;
        messages.sort_unstable();
        let names: Vec<String> = messages.iter().map(|m| format!("m{m}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (mut log, s) = log_of(&names);
        let left = messages.iter().filter(|m| **m < kept).count();
        let was = state_at(&log, &s, Moment::Version(left as u64)).unwrap();
        prop_assert_eq!(rewound(&mut log, &s, &whole(&names[..left])), notes(&was));
    }
}

fn task(description: &str) -> HudEvent {
    let description = description.to_owned();
    TaskSet { description }.into()
}

fn decided(id: &str) -> HudEvent {
    let event = DecisionRecord {
        id: id.to_owned(),
        summary: id.to_owned(),
        details: None,
        weight: None,
    };
    event.into()
}

fn read_by(model: &str) -> HudEvent {
    let model = Some(model.to_owned());
    ContextSnapshot {
        used: 9000,
        limit: None,
        assumed: false,
        usable: None,
        model,
        call: None,
        provider: None,
    }
    .into()
}

/// What an epoch began with: how many decisions.
fn decisions(state: &HudState) -> Option<usize> {
    state.epoch.as_ref().map(|epoch| epoch.decisions.len())
}

#[test]
fn an_epoch_begins_with_what_was_shown_first_and_with_each_compaction() {
    let begun = state([task("Add rate limits")]);
    assert_eq!(begun.epoch, None, "nothing was shown yet");
    let one = then(begun, [decided("d1"), decided("d2"), read_by("a")]);
    assert_eq!(decisions(&one), Some(0));
    assert_eq!(one.epoch.as_ref().unwrap().state().task, one.task);
    let after = CompactAfter {
        summary: None,
        rest: None,
        tokens_after: None,
        boundary: None,
    };
    let compacted = then(one, [after.into(), decided("d3")]);
    assert_eq!(decisions(&compacted), Some(2));
}

#[test]
fn an_epoch_begins_with_another_model() {
    let one = then(
        state([task("Add rate limits")]),
        [decided("d1"), read_by("a")],
    );
    assert_eq!(decisions(&then(one.clone(), [read_by("a")])), Some(0));
    assert_eq!(decisions(&then(one, [read_by("b")])), Some(1));
}

#[test]
fn a_task_that_is_set_before_the_model_is_called_is_in_the_first_epoch() {
    let (mut log, s) = (MemoryLog::new(), session("s"));
    let mut first = nth(1, task("Add rate limits"));
    first.turn = 0;
    first.actor = Actor::User;
    let mut next = nth(2, decided("d1"));
    next.turn = 1;
    log.append(&s, Expected::NoStream, &[first, next]).unwrap();
    let state = state_of(&log, &s).unwrap();
    assert_eq!(state.epoch.unwrap().task, state.task);
}

#[test]
fn a_rewound_session_is_in_the_epoch_that_it_was_in() {
    let (mut log, s) = (MemoryLog::new(), session("s"));
    let after = CompactAfter {
        summary: None,
        rest: None,
        tokens_after: None,
        boundary: None,
    };
    let events = [
        task("Add rate limits"),
        decided("d1"),
        decided("d2"),
        after.into(),
        decided("d3"),
    ];
    let events: Vec<_> = (1..).zip(events).map(|(n, event)| nth(n, event)).collect();
    log.append(&s, Expected::NoStream, &events).unwrap();
    let known = state_of(&log, &s).unwrap();
    let point = Point {
        session: s.clone(),
        version: 3,
    };
    let (state, _) = restore(&mut log, &s, known, &point, at(50)).unwrap();
    assert_eq!((decisions(&state), state.decisions.len()), (Some(0), 2));
}

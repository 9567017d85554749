//! What was, and what changed since.

use std::ops::ControlFlow;

use hud_store::event::{
    FileEdit, FileOpen, HudEvent, NoteUpdate, StepAdd, StepComplete, StoredEvent,
};
use hud_store::log::{Expected, Log, Moment, diff, state_at};
use hud_store::memory::MemoryLog;
use hud_store::section::Sections;

use crate::given::{at, note, nth, session};

fn log() -> MemoryLog {
    let step = StepAdd {
        id: "s1".into(),
        description: "write".into(),
    };
    let rewrite = NoteUpdate {
        id: "n1".into(),
        content: "better".into(),
    };
    let path = || "a.rs".to_owned();
    let mut log = MemoryLog::new();
    let events = [
        note(1),
        nth(2, step),
        nth(3, FileOpen::of(path())),
        nth(4, rewrite),
        nth(5, FileEdit::of(path())),
        nth(6, StepComplete { id: "s1".into() }),
    ];
    log.append(&session("s"), Expected::Any, &events).unwrap();
    log
}

#[test]
fn a_state_is_had_at_a_version_a_turn_and_a_time() {
    let log = log();
    for moment in [Moment::Version(3), Moment::Turn(3), Moment::Time(at(3))] {
        let state = state_at(&log, &session("s"), moment).unwrap();
        assert_eq!(state.version, 3, "{moment}");
        assert_eq!(state.notes[0].content, "note 1");
    }
    assert_eq!(
        state_at(&log, &session("s"), Moment::Version(0)).unwrap(),
        Default::default()
    );
    assert_eq!(
        state_at(&log, &session("s"), Moment::Turn(99))
            .unwrap()
            .version,
        6
    );
}

#[test]
fn a_difference_is_events_and_changes() {
    let found = diff(&log(), &session("s"), Moment::Version(2), Moment::Turn(6)).unwrap();
    let kinds: Vec<_> = found
        .events
        .iter()
        .map(|event| event.event.kind())
        .collect();
    assert_eq!(
        kinds,
        ["file.open", "note.update", "file.edit", "step.complete"]
    );
    let changes: Vec<_> = found
        .changes()
        .into_iter()
        .map(|change| (change.section, change.id, change.before, change.after))
        .collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        changes,
        [
            ("notes", "n1".to_owned(), text("note 1"), text("better")),
            ("active_files", "a.rs".to_owned(), None, text("editing")),
            (
                "next_steps",
                "s1".to_owned(),
                text("write (pending)"),
                text("write (completed)")
            ),
        ]
    );
    let backwards = diff(
        &log(),
        &session("s"),
        Moment::Version(4),
        Moment::Version(2),
    )
    .unwrap();
    assert!(backwards.events.is_empty() && backwards.changes().is_empty());
}

#[test]
fn an_event_says_which_item_of_which_section_it_is_about() {
    let mut about = Vec::new();
    let mut each = |event: StoredEvent| {
        let subject = event.event.subject().unwrap();
        about.push((subject.section, subject.item.unwrap().into_owned()));
        ControlFlow::Continue(())
    };
    log().read(&session("s"), 1, &mut each).unwrap();
    let about: Vec<_> = about.iter().map(|(s, item)| (*s, item.as_str())).collect();
    assert_eq!(
        about,
        [
            ("notes", "n1"),
            ("next_steps", "s1"),
            ("active_files", "a.rs"),
            ("notes", "n1"),
            ("active_files", "a.rs"),
            ("next_steps", "s1"),
        ]
    );
}

#[test]
fn sections_have_names_and_a_wrong_one_gets_the_nearest() {
    let sections = Sections::new();
    for name in sections.names() {
        assert_eq!(sections.find(name), Ok(name));
    }
    for (wrong, nearest) in [
        ("steps", Some("next_steps")),
        ("decision", Some("decisions")),
        ("xyz", None),
    ] {
        let error = sections.find(wrong).unwrap_err();
        assert_eq!(error.nearest, nearest);
        assert!(error.to_string().contains("next_steps"), "{error}");
    }
    let unknown = HudEvent::Other {
        kind: "x.y".into(),
        v: 1,
        payload: serde_json::Value::Null.into(),
    };
    assert_eq!(unknown.subject(), None);
}

//! What was, and what changed since.

use hud_store::event::{FileEdit, FileOpen, HudEvent, NoteUpdate, StepAdd, StepComplete};
use hud_store::log::{Expected, Log, Moment, diff, history, state_at};
use hud_store::memory::MemoryLog;
use hud_store::state::{Section, Touch};

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
        nth(3, FileOpen { path: path() }),
        nth(4, rewrite),
        nth(5, FileEdit { path: path() }),
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
        .map(|change| (change.section, change.item, change.before, change.after))
        .collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        changes,
        [
            (
                Section::Notes,
                "n1".to_owned(),
                text("note 1"),
                text("better")
            ),
            (
                Section::ActiveFiles,
                "a.rs".to_owned(),
                None,
                text("editing")
            ),
            (
                Section::NextSteps,
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
fn an_item_has_its_history() {
    let kinds = |section, item| -> Vec<String> {
        let events = history(&log(), &session("s"), section, item).unwrap();
        events
            .iter()
            .map(|event| event.event.kind().to_owned())
            .collect()
    };
    assert_eq!(
        kinds(Section::Notes, Some("n1")),
        ["note.add", "note.update"]
    );
    assert_eq!(
        kinds(Section::ActiveFiles, Some("a.rs")),
        ["file.open", "file.edit"]
    );
    assert_eq!(
        kinds(Section::NextSteps, None),
        ["step.add", "step.complete"]
    );
    assert!(kinds(Section::Notes, Some("n9")).is_empty());
}

#[test]
fn a_section_tells_when_it_was_touched() {
    let state = state_at(&log(), &session("s"), Moment::Turn(99)).unwrap();
    assert_eq!(
        state.last_touched(Section::Notes),
        Some(Touch { at: at(4), turn: 4 })
    );
    assert_eq!(state.last_touched(Section::Blockers), None);
}

#[test]
fn every_kind_says_what_it_is_about_and_sections_have_names() {
    for section in Section::ALL {
        assert_eq!(section.name().parse(), Ok(*section));
    }
    let error = "steps".parse::<Section>().unwrap_err();
    assert!(error.to_string().contains("next_steps"), "{error}");
    let unknown = HudEvent::Unknown {
        kind: "x.y".into(),
        v: 1,
        payload: serde_json::Value::Null.into(),
    };
    assert_eq!(unknown.subject(), None);
}

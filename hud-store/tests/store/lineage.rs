//! Sessions that come from others.

use hud_store::event::{
    Actor, BlockerAdd, DecisionRecord, ErrorEncountered, ErrorResolved, FileEdit, FindingRecord,
    FindingRemove, HudEvent, MemoryCoreUpdate, NewEvent, NoteAdd, StepAdd, StepComplete, StepStart,
    TaskSet, UpdateMode,
};
use hud_store::log::{Expected, Log, LogError, SessionInfo, append_with, begin, state_of};
use hud_store::memory::MemoryLog;
use hud_store::sqlite::SqliteLog;
use hud_store::state::{Attempted, HudState, MemoryBlock, Origin, StepStatus};

use crate::given::{at, contents, note, notes, nth, session};

/// A log with a session `old` in which everything is going on.
fn busy() -> MemoryLog {
    let step = |id: &str| StepAdd {
        id: id.into(),
        description: format!("do {id}"),
    };
    let fail = |id: &str| ErrorEncountered {
        id: id.into(),
        message: format!("{id} failed"),
        tool: Some("Bash".into()),
        target: None,
        attempted: Some(Attempted::Run),
    };
    let events: Vec<HudEvent> = vec![
        TaskSet {
            description: "auth".into(),
        }
        .into(),
        DecisionRecord {
            id: "d1".into(),
            summary: "JWT".into(),
            details: Some("stateless".into()),
            weight: None,
        }
        .into(),
        NoteAdd {
            id: "n1".into(),
            content: "redis".into(),
        }
        .into(),
        FileEdit::of("a.rs").into(),
        step("s1").into(),
        step("s2").into(),
        step("s3").into(),
        StepComplete { id: "s1".into() }.into(),
        StepStart { id: "s3".into() }.into(),
        fail("e1").into(),
        fail("e2").into(),
        ErrorResolved {
            id: "e1".into(),
            resolution: None,
        }
        .into(),
        BlockerAdd {
            id: "b1".into(),
            description: "no key".into(),
        }
        .into(),
        MemoryCoreUpdate {
            block: MemoryBlock::Goal,
            limit: None,
            content: "ship it".into(),
            mode: UpdateMode::Replace,
        }
        .into(),
    ];
    let mut events: Vec<NewEvent> = (1..).zip(events).map(|(n, event)| nth(n, event)).collect();
    // The task is what the user asked for.
    events[0].actor = Actor::User;
    let mut log = MemoryLog::new();
    log.append(&session("old"), Expected::Any, &events).unwrap();
    log
}

fn begun(log: &mut dyn Log, name: &str, origin: Origin) -> HudState {
    begin(log, &session(name), &origin, at(100)).unwrap();
    state_of(log, &session(name)).unwrap()
}

#[test]
fn a_resumed_task_has_what_is_still_going_on() {
    let mut log = busy();
    let old = session("old");
    let origin = Origin {
        resumes: Some(old.clone()),
        ..Origin::default()
    };
    let state = begun(&mut log, "new", origin.clone());
    assert_eq!(state.origin, Some(origin));
    assert_eq!(state.task.unwrap().description, "auth");
    assert_eq!(state.decisions[0].details.as_deref(), Some("stateless"));
    assert_eq!(state.notes[0].content, "redis");
    assert_eq!(state.active_files[0].path, "a.rs");
    let steps: Vec<_> = state
        .next_steps
        .iter()
        .map(|s| (s.id.as_str(), s.status))
        .collect();
    assert_eq!(
        steps,
        [("s2", StepStatus::Pending), ("s3", StepStatus::InProgress)]
    );
    assert_eq!(state.blockers[0].description, "no key");
    let errors: Vec<_> = state.errors.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(errors, ["e2"], "what is resolved is over");
    assert_eq!(state.core_memory.goal.content, "ship it");
    assert_eq!(
        state_of(&log, &old).unwrap().version,
        14,
        "the old one is as it was"
    );
}

#[test]
fn what_was_dropped_stays_dropped_in_the_session_that_goes_on() {
    let mut log = busy();
    let found = FindingRecord {
        id: "f1".into(),
        text: "the pool leaks".into(),
        weight: Some(3),
    };
    let dropped = FindingRemove { id: "f1".into() };
    let events = [
        NewEvent::now(20, Actor::Derived, found),
        NewEvent::now(21, Actor::Agent, dropped),
    ];
    log.append(&session("old"), Expected::Any, &events).unwrap();
    let resumed = |name: &str| Origin {
        resumes: Some(session(name)),
        ..Origin::default()
    };
    let new = begun(&mut log, "new", resumed("old"));
    assert_eq!(new.dropped[0].text, "the pool leaks");
    // And in the one after it.
    let newest = begun(&mut log, "newest", resumed("new"));
    assert_eq!(newest.dropped, new.dropped);
    let sub = Origin {
        parent: Some(session("old")),
        ..Origin::default()
    };
    assert!(begun(&mut log, "sub", sub).dropped.is_empty());
}

#[test]
fn a_sub_agent_sees_the_task_and_the_decisions_and_can_be_found() {
    let mut log = busy();
    let origin = Origin {
        parent: Some(session("old")),
        ..Origin::default()
    };
    let state = begun(&mut log, "sub", origin);
    assert_eq!(state.task.unwrap().description, "auth");
    assert_eq!(state.decisions.len(), 1);
    assert!(state.notes.is_empty() && state.next_steps.is_empty() && state.active_files.is_empty());
    let parent = |info: &SessionInfo| info.origin.parent.clone();
    let parents: Vec<_> = log.sessions().unwrap().iter().map(parent).collect();
    assert_eq!(parents, [None, Some(session("old"))]);
}

#[test]
fn sessions_of_a_project_begin_with_its_defaults_and_keep_their_own() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let project_session = session("project");
    log.append(&project_session, Expected::Any, &[note(1)])
        .unwrap();
    let origin = Origin {
        project: Some(project_session.clone()),
        ..Origin::default()
    };
    let state = begun(&mut log, "a", origin.clone());
    assert_eq!(state.notes[0].content, "note 1");
    log.append(&session("a"), Expected::Any, &[note(2)])
        .unwrap();
    let other = begun(&mut log, "b", origin.clone());
    assert_eq!(other.notes.len(), 1);
    let listed = log.sessions().unwrap();
    assert_eq!(listed[1].origin, origin);
}

#[test]
fn to_begin_again_changes_nothing_and_to_begin_otherwise_is_refused() {
    let mut log = busy();
    let origin = Origin {
        resumes: Some(session("old")),
        ..Origin::default()
    };
    begun(&mut log, "new", origin.clone());
    // The old one goes on, and so does the clock.
    log.append(&session("old"), Expected::Any, &notes(50..=51))
        .unwrap();
    let begun = contents(&log);
    begin(&mut log, &session("new"), &origin, at(200)).unwrap();
    assert_eq!(contents(&log), begun);

    let otherwise = Origin {
        resumes: Some(session("other")),
        ..Origin::default()
    };
    log.append(&session("other"), Expected::Any, &notes(60..=60))
        .unwrap();
    let before = contents(&log);
    let error = begin(&mut log, &session("new"), &otherwise, at(200)).unwrap_err();
    assert!(matches!(error, LogError::Joined { .. }), "{error}");
    let error = begin(&mut log, &session("other"), &otherwise, at(200)).unwrap_err();
    assert!(matches!(error, LogError::Itself { .. }), "{error}");
    let nowhere = Origin {
        parent: Some(session("nobody")),
        ..Origin::default()
    };
    let error = begin(&mut log, &session("x"), &nowhere, at(1)).unwrap_err();
    assert!(error.to_string().contains("no session nobody"), "{error}");
    assert_eq!(contents(&log), before);
}

#[test]
fn a_session_that_has_begun_is_joined_to_its_past_and_keeps_what_is_its_own() {
    let mut log = busy();
    let begun: Vec<HudEvent> = vec![
        TaskSet {
            description: "go on with auth".into(),
        }
        .into(),
        NoteAdd {
            id: "n1".into(),
            content: "port 6380".into(),
        }
        .into(),
        FileEdit::of("b.rs").into(),
    ];
    let mut begun: Vec<NewEvent> = (101..).zip(begun).map(|(n, event)| nth(n, event)).collect();
    // What is wanted now is the user's to say.
    begun[0].actor = Actor::User;
    log.append(&session("new"), Expected::Any, &begun).unwrap();
    let origin = Origin {
        resumes: Some(session("old")),
        ..Origin::default()
    };
    begin(&mut log, &session("new"), &origin, at(200)).unwrap();

    let state = state_of(&log, &session("new")).unwrap();
    assert_eq!(state.origin, Some(origin.clone()));
    let task = state.task.unwrap();
    assert_eq!(task.description, "auth");
    assert_eq!(task.latest_request.as_deref(), Some("go on with auth"));
    let notes: Vec<_> = state
        .notes
        .iter()
        .map(|note| (note.id.as_str(), note.content.as_str()))
        .collect();
    assert_eq!(notes, [("n1", "port 6380"), ("n2", "redis")]);
    let files: Vec<_> = state.active_files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(files, ["a.rs", "b.rs"]);
    assert_eq!(state.next_steps.len(), 2);
    assert_eq!(state.decisions.len(), 1);

    let joined = contents(&log);
    begin(&mut log, &session("new"), &origin, at(300)).unwrap();
    assert_eq!(contents(&log), joined);
}

#[test]
fn what_is_taken_over_pushes_nothing_out() {
    let mut log = MemoryLog::new();
    log.append(&session("old"), Expected::Any, &notes(1..=20))
        .unwrap();
    log.append(&session("new"), Expected::Any, &notes(30..=44))
        .unwrap();
    let origin = Origin {
        resumes: Some(session("old")),
        ..Origin::default()
    };
    let state = begun(&mut log, "new", origin);
    let contents: Vec<_> = state.notes.iter().map(|n| n.content.as_str()).collect();
    assert_eq!(contents.len(), 20);
    assert_eq!((contents[0], contents[15]), ("note 30", "note 16"));
}

/// A log in which somebody else appends first, a few times.
struct Raced {
    log: MemoryLog,
    others: Vec<NewEvent>,
}

impl Log for Raced {
    fn append(
        &mut self,
        session: &hud_store::event::SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<hud_store::log::Appended, LogError> {
        if let Some(other) = self.others.pop() {
            self.log.append(session, Expected::Any, &[other])?;
        }
        self.log.append(session, expected, events)
    }

    fn read(
        &self,
        session: &hud_store::event::SessionId,
        from_version: u64,
        each: &mut dyn FnMut(hud_store::event::StoredEvent) -> std::ops::ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.log.read(session, from_version, each)
    }

    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(hud_store::event::StoredEvent) -> std::ops::ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.log.read_all(from_seq, each)
    }

    fn list(&self, listing: &hud_store::log::Listing) -> Result<Vec<SessionInfo>, LogError> {
        self.log.list(listing)
    }
}

#[test]
fn a_decision_is_made_on_the_state_that_it_is_appended_to() {
    let mut log = Raced {
        log: MemoryLog::new(),
        others: notes(1..=3),
    };
    let mut seen = Vec::new();
    let (state, appended) = append_with(&mut log, &session("s"), |state| {
        seen.push(state.version);
        let note = NoteAdd {
            id: "mine".into(),
            content: format!("after {}", state.notes.len()),
        };
        Ok::<_, LogError>(vec![NewEvent::now(1, Actor::Agent, note)])
    })
    .unwrap();
    assert_eq!(seen, [0, 1, 2, 3]);
    assert_eq!((appended.version, state.version), (4, 4));
    assert_eq!(state.notes[3].content, "after 3");
}

#[test]
fn a_writer_that_never_gets_a_turn_gets_an_error() {
    let mut log = Raced {
        log: MemoryLog::new(),
        others: notes(1..=200),
    };
    let outcome = append_with(&mut log, &session("s"), |_| {
        Ok::<_, LogError>(notes(500..=500))
    });
    assert!(matches!(outcome, Err(LogError::Conflict { .. })));
}

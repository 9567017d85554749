//! What sub-agents recorded comes up to their parents.

use hud_store::event::{
    Actor, DecisionRecord, FileOpen, HudEvent, NewEvent, NoteAdd, NoteRemove, SessionId,
};
use hud_store::log::{Expected, Log, begin, begin_apart, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::Origin;
use jiff::Timestamp;

use crate::given::session;

fn add(log: &mut SqliteLog, name: &str, actor: Actor, event: impl Into<HudEvent>) {
    let event = NewEvent::now(1, actor, event);
    log.append(&session(name), Expected::Any, &[event]).unwrap();
}

fn note(id: &str) -> NoteAdd {
    NoteAdd {
        id: id.into(),
        content: format!("what {id} says"),
    }
}

fn of(parent: &str) -> Origin {
    Origin {
        parent: Some(session(parent)),
        ..Origin::default()
    }
}

/// A log with a session `main` and its sub-agent's.
fn log() -> SqliteLog {
    let mut log = SqliteLog::open_in_memory().unwrap();
    add(&mut log, "main", Actor::Agent, note("n1"));
    begin(&mut log, &session("sub"), &of("main"), Timestamp::now()).unwrap();
    log
}

fn up(log: &mut SqliteLog, child: &str) -> u64 {
    log.hand_up(&session(child), &session("main"), 0, Timestamp::now())
        .unwrap()
}

fn notes(log: &SqliteLog) -> Vec<String> {
    let state = state_of(log, &session("main")).unwrap();
    state.notes.into_iter().map(|note| note.id).collect()
}

#[test]
fn what_is_recorded_comes_up_once_however_much_else_happens() {
    let mut log = log();
    let derived = DecisionRecord {
        id: "d1".into(),
        summary: "It follows from the conversation".into(),
        details: None,
        weight: Some(5),
    };
    add(&mut log, "sub", Actor::Derived, derived);
    assert_eq!(up(&mut log, "sub"), 0);
    add(&mut log, "sub", Actor::Agent, note("n1"));
    assert_eq!((up(&mut log, "sub"), up(&mut log, "sub")), (1, 0));
    for n in 0..700 {
        let open = FileOpen::of(format!("src/{n}.rs"));
        add(&mut log, "sub", Actor::Derived, open);
    }
    add(&mut log, "sub", Actor::User, note("n2"));
    add(
        &mut log,
        "sub",
        Actor::Agent,
        NoteRemove { id: "n1".into() },
    );
    assert_eq!((up(&mut log, "sub"), up(&mut log, "sub")), (2, 0));
    assert_eq!(notes(&log), ["n1", "n2@sub"]);
}

#[test]
fn what_was_missed_comes_up_with_what_is_recorded_next() {
    let mut log = log();
    for n in 1..=3 {
        add(&mut log, "sub", Actor::Agent, note(&format!("n{n}")));
    }
    let version = log.session(&session("sub")).unwrap().unwrap().events;
    let since = |log: &mut SqliteLog, version| {
        log.hand_up(&session("sub"), &session("main"), version, Timestamp::now())
            .unwrap()
    };
    assert_eq!(since(&mut log, version), 0);
    assert_eq!(since(&mut log, version - 1), 3);
}

#[test]
fn nothing_comes_up_to_a_session_that_is_not_there() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let child = session("sub");
    begin_apart(&mut log, &child, &of("main"), Timestamp::now()).unwrap();
    let origin = state_of(&log, &child).unwrap().origin.unwrap();
    assert_eq!(origin.parent, Some(session("main")));
    add(&mut log, "sub", Actor::Agent, note("n1"));
    assert_eq!(up(&mut log, "sub"), 0);
    assert_eq!(log.session(&session("main")).unwrap(), None);
}

#[test]
fn items_of_sub_agents_with_long_names_have_short_names_that_differ() {
    let mut log = log();
    let name = |n: u32| SessionId::new(format!("019a-a-name-as-clients-give-it-{n}")).unwrap();
    for n in 1..=2 {
        begin(&mut log, &name(n), &of("main"), Timestamp::now()).unwrap();
        add(
            &mut log,
            name(n).as_str(),
            Actor::Agent,
            NoteAdd {
                content: format!("of {n}"),
                ..note("n1")
            },
        );
        assert_eq!(up(&mut log, name(n).as_str()), 1);
    }
    let all = notes(&log);
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all.iter().all(|id| id.len() <= 9), "{all:?}");
}

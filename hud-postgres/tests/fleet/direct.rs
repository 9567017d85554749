//! Sessions that no log is the home of: several processes append to one.

use std::process::{Child, Command};
use std::slice;

use hud_postgres::push;
use hud_store::event::{Actor, HudEvent, NewEvent, NoteAdd, NoteEvent, StepAdd};
use hud_store::log::{Expected, Log, LogError, append_onto, state_of};
use hud_store::sqlite::SqliteLog;

use crate::given::{contents, session};
use crate::nodes::{open, shared};
use crate::push::noted;

/// The variables that make a process of this test one that writes: the log's address, and its own name.
const LOG: &str = "HUD_TEST_DIRECT_LOG";
const NAME: &str = "HUD_TEST_DIRECT_NAME";

/// How often each process decides and appends, and how often it appends.
const EACH: usize = 30;

/// What each of the processes does. It is begun by the test below.
#[test]
fn a_process_that_writes() {
    let (Ok(log), Ok(name)) = (std::env::var(LOG), std::env::var(NAME)) else {
        return;
    };
    let mut log = open(&log.parse().unwrap());
    let shared = session("shared");
    let mut state = state_of(&log, &shared).unwrap();
    for n in 0..EACH {
        append_onto(&mut log, &shared, &mut state, |state| {
            let step = StepAdd {
                id: format!("s{}", state.next_steps.len() + 1),
                description: format!("{name} {n}"),
            };
            Ok::<_, LogError>(vec![NewEvent::now(1, Actor::Agent, step)])
        })
        .unwrap();
        let id = format!("{name}-{n}");
        let content = id.clone();
        let event = NewEvent::now(1, Actor::Agent, NoteAdd { id, content });
        log.append(&shared, Expected::Any, slice::from_ref(&event))
            .unwrap();
    }
}

fn begun(log: &str, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["direct::a_process_that_writes", "--exact"])
        .env(LOG, log)
        .env(NAME, name)
        .spawn()
        .unwrap()
}

#[test]
fn several_processes_append_to_a_session_that_has_no_home() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = SqliteLog::open_in_memory().unwrap();
    noted(&mut log, "shared", 1..=3);
    let mut to = open(&address);
    push(&log, &mut to, "test").unwrap();
    let name = session("shared");
    let home = to.home(&name).unwrap().unwrap();
    assert_eq!(home.log, Some(log.id().unwrap()));
    assert!(to.claim(&name, None, home.epoch).unwrap().0);
    let named = address.to_string().replacen("//", "//postgres@", 1);
    for mut process in ["one", "two"].map(|name| begun(&named, name)) {
        assert!(process.wait().unwrap().success());
    }
    let events = contents(&to);
    assert!(events.iter().map(|event| event.version).eq(1..=123));
    let state = state_of(&to, &name).unwrap();
    // Nobody decided on a state that was not the last: no number was given twice.
    let steps: Vec<_> = state.next_steps.iter().map(|step| &step.id).collect();
    let numbers: Vec<_> = (1..=2 * EACH).map(|n| format!("s{n}")).collect();
    assert!(steps.into_iter().eq(&numbers));
    // What one process appended is there in its order.
    for writer in ["one", "two"] {
        let notes = events.iter().filter_map(|event| match &event.event {
            HudEvent::Note(NoteEvent::Add(note)) if note.id.starts_with(writer) => Some(&note.id),
            _ => None,
        });
        let expected: Vec<_> = (0..EACH).map(|n| format!("{writer}-{n}")).collect();
        assert!(notes.eq(&expected), "{writer}");
    }
    // Its former home is none any more: what it records is kept apart.
    noted(&mut log, "shared", [9]);
    let renamed = push(&log, &mut to, "test").unwrap().renamed;
    assert_eq!(renamed[0].resumes, Some(name));
}

//! Worlds in a file, which others write to as well.

use std::path::Path;

use hud_rooms::Rooms;
use hud_rooms::log::{Batch, FileLog, WorldLog as _, sections};
use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::LogError;
use hud_store::section::Sections;
use hud_store::sqlite::SqliteLog;
use serde_json::json;

use crate::world::{agent, at};

fn log(path: &Path) -> FileLog {
    let known = || sections(Sections::new()).unwrap();
    let log = SqliteLog::open(path).unwrap().with_sections(known());
    let reader = SqliteLog::open_read_only(path).unwrap();
    FileLog::new(log, reader.with_sections(known()))
}

#[test]
fn two_processes_in_one_world_see_what_the_other_did() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let agents = [agent("Ada", &[]), agent("Bob", &[1])];
    let mut one = Rooms::begin(log(&path), "lab", &agents, at(0)).unwrap();
    let mut other = Rooms::open(log(&path), "lab").unwrap();
    for nth in 0..4 {
        one.say(1, "from one", at(nth)).unwrap();
        let response = json!({ "actions": [{ "type": "append", "path": "seen", "value": nth }] });
        other
            .respond(2, &response.to_string(), None, at(nth))
            .unwrap();
        one.respond(2, &response.to_string(), None, at(nth))
            .unwrap();
    }
    assert_eq!(
        one.refresh().unwrap().clone(),
        other.refresh().unwrap().clone()
    );
    assert_eq!(one.world().agent(2).unwrap().beats, 8);
    let known = other.own(2).unwrap().knowledge.to_json();
    assert_eq!(known["seen"], json!([0, 0, 1, 1, 2, 2, 3, 3]));
    drop((one, other));
    let log = SqliteLog::open(&path)
        .unwrap()
        .with_sections(sections(Sections::new()).unwrap());
    let report = log.check(&mut |_| ()).unwrap();
    assert!(report.problems.is_empty() && report.unknown.is_empty());
}

#[test]
fn what_is_appended_to_several_sessions_is_there_together_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let mut log = log(&path);
    let note = |id: &str| {
        let note = NoteAdd {
            id: id.to_owned(),
            content: "said".to_owned(),
        };
        NewEvent::now(1, Actor::Agent, note)
    };
    let batch = |session: &str, version, id| Batch {
        session: SessionId::new(session).unwrap(),
        version,
        events: vec![note(id)],
    };
    log.append_all(&[batch("a", 0, "n1"), batch("b", 0, "n1")])
        .unwrap();
    let stale = log.append_all(&[batch("a", 1, "n2"), batch("b", 0, "n2")]);
    assert!(
        matches!(stale, Err(LogError::Conflict { found: 1, .. })),
        "{stale:?}"
    );
    let events: Vec<u64> = log
        .log()
        .sessions()
        .unwrap()
        .iter()
        .map(|session| session.events)
        .collect();
    assert_eq!(events, [1, 1]);
    log.append_all(&[batch("a", 1, "n2"), batch("b", 1, "n2")])
        .unwrap();
}

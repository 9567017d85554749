//! Copying sessions of the fleet, and taking them over.

use std::ops::ControlFlow;

use hud_postgres::{Address, SyncError, pull, pull_all, take};
use hud_store::event::NewEvent;
use hud_store::log::{Expected, Log, state_of};
use hud_store::sqlite::SqliteLog;

use crate::given::{note, redact, session};
use crate::nodes::{open, shared};
use crate::push::{events, noted, output, sent};

fn file() -> SqliteLog {
    SqliteLog::open_in_memory().unwrap()
}

/// Copies everything, and gives what was refused.
fn all(to: &mut SqliteLog, from: &Address) -> Vec<SyncError> {
    let mut refused = Vec::new();
    pull_all(to, &open(from), &mut |pulled| {
        refused.extend(pulled.err());
        ControlFlow::Continue(())
    })
    .unwrap();
    refused
}

#[test]
fn what_is_sent_and_copied_into_an_empty_file_is_the_same() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = file();
    noted(&mut log, "a", 1..=2500);
    log.append(
        &session("b"),
        Expected::Any,
        &[output(3000, "kept \u{0} text")],
    )
    .unwrap();
    noted(&mut log, "b", 3001..3005);
    sent(&log, &address);
    let mut copy = file();
    assert!(all(&mut copy, &address).is_empty());
    for name in ["a", "b"].map(session) {
        assert_eq!(events(&copy, &name), events(&log, &name));
        assert_eq!(
            state_of(&copy, &name).unwrap(),
            state_of(&log, &name).unwrap()
        );
    }
    let lines = |log: &SqliteLog| {
        let mut lines = Vec::new();
        log.lines(Some(&session("b")), &mut |line| {
            lines.push((line.payload.get().to_owned(), line.content));
            ControlFlow::Continue(())
        })
        .unwrap();
        lines
    };
    assert_eq!(lines(&copy), lines(&log));
    assert_eq!(copy.check(&mut |_| ()).unwrap().problems, []);
    // A copy is nobody's to send, and what is new of it is copied the next time.
    assert_eq!(sent(&copy, &address), hud_postgres::Pushed::default());
    noted(&mut log, "a", [4000]);
    sent(&log, &address);
    let pulled = pull(&mut copy, &open(&address), &session("a")).unwrap();
    assert_eq!((pulled.events, pulled.version), (1, 2501));
    assert!(all(&mut log, &address).is_empty());
    assert_eq!(events(&log, &session("a")).len(), 2501);
}

#[test]
fn a_session_that_is_taken_over_goes_on_at_its_new_home_and_nothing_of_the_old_one_is_dropped() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut old, mut new) = (file(), file());
    let name = session("s");
    noted(&mut old, "s", 1..=5);
    sent(&old, &address);
    let taken = take(&mut new, &mut open(&address), &name).unwrap();
    assert_eq!(taken.version, 5);
    let again = take(&mut new, &mut open(&address), &name).unwrap();
    assert_eq!(again.events, 0);
    noted(&mut new, "s", 11..=12);
    sent(&new, &address);
    // The old home knows nothing of it.
    noted(&mut old, "s", 21..=23);
    let renamed = sent(&old, &address).renamed;
    assert_eq!(renamed[0].resumes, Some(name.clone()));
    let centre = open(&address);
    assert_eq!(events(&centre, &name), events(&new, &name));
    let (there, here) = (events(&centre, &renamed[0].name), events(&old, &name));
    assert_eq!(there.len(), 8);
    assert_eq!(there[5..], here[5..], "what it recorded later has its ids");
    assert_eq!(
        state_of(&centre, &renamed[0].name).unwrap().notes,
        state_of(&old, &name).unwrap().notes
    );
    noted(&mut old, "s", [24]);
    assert_eq!(sent(&old, &address).renamed, []);
    assert_eq!(events(&centre, &renamed[0].name).len(), 9);
    let refused = pull(&mut old, &centre, &name);
    assert!(
        matches!(refused, Err(SyncError::Diverged { .. })),
        "{refused:?}"
    );
    assert_eq!(all(&mut old, &address).len(), 1);
}

#[test]
fn a_session_goes_back_and_forth_between_two_machines() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut one, mut two) = (file(), file());
    let name = session("s");
    noted(&mut one, "s", [1]);
    sent(&one, &address);
    for n in 1..6 {
        let (to, from) = match n % 2 {
            0 => (&mut one, &two),
            _ => (&mut two, &one),
        };
        take(to, &mut open(&address), &name).unwrap();
        noted(to, "s", [100 + n]);
        assert_eq!(sent(to, &address).renamed, []);
        assert_eq!(sent(from, &address).renamed, []);
    }
    assert_eq!(events(&open(&address), &name), events(&two, &name));
    assert_eq!(events(&two, &name).len(), 6);
    assert_eq!(open(&address).home(&name).unwrap().unwrap().epoch, 5);
}

#[test]
fn of_two_machines_that_take_a_session_over_at_once_one_is_its_home() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let name = session("s");
    let mut old = file();
    noted(&mut old, "s", 1..=3);
    sent(&old, &address);
    let homes: Vec<_> = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|n: u64| {
                let (address, name) = (&address, &name);
                scope.spawn(move || {
                    let mut log = file();
                    let outcome = take(&mut log, &mut open(address), name);
                    assert!(
                        matches!(outcome, Ok(_) | Err(SyncError::Raced { .. })),
                        "{outcome:?}"
                    );
                    noted(&mut log, "s", [100 + n]);
                    sent(&log, address);
                    log.id().unwrap()
                })
            })
            .collect();
        takers
            .into_iter()
            .map(|taker| taker.join().unwrap())
            .collect()
    });
    let centre = open(&address);
    let home = centre.home(&name).unwrap().unwrap();
    assert!(homes.contains(&home.log.unwrap()));
    // Whoever had it for a while, or only a copy, has its note in a session of its own.
    let mut notes: Vec<String> = Vec::new();
    for info in centre.sessions().unwrap() {
        let state = state_of(&centre, &info.id).unwrap();
        notes.extend(state.notes.into_iter().map(|note| note.id));
    }
    for n in 100..104 {
        let found = notes.iter().filter(|id| **id == format!("n{n}")).count();
        assert!(found >= 1, "n{n}: {notes:?}");
    }
}

#[test]
fn what_is_redacted_at_its_home_is_redacted_in_copies() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut log, mut copy) = (file(), file());
    let name = session("s");
    log.append(
        &name,
        Expected::Any,
        &[note(1), output(2, "the secret word"), note(3)],
    )
    .unwrap();
    noted(&mut log, "t", 11..=13);
    sent(&log, &address);
    all(&mut copy, &address);
    // The second event of the log is the session's second.
    redact(&mut log, 2, Some("a key".into()), |happened| NewEvent {
        event: happened.into(),
        ..note(9)
    })
    .unwrap();
    log.delete(&session("t"), |happened| NewEvent {
        event: happened.into(),
        ..note(19)
    })
    .unwrap();
    noted(&mut log, "s", [20]);
    sent(&log, &address);
    assert!(all(&mut copy, &address).is_empty());
    pull(&mut copy, &open(&address), &session("t")).unwrap();
    for name in [&name, &session("t")] {
        assert_eq!(events(&copy, name), events(&log, name));
    }
    assert_eq!(copy.check(&mut |_| ()).unwrap().problems, []);
}

#[test]
fn a_copy_whose_name_is_taken_here_has_another() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let (mut theirs, mut ours) = (file(), file());
    noted(&mut theirs, "main", 1..=3);
    sent(&theirs, &address);
    noted(&mut ours, "main", 11..=12);
    let pulled = pull(&mut ours, &open(&address), &session("main")).unwrap();
    let short = theirs.id().unwrap().simple().to_string();
    assert_eq!(pulled.session, session(&format!("main@{}", &short[..8])));
    assert_eq!(
        events(&ours, &pulled.session),
        events(&theirs, &session("main"))
    );
    assert_eq!(events(&ours, &session("main")).len(), 2);
    noted(&mut theirs, "main", [4]);
    sent(&theirs, &address);
    let again = pull(&mut ours, &open(&address), &session("main")).unwrap();
    assert_eq!((again.session, again.events), (pulled.session, 1));
    assert_eq!(sent(&ours, &address).renamed.len(), 1);
}

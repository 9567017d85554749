//! Tests of concurrent writers and followers.

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use super::{contents, note, read, session};
use crate::event::{Actor, NewEvent, NoteAdd, SessionId, StoredEvent};
use crate::log::{Expected, Follow, Log, LogError, append_with, state_of};

/// The timeout of a follower, long enough for a very slow machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Tests the promises of [`Log`] with several writers at once. `make` creates an empty log, independent of the
/// others, and returns a function that opens it.
///
/// # Panics
///
/// If a promise is not kept, with the difference.
#[track_caller]
pub fn check_writers<L: Log, O: Fn() -> L + Sync>(mut make: impl FnMut() -> O) {
    of_two_that_begin_a_session_at_once_one_does(&make());
    of_two_sessions_that_append_one_id_at_once_one_has_it(&make());
    nobody_decides_on_a_state_that_is_not_the_last(&make());
}

/// Tests the promises of [`Follow`] on logs that are written while they are followed. For `make` see
/// [`check_writers`].
///
/// # Panics
///
/// If a promise is not kept, with the difference.
#[track_caller]
pub fn check_follow<L: Follow, O: Fn() -> L + Sync>(mut make: impl FnMut() -> O) {
    who_follows_has_each_event_once_and_in_order(&make());
    who_follows_is_asked_whether_to_go_on(&make());
}

/// The results of two functions that run at the same time.
fn at_once<L: Log, T: Send>(
    open: &(impl Fn() -> L + Sync),
    one: impl FnOnce(L) -> T + Send,
    other: impl FnOnce(L) -> T + Send,
) -> [T; 2] {
    thread::scope(|scope| {
        let other = scope.spawn(|| other(open()));
        [one(open()), other.join().unwrap()]
    })
}

fn of_two_that_begin_a_session_at_once_one_does<L: Log>(open: &(impl Fn() -> L + Sync)) {
    for n in 1..=10 {
        let s = session(&format!("s{n}"));
        let begin = |event: NewEvent| {
            let s = &s;
            move |mut log: L| log.append(s, Expected::NoStream, &[event])
        };
        let outcomes = at_once(open, begin(note(n)), begin(note(100 + n)));
        let conflicts = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Err(LogError::Conflict { found: 1, .. })));
        assert_eq!(
            (outcomes.iter().flatten().count(), conflicts.count()),
            (1, 1)
        );
    }
    assert!(contents(&open()).iter().map(|event| event.seq).eq(1..=10));
}

fn of_two_sessions_that_append_one_id_at_once_one_has_it<L: Log>(open: &(impl Fn() -> L + Sync)) {
    for n in 1..=10 {
        let append = |name: &'static str| {
            move |mut log: L| log.append(&session(name), Expected::Any, &[note(n)])
        };
        let outcomes = at_once(open, append("a"), append("b"));
        let refused = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Err(LogError::IdConflict { .. })));
        assert_eq!((outcomes.iter().flatten().count(), refused.count()), (1, 1));
    }
    assert!(contents(&open()).iter().map(|event| event.seq).eq(1..=10));
}

fn nobody_decides_on_a_state_that_is_not_the_last<L: Log>(open: &(impl Fn() -> L + Sync)) {
    const WRITERS: u64 = 8;
    const EACH: u64 = 50;
    let s = session("shared");
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let mut log = open();
                for _ in 0..EACH {
                    append_with(&mut log, &s, |state| {
                        // The event records the version that it was decided on.
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
    let log = open();
    assert_eq!(state_of(&log, &s).unwrap().version, WRITERS * EACH);
    for event in read(&log, &s).unwrap() {
        let said = event.event.words().map(std::borrow::Cow::into_owned);
        let decided_on = (event.version - 1).to_string();
        assert!(
            said.is_some_and(|said| said.contains(&decided_on)),
            "{decided_on}"
        );
    }
}

/// The first `count` events that a follower receives.
fn followed(
    count: usize,
    follow: impl FnOnce(
        &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError>,
) -> Vec<StoredEvent> {
    let (begun, mut events) = (Instant::now(), Vec::new());
    let mut idle = || match begun.elapsed() < PATIENCE {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let mut each = |event| {
        events.push(event);
        match events.len() < count {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    follow(&mut each, &mut idle).unwrap();
    events
}

fn who_follows_has_each_event_once_and_in_order<L: Follow>(open: &(impl Fn() -> L + Sync)) {
    const EACH: u64 = 40;
    let sessions: [SessionId; 3] = ["a", "b", "c"].map(session);
    for (n, s) in (1..).zip(&sessions) {
        open().append(s, Expected::Any, &[note(n)]).unwrap();
    }
    let whole = 3 * (EACH + 1);
    let (all, one) = thread::scope(|scope| {
        let all = scope.spawn(|| {
            followed(whole as usize, |each, idle| {
                open().follow_all(1, each, idle)
            })
        });
        let one = scope.spawn(|| {
            let s = &sessions[1];
            followed(EACH as usize, |each, idle| open().follow(s, 2, each, idle))
        });
        for (writer, s) in (1..).zip(&sessions) {
            scope.spawn(move || {
                let mut log = open();
                for n in 1..=EACH {
                    log.append(s, Expected::Any, &[note(1000 * writer + n)])
                        .unwrap();
                }
            });
        }
        (all.join().unwrap(), one.join().unwrap())
    });
    assert!(all.iter().map(|event| event.seq).eq(1..=whole));
    assert!(one.iter().map(|event| event.version).eq(2..=EACH + 1));
    assert_eq!(all, contents(&open()));
    assert_eq!(one, read(&open(), &sessions[1]).unwrap()[1..]);
    // A follower that continues after the last event it received misses none.
    let rest = followed(20, |each, idle| open().follow_all(whole - 19, each, idle));
    assert_eq!(rest, all[all.len() - 20..]);
}

fn who_follows_is_asked_whether_to_go_on<L: Follow>(open: &(impl Fn() -> L + Sync)) {
    let (mut log, mut writer, s) = (open(), open(), session("s"));
    log.append(&s, Expected::Any, &[note(1)]).unwrap();
    let (mut asked, mut versions) = (0, Vec::new());
    let mut idle = || {
        asked += 1;
        if asked == 2 {
            writer.append(&s, Expected::Any, &[note(2)]).unwrap();
        }
        match asked < 5 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let mut each = |event: StoredEvent| {
        versions.push(event.version);
        ControlFlow::Continue(())
    };
    log.follow(&s, 1, &mut each, &mut idle).unwrap();
    assert_eq!((asked, versions.first()), (5, Some(&1)));
    assert!(versions.len() <= 2);
    // Following has ended, so no more events are received.
    assert_eq!(read(&log, &s).unwrap().len(), 2);
}

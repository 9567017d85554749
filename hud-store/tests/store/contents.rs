//! What left a conversation: kept once, for as long as somebody may ask for it.

use std::collections::BTreeSet;
use std::fs;

use hud_store::event::{
    CompactAfter, CompactEvent, Content, ContentHash, HudEvent, NewEvent, OutputEvent, OutputKeep,
    SessionDelete,
};
use hud_store::log::{self, Expected, Log, LogError, Point, Query, Search as _, restore, state_of};
use hud_store::sqlite::{Limits, SqliteLog};
use jiff::Timestamp;
use proptest::prelude::*;

use crate::given::{at, contents, note, nth, redact, session};

/// Nothing is kept for its age, nor as one of the newest.
const NONE: Limits = Limits {
    count: 0,
    days: 0,
    live_days: 1,
};

fn kept(call: &str, text: &str) -> OutputKeep {
    OutputKeep {
        call: Some(call.to_owned()),
        tool: "Read".to_owned(),
        target: Some(format!("src/{call}.rs")),
        content: text.into(),
        outline: None,
    }
}

fn compacted() -> CompactAfter {
    CompactAfter {
        summary: None,
        rest: None,
        tokens_after: None,
        boundary: None,
    }
}

fn append(log: &mut SqliteLog, name: &str, event: NewEvent) {
    log.append(&session(name), Expected::Any, &[event]).unwrap();
}

fn text(log: &SqliteLog, text: &str) -> Option<String> {
    log.content(&ContentHash::of(text)).unwrap()
}

/// An hour after the epoch: all that is tested happened within it.
fn soon() -> Timestamp {
    at(3600)
}

fn targets(log: &SqliteLog, limits: &Limits, now: Timestamp) -> Vec<String> {
    let swept = log.sweep(limits, now, true).unwrap();
    let named = swept.gone.into_iter().filter_map(|gone| gone.named);
    named.filter_map(|named| named.target).collect()
}

#[test]
fn what_was_said_twice_is_kept_once_and_its_events_are_small() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let long = "fn take(&mut self) -> bool { self.tokens >= 1.0 }\n".repeat(2000);
    let mut log = SqliteLog::open(&path).unwrap();
    for n in 1..=20 {
        append(&mut log, "s", nth(n, kept(&format!("c{n}"), &long)));
    }
    drop(log);
    let size = fs::metadata(&path).unwrap().len();
    assert!(size < 2 * long.len() as u64, "{size} bytes");
    let log = SqliteLog::open_read_only(&path).unwrap();
    assert_eq!(text(&log, &long).as_deref(), Some(&*long));
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}

#[test]
fn the_newest_and_the_young_are_kept_and_what_a_placeholder_names() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    for n in 1..=6 {
        append(
            &mut log,
            "s",
            nth(n, kept(&format!("c{n}"), &format!("text {n}"))),
        );
    }
    assert_eq!(targets(&log, &NONE, soon()), [""; 0], "the session is live");
    append(&mut log, "s", nth(7, compacted()));
    append(&mut log, "s", nth(8, kept("c8", "text 8")));
    let gone = |count, days, live_days, now| {
        let limits = Limits {
            count,
            days,
            live_days,
        };
        targets(&log, &limits, now)
    };
    let first = [
        "src/c6.rs",
        "src/c5.rs",
        "src/c4.rs",
        "src/c3.rs",
        "src/c2.rs",
        "src/c1.rs",
    ];
    assert_eq!(gone(0, 0, 1, soon()), first);
    assert_eq!(
        gone(4, 0, 1, soon()),
        first[3..],
        "of the four newest one is held"
    );
    assert_eq!(gone(0, 1, 1, soon()), [""; 0], "all are of today");
    let later = at(40 * 24 * 3600);
    assert_eq!(gone(0, 7, 60, later), first);
    assert_eq!(
        gone(0, 7, 0, later),
        first,
        "with 0 a session is live for ever"
    );
    assert_eq!(
        gone(0, 7, 30, later)[0],
        "src/c8.rs",
        "the session is live no more"
    );
}

#[test]
fn what_is_gone_is_found_no_more_and_its_event_says_what_it_was() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    append(&mut log, "s", nth(1, kept("c1", "needle in the hay")));
    append(&mut log, "s", nth(2, compacted()));
    let found = |log: &SqliteLog, word: &str| log.search(&Query::new(word)).unwrap().len();
    assert_eq!((found(&log, "needle"), found(&log, "c1")), (1, 1));
    let swept = log.sweep(&NONE, soon(), false).unwrap();
    assert_eq!((swept.gone.len(), swept.kept), (1, 0));
    assert_eq!(text(&log, "needle in the hay"), None);
    assert_eq!((found(&log, "needle"), found(&log, "c1")), (0, 1));
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
    let HudEvent::Output(OutputEvent::Keep(event)) = &contents(&log)[0].event else {
        panic!("it is an output")
    };
    assert_eq!((event.content.chars, event.content.rows), (17, 1));
    assert_eq!(log.sweep(&NONE, soon(), false).unwrap().gone, []);
}

#[test]
fn what_a_rewound_conversation_names_again_is_held() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    append(&mut log, "s", nth(1, kept("c1", "one")));
    let cut = OutputKeep {
        call: None,
        ..kept("cut", "cut before it was read")
    };
    append(&mut log, "s", nth(2, cut));
    append(&mut log, "s", nth(3, compacted()));
    assert_eq!(log.sweep(&NONE, soon(), true).unwrap().gone.len(), 2);
    let state = state_of(&log, &session("s")).unwrap();
    let point = Point {
        session: session("s"),
        version: 2,
    };
    restore(&mut log, &session("s"), state, &point, at(4)).unwrap();
    assert_eq!(log.sweep(&NONE, soon(), true).unwrap().gone, []);
}

#[test]
fn a_fork_holds_what_its_original_named() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    append(&mut log, "s", nth(1, kept("c1", "one")));
    let (fork, point) = (
        session("fork"),
        Point {
            session: session("s"),
            version: 1,
        },
    );
    let state = state_of(&log, &fork).unwrap();
    restore(&mut log, &fork, state, &point, at(2)).unwrap();
    append(&mut log, "s", nth(3, compacted()));
    assert_eq!(log.sweep(&NONE, soon(), true).unwrap().held, 1);
}

#[test]
fn an_export_has_what_is_kept_and_an_import_takes_it_in() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    append(&mut log, "s", nth(1, kept("c1", "one\ntwo\n")));
    append(&mut log, "s", note(2));
    let mut lines = Vec::new();
    hud_store::jsonl::export(&log, None, &mut lines).unwrap();
    let mut copy = SqliteLog::open_in_memory().unwrap();
    copy.import_lines(&mut &*lines).unwrap();
    assert_eq!(text(&copy, "one\ntwo\n").as_deref(), Some("one\ntwo\n"));
    assert_eq!(copy.import_lines(&mut &*lines).unwrap().duplicates, 2);

    let forged = String::from_utf8(lines)
        .unwrap()
        .replace("one\\ntwo", "one\\nfour");
    let mut copy = SqliteLog::open_in_memory().unwrap();
    let error = copy.import_lines(&mut forged.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("names by a hash"), "{error}");
    assert!(copy.sessions().unwrap().is_empty());
}

#[test]
fn what_rots_is_gone_and_said() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    append(&mut log, "s", nth(1, kept("c1", "one")));
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute("UPDATE content SET body = zeroblob(9)", [])
        .unwrap();
    assert_eq!(text(&log, "one"), None);
    let problems = log.check(&mut |_| ()).unwrap().problems;
    assert!(problems[0].what.contains("is damaged"), "{problems:?}");
    log.rebuild().unwrap();
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
    append(&mut log, "s", nth(2, kept("c1", "one")));
    assert_eq!(text(&log, "one").as_deref(), Some("one"));
}

#[test]
fn what_is_redacted_takes_its_content_along_unless_another_event_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let secret = "the key is hunter2-hunter2";
    let mut log = SqliteLog::open(&path).unwrap();
    append(&mut log, "s", nth(1, kept("c1", secret)));
    append(&mut log, "t", nth(2, kept("c2", secret)));
    let by = |n: u64| move |record: hud_store::event::EventRedact| nth(900 + n, record);
    assert_eq!(redact(&mut log, 1, None, by(1)).unwrap().also_in, [2]);
    assert_eq!(text(&log, secret).as_deref(), Some(secret));
    redact(&mut log, 2, None, by(2)).unwrap();
    assert_eq!(text(&log, secret), None);
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}

fn by(n: u64) -> impl FnOnce(SessionDelete) -> NewEvent {
    move |happened| nth(n, happened)
}

#[test]
fn a_session_that_is_deleted_takes_along_what_only_it_names() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    append(&mut log, "s", nth(1, kept("c1", "only of one")));
    append(&mut log, "s", nth(2, kept("c2", "of both")));
    append(&mut log, "s", note(3));
    append(&mut log, "t", nth(4, kept("c3", "of both")));
    log.archive(&session("s"), 3, &mut |_| ()).unwrap();
    log.search(&Query::new("note")).unwrap();

    let done = log.delete(&session("s"), by(5)).unwrap();
    assert_eq!((done.events, done.contents), (3, 1));
    assert_eq!(text(&log, "only of one"), None);
    assert_eq!(text(&log, "of both").as_deref(), Some("of both"));
    let listed = log.sessions().unwrap();
    assert_eq!(
        listed
            .iter()
            .map(|info| info.id.as_str())
            .collect::<Vec<_>>(),
        ["t"]
    );
    assert_eq!(log.search(&Query::new("note")).unwrap(), []);
    assert!(state_of(&log, &session("s")).unwrap().notes.is_empty());
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
    drop(log);
    let file = fs::read(&path).unwrap();
    assert!(
        !file.windows(6).any(|bytes| bytes == b"note 3"),
        "its words are in the file"
    );

    let mut log = SqliteLog::open(&path).unwrap();
    for missing in ["s", "nobody"] {
        let error = log.delete(&session(missing), by(6)).unwrap_err();
        assert!(matches!(error, LogError::NoSession { .. }), "{error}");
    }
    append(&mut log, "s", note(7));
    assert_eq!(state_of(&log, &session("s")).unwrap().notes.len(), 1);
    assert_eq!(log.sessions().unwrap().len(), 2, "it goes on anew");
}

#[test]
fn whoever_has_a_deleted_session_open_goes_on_with_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    append(&mut log, "s", note(1));
    let open = state_of(&log, &session("s")).unwrap();
    log.delete(&session("s"), by(2)).unwrap();
    let newer = hud_store::log::catch_up(&log, &session("s"), open).unwrap();
    assert!(newer.notes.is_empty());
    assert_eq!(newer, state_of(&log, &session("s")).unwrap());
}

/// Something that happens in one of a few sessions.
#[derive(Clone, Debug)]
enum Step {
    Keep { session: usize, text: u8, call: u8 },
    Cut { session: usize, text: u8 },
    Compact { session: usize },
    Rewind { session: usize, back: u64 },
    Fork { from: usize, to: usize },
    Delete { session: usize },
    Sweep { count: u64, hours: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let session = 0..3_usize;
    prop_oneof![
        6 => (session.clone(), 0..9_u8, 0..6_u8).prop_map(|(session, text, call)| Step::Keep { session, text, call }),
        2 => (session.clone(), 0..9_u8).prop_map(|(session, text)| Step::Cut { session, text }),
        2 => session.clone().prop_map(|session| Step::Compact { session }),
        1 => (session.clone(), 1..5_u64).prop_map(|(session, back)| Step::Rewind { session, back }),
        1 => (session.clone(), session.clone()).prop_map(|(from, to)| Step::Fork { from, to }),
        1 => session.prop_map(|session| Step::Delete { session }),
        3 => (0..4_u64, 0..60_u64).prop_map(|(count, hours)| Step::Sweep { count, hours }),
    ]
}

/// What placeholders of a session name: those of its state.
fn named(log: &SqliteLog, name: &str) -> BTreeSet<Content> {
    let (state, session) = (state_of(log, &session(name)).unwrap(), session(name));
    let left = state.pruned.iter();
    let events = left.filter_map(|left| log::kept(log, &session, left).unwrap());
    events
        .filter_map(|event| match event.event {
            HudEvent::Output(OutputEvent::Keep(keep)) => Some(keep.content),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn a_sweep_never_removes_what_a_placeholder_of_a_live_session_names(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut log = SqliteLog::open_in_memory().unwrap();
        let names = ["a", "b", "c"];
        for (n, step) in (1..).zip(steps) {
            match step {
                Step::Keep { session, text, call } => {
                    let text = format!("text {text}");
                    append(&mut log, names[session], nth(n, kept(&format!("c{call}"), &text)));
                }
                Step::Cut { session, text } => {
                    let cut = OutputKeep { call: None, ..kept("cut", &format!("text {text}")) };
                    append(&mut log, names[session], nth(n, cut));
                }
                Step::Compact { session } => {
                    append(&mut log, names[session], nth(n, CompactEvent::After(compacted())));
                }
                Step::Rewind { session: which, back } => {
                    let id = session(names[which]);
                    let state = state_of(&log, &id).unwrap();
                    let point = Point { session: id.clone(), version: state.version.saturating_sub(back) };
                    restore(&mut log, &id, state, &point, at(n)).unwrap();
                }
                Step::Fork { from, to } if from != to => {
                    let id = session(names[to]);
                    let state = state_of(&log, &id).unwrap();
                    let version = state_of(&log, &session(names[from])).unwrap().version;
                    let point = Point { session: session(names[from]), version };
                    restore(&mut log, &id, state, &point, at(n)).unwrap();
                }
                Step::Fork { .. } => {}
                Step::Delete { session: which } => {
                    let outcome = log.delete(&session(names[which]), by(n));
                    let is_known = matches!(outcome, Ok(_) | Err(LogError::NoSession { .. }));
                    prop_assert!(is_known);
                }
                Step::Sweep { count, hours } => {
                    let now = at(n + 3600 * hours);
                    let limits = Limits { count, days: 1, live_days: 1 };
                    let live: Vec<_> = log.sessions().unwrap().into_iter()
                        .filter(|info| info.last_at >= now - jiff::SignedDuration::from_hours(24))
                        .collect();
                    // What was there before, and is named.
                    let mut there = BTreeSet::new();
                    for info in &live {
                        for content in named(&log, info.id.as_str()) {
                            if log.content(&content.hash).unwrap().is_some() {
                                there.insert(content);
                            }
                        }
                    }
                    let dry = log.sweep(&limits, now, true).unwrap();
                    prop_assert_eq!(log.sweep(&limits, now, false).unwrap(), dry);
                    for content in there {
                        prop_assert!(log.content(&content.hash).unwrap().is_some(), "{:?}", content);
                    }
                }
            }
        }
        prop_assert_eq!(log.check(&mut |_| ()).unwrap().problems, vec![]);
    }
}

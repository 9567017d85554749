//! Logs and sessions that something is wrong with, on real files.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test that cannot go on has failed, and what tests share is public and not used by each"
)]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::{HudEvent, NoteAdd};
use serde_json::Value;

use crate::common::Place;
use crate::http::asked;

fn note(id: &str, content: &str) -> HudEvent {
    let (id, content) = (id.into(), content.into());
    NoteAdd { id, content }.into()
}

/// Asks until it is answered so.
fn until(url: &str, path: &str, wanted: u16) -> Value {
    let begun = Instant::now();
    loop {
        let (status, answer) = asked(url, path);
        if status == wanted {
            return answer;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{path}: {status} {answer}"
        );
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_damaged_event_is_named_and_the_sound_sessions_are_shown() {
    let place = Place::new();
    place.append("sound", 1, [note("n1", "tests need redis")]);
    place.append(
        "damaged",
        1,
        [note("n1", "zebra crossing ahead"), note("n2", "later")],
    );
    let bytes = fs::read(&place.log).unwrap();
    let said = b"zebra crossing ahead";
    let places = (0..bytes.len() - said.len()).filter(|at| bytes[*at..].starts_with(said));
    let mut rotten = bytes.clone();
    for at in places.collect::<Vec<usize>>() {
        rotten[at] = b'Z';
    }
    assert_ne!(rotten, bytes);
    fs::write(&place.log, &rotten).unwrap();
    let url = place.serve(false);
    let (status, answer) = asked(&url, "/api/s/damaged/frame");
    assert_eq!(status, 503, "{answer}");
    assert!(
        answer["error"].as_str().unwrap().contains("checksum"),
        "{answer}"
    );
    assert_eq!(asked(&url, "/api/s/sound/frame").0, 200);
    let (status, listed) = asked(&url, "/api/sessions");
    assert_eq!(status, 200, "{listed}");
    let rows = listed["sessions"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap();
    assert!(
        row("damaged")["fault"]
            .as_str()
            .unwrap()
            .contains("checksum"),
        "{listed}"
    );
    assert!(row("sound")["fault"].is_null(), "{listed}");
}

#[test]
fn a_file_that_is_no_log_any_more_is_said_to_be_none() {
    let place = Place::example();
    let bytes = fs::read(&place.log).unwrap();
    let url = place.serve(false);
    assert_eq!(asked(&url, "/api/s/rate-limiter/frame").0, 200);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", place.log.display()));
    }
    let gone = until(&url, "/api/s/rate-limiter/frame", 503);
    assert!(gone["error"].as_str().unwrap().contains("hud.db"), "{gone}");
    fs::write(&place.log, b"this is no log").unwrap();
    let none = until(&url, "/api/s/rate-limiter/frame", 503);
    assert!(none["error"].as_str().unwrap().contains("hud.db"), "{none}");
    fs::remove_file(&place.log).unwrap();
    fs::write(&place.log, bytes).unwrap();
    until(&url, "/api/s/rate-limiter/frame", 200);
}

#[test]
fn a_log_that_grows_while_it_is_read_never_goes_back() {
    let place = Place::example();
    let url = place.serve(false);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 0..40 {
                place.append("rate-limiter", 61 + n, [note(&format!("g{n}"), "more")]);
            }
        });
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut version = 0;
                    for _ in 0..15 {
                        let (status, frame) = asked(&url, "/api/s/rate-limiter/frame");
                        assert_eq!(status, 200, "{frame}");
                        let seen = frame["shown"]["version"].as_u64().unwrap();
                        assert!(seen >= version, "{seen} after {version}");
                        version = seen;
                        let (status, timeline) = asked(&url, "/api/s/rate-limiter/timeline");
                        assert_eq!((status, &timeline["read"]), (200, &Value::Bool(true)));
                    }
                })
            })
            .collect();
        writer.join().unwrap();
        readers
            .into_iter()
            .for_each(|reader| reader.join().unwrap());
    });
    assert_eq!(asked(&url, "/api/s/rate-limiter/frame").1["turn"], 101);
}

#[test]
fn a_log_that_somebody_writes_to_for_long_is_read_all_the_same() {
    let place = Place::example();
    let url = place.serve(false);
    let writer = rusqlite::Connection::open(&place.log).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    for path in ["frame", "timeline", "events", "state?turn=9"] {
        assert_eq!(
            asked(&url, &format!("/api/s/rate-limiter/{path}")).0,
            200,
            "{path}"
        );
    }
    writer.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn a_session_that_is_deleted_is_not_there_any_more() {
    let place = Place::example();
    place.append("other", 1, [note("n1", "stays")]);
    let url = place.serve(false);
    assert_eq!(asked(&url, "/api/s/rate-limiter/timeline").0, 200);
    let mut log = hud_store::sqlite::SqliteLog::open(&place.log).unwrap();
    let session = hud_store::event::SessionId::new("rate-limiter").unwrap();
    log.delete(&session, |happened| {
        hud_store::event::NewEvent::now(70, hud_store::event::Actor::User, happened)
    })
    .unwrap();
    for path in ["timeline", "frame", "events"] {
        assert_eq!(
            asked(&url, &format!("/api/s/rate-limiter/{path}")).0,
            404,
            "{path}"
        );
    }
    assert_eq!(asked(&url, "/api/s/other/timeline").0, 200);
}

#[test]
fn texts_without_end_are_cut_in_lists_and_whole_where_they_are_asked_for() {
    let place = Place::new();
    let huge = "x".repeat(5_000_000);
    let line = format!("a\u{0}b {}", "y".repeat(1_000_000));
    place.append(
        "s",
        1,
        [note("n1", &huge), note("n2", &line), note("n3", "short")],
    );
    let url = place.serve(false);
    for (path, most) in [
        ("frame?tree=1", 200_000),
        ("frame?density=full&tree=1", 200_000),
        ("events", 40_000),
        ("timeline", 10_000),
        ("state?turn=2", 40_000),
        ("diff?a=1&b=2", 200_000),
    ] {
        let (status, answer) = asked(&url, &format!("/api/s/s/{path}"));
        assert_eq!(status, 200, "{path}");
        let length = answer.to_string().len();
        assert!(length < most, "{path}: {length} bytes");
    }
    let (_, whole) = asked(&url, "/api/s/s/event/1");
    assert_eq!(
        whole["payload"]["content"].as_str().map(str::len),
        Some(5_000_000)
    );
}

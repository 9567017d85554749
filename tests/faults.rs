//! A short story in each of the real clients with each fault that `hud` and its log may have: the client
//! finishes its turns.
//!
//! The clients are those of the other tests:
//!
//! ```sh
//! OPENCODE=.. CLAUDE=.. CODEX=.. GEMINI=.. CLINE=.. \
//!     cargo test -p hud-tests --features slow-tests faults:: -- --nocapture --test-threads 1
//! ```

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::clients::endpoint::Kind;
use crate::clients::kin::{self, Kin, Step};
use crate::clients::place::{Daemon, FAULTS, HANGING, Place};
use crate::clients::{figures, finish, finish_within, start};
use hud_store::sqlite::SqliteLog;
use serde_json::json;

/// How many turns the story has.
const TURNS: usize = 5;

/// Tells the story with something wrong.
fn tell<T>(kin: &Kin, what: &str, break_it: impl FnOnce(&Place) -> T) {
    let Some(place) = Place::new(kin.variable, kin.name, kin.flags) else {
        return;
    };
    let endpoint = kin.endpoint(|_, done| match done {
        0 => Step::Note("tests need redis".to_owned()),
        1 => Step::Run("echo error: no such test; exit 3".to_owned()),
        2 => Step::Plan(3, 1),
        3 => Step::Run("true".to_owned()),
        _ => Step::Done,
    });
    let _daemon = Daemon::of(&place);
    (kin.asks)(&place, endpoint.port);
    let _broken = break_it(&place);
    let begun = Instant::now();
    let mut agent = (kin.runs)(&place, endpoint.port, "look at the file, please");
    let said = finish(start(agent.stderr(Stdio::null())));
    let took = begun.elapsed();
    let asked = endpoint.asked().into_iter();
    let asked = asked.filter(|asked| asked.kind == Kind::Turn);
    let times: Vec<Instant> = asked.map(|asked| asked.at).collect();
    // A turn is from one request to the next.
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max();
    let longest = longest.unwrap_or(Duration::ZERO);
    let turns = times.len();
    println!(
        "{}: {what}: {turns} of {TURNS} turns in {:.1} s, the longest {:.1} s",
        kin.name,
        took.as_secs_f64(),
        longest.as_secs_f64()
    );
    figures::write(&json!({
        "client": kin.name, "fault": what, "finished": turns, "of": TURNS,
        "seconds": took.as_secs_f64(), "longest": longest.as_secs_f64(),
    }));
    assert!(said.contains("done"), "{what}: {said}");
    assert_eq!(turns, TURNS, "{what}");
}

/// Tells it with each fault.
fn tell_all(kin: &Kin) {
    tell(kin, "none", |_| ());
    for fault in FAULTS.iter().chain([&HANGING]) {
        tell(kin, fault.name, |place| place.instead_of_hud(fault));
    }
    tell(kin, "a damaged log", |place| {
        fs::write(place.log(), "somebody's notes").unwrap();
    });
    tell(kin, "a locked log", |place| {
        let log = place.log();
        drop(SqliteLog::open(&log).unwrap());
        let locker = rusqlite::Connection::open(log).unwrap();
        locker.execute_batch("BEGIN EXCLUSIVE").unwrap();
        locker
    });
}

#[test]
fn opencode_finishes_its_turns_whatever_is_wrong_with_hud() {
    tell_all(&kin::opencode());
}

#[test]
fn claude_code_finishes_its_turns_whatever_is_wrong_with_hud() {
    tell_all(&kin::claude());
}

#[test]
fn codex_finishes_its_turns_whatever_is_wrong_with_hud() {
    tell_all(&kin::codex());
}

#[test]
fn gemini_finishes_its_turns_whatever_is_wrong_with_hud() {
    tell_all(&kin::gemini());
}

#[test]
fn cline_finishes_its_turns_whatever_is_wrong_with_hud() {
    tell_all(&kin::cline());
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_end_is_ended_with_what_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let script = "sleep 600 & echo $! > pid; echo waits; wait";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(&folder);
    let client = start(command.stdout(Stdio::piped()));
    let patience = Duration::from_secs(3);
    let waits = std::thread::spawn(move || finish_within(client, patience));
    let said = waits.join().unwrap_err();
    let said = said.downcast::<String>().unwrap();
    assert!(said.contains("did not end: waits"), "{said}");
    let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
    let is_there = || {
        let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        status.is_ok_and(|status| !status.contains(") Z "))
    };
    let mut looks = (0..200).map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        is_there()
    });
    assert!(looks.any(|is_there| !is_there));
}

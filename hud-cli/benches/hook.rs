//! What a hook costs in a long session: `cargo bench -p hud-cli --bench hook`.
//!
//! A session of 10,000 events is made, then the hook of a tool's result runs as a client runs it: a
//! process each time, the event on its standard input, until its answer is there. With `--test` the
//! session is short and the hook runs a few times. `HUD_BIN` names another `hud` to compare with.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hud_store::event::{Actor, FileEdit, FileOpen, HudEvent, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log};
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (lengths, runs) = match is_test {
        true => (&[100][..], 3),
        false => (&[100, 1_000, 10_000][..], 100),
    };
    let hud = std::env::var_os("HUD_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_hud").into());
    for &length in lengths {
        let mut times = measure(&hud, length, runs);
        times.sort_unstable();
        let at = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            times[index.min(times.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "a hook in a session of {length:>6} events   p50 {:>8.2} ms, p99 {:>8.2} ms",
            at(0.5),
            at(0.99)
        );
    }
}

/// The times that the hook takes in a session of so many events.
fn measure(hud: &OsString, length: u64, runs: u64) -> Vec<Duration> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    fill(&path, length);
    let run = |event: &Value| {
        let start = Instant::now();
        let mut child = Command::new(hud)
            .args(["hook", "--db"])
            .arg(&path)
            .current_dir(&directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        write!(input, "{event}").unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        start.elapsed()
    };
    let event = |name: &str, more: &Value| {
        let mut event =
            json!({ "hook_event_name": name, "session_id": "s", "cwd": directory.path() });
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event
    };
    // The model is shown the whole HUD; from then on only what changes.
    run(&event("SessionStart", &json!({ "source": "startup" })));
    (0..runs)
        .map(|nth| {
            let path = format!("/p/src/{}.rs", nth % 20);
            run(&event(
                "PostToolUse",
                &json!({
                    "tool_name": "Edit", "tool_use_id": format!("c{nth}"),
                    "tool_input": { "file_path": path }, "tool_response": { "filePath": path },
                }),
            ))
        })
        .collect()
}

/// A session in which files are read and edited, with a note now and then.
fn fill(path: &Path, length: u64) {
    let mut log = SqliteLog::open(path).unwrap();
    let session = SessionId::new("s").unwrap();
    let event = |nth: u64| {
        let path = format!("/p/src/{}.rs", nth / 2 % 40);
        let event: HudEvent = match nth % 10 {
            9 => NoteAdd {
                id: format!("n{nth}"),
                content: format!("what was found out at {nth}"),
            }
            .into(),
            nth if nth % 2 == 0 => FileOpen::of(path).into(),
            _ => FileEdit::of(path).into(),
        };
        NewEvent::now(nth / 5, Actor::Derived, event)
    };
    for from in (0..length).step_by(500) {
        let events: Vec<_> = (from..length.min(from + 500)).map(event).collect();
        log.append(&session, Expected::Any, &events).unwrap();
    }
}

//! What is kept of outputs that left, as its users see it: `hud sweep`, `hud sessions --delete`, recall, and what
//! is done by itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with settings by which one output is kept and none for its age.
fn directory(sweep: bool) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let settings = directory.path().join("agent-hud");
    fs::create_dir(&settings).unwrap();
    let text = format!("[storage]\nsweep = {sweep}\noutputs = 1\ndays = 0\n");
    fs::write(settings.join("config.toml"), text).unwrap();
    directory
}

fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
    command
        .args(args)
        .args(["--db", "hud.db"])
        .current_dir(directory)
        .env("XDG_STATE_HOME", directory)
        .env("XDG_CONFIG_HOME", directory)
        .env_remove("HUD_DB")
        .env_remove("CLICOLOR_FORCE");
    command
}

fn hud(directory: &Path, args: &[&str]) -> Output {
    command(directory, args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command that must succeed writes.
fn shown(directory: &Path, args: &[&str]) -> String {
    let output = hud(directory, args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The answers of a bridge to requests.
fn bridge(directory: &Path, requests: &[Value]) -> Vec<Value> {
    let mut child = command(directory, &["bridge", "--deadline", "600000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for request in requests {
        writeln!(input, "{request}").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let lines = text(&output.stdout);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn observe(session: &str, reports: Value) -> Value {
    json!({ "id": 1, "method": "observe", "params": { "session": session, "reports": reports } })
}

fn leaves(call: &str, path: &str, content: &str) -> Value {
    json!({ "type": "output_leaves", "call": call, "tool": "Read", "target": path, "content": content })
}

fn recall(session: &str, version: u64) -> Value {
    let input = json!({ "tool": "recall", "args": { "version": version } });
    json!({ "id": 2, "method": "call", "params": { "session": session, "input": input } })
}

/// A session that kept two outputs, and was compacted.
fn compacted(session: &str) -> [Value; 1] {
    let reports = json!([
        leaves("c1", "src/a.rs", "fn a() {}\n"),
        leaves("c2", "src/b.rs", "fn b() {}\n"),
        { "type": "compaction_ends", "summary": "both were read" },
    ]);
    [observe(session, reports)]
}

#[test]
fn a_sweep_says_what_it_would_reclaim_and_why_and_then_does() {
    let directory = directory(false);
    let path = directory.path();
    bridge(path, &compacted("s"));
    let would = shown(path, &["sweep", "--dry-run"]);
    assert!(would.starts_with("Read src/a.rs, "), "{would}");
    assert!(
        would.contains("older than 0 days, 1 newer ones are kept, and no placeholder of a live session names it"),
        "{would}"
    );
    assert!(would.contains("of 1 output would be reclaimed"), "{would}");
    let rows = shown(path, &["sweep", "--dry-run", "--json"]);
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(
        (&rows[0]["target"], &rows[0]["version"]),
        (&json!("src/a.rs"), &json!(1))
    );
    assert_eq!((&rows[1]["gone"], &rows[1]["kept"]), (&json!(1), &json!(1)));

    let answers = bridge(path, &[recall("s", 1)]);
    assert_eq!(
        answers[0]["result"]["answer"]["payload"]["content"],
        "fn a() {}\n"
    );
    let done = shown(path, &["sweep"]);
    assert!(done.contains("of 1 output reclaimed"), "{done}");
    let answers = bridge(path, &[recall("s", 1), recall("s", 2)]);
    let refusal = answers[0]["result"]["refusal"].as_str().unwrap();
    assert!(refusal.contains("gone: read src/a.rs again"), "{refusal}");
    assert_eq!(
        answers[1]["result"]["answer"]["payload"]["content"],
        "fn b() {}\n"
    );
    shown(path, &["doctor"]);
}

#[test]
fn what_a_placeholder_names_stays_and_the_rest_goes_when_another_session_begins() {
    let directory = directory(true);
    let path = directory.path();
    let reports = json!([
        leaves("c1", "src/a.rs", "fn a() {}\n"),
        leaves("c2", "src/b.rs", "fn b() {}\n"),
    ]);
    bridge(path, &[observe("live", reports)]);
    bridge(path, &compacted("other"));
    let begins = json!([{ "type": "user", "text": "Add rate limits" }]);
    bridge(path, &[observe("new", begins.clone())]);
    let answers = bridge(path, &[recall("live", 1), recall("live", 2)]);
    assert_eq!(
        answers[0]["result"]["answer"]["payload"]["content"],
        "fn a() {}\n"
    );

    let ends = json!([{ "type": "compaction_ends" }]);
    bridge(path, &[observe("live", ends), observe("newer", begins)]);
    let answers = bridge(path, &[recall("live", 1), recall("live", 2)]);
    assert!(answers[0]["result"]["refusal"].is_string(), "{answers:?}");
    assert!(answers[1]["result"]["answer"].is_object(), "{answers:?}");
}

#[test]
fn every_500_events_the_log_is_swept() {
    let directory = directory(true);
    let path = directory.path();
    let mut requests = compacted("s").to_vec();
    let note = |n: usize| {
        let args = json!({ "content": format!("note {n}") });
        json!({ "id": 3, "method": "call", "params": {
            "session": "s", "input": { "tool": "notes.add", "args": args } } })
    };
    bridge(path, &requests);
    requests = (0..520).map(note).collect();
    requests.push(recall("s", 1));
    let answers = bridge(path, &requests);
    let last = answers.last().unwrap();
    assert!(last["result"]["refusal"].is_string(), "{last}");
}

#[test]
fn a_session_is_deleted_only_when_that_is_said_and_takes_along_what_only_it_keeps() {
    let directory = directory(false);
    let path = directory.path();
    let shared = "fn shared() {}\n";
    bridge(
        path,
        &[
            observe(
                "old",
                json!([
                    leaves("c1", "src/a.rs", "fn a() {}\n"),
                    leaves("c2", "src/s.rs", shared)
                ]),
            ),
            observe("new", json!([leaves("c3", "src/s.rs", shared)])),
        ],
    );
    let asked = hud(path, &["sessions", "--delete", "old"]);
    assert_eq!(asked.status.code(), Some(1));
    assert!(
        text(&asked.stdout).starts_with("old  "),
        "{}",
        text(&asked.stdout)
    );
    assert!(
        text(&asked.stderr).contains("say --yes"),
        "{}",
        text(&asked.stderr)
    );
    assert!(shown(path, &["sessions"]).contains("old  "));

    let done = hud(path, &["sessions", "--delete", "old", "--yes"]);
    let said = text(&done.stderr);
    assert!(
        done.status.success() && said.contains("1 kept output"),
        "{said}"
    );
    assert!(!shown(path, &["sessions"]).contains("old  "));
    let answers = bridge(path, &[recall("new", 1)]);
    assert_eq!(answers[0]["result"]["answer"]["payload"]["content"], shared);
    shown(path, &["doctor"]);
    let again = hud(path, &["sessions", "--delete", "old", "--yes"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        text(&again.stderr).contains("has no session old"),
        "{}",
        text(&again.stderr)
    );
}

#[test]
fn two_sweeps_at_once_and_one_that_is_killed_leave_a_sound_log() {
    let directory = directory(false);
    let path = directory.path();
    let many: Vec<Value> = (0..60)
        .map(|n| {
            leaves(
                &format!("c{n}"),
                "src/a.rs",
                &format!("{n}\n").repeat(3_000),
            )
        })
        .collect();
    bridge(
        path,
        &[
            observe("s", many.into()),
            observe("s", json!([{ "type": "compaction_ends" }])),
        ],
    );
    let mut killed = command(path, &["sweep"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    let sweep = || {
        command(path, &["sweep"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for child in [sweep(), sweep()] {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
    }
    let left = shown(path, &["sweep", "--dry-run", "--json"]);
    let left: Value = serde_json::from_str(left.trim()).unwrap();
    assert_eq!((&left["gone"], &left["kept"]), (&json!(0), &json!(1)));
    shown(path, &["doctor"]);
}

//! `hud inspect` as a process: what it prints, what its page says when it is gone, and a recording in it.
#![cfg(unix)]
#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test that cannot go on has failed, one that is not tried says so, and what tests share is public \
              and not used by each"
)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::browser::{Browser, READY};
use crate::http::{asked, posted};

const HUD: &str = env!("CARGO_BIN_EXE_hud");

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl")
}

/// `hud` in a folder, without what its user has set.
fn hud(directory: &Path) -> Command {
    let mut command = Command::new(HUD);
    command
        .current_dir(directory)
        .env("XDG_CONFIG_HOME", directory)
        .env("CLAUDE_CONFIG_DIR", directory.join("claude"))
        .env("CODEX_HOME", directory.join("codex"));
    command
}

/// A page's program, which ends with this.
struct Inspect {
    child: Child,
    url: String,
}

impl Inspect {
    fn start(directory: &Path, arguments: &[&str]) -> Self {
        let mut child = hud(directory)
            .arg("inspect")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        Self { child, url }
    }
}

impl Drop for Inspect {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn recorded() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let replayed = hud(directory.path())
        .args(["replay", "--session", "rate-limiter", "--db", "hud.db"])
        .arg(example())
        .output();
    assert!(replayed.unwrap().status.success());
    directory
}

#[test]
fn a_page_says_that_its_program_ended_and_shows_what_it_had() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let directory = recorded();
    let mut inspect = Inspect::start(directory.path(), &["--db", "hud.db"]);
    browser.size(1280, 900, "light");
    browser.open(&inspect.url);
    browser.until(READY);
    browser.until("document.getElementById('connection').className === 'live'");
    let begun = Instant::now();
    kill_process(Pid::from_child(&inspect.child), Signal::TERM).unwrap();
    inspect.child.wait().unwrap();
    println!("it ended after {:?}, with a stream open", begun.elapsed());
    browser.until("document.getElementById('connection').textContent.includes('not connected')");
    browser.press("[");
    browser.until("document.getElementById('said').textContent.includes('still running')");
    assert_eq!(
        browser.eval("!!document.querySelector('#view .text')"),
        json!(true)
    );
    browser.picture("disconnected");
}

/// What was said in a turn of a session, by the page's program.
fn said(url: &str, session: &str, turn: u64) -> Vec<Value> {
    let (status, answer) = asked(url, &format!("/api/s/{session}/messages?turn={turn}"));
    assert_eq!(status, 200, "{answer}");
    answer["messages"].as_array().unwrap().clone()
}

#[test]
fn what_was_said_in_a_session_of_a_log_is_read_from_its_clients_transcript() {
    let directory = recorded();
    let recording = Inspect::start(directory.path(), &[example().to_str().unwrap()]);
    let in_log = Inspect::start(directory.path(), &["--db", "hud.db"]);
    let path = "/api/s/rate-limiter/messages?turn=20";
    let (status, answer) = asked(&in_log.url, path);
    assert_eq!(status, 404, "{answer}");
    assert!(answer.to_string().contains("--transcript FILE"), "{answer}");

    let session = asked(&recording.url, "/api/sessions").1["sessions"][0]["id"].clone();
    let in_recording = |turn| said(&recording.url, session.as_str().unwrap(), turn);
    let whole = in_recording(20);
    let text = fs::read_to_string(example()).unwrap();
    for place in [
        "claude/projects/-home-me/rate-limiter.jsonl",
        "codex/sessions/2026/03/12/rollout-2026-03-12T09-00-00-rate-limiter.jsonl",
    ] {
        let file = directory.path().join(place);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        // As much as the client has written so far.
        let (half, _) = text.split_at(text.len() / 8);
        fs::write(&file, half).unwrap();
        assert!(said(&in_log.url, "rate-limiter", 20).len() < whole.len());
        fs::write(&file, &text).unwrap();
        assert_eq!(said(&in_log.url, "rate-limiter", 20), whole, "{place}");
        fs::remove_file(&file).unwrap();
    }

    let file = example();
    let named = [
        "--db",
        "hud.db",
        "--session",
        "rate-limiter",
        "--transcript",
    ];
    let named = [&named[..], &[file.to_str().unwrap()]].concat();
    let named = Inspect::start(directory.path(), &named);
    for turn in 1..=60 {
        assert_eq!(
            said(&named.url, "rate-limiter", turn),
            in_recording(turn),
            "{turn}"
        );
    }
}

#[test]
fn a_recording_is_shown_with_what_was_said_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = example();
    let inspect = Inspect::start(directory.path(), &[file.to_str().unwrap()]);
    let session = asked(&inspect.url, "/api/sessions").1["sessions"][0]["id"].clone();
    let session = session.as_str().unwrap();
    let of = |turn: u64| said(&inspect.url, session, turn);
    // Each event that was derived leads to what was said.
    let path = format!("/api/s/{session}/events?kind=request.make&limit=1");
    let event = asked(&inspect.url, &path).1["events"][0]["version"].clone();
    let event = asked(&inspect.url, &format!("/api/s/{session}/event/{event}")).1;
    assert_eq!(event["said"][0]["by"], "user", "{event}");
    assert_eq!(
        event["said"][0]["text"], event["payload"]["text"],
        "{event}"
    );
    let first = of(1);
    assert_eq!(first[0]["by"], "user", "{first:?}");
    let all: Vec<Value> = (1..=60).flat_map(of).collect();
    for by in ["agent", "call", "tool"] {
        assert!(all.iter().any(|message| message["by"] == by), "{by}");
    }
    assert_eq!(of(100_000), [] as [Value; 0]);
    // A recording is as it was.
    let path = format!("/api/s/{session}/redact");
    assert_eq!(posted(&inspect.url, &path, r#"{"event":1}"#).0, 403);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.size(1280, 900, "dark");
    browser.open(&format!("{}&turn=1", inspect.url));
    browser.until(READY);
    browser.press("7");
    browser.until("document.querySelector('#view .message.user')");
    browser.axe("conversation");
    browser.picture("conversation");
}

#[test]
fn an_event_is_taken_out_of_the_log_by_a_person_and_its_words_are_gone() {
    let directory = recorded();
    let inspect = Inspect::start(directory.path(), &["--db", "hud.db"]);
    let event = |version: u64| {
        let path = format!("/api/s/rate-limiter/event/{version}");
        asked(&inspect.url, &path).1.to_string()
    };
    let (status, found) = asked(
        &inspect.url,
        "/api/s/rate-limiter/events?kind=task.set&limit=1",
    );
    assert_eq!(status, 200);
    let version = found["events"][0]["version"].as_u64().unwrap();
    let words = found["events"][0]["payload"]["description"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(event(version).contains(&words));
    let body = json!({ "event": version }).to_string();
    let (status, answer) = posted(&inspect.url, "/api/s/rate-limiter/redact", &body);
    assert_eq!(status, 200, "{answer}");
    assert!(
        answer["said"].as_str().unwrap().contains("is redacted"),
        "{answer}"
    );
    // The same report as `hud redact` has: the files are read afterwards.
    assert!(
        answer["said"]
            .as_str()
            .unwrap()
            .contains("nothing of it is left"),
        "{answer}"
    );
    assert!(!event(version).contains(&words));
    let frame = asked(&inspect.url, "/api/s/rate-limiter/frame?density=full").1;
    assert!(
        !frame["task"].to_string().contains(&words),
        "{}",
        frame["task"]
    );
    let (_, again) = posted(&inspect.url, "/api/s/rate-limiter/redact", &body);
    assert!(
        again["said"].as_str().unwrap().contains("redacted already"),
        "{again}"
    );
    let log = Inspect::start(directory.path(), &["--db", "hud.db", "--read-only"]);
    assert_eq!(posted(&log.url, "/api/s/rate-limiter/redact", &body).0, 403);
}

#[test]
fn what_a_session_costs_is_what_hud_cost_says() {
    let directory = recorded();
    let inspect = Inspect::start(directory.path(), &["--db", "hud.db"]);
    let timeline = asked(&inspect.url, "/api/s/rate-limiter/timeline").1;
    let cost = hud(directory.path())
        .args(["cost", "--db", "hud.db", "--json"])
        .output()
        .unwrap();
    let cost: Value = serde_json::from_slice(&cost.stdout).unwrap();
    let (tokens, prices) = (&timeline["tokens"], &timeline["prices"]);
    let of = |tokens: &str, price: &str, from: &Value| {
        from[tokens].as_f64().unwrap() * prices[price].as_f64().unwrap()
    };
    let hour = tokens["cache_write_hour"].as_f64().unwrap();
    let five = tokens["cache_write"].as_f64().unwrap() - hour;
    let dollars = of("input", "input", tokens)
        + of("cache_read", "cache_read", tokens)
        + five * prices["cache_write"].as_f64().unwrap()
        + hour * prices["cache_write_hour"].as_f64().unwrap();
    let told = cost["dollars"].as_f64().unwrap();
    assert!((dollars / 1e6 - told).abs() < 1e-6, "{dollars} and {told}");
    assert!(told > 0.0);
}

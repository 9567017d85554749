//! `hud rooms` as its users run it, with a model on this machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Child, ChildStdin};
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::model::{Model, alone, answer, said};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with the examples in it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.path("examples/rooms")).unwrap();
        for file in ["world.toml", "answer.json"] {
            let from = root().join("examples/rooms").join(file);
            fs::copy(from, place.path("examples/rooms").join(file)).unwrap();
        }
        place
    }

    /// One with the world of the examples.
    fn with_world() -> Self {
        let place = Self::new();
        place.sound(&[
            "new",
            "examples/rooms/world.toml",
            "--now",
            "2026-03-02T09:00:00Z",
        ]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        alone(&mut command, self.0.path()).env("HUD_DB", self.path("rooms.db"));
        command
    }

    fn hud(&self, arguments: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_hud"));
        self.command(program).args(arguments).output().unwrap()
    }

    fn rooms(&self, arguments: &[&str]) -> Output {
        self.hud(&[&["rooms"], arguments].concat())
    }

    /// What a command that works says.
    fn sound(&self, arguments: &[&str]) -> String {
        let output = self.rooms(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    fn respond(&self, agent: &str, response: &str, now: &str) -> Value {
        let program = Path::new(env!("CARGO_BIN_EXE_hud"));
        let mut command = self.command(program);
        command.args(["rooms", "respond", "--agent", agent, "--now", now]);
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(response.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn run(&self, model: &Model, more: &[&str]) -> Output {
        let url = model.url();
        let arguments = [
            "run",
            "--endpoint",
            &url,
            "--virtual-time",
            "--now",
            "2026-03-02T09:00:00Z",
        ];
        self.rooms(&[&arguments, more].concat())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An answer that comes in pieces.
fn streamed(content: &str) -> String {
    let mut events = String::new();
    let chars: Vec<char> = content.chars().collect();
    for piece in chars.chunks(7) {
        let piece: String = piece.iter().collect();
        let event = json!({ "choices": [{ "delta": { "content": piece } }] });
        events += &format!("data: {event}\n\n");
    }
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 2_000, "completion_tokens": 50 } });
    events + &format!("data: {usage}\n\ndata: [DONE]\n\n")
}

const STREAM: &str = "Content-Type: text/event-stream\r\n";

/// A model that greets whoever it is in its own room.
fn greeting() -> Model {
    Model::new(|nth, out| {
        let content =
            format!("```json\n{{responses: [{{room_id: 1, message: 'Greeting {nth}'}}]}}\n```");
        answer(out, 200, STREAM, &streamed(&content));
    })
}

#[test]
fn secrets_are_masked_in_a_world() {
    const SECRETS: [&str; 3] = ["hunter2x9", "Kebabo83!", "a8Kd0Qz7Lm3X"];
    let response = json!({
        "responses": [{ "room_id": 1, "message": "The password is hunter2x9." }],
        "actions": [
            { "type": "set", "path": "db.password", "value": "Kebabo83!" },
            { "type": "set", "path": "deploy", "value": { "api_token": "a8Kd0Qz7Lm3X" } },
            { "type": "create_key", "key": "a8Kd0Qz7Lm3XpT5vRb1W" },
        ],
    });
    let place = Place::new();
    let now = ["--now", "2026-03-02T09:00:00Z"];
    place.sound(&[&["new", "examples/rooms/world.toml"], &now[..]].concat());
    place.respond("1", &response.to_string(), "2026-03-02T09:00:10Z");
    let log = place.hud(&["export"]);
    assert!(log.status.success(), "{}", text(&log.stderr));
    let log = text(&log.stdout);
    // The key of a room is what another agent shows.
    assert!(log.contains("a8Kd0Qz7Lm3XpT5vRb1W"), "{log}");
    let log = log.replace("a8Kd0Qz7Lm3XpT5vRb1W", "");
    for secret in SECRETS {
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn an_answer_is_taken_and_what_is_refused_says_why() {
    let place = Place::with_world();
    place.sound(&[
        "say",
        "--room",
        "1",
        "Good",
        "morning",
        "--now",
        "2026-03-02T09:00:01Z",
    ]);
    let response = fs::read_to_string(root().join("examples/rooms/answer.json")).unwrap();
    let answered = place.respond("1", &response, "2026-03-02T09:00:10Z");
    assert_eq!(answered["sent"], json!([2]));
    assert_eq!(answered["accepted"].as_array().unwrap().len(), 5);
    assert_eq!(answered["refused"][0]["gate"], "self");
    let shown = place.sound(&["hud", "--agent", "1", "--now", "2026-03-02T09:00:20Z"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["self"]["knowledge"]["people"]["Bruno"]["trust"], 0.8);
    assert_eq!(shown["self"]["refused_actions"][0]["type"], "retire_agent");
    // What agent 1 knows and its key are in nobody else's HUD.
    for (agent, format) in [("2", "compact_json"), ("3", "markdown"), ("4", "toon")] {
        let now = "2026-03-02T09:00:20Z";
        let shown = place.sound(&["hud", "--agent", agent, "--format", format, "--now", now]);
        assert!(shown.contains("Good morning"));
        let is_secret = shown.contains("calibration") || shown.contains("visitors-in-march");
        assert!(!is_secret, "{shown}");
    }
    for (arguments, why) in [
        (
            ["hud", "--agent", "99"].as_slice(),
            "there is no agent 99: there are 1, 2, 3, 4",
        ),
        (
            &["say", "--room", "99", "Hi"],
            "there is no room 99: there are 1, 2, 3, 4",
        ),
        (
            &["hud", "--agent", "1", "--world", "other"],
            "there is no world `other`",
        ),
        (
            &["new", "examples/rooms/world.toml"],
            "there is a world `rooms` already",
        ),
        (
            &["hud", "--agent", "1", "--format", "yaml"],
            "`yaml` is no format",
        ),
    ] {
        let output = place.rooms(arguments);
        assert!(
            !output.status.success() && text(&output.stderr).contains(why),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn worlds_are_looked_at_as_any_session_is() {
    let place = Place::with_world();
    place.respond(
        "2",
        r#"{"actions":[{"type":"set","path":"sensor","value":"drifts"}]}"#,
        "2026-03-02T09:00:01Z",
    );
    place.respond(
        "2",
        r#"{"actions":[{"type":"set","path":"sensor","value":"stands still"}]}"#,
        "2026-03-02T09:00:30Z",
    );
    let hud = |arguments: &[&str]| {
        let output = place.hud(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout) + &text(&output.stderr)
    };
    assert!(hud(&["search", "drifts"]).contains("rooms/agent-2"));
    assert!(hud(&["at", "--session", "rooms/agent-2", "turn:1"]).contains("drifts"));
    assert!(
        hud(&["diff", "--session", "rooms/agent-2", "turn:1", "turn:2"]).contains("stands still")
    );
    let doctor: Value =
        serde_json::from_str(text(&place.hud(&["doctor", "--json"]).stdout).trim()).unwrap();
    assert_eq!(doctor["problems"], json!([]), "{doctor}");
    // Taken out and taken in again, it is the same world.
    fs::write(place.path("world.jsonl"), place.hud(&["export"]).stdout).unwrap();
    hud(&["import", "world.jsonl", "--db", "again.db"]);
    let again = ["--now", "2026-03-02T09:01:00Z", "--agent", "2"];
    let one = place.sound(&[&["hud"], again.as_slice()].concat());
    let other = place.sound(&[&["hud", "--db", "again.db"], again.as_slice()].concat());
    assert_eq!(one, other);
}

#[test]
fn a_run_asks_for_all_agents_and_goes_on_where_it_was() {
    let (place, model) = (Place::with_world(), greeting());
    for _ in 0..2 {
        let output = place.run(&model, &["--heartbeats", "6", "--parallel", "2"]);
        let note = text(&output.stderr);
        assert!(
            output.status.success() && note.contains("6 heartbeats are over"),
            "{note}"
        );
    }
    let requests = model.requests();
    assert_eq!(requests.len(), 12);
    let (_, body) = &requests[0];
    assert_eq!(
        (&body["model"], &body["stream"]),
        (&json!("gpt-4o-mini"), &json!(true))
    );
    // All four were asked three times: they begin together, and their heartbeats take as long.
    let mut by_agent = [0; 4];
    for (_, body) in &requests {
        let hud = body["messages"][0]["content"].as_str().unwrap();
        let names = [
            "You are Ada",
            "You are Bruno",
            "You are Chiara",
            "You keep the minutes",
        ];
        let who = names.iter().position(|name| hud.contains(name)).unwrap();
        by_agent[who] += 1;
    }
    assert_eq!(by_agent, [3; 4]);
    let watched = place.sound(&["watch", "--once", "--room", "1"]);
    assert!(
        watched.contains("Greeting 0") && watched.contains("Greeting 11"),
        "{watched}"
    );
    let formats = place.sound(&["formats", "--json", "--now", "2026-03-02T10:00:00Z"]);
    let first: Value = serde_json::from_str(formats.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["kept"]["huds"], first["kept"]["mends"].as_u64()),
        (&json!(3), Some(15))
    );
    assert!(first["kept"]["prefix"].as_u64() > Some(0));
}

#[test]
fn a_run_ends_at_its_limits_and_at_an_endpoint_that_is_of_no_use() {
    let place = Place::with_world();
    let busy = Model::new(|nth, out| match nth {
        0 => answer(out, 429, "Retry-After: 0\r\n", "{}"),
        _ => answer(out, 200, "", &said(r#"{"actions":[]}"#)),
    });
    let output = place.run(&busy, &["--heartbeats", "1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(busy.requests().len(), 2);

    let cents = [
        "--budget",
        "0.000001",
        "--price-in",
        "1",
        "--price-out",
        "1",
    ];
    let output = place.run(&busy, &cents);
    let error = text(&output.stderr);
    assert!(error.contains("--budget"), "{error}");
    let output = place.run(&busy, &["--budget", "1"]);
    assert!(text(&output.stderr).contains("--budget needs --price-in"));
    let output = place.run(&busy, &["--minutes", "0"]);
    assert!(text(&output.stderr).contains("the time is over"));

    let output = place.run(&busy, &["--max-tokens", "100"]);
    assert!(
        text(&output.stderr).contains("--max-tokens is 100"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(busy.requests().len(), 2, "nothing was sent");

    let closed =
        Model::new(|_, out| answer(out, 401, "", r#"{"error":{"message":"who are you"}}"#));
    let output = place.run(&closed, &[]);
    let error = text(&output.stderr);
    assert!(
        !output.status.success() && error.contains("does not take the key"),
        "{error}"
    );

    let foreign = place.rooms(&["run", "--endpoint", "http://api.example/v1"]);
    assert!(text(&foreign.stderr).contains("--insecure"));
}

/// A run in the background, which a person sits in front of.
#[cfg(unix)]
struct Live {
    child: Child,
    input: Option<ChildStdin>,
}

#[cfg(unix)]
impl Live {
    fn of(place: &Place, model: &Model, more: &[&str]) -> Self {
        let mut command = place.command(Path::new(env!("CARGO_BIN_EXE_hud")));
        let url = model.url();
        command
            .args(["rooms", "run", "--endpoint", &url])
            .args(more);
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let input = child.stdin.take();
        Self { child, input }
    }

    fn types(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// What it wrote until it ended, and how it did.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }
}

/// Waits until something is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(unix)]
fn a_run_in_real_time_is_stopped_and_finishes_what_it_began() {
    let (place, model) = (Place::with_world(), greeting());
    let run = Live::of(&place, &model, &[]);
    until("all are asked", || model.requests().len() >= 4);
    run.signal(Signal::INT);
    let (code, _, note) = run.end();
    assert_eq!(code, Some(0), "{note}");
    assert!(note.contains("stopped: 4 heartbeats"), "{note}");
    let watched = place.sound(&["watch", "--once"]);
    assert_eq!(watched.lines().count(), 4, "{watched}");
}

#[test]
#[cfg(unix)]
fn a_person_in_a_room_types_and_sees_what_is_said() {
    let (place, model) = (Place::with_world(), greeting());
    let mut run = Live::of(&place, &model, &["--room", "1"]);
    run.types("Good morning, all");
    run.types("/rom 2");
    run.types("/room 99");
    run.types(&"word ".repeat(2_000));
    run.types("");
    run.types("/room 2");
    run.types("  /room is what I typed  ");
    let said = |room: &str| place.sound(&["watch", "--once", "--room", room]);
    until("it is said", || said("2").contains("/room is what I typed"));
    until("all are asked", || model.requests().len() >= 4);
    let (code, seen, note) = run.end();
    assert_eq!(code, Some(0), "{note}");
    for why in [
        "`/rom 2` is no order",
        "there is no room 99: there are 1, 2, 3, 4",
        "not said: the message has more than 1000 tokens",
        "the input has ended: 4 heartbeats",
    ] {
        assert!(note.contains(why), "{note}");
    }
    assert!(
        seen.contains("room 1 · 1 · The Architect: Good morning, all"),
        "{seen}"
    );
    assert!(
        seen.contains("The Architect: /room is what I typed"),
        "{seen}"
    );
    assert!(!said("1").contains("word word"));
    // The others see it when they are asked next, and a run with a limit goes on without the person.
    let input = std::fs::File::open(root().join("examples/rooms/answer.json")).unwrap();
    let mut command = place.command(Path::new(env!("CARGO_BIN_EXE_hud")));
    let url = model.url();
    let more = ["--room", "1", "--virtual-time", "--heartbeats", "4"];
    let output = command
        .args(["rooms", "run", "--endpoint", &url])
        .args(more)
        .stdin(input)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("Good morning, all"),
        "what was said before is shown"
    );
    let (_, body) = model.requests().pop().unwrap();
    assert!(
        body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("Good morning, all")
    );
    let nowhere = place.rooms(&["run", "--endpoint", &url, "--room", "9"]);
    assert!(text(&nowhere.stderr).contains("there is no room 9"));
}

#[test]
#[cfg(unix)]
fn who_stops_twice_waits_for_nobody_and_the_next_run_asks_again() {
    let place = Place::with_world();
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let slow = Model::new(move |_, _| {
        let _ = held.lock().unwrap().recv();
    });
    let mut run = Live::of(&place, &slow, &["--parallel", "2"]);
    until("somebody is asked", || !slow.requests().is_empty());
    run.signal(Signal::INT);
    let mut notes = BufReader::new(run.child.stderr.take().unwrap()).lines();
    let note = notes.find(|line| line.as_ref().unwrap().contains("2 agents still to answer"));
    assert!(note.is_some(), "it says for whom it waits");
    run.signal(Signal::TERM);
    assert_eq!(run.end().0, Some(130));
    drop(release);
    // One that is killed in the middle of something leaves a sound log, too.
    let model = greeting();
    let run = Live::of(&place, &model, &["--virtual-time"]);
    until("it is busy", || model.requests().len() >= 10);
    run.signal(Signal::KILL);
    assert_eq!(run.end().0, None);
    let doctor = place.hud(&["doctor", "--json"]);
    let doctor: Value = serde_json::from_str(text(&doctor.stdout).trim()).unwrap();
    assert_eq!(doctor["problems"], json!([]), "{doctor}");
    let output = place.run(&model, &["--heartbeats", "4"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_world_that_is_ahead_of_the_clock_goes_on_from_there() {
    let (place, model) = (Place::with_world(), greeting());
    place.sound(&[
        "say",
        "--room",
        "1",
        "--now",
        "2199-01-01T00:00:00Z",
        "Hello",
    ]);
    let output = place.rooms(&["run", "--endpoint", &model.url(), "--heartbeats", "4"]);
    let note = text(&output.stderr);
    assert!(output.status.success(), "{note}");
    assert!(
        note.contains("2199-01-01T00:00:00Z, later than the clock's"),
        "{note}"
    );
    assert!(note.contains("4 heartbeats are over"), "{note}");
}

#[test]
fn an_answer_that_is_cut_off_or_fails_is_not_half_done() {
    let place = Place::with_world();
    let model = Model::new(|nth, out| match nth {
        // The model wrote as much as it may.
        0 => answer(
            out,
            200,
            STREAM,
            &streamed("{\"actions\": [{\"type\": \"set_name\", \"name\": \"Ad"),
        ),
        // The connection ends in the middle of it.
        1 => {
            let body = streamed("{\"actions\": [{\"type\": \"set_name\", \"name\": \"Bru\"}]}");
            let half = &body[..body.len() / 2];
            let length = body.len();
            let _ = write!(
                out,
                "HTTP/1.1 200 X\r\n{STREAM}Content-Length: {length}\r\nConnection: close\r\n\r\n{half}"
            );
        }
        // Something goes wrong at the endpoint.
        2 => answer(
            out,
            200,
            STREAM,
            "data: {\"error\":{\"message\":\"too much to do\"}}\n\n",
        ),
        _ => answer(out, 200, STREAM, &streamed("")),
    });
    let more = ["--heartbeats", "4", "--parallel", "1"];
    let output = place.run(&model, &more);
    let note = text(&output.stderr);
    assert!(output.status.success(), "{note}");
    assert!(
        note.contains("0 actions, 1 refused, 2 without an answer")
            && note.contains("too much to do"),
        "{note}"
    );
    let shown = place.sound(&["hud", "--agent", "1", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["self"]["identity"]["name"], "Ada");
    let reason = shown["self"]["refused_actions"][0]["reason"]
        .as_str()
        .unwrap();
    assert!(reason.contains("ends before it is over"), "{reason}");
}

//! `hud rooms` as its users run it, with a model on this machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "model/mod.rs"]
mod model;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use model::{Model, answer, said};
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
        command
            .current_dir(self.0.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("HUD_DB", self.path("rooms.db"))
            .env_remove("OPENAI_API_KEY");
        for variable in [
            "CLICOLOR_FORCE",
            "HTTP_PROXY",
            "http_proxy",
            "ALL_PROXY",
            "all_proxy",
        ] {
            command.env_remove(variable);
        }
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
fn each_command_of_the_docs_works() {
    let docs = fs::read_to_string(root().join("docs/rooms.md")).unwrap();
    let (place, model) = (Place::new(), greeting());
    let bin = Path::new(env!("CARGO_BIN_EXE_hud")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut count = 0;
    for block in docs.split("```sh\n").skip(1) {
        for line in block
            .split("```")
            .next()
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("hud "))
        {
            let line = line.replace("http://127.0.0.1:11434/v1", &model.url());
            let mut shell = place.command(Path::new("sh"));
            shell
                .args(["-c", &line])
                .env("PATH", format!("{}:{path}", bin.display()));
            let output = shell.env_remove("HUD_DB").output().unwrap();
            assert!(output.status.success(), "{line}: {}", text(&output.stderr));
            assert!(
                !output.stdout.is_empty() || line.contains(" run "),
                "{line} says nothing"
            );
            count += 1;
        }
    }
    assert!(count >= 17, "{count}");
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
        (["hud", "--agent", "99"].as_slice(), "there is no agent 99"),
        (&["say", "--room", "99", "Hi"], "there is no room 99"),
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

#[test]
#[cfg(unix)]
fn a_run_in_real_time_is_stopped_and_finishes_what_it_began() {
    let (place, model) = (Place::with_world(), greeting());
    let mut command = place.command(Path::new(env!("CARGO_BIN_EXE_hud")));
    let url = model.url();
    command
        .args(["rooms", "run", "--endpoint", &url])
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let began = Instant::now();
    while model.requests().len() < 4 && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let note = text(&output.stderr);
    assert!(
        output.status.success() && note.contains("stopped: 4 heartbeats"),
        "{note}"
    );
    let watched = place.sound(&["watch", "--once"]);
    assert_eq!(watched.lines().count(), 4, "{watched}");
}

//! The hooks in the real Codex CLI and Gemini CLI, on loopback: what the model is sent.
//!
//! The clients are taken from the environment variables `CODEX` and `GEMINI`; without them the tests
//! are skipped:
//!
//! ```sh
//! npm install --prefix DIR @openai/codex@0.169.0 @google/gemini-cli@0.61.0
//! CODEX=DIR/node_modules/.bin/codex GEMINI=DIR/node_modules/.bin/gemini \
//!     cargo test -p hud-tests --test other_clients -- --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

mod clients;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clients::endpoint::{Endpoint, Kind};
use clients::{finish, hud, start};
use hud_store::log::{Log, project};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A project, a home, and the hooks in it.
struct Place {
    directory: TempDir,
    client: OsString,
}

impl Place {
    /// A place for the client that a variable names; none where there is no client.
    fn new(variable: &str, name: &str) -> Option<Self> {
        let Some(client) = std::env::var_os(variable) else {
            println!("skipped: {variable} is not set");
            return None;
        };
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
            client,
        };
        for folder in ["home", "project"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        fs::write(place.path("project/a.txt"), "hello\n").unwrap();
        if name == "gemini" {
            fs::create_dir(place.path("home/.gemini")).unwrap();
            let settings = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
            fs::write(place.path("home/.gemini/settings.json"), settings).unwrap();
        }
        let installed = place
            .command(hud().into_os_string())
            .args(["install", name, "--user", "--yes"])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(installed.success());
        Some(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A command in the project that knows nothing of this machine.
    fn command(&self, program: OsString) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }

    fn state(&self) -> HudState {
        let log = SqliteLog::open_read_only(self.path("project/.hud/hud.db")).unwrap();
        let sessions = log.sessions().unwrap();
        project(&log, &sessions[0].id).unwrap()
    }
}

/// The events of a stream.
fn events(events: &[Value]) -> String {
    let lines = events.iter().map(|event| {
        let kind = event["type"].as_str().unwrap_or("message");
        format!("event: {kind}\ndata: {event}\n\n")
    });
    lines.collect()
}

#[test]
fn codex_is_shown_the_hud_and_what_changes() {
    let Some(place) = Place::new("CODEX", "codex") else {
        return;
    };
    let endpoint = Endpoint::start(|_, turn| {
        let item = match turn {
            0 => json!({
                "type": "function_call", "id": "f1", "call_id": "call_1", "name": "exec_command",
                "arguments": json!({ "cmd": "cat a.txt" }).to_string(),
            }),
            _ => json!({
                "type": "message", "id": "m1", "role": "assistant",
                "content": [{ "type": "output_text", "text": "done" }],
            }),
        };
        let usage = json!({ "input_tokens": 100, "output_tokens": 5, "total_tokens": 105 });
        let stream = events(&[
            json!({ "type": "response.created", "response": { "id": "r" } }),
            json!({ "type": "response.output_item.done", "item": item }),
            json!({ "type": "response.completed", "response": { "id": "r", "usage": usage } }),
        ]);
        (Kind::Turn, stream)
    });
    let config = format!(
        "model = \"mock\"\nmodel_provider = \"mock\"\napproval_policy = \"never\"\n\
         sandbox_mode = \"danger-full-access\"\n[model_providers.mock]\nname = \"mock\"\n\
         base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\n",
        endpoint.port
    );
    fs::write(place.path("home/.codex/config.toml"), config).unwrap();
    let mut codex = place.command(place.client.clone());
    codex.args([
        "exec",
        "--dangerously-bypass-hook-trust",
        "--json",
        "--skip-git-repo-check",
    ]);
    let said = finish(start(
        codex.arg("look at the file, please").stderr(Stdio::null()),
    ));
    assert!(said.contains("done"), "{said}");

    let asked = endpoint.asked();
    let input = |turn: usize| asked[turn].body["input"].to_string();
    assert!(
        input(0).contains("<hud>\\n# Task\\n\\nNot set"),
        "{}",
        input(0)
    );
    assert!(
        input(0).contains("- **task**: look at the file, please"),
        "{}",
        input(0)
    );
    assert!(
        input(1).starts_with(input(0).trim_end_matches(']')),
        "what was shown is kept as it was"
    );
    assert_eq!(
        place.state().task.unwrap().description,
        "look at the file, please"
    );
}

#[test]
fn gemini_is_shown_the_hud_behind_each_request() {
    let Some(place) = Place::new("GEMINI", "gemini") else {
        return;
    };
    let file = place.path("project/a.txt").display().to_string();
    let endpoint = Endpoint::start(move |body, turn| {
        let part = match turn {
            0 => json!({ "functionCall": { "name": "read_file", "args": { "file_path": file } } }),
            _ => json!({ "text": "done" }),
        };
        let chunk = json!({
            "candidates": [{ "index": 0, "finishReason": "STOP",
                             "content": { "role": "model", "parts": [part] } }],
            "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 5, "totalTokenCount": 105 },
        });
        // Gemini asks small questions of its own besides.
        let is_turn = body["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        let kind = if is_turn { Kind::Turn } else { Kind::Title };
        (kind, format!("data: {chunk}\n\n"))
    });
    let mut gemini = place.command(place.client.clone());
    gemini
        .args([
            "-m",
            "gemini-2.5-pro",
            "--approval-mode",
            "yolo",
            "--skip-trust",
            "-p",
        ])
        .arg("look at the file, please")
        .env("GEMINI_API_KEY", "dummy")
        .env(
            "GOOGLE_GEMINI_BASE_URL",
            format!("http://127.0.0.1:{}", endpoint.port),
        )
        .env("GEMINI_TELEMETRY_ENABLED", "false");
    let said = finish(start(gemini.stderr(Stdio::null())));
    assert!(said.contains("done"), "{said}");

    let mut asked = endpoint.asked();
    asked.retain(|asked| asked.kind == Kind::Turn);
    assert!(asked.len() >= 2, "{}", asked.len());
    for turn in &asked {
        let contents = turn.body["contents"].as_array().unwrap();
        let last = contents.last().unwrap().to_string();
        assert!(
            last.contains("<hud>") && last.contains("look at the file, please"),
            "{last}"
        );
        let huds = turn.body["contents"].to_string().matches("<hud>").count();
        assert_eq!(huds, 1, "what was shown before is not kept");
    }
    let state = place.state();
    assert!(
        state
            .active_files
            .iter()
            .any(|file| file.path.ends_with("a.txt")),
        "{state:?}"
    );
}

//! A log that can't be written, and one that is removed while it is written to.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use crate::common;

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hud_store::event::SessionId;
use hud_store::log::state_of;
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A user who is not the administrator, to whom nothing would be read-only.
const USER: u32 = 65_534;

/// A project, and the state of agents in it.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for folder in ["project", "state"] {
            fs::create_dir(world.path(folder)).unwrap();
        }
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn log(&self) -> PathBuf {
        common::log_of(&self.path("project"), &self.path("state"))
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path("project"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("state"))
            .env_remove("HUD_DB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// `hud bridge`, and its client's end.
struct Bridge {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Bridge {
    fn start(mut command: Command) -> Self {
        let mut child = command.arg("bridge").spawn().unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    fn ask(&mut self, method: &str, more: Value) -> Value {
        let mut params = json!({ "session": "s" });
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let request = json!({ "id": 1, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    fn note(&mut self, content: &str) -> Value {
        let input = json!({ "tool": "notes.add", "args": { "content": content } });
        self.ask("call", json!({ "input": input }))
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

fn notes(log: &Path) -> Vec<String> {
    let log = SqliteLog::open_read_only(log).unwrap();
    let state = state_of(&log, &SessionId::new("s").unwrap()).unwrap();
    state.notes.into_iter().map(|note| note.content).collect()
}

#[test]
fn a_yes_takes_in_what_was_offered_before_the_bridge_was_started_anew() {
    let world = World::new();
    let hud = Path::new(env!("CARGO_BIN_EXE_hud"));
    let said = |kind: &str, text: &str| json!({ "reports": [{ "type": kind, "text": text }] });
    let mut bridge = Bridge::start(world.command(hud));
    bridge.ask(
        "observe",
        said("user", "Look into the flaky tests of the pool"),
    );
    let offer = "It is the clock.\n\n1. Freeze the clock\n2. Retry\n\nShall I freeze the clock in `pool_test.rs`?";
    bridge.ask("observe", said("agent", offer));
    bridge.end();

    let mut bridge = Bridge::start(world.command(hud));
    bridge.ask("observe", said("user", "yes"));
    let frame = bridge.ask("frame", json!({ "placement": "system-tail" }));
    let shown = frame["result"].to_string();
    assert!(shown.contains("yes: freeze the clock in"), "{shown}");
    // It was answered: a second one takes in nothing.
    bridge.end();
    let mut bridge = Bridge::start(world.command(hud));
    bridge.ask("observe", said("user", "2"));
    let frame = bridge.ask("frame", json!({ "placement": "system-tail" }));
    let shown = frame["result"].to_string();
    assert!(
        shown.contains("yes: freeze the clock in") && !shown.contains("Retry"),
        "{shown}"
    );
    bridge.end();
}

#[test]
fn what_is_acknowledged_is_in_the_log_that_is_there() {
    let world = World::new();
    let hud = Path::new(env!("CARGO_BIN_EXE_hud"));
    let log = world.log();
    let mut bridge = Bridge::start(world.command(hud));
    bridge.note("the first");
    fs::remove_dir_all(log.parent().unwrap()).unwrap();
    assert_eq!(
        bridge.note("tests need redis")["result"]["answer"]["id"],
        "n1"
    );
    assert_eq!(notes(&log), ["tests need redis"]);

    // Another one takes its place.
    fs::remove_dir_all(log.parent().unwrap()).unwrap();
    let mut other = Bridge::start(world.command(hud));
    other.note("of another process");
    bridge.note("and one more");
    assert_eq!(notes(&log), ["of another process", "and one more"]);
    other.end();
    bridge.end();
}

/// A program that runs as a user to whom files can be read-only.
fn as_user(world: &World) -> impl Fn() -> Command {
    let is_root = rustix::process::geteuid().is_root();
    let hud = world.path("hud");
    fs::copy(env!("CARGO_BIN_EXE_hud"), &hud).unwrap();
    if is_root {
        fs::set_permissions(world.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for folder in ["project", "state"] {
            chown(world.path(folder), Some(USER), None).unwrap();
        }
    }
    move || {
        let mut command = world.command(&hud);
        if is_root {
            command.uid(USER);
        }
        command
    }
}

/// Has hooks run that can't write, and checks what they show and what they say.
fn shows_what_it_reads(world: &World, user: &impl Fn() -> Command, reason: &str) {
    for (name, is_shown) in [
        ("SessionStart", true),
        ("UserPromptSubmit", false),
        ("BeforeModel", true),
    ] {
        let event = json!({ "session_id": "s", "cwd": world.path("project"), "prompt": "x",
                            "hook_event_name": name, "llm_request": { "messages": [] } });
        let mut hook = user().arg("hook").spawn().unwrap();
        write!(hook.stdin.take().unwrap(), "{event}").unwrap();
        let output = hook.wait_with_output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            shown.contains("tests need redis"),
            is_shown,
            "{name}: {shown}"
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(reason), "{name}: {said}");
    }
}

#[test]
fn a_hud_that_can_only_be_read_is_shown() {
    let world = World::new();
    let user = as_user(&world);
    let log = world.log();
    let mut bridge = Bridge::start(user());
    bridge.note("tests need redis");
    bridge.end();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&log, 0o400);
    let mut bridge = Bridge::start(user());
    let kept = bridge.note("kept")["result"]["answer"]["kept"].to_string();
    assert!(kept.contains("can't be written"), "{kept}");
    let frame = bridge.ask("frame", json!({ "placement": "system-tail" }));
    let frame = frame.to_string();
    assert!(frame.contains("tests need redis"), "{frame}");

    shows_what_it_reads(&world, &user, "can't be written");

    // It is written to again once it can be.
    mode(log.parent().unwrap(), 0o700);
    for file in fs::read_dir(log.parent().unwrap()).unwrap() {
        mode(&file.unwrap().path(), 0o600);
    }
    let written = bridge.note("it works again");
    assert!(written["result"].is_object(), "{written}");
    bridge.end();
    assert_eq!(notes(&log), ["tests need redis", "kept", "it works again"]);
}

#[test]
fn a_hud_in_a_folder_that_can_only_be_read_is_shown() {
    let world = World::new();
    let user = as_user(&world);
    let log = world.log();
    let mut bridge = Bridge::start(user());
    bridge.note("tests need redis");
    bridge.end();
    // The last to close it leaves nothing beside it.
    drop(SqliteLog::open(&log).unwrap());
    assert!(!log.with_file_name("hud.db-wal").exists());
    let folder = log.parent().unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o500)).unwrap();
    let mut bridge = Bridge::start(user());
    let refused = bridge.note("nowhere to be kept");
    assert!(refused["error"].is_object(), "{refused}");
    let frame = bridge
        .ask("frame", json!({ "placement": "system-tail" }))
        .to_string();
    assert!(frame.contains("tests need redis"), "{frame}");
    bridge.end();
    shows_what_it_reads(&world, &user, "error");
    let render = user().arg("render").output().unwrap();
    assert!(render.status.success(), "{render:?}");
}

#[test]
fn servers_whose_client_goes_away_leave_nothing_beside_the_log() {
    let beside = |log: &Path| {
        let folder = fs::read_dir(log.parent().unwrap()).unwrap();
        let names = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("hud.db-")).collect();
        names.sort();
        names
    };
    let world = World::new();
    let hud = Path::new(env!("CARGO_BIN_EXE_hud"));
    let mut bridge = Bridge::start(world.command(hud));
    bridge.note("tests need redis");
    assert_eq!(beside(&world.log()), ["hud.db-shm", "hud.db-wal"]);
    bridge.end();
    assert_eq!(beside(&world.log()), [""; 0]);

    let message = |id: u64, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": { "name": "test", "version": "1" } });
    let note = json!({ "tool": "notes.add", "args": { "content": "and postgres" } });
    let mut server = world
        .command(hud)
        .args(["mcp", "--session", "s"])
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    for (id, method, params) in [
        (1, "initialize", hello),
        (2, "tools/call", json!({ "name": "hud", "arguments": note })),
    ] {
        writeln!(input, "{}", message(id, method, params)).unwrap();
        answers.next().unwrap().unwrap();
        if id == 1 {
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(input, "{ready}").unwrap();
        }
    }
    drop(input);
    assert!(server.wait().unwrap().success());
    assert_eq!(beside(&world.log()), [""; 0]);
    assert_eq!(notes(&world.log()), ["tests need redis", "and postgres"]);
}

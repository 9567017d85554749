//! Which session a server works on, by its client: many clients at once in one project.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::place::program;

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use hud_store::event::SessionId;
use hud_store::log::{Log, state_of};
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

/// Names the directory and the session of a client that runs as a process of its own.
const CLIENT: &str = "HUD_TEST_CLIENT";

/// How many clients run at once, and how many notes each of them makes.
const CLIENTS: usize = 8;
const NOTES: usize = 6;

/// Hands an event to a hook, and gives what it has the model read.
fn hook(directory: &Path, event: Value) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["hook", "--db"])
        .arg(directory.join("hud.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    write!(input, "{event}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn session_start(directory: &Path, session: &str, source: &str) -> String {
    let event = json!({ "hook_event_name": "SessionStart", "session_id": session, "cwd": directory,
                        "source": source });
    hook(directory, event)
}

/// The server of this process, which is its client.
struct Server {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    asked: u64,
}

impl Server {
    fn start(directory: &Path) -> Self {
        Self::of(
            Command::new(env!("CARGO_BIN_EXE_hud"))
                .arg("mcp")
                .arg("--db")
                .arg(directory.join("hud.db")),
            "test",
        )
    }

    fn of(command: &mut Command, client: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut server = Self {
            input: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            asked: 0,
        };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                            "clientInfo": { "name": client, "version": "1" } });
        server.ask("initialize", hello);
        let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(server.input, "{begun}").unwrap();
        server
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    /// Makes a note, and gives what the agent reads and whether it is an error.
    fn note(&mut self, content: &str, session: Option<&str>) -> (String, bool) {
        let mut arguments = json!({ "tool": "notes.add", "args": { "content": content } });
        if let Some(session) = session {
            arguments["session"] = session.into();
        }
        let answer = self.ask(
            "tools/call",
            json!({ "name": "hud", "arguments": arguments }),
        );
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["isError"] == true)
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

/// What was noted in a session.
fn notes(directory: &Path, session: &str) -> Vec<String> {
    let log = SqliteLog::open_read_only(directory.join("hud.db")).unwrap();
    let state = state_of(&log, &SessionId::new(session).unwrap()).unwrap();
    state.notes.into_iter().map(|note| note.content).collect()
}

fn sessions(directory: &Path) -> Vec<String> {
    let log = SqliteLog::open_read_only(directory.join("hud.db")).unwrap();
    let sessions = log.sessions().unwrap().into_iter();
    sessions.map(|session| session.id.to_string()).collect()
}

/// Starts this program again, as a client in a process of its own: see [`client`].
fn start_client(directory: &Path, session: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ties::client"])
        .env(CLIENT, format!("{}\n{session}", directory.display()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// A client in a process of its own, if it was started as one. It waits for the others, so that they
/// all run at once; one without a name has no hooks.
#[test]
fn client() {
    let Ok(said) = std::env::var(CLIENT) else {
        return;
    };
    let (directory, session) = said.split_once('\n').unwrap();
    let directory = PathBuf::from(directory);
    let mut server = Server::start(&directory);
    if session.is_empty() {
        let (text, is_error) = server.note("whose is it?", None);
        assert!(is_error && text.contains("--session NAME"), "{text}");
        return server.end();
    }
    session_start(&directory, session, "startup");
    for _ in 0..6_000 {
        if sessions(&directory).len() == CLIENTS {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for n in 0..NOTES {
        let tool = json!({ "hook_event_name": "PostToolUse", "session_id": session,
                           "cwd": directory, "tool_name": "Read", "tool_use_id": n.to_string(),
                           "tool_input": { "file_path": "/a.rs" }, "tool_response": "x" });
        hook(&directory, tool);
        let (text, is_error) = server.note(&format!("{session} {n}"), None);
        assert!(!is_error, "{text}");
    }
    server.end();
}

#[test]
fn each_of_many_clients_at_once_writes_to_its_own_session() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..CLIENTS).map(|n| format!("session-{n}")).collect();
    let clients: Vec<Child> = names
        .iter()
        .map(|name| start_client(directory.path(), name))
        .collect();
    for mut client in clients {
        assert!(client.wait().unwrap().success());
    }
    for name in &names {
        let wanted: Vec<String> = (0..NOTES).map(|n| format!("{name} {n}")).collect();
        assert_eq!(notes(directory.path(), name), wanted);
    }
    assert_eq!(sessions(directory.path()).len(), CLIENTS);
}

#[test]
fn a_server_goes_on_with_its_client_to_another_session() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let mut server = Server::start(directory);
    session_start(directory, "one", "startup");
    server.note("first", None);
    session_start(directory, "two", "clear");
    server.note("second", None);
    // What a hook of the session before says late changes nothing.
    let late = json!({ "hook_event_name": "PostToolUse", "session_id": "one", "cwd": directory,
                       "tool_name": "Read", "tool_use_id": "1", "tool_response": "x",
                       "tool_input": { "file_path": "/a.rs" } });
    hook(directory, late);
    server.note("third", None);
    session_start(directory, "one", "resume");
    server.note("fourth", None);
    server.end();
    assert_eq!(notes(directory, "one"), ["first", "fourth"]);
    assert_eq!(notes(directory, "two"), ["second", "third"]);
}

#[test]
fn several_sessions_in_one_client_are_distinguished_by_what_the_hud_calls_them() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let mut server = Server::start(directory);
    assert!(!session_start(directory, "one", "startup").contains("**Session**"));
    let hud = session_start(directory, "two", "startup");
    let (_, name) = hud.split_once("**Session**: `").unwrap();
    let (name, _) = name.split_once('`').unwrap();

    let (text, is_error) = server.note("whose?", None);
    assert!(
        is_error && text.contains("behind **Session** in your HUD"),
        "{text}"
    );
    let (text, is_error) = server.note("whose?", Some("three"));
    assert!(
        is_error && text.contains("no session of this project is called `three`"),
        "{text}"
    );
    // The answer to a call that was refused says it again.
    let refused = json!({ "hook_event_name": "PostToolUse", "session_id": "two", "cwd": directory,
                          "tool_name": "mcp__hud__hud", "tool_use_id": "1" });
    assert!(hook(directory, refused).contains(name));

    assert!(!server.note("mine", Some(name)).1);
    assert!(!server.note("the other's", Some("one")).1);
    server.end();
    assert_eq!(notes(directory, "two"), ["mine"]);
    assert_eq!(notes(directory, "one"), ["the other's"]);
    assert_eq!(sessions(directory).len(), 2);
}

#[test]
fn a_client_without_hooks_has_a_session_that_no_other_client_writes_to() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let mut server = Server::start(directory);
    assert!(!server.note("mine", None).1);
    assert!(start_client(directory, "").wait().unwrap().success());
    assert!(!server.note("mine again", None).1);
    server.end();
    assert_eq!(notes(directory, "main"), ["mine", "mine again"]);
    assert_eq!(sessions(directory), ["main"]);
}

#[test]
fn beside_clients_with_hooks_a_server_of_none_of_them_does_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    session_start(directory, "one", "startup");
    assert!(start_client(directory, "").wait().unwrap().success());
    assert_eq!(sessions(directory), ["one"]);
    assert!(notes(directory, "one").is_empty());
}

#[test]
fn what_claude_code_names_to_its_server_counts_for_claude_code_only() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let note = |client: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
        let command = command
            .arg("mcp")
            .arg("--db")
            .arg(directory.join("hud.db"))
            .env("CLAUDE_CODE_SESSION_ID", "named");
        let mut server = Server::of(command, client);
        assert!(!server.note(client, None).1);
        server.end();
    };
    note("claude-code");
    note("another");
    assert_eq!(notes(directory, "named"), ["claude-code"]);
    assert_eq!(notes(directory, "main"), ["another"]);
}

#[test]
fn cline_names_the_session_to_the_tool_itself() {
    let directory = tempfile::tempdir().unwrap();
    let input = json!({ "tool": "notes.list" });
    let event = json!({ "hookName": "tool_call", "taskId": "t", "workspaceRoots": [directory.path()],
                        "sessionContext": { "rootSessionId": "cline-1" },
                        "tool_call": { "id": "c", "name": "hud__hud", "input": input } });
    let answer: Value = serde_json::from_str(&hook(directory.path(), event)).unwrap();
    let given = answer["overrideInput"].clone();
    assert_eq!(given["tool"], "notes.list");
    let mut server = Server::start(directory.path());
    server.note("in cline", given["session"].as_str());
    server.end();
    assert_eq!(notes(directory.path(), "cline-1"), ["in cline"]);
}

/// A script around the program that starts it and waits, in place of becoming it.
fn wrapper(directory: &Path, first: &str, name: &str) -> PathBuf {
    let path = directory.join(name);
    let program = env!("CARGO_BIN_EXE_hud");
    let text = match first {
        "#!/bin/sh" => format!("{first}\n'{program}' \"$@\"\nexit $?\n"),
        _ => format!(
            "{first}\nimport subprocess, sys\nsys.exit(subprocess.run([{program:?}] + sys.argv[1:]).returncode)\n"
        ),
    };
    program::write(&path, &text);
    path
}

#[test]
fn a_script_around_the_program_does_not_part_a_server_from_its_hooks() {
    for (first, name) in [("#!/bin/sh", "hud"), ("#!/usr/bin/env python3", "hud")] {
        let directory = tempfile::tempdir().unwrap();
        let script = wrapper(directory.path(), first, name);
        let db = directory.path().join("hud.db");
        let run = |arguments: &str| {
            let mut command = Command::new(&script);
            command.arg(arguments).arg("--db").arg(&db);
            command
        };
        let mut hook = run("hook")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let event = json!({ "hook_event_name": "SessionStart", "session_id": "s1", "cwd": directory.path(),
                            "source": "startup" });
        write!(hook.stdin.take().unwrap(), "{event}").unwrap();
        assert!(hook.wait().unwrap().success());
        let mut server = Server::of(&mut run("mcp"), "test");
        let (said, is_error) = server.note("by a script", None);
        assert!(!is_error, "{first}: {said}");
        server.end();
        assert_eq!(notes(directory.path(), "s1"), ["by a script"], "{first}");
    }
}

#[test]
fn a_server_that_was_killed_is_said_to_be_gone_until_there_is_another() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let prompt = |text: &str| {
        let event = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": path,
                            "prompt": text });
        hook(path, event)
    };
    let is_told = |hud: &str| hud.contains("its server was ended");
    session_start(path, "s1", "startup");
    let mut first = Server::start(path);
    first.note("while it runs", None);
    assert!(!is_told(&prompt("Fix the parser")));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    assert!(is_told(&prompt("Go on with the lexer")));
    assert!(!is_told(&prompt("And now the docs")), "it is said once");
    assert!(
        is_told(&session_start(path, "s1", "compact")),
        "or with all of the HUD"
    );
    // One that begins again is the client's server then, before it is asked for anything.
    let second = Server::start(path);
    assert!(!is_told(&session_start(path, "s1", "compact")));
    // A client that ends its server as it should has no other one, and wants none.
    second.end();
    assert!(!is_told(&session_start(path, "s1", "compact")));
}

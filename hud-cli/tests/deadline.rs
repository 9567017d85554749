//! What an agent's turn waits for, with a log that others lock and a client that keeps its end open: it
//! goes on, and nothing is lost.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::shown;
use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, LogError, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use rusqlite::Connection;
use serde_json::{Value, json};

/// How long a turn waits here, in milliseconds: long enough for a machine that is busy, and no longer.
const DEADLINE: &str = "2000";

/// Starts a command on the log in a directory.
fn start(directory: &Path, command: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hud"))
        .args([command, "--deadline", DEADLINE, "--db"])
        .arg(directory.join("hud.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn prompt(text: &str) -> Value {
    json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": text })
}

fn opens(file: &str) -> Value {
    json!({ "hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/", "tool_name": "Read",
            "tool_use_id": file, "tool_input": { "file_path": file }, "tool_response": "x" })
}

/// Hands an event to a hook, and gives what it says to the client and to people.
fn hook(directory: &Path, event: &Value) -> (String, String) {
    let mut child = start(directory, "hook");
    let mut input = child.stdin.take().unwrap();
    write!(input, "{event}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// Sends lines to a server, and gives its answers to those that have an id.
fn talk(directory: &Path, command: &str, lines: &[Value]) -> Vec<Value> {
    let mut child = start(directory, command);
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut got = Vec::new();
    for line in lines {
        writeln!(input, "{line}").unwrap();
        if !line["id"].is_null() {
            let answer = answers.next().unwrap().unwrap();
            got.push(serde_json::from_str(&answer).unwrap());
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    got
}

fn note(content: &str) -> Value {
    json!({ "tool": "notes.add", "args": { "content": content } })
}

fn call_over_mcp(directory: &Path, arguments: &Value) -> (String, bool) {
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": { "name": "test", "version": "1" } });
    let params = json!({ "name": "hud", "arguments": arguments, "_meta": { "sessionId": "s" } });
    let answers = talk(
        directory,
        "mcp",
        &[
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }),
        ],
    );
    let result = &answers[1]["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    (text.to_owned(), result["isError"] == true)
}

/// Does something while another process writes to the log, so that nobody else can.
fn while_locked(directory: &Path, act: impl FnOnce()) {
    let mut log = SqliteLog::open(directory.join("hud.db")).unwrap();
    let other = SessionId::new("other").unwrap();
    let locked = log.append_from(&other, Expected::Any, |append| {
        let id = "n1".to_owned();
        let content = "for long".to_owned();
        append(&NewEvent::now(1, Actor::Agent, NoteAdd { id, content }))?;
        act();
        Ok::<_, LogError>(())
    });
    locked.unwrap();
}

fn state(directory: &Path) -> HudState {
    let log = SqliteLog::open_read_only(directory.join("hud.db")).unwrap();
    state_of(&log, &SessionId::new("s").unwrap()).unwrap()
}

fn notes(directory: &Path) -> Vec<String> {
    let notes = state(directory).notes.into_iter();
    notes.map(|note| note.content).collect()
}

#[test]
fn a_hook_answers_a_client_that_keeps_its_end_open() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start(directory.path(), "hook");
    let mut input = child.stdin.take().unwrap();
    write!(input, "{}", prompt("Add rate limits")).unwrap();
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert!(said.contains("Add rate limits"), "{said}");
    assert!(child.wait().unwrap().success());
    drop(input);
}

#[test]
fn a_hook_that_is_given_nothing_ends() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start(directory.path(), "hook");
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    drop(input);
}

/// What waited to be written, as the first version that kept it wrote it: calls in the clients' own words.
const KEPT_THEN: &str = r#"{"id":"0199a4c2-0f00-7000-8000-000000000001","at":"2026-10-02T10:00:00Z","session":"s","runs":null}
{"id":"0199a4c2-0f00-7000-8000-000000000002","at":"2026-10-02T10:00:01Z","session":"s","observed":{"type":"user","text":"Add rate limits"}}
{"id":"0199a4c2-0f00-7000-8000-000000000003","at":"2026-10-02T10:00:02Z","session":"s","observed":{"type":"tool_result","call":"c","tool":"Read","input":{"file_path":"/a.rs"},"content":"x","is_error":false,"not_run":null}}
{"id":"0199a4c2-0f00-7000-8000-000000000005","at":"2026-10-02T10:00:02Z","session":"s","observed":{"type":"tool_call","call":"d","tool":"Bash","input":{"command":"make"}}}
{"id":"0199a4c2-0f00-7000-8000-000000000006","at":"2026-10-02T10:00:02Z","session":"s","observed":{"type":"tool_result","call":"d","tool":null,"input":null,"content":"error: no rule","is_error":true,"not_run":null}}
{"id":"0199a4c2-0f00-7000-8000-000000000004","at":"2026-10-02T10:00:03Z","session":"s","called":{"tool":"notes.add","args":{"content":"tests need redis"}}}
"#;

#[test]
fn what_an_older_version_kept_is_written_by_this_one() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    drop(SqliteLog::open(directory.join("hud.db")).unwrap());
    let kept = directory.join("hud.db.spool.jsonl");
    fs::write(&kept, KEPT_THEN).unwrap();
    hook(directory, &opens("/b.rs"));
    let state = state(directory);
    assert_eq!(state.task.unwrap().description, "Add rate limits");
    let files: Vec<_> = state.active_files.iter().map(|file| &*file.path).collect();
    assert_eq!(files, ["/a.rs", "/b.rs"]);
    assert_eq!(state.errors[0].target.as_deref(), Some("make"));
    assert_eq!(state.notes[0].content, "tests need redis");
    assert_eq!(
        state.notes[0].updated_at,
        "2026-10-02T10:00:03Z".parse().unwrap()
    );
    assert_eq!(fs::read(&kept).unwrap(), b"");
}

#[test]
fn what_happens_while_the_log_is_locked_is_written_later_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    hook(directory, &prompt("Add rate limits"));
    let before = jiff::Timestamp::now();
    while_locked(directory, || {
        let (_, reported) = hook(directory, &opens("/second.rs"));
        assert!(reported.contains("kept, to be written later"), "{reported}");
        let (said, is_error) = call_over_mcp(directory, &note("by the agent"));
        assert!(!is_error && said.starts_with("Kept"), "{said}");
        let (listed, is_error) = call_over_mcp(directory, &json!({ "tool": "notes.list" }));
        assert!(
            !is_error && !listed.contains("by the agent"),
            "what can be read is read: {listed}"
        );
        let observed = json!({ "session": "s", "reports": [{ "type": "tool_result", "call": "c", "tool": "Read",
                                                            "input": { "file_path": "/third.rs" } }] });
        let called = json!({ "session": "s", "input": note("by a plugin") });
        let answers = talk(
            directory,
            "bridge",
            &[
                json!({ "id": 1, "method": "observe", "params": observed }),
                json!({ "id": 2, "method": "call", "params": called }),
                json!({ "id": 3, "method": "frame", "params": { "session": "s" } }),
            ],
        );
        assert_eq!(answers[0]["result"]["kept"], true, "{answers:?}");
        assert!(
            answers[1]["result"]["answer"]["kept"].is_string(),
            "{answers:?}"
        );
        assert!(
            answers[2]["result"]["system"]
                .as_str()
                .unwrap()
                .contains("Add rate limits")
        );
    });
    let after = jiff::Timestamp::now();
    hook(directory, &opens("/fourth.rs"));
    let db = directory.join("hud.db");
    let lines = shown(&[
        "log",
        "--db",
        db.to_str().unwrap(),
        "--session",
        "s",
        "--json",
    ]);
    let events: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        // The frame that a client was given and the messages are recorded as well, between the events that are compared.
        .filter(|event| event["kind"] != "context.frame" && event["kind"] != "record.message")
        .collect();
    let said: Vec<&str> = events
        .iter()
        .filter_map(|event| {
            let said = ["description", "content", "path"].map(|key| event["payload"][key].as_str());
            said.into_iter().flatten().next()
        })
        .collect();
    let wanted = [
        "Add rate limits",
        "/second.rs",
        "by the agent",
        "/third.rs",
        "by a plugin",
        "/fourth.rs",
    ];
    assert_eq!(said, wanted);
    for event in &events[2..6] {
        let at: jiff::Timestamp = event["at"].as_str().unwrap().parse().unwrap();
        assert!(
            before <= at && at <= after,
            "when it happened, not when it was written: {event}"
        );
    }
    assert_eq!(
        fs::metadata(directory.join("hud.db.outbox.jsonl"))
            .unwrap()
            .len(),
        0
    );
}

#[test]
fn what_waits_is_written_once_also_after_a_crash_in_the_middle() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let outbox = directory.join("hud.db.outbox.jsonl");
    while_locked(directory, || {
        call_over_mcp(directory, &note("one"));
        call_over_mcp(directory, &note("two"));
    });
    let waiting = fs::read(&outbox).unwrap();
    let db = directory.join("hud.db");
    let sessions = || shown(&["sessions", "--db", db.to_str().unwrap()]);
    let whole = sessions();
    assert_eq!(notes(directory), ["one", "two"]);
    // As if whoever wrote it had ended before the file was emptied, and another in the middle of a line.
    fs::write(&outbox, [&waiting, &b"{\"id\":\"01"[..]].concat()).unwrap();
    assert_eq!(sessions(), whole);
    assert_eq!(notes(directory), ["one", "two"]);
    fs::write(&outbox, "{\"id\":\"01").unwrap();
    while_locked(directory, || {
        call_over_mcp(directory, &note("three"));
    });
    sessions();
    assert_eq!(notes(directory), ["one", "two", "three"]);
}

#[cfg(unix)]
#[test]
fn what_waits_is_for_its_owner_only_and_never_too_much() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let outbox = directory.join("hud.db.outbox.jsonl");
    while_locked(directory, || {
        call_over_mcp(directory, &note("one"));
        let mode = fs::metadata(&outbox).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let much = fs::File::options().append(true).open(&outbox).unwrap();
        much.set_len(16 * 1024 * 1024).unwrap();
        let (said, is_error) = call_over_mcp(directory, &note("too much"));
        assert!(
            is_error && said.starts_with("nothing was recorded"),
            "{said}"
        );
    });
}

#[test]
fn a_log_that_nobody_else_may_even_read_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    hook(directory, &prompt("Add rate limits"));
    let db = directory.join("hud.db");
    let lock = Connection::open(&db).unwrap();
    lock.pragma_update(None, "locking_mode", "exclusive")
        .unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE; COMMIT").unwrap();
    let (said, reported) = hook(directory, &opens("/second.rs"));
    assert_eq!(said, "", "{reported}");
    assert!(reported.contains("kept, to be written later"), "{reported}");
    drop(lock);
    shown(&["render", "--db", db.to_str().unwrap()]);
    assert_eq!(state(directory).active_files[0].path, "/second.rs");
}

#[test]
fn a_log_that_does_not_answer_is_not_waited_for_in_each_turn() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let hook = |deadline: &str, text: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
            .args(["hook", "--deadline", deadline, "--db", "hud.db"])
            .current_dir(folder)
            .env("XDG_RUNTIME_DIR", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        write!(child.stdin.take().unwrap(), "{}", prompt(text)).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
    };
    let marks = || {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().path());
        names
            .filter(|path| path.to_string_lossy().contains("hud-hang"))
            .collect::<Vec<_>>()
    };
    hook("60000", "Begin");
    // Nothing makes a disk hang here; a log and an outbox that are locked come near to it.
    let outbox = folder.join("hud.db.outbox.jsonl");
    let outbox = std::fs::File::create(outbox).unwrap();
    outbox.lock().unwrap();
    let mut is_marked = false;
    while_locked(folder, || {
        is_marked = (0..200).any(|_| {
            hook("20", "Too soon");
            !marks().is_empty()
        });
    });
    drop(outbox);
    assert!(is_marked);
    let said = hook("60000", "Not recorded");
    assert!(said.contains("is tried again"), "{said}");
    let [mark] = <[_; 1]>::try_from(marks()).unwrap();
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let file = std::fs::File::options().write(true).open(mark).unwrap();
    file.set_modified(before).unwrap();
    let said = hook("60000", "Recorded again");
    assert_eq!(said, "");
    assert!(marks().is_empty());
    let state = state(folder);
    let known = format!("{:?}", state.requests) + &format!("{:?}", state.task);
    assert!(known.contains("Recorded again"), "{known}");
}

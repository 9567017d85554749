//! `hud mcp` as a client talks to it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server, and the client's end of it.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    id: u64,
}

impl Server {
    fn start(directory: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
            .arg("mcp")
            .args(arguments)
            .current_dir(directory)
            .env("XDG_STATE_HOME", directory.join("state"))
            .env("XDG_CONFIG_HOME", directory.join("state"))
            .env_remove("HUD_DB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut server = Self {
            input: child.stdin.take(),
            child,
            lines,
            id: 0,
        };
        let hello = server.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} },
                    "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(hello["result"]["serverInfo"]["name"], "agent-hud");
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    fn send(&mut self, line: &str) {
        let mut input = self.input.as_ref().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let line = self.lines.next().unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.send(&request.to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], self.id, "{answer}");
        answer
    }

    /// Calls the tool, and gives what the agent reads and whether it is an error.
    fn hud(&mut self, arguments: Value) -> (String, bool) {
        let answer = self.ask(
            "tools/call",
            json!({ "name": "hud", "arguments": arguments }),
        );
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["isError"].as_bool().unwrap_or(false))
    }

    /// Ends the conversation, as a client does that goes away.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_component_is_a_tool_whose_schema_is_that_of_its_props_and_takes_what_the_section_answers() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(
        directory.path(),
        &["--show", "NotesSection", "--show", "<Meter>"],
    );
    let tools = server.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "hud",
            "hud_compact",
            "hud_show_NotesSection",
            "hud_show_Meter"
        ]
    );
    let schema = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["layout", "schema", "NotesSection"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(tools[2]["inputSchema"], schema);
    assert!(
        tools[2]["description"]
            .as_str()
            .is_some_and(|said| !said.is_empty())
    );

    // What `notes.list` answers is what the component takes.
    server.hud(json!({ "tool": "notes.add", "args": { "content": "tests need redis" } }));
    let (listed, _) = server.hud(json!({ "tool": "notes.list" }));
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let mut show = |tool: &str, arguments: &Value| {
        let answer = server.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = &answer["result"];
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (text, result["isError"].as_bool().unwrap_or(false))
    };
    let (shown, is_error) = show("hud_show_NotesSection", &listed);
    assert!(!is_error && shown.contains("- tests need redis"), "{shown}");
    assert_eq!(
        show("hud_show_Meter", &json!({ "used": 20, "limit": 80 })),
        ("25% (20/80)\n".to_owned(), false)
    );
    let (wrong, is_error) = show("hud_show_Meter", &json!({ "usd": 20 }));
    assert!(is_error && wrong.contains("unknown field `usd`"), "{wrong}");
    server.end();

    let unknown = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["mcp", "--show", "NextStep"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&unknown.stderr);
    assert!(
        !unknown.status.success() && said.contains("did you mean `<NextSteps>`"),
        "{said}"
    );
}

#[test]
fn tools_are_listed_called_and_remembered() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &[]);
    let tools = server.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["hud", "hud_compact"]);
    assert_eq!(tools[0]["inputSchema"]["type"], "object");
    let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
    assert_eq!(server.hud(note), (r#"{"id":"n1"}"#.to_owned(), false));
    // What opencode sends behind each call.
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"AbortError"}}"#);
    let (answer, is_error) = server.hud(json!({ "tool": "notes.burn" }));
    assert!(is_error && answer.contains("did you mean"), "{answer}");
    let compact = server.ask(
        "tools/call",
        json!({ "name": "hud_compact", "arguments": {} }),
    );
    assert!(
        compact.to_string().contains("tests need redis"),
        "{compact}"
    );
    let (state, _) = server.hud(json!({ "tool": "snapshot" }));
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!(state["compacting"], Value::Null, "nothing compacts yet");
    server.end();

    let mut again = Server::start(directory.path(), &[]);
    let (notes, _) = again.hud(json!({ "tool": "notes.list" }));
    assert!(notes.contains("tests need redis"), "{notes}");
    again.end();
}

#[test]
fn the_hud_is_a_resource_and_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &["--write", "out/HUD.md"]);
    let file = directory.path().join("out/HUD.md");
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
    server.hud(json!({ "tool": "task.set", "args": { "description": "# Add rate limits" } }));
    let hud = fs::read_to_string(&file).unwrap();
    assert_eq!(hud, "# Task\n\n\\# Add rate limits (agent)\n");
    let listed = server.ask("resources/list", json!({}));
    assert_eq!(listed["result"]["resources"][0]["uri"], "hud://frame");
    let read = server.ask("resources/read", json!({ "uri": "hud://frame" }));
    assert_eq!(read["result"]["contents"][0]["text"], hud);
    let json = server.ask("resources/read", json!({ "uri": "hud://frame/json" }));
    let contents = &json["result"]["contents"][0];
    assert_eq!(
        contents["text"],
        "{\"task\":\"# Add rate limits (agent)\"}\n"
    );
    assert_eq!(contents["mimeType"], "application/json");
    let error = server.ask("resources/read", json!({ "uri": "hud://other" }));
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("hud://frame"),
        "{error}"
    );
    server.end();
}

#[test]
fn a_call_works_on_the_session_that_the_client_names() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &[]);
    let mut add = |key: &str, session: &str| {
        let arguments = json!({ "tool": "notes.add", "args": { "content": session } });
        let params = json!({ "name": "hud", "arguments": arguments, "_meta": { key: session } });
        let answer = server.ask("tools/call", params);
        answer["result"]["content"][0]["text"].to_string()
    };
    let first = r#""{\"id\":\"n1\"}""#;
    assert_eq!(add("sessionId", "one"), first);
    assert_eq!(add("agent-session-id", "two"), first);
    assert_eq!(
        add("sessionId", "one again, though not by this name"),
        first
    );
    assert_eq!(add("progressToken", "of no session that is named"), first);
    server.end();
}

#[test]
fn no_client_has_to_ask_its_user_before_a_call() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &[]);
    let listed = server.ask("tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let hints = &tool["annotations"];
        assert_eq!(hints["destructiveHint"], false, "{tool}");
        assert_eq!(hints["openWorldHint"], false, "{tool}");
    }
    server.end();
}

#[test]
fn odd_messages_are_survived() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &[]);
    for odd in [
        "",
        "{",
        "not json at all",
        "[]",
        "null",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/party"}"#,
    ] {
        server.send(odd);
    }
    server.send(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    // A line without anything on it and a notification have no answer.
    for code in [-32700, -32700, -32600, -32600, -32600] {
        let answer = server.receive();
        assert_eq!(
            [&answer["id"], &answer["error"]["code"]],
            [&Value::Null, &json!(code)]
        );
    }
    let answer = server.receive();
    assert_eq!(answer["id"], "last");
    assert!(answer.get("result").is_some(), "{answer}");
    let unknown = server.ask("party/start", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let unknown = server.ask("tools/call", json!({ "name": "party", "arguments": {} }));
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("no tool `party`"),
        "{unknown}"
    );
    for wrong in [
        json!({ "tool": 5 }),
        json!({}),
        json!({ "tool": "notes.add", "args": [1, 2] }),
        json!({ "tool": "notes.add", "args": { "content": { "deep": [[[[1]]]] } } }),
        json!({ "tool": "recall", "args": { "version": -1 } }),
    ] {
        let (answer, is_error) = server.hud(wrong);
        assert!(is_error, "{answer:.200}");
    }
    // More than a server takes in.
    server.send(&format!(
        r#"{{"jsonrpc":"2.0","id":"long","a":"{}"}}"#,
        "x".repeat(33 << 20)
    ));
    let answer = server.receive();
    assert_eq!(
        [&answer["id"], &answer["error"]["code"]],
        [&json!("long"), &json!(-32600)]
    );
    let controls =
        json!({ "tool": "notes.add", "args": { "content": "a\u{1b}[2Jb\u{0}\u{202e}c\n# d" } });
    assert!(!server.hud(controls).1);
    let read = server.ask("resources/read", json!({ "uri": "hud://frame" }));
    let hud = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(!hud.contains('\u{1b}') && !hud.contains("\n# d"), "{hud}");
    server.end();
}

/// The answers of a server to lines that come at once, whether it ended well, and its standard error.
fn answers(directory: &Path, lines: &[&[u8]]) -> (Vec<Value>, bool, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["mcp", "--db", "hud.db"])
        .current_dir(directory)
        .env("XDG_CONFIG_HOME", directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for line in lines {
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }
    let ping = r#"{"jsonrpc":"2.0","id":"end","method":"ping"}"#;
    writeln!(input, "{ping}").unwrap();
    // Answers come as they are ready, and each request has one.
    let asked = |line: &&&[u8]| {
        let line = String::from_utf8_lossy(line);
        line.contains("\"id\"") && line.contains("\"method\"")
    };
    let expected = lines.iter().filter(asked).count() + 1;
    let mut answers: Vec<Value> = BufReader::new(output)
        .lines()
        .take(expected)
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    answers.retain(|answer| answer["id"] != "end");
    drop(input);
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    (answers, ended.status.success(), said)
}

const INITIALIZE: &[u8] = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

#[test]
fn what_comes_before_a_conversation_begins_does_not_end_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let early: [&[u8]; 5] = [
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"x"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        br#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
        br#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}"#,
        br#"{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
    ];
    let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let lines = [&early[..], &[INITIALIZE, early[1], list]].concat();
    let (answers, is_well, said) = answers(directory.path(), &lines);
    assert!(is_well, "{said}");
    let mut ids: Vec<_> = { answers.iter() }
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 8], "{answers:?}");
    let refused = answers.iter().find(|answer| answer["id"] == 8).unwrap();
    let message = refused["error"]["message"].as_str().unwrap();
    assert_eq!(refused["error"]["code"], -32602);
    assert!(message.contains("`capabilities`"), "{message}");
    assert!(!said.contains('{'), "{said}");

    // A client that says nothing hears why nothing began, and no more.
    let ended = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["mcp", "--db", "hud.db"])
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("before it sent `initialize`"), "{said}");
}

#[test]
fn what_is_no_character_is_replaced_and_arguments_that_are_left_out_may_be_null_or_empty() {
    let directory = tempfile::tempdir().unwrap();
    let call = |id: u64, tool: &str, arguments: &str| {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    };
    let note = r#""tool":"notes.add","args":{"content":"#;
    let mut calls = vec![
        call(1, "hud", &format!(r#"{{{note}"half \ud83d"}}}}"#)).into_bytes(),
        call(2, "hud", &format!(r#"{{{note}"byte ?"}}}}"#)).into_bytes(),
        call(3, "hud", &format!(r#"{{{note}"a"}},"session":null}}"#)).into_bytes(),
        call(4, "hud", &format!(r#"{{{note}"b"}},"session":""}}"#)).into_bytes(),
        call(5, "hud", r#"{"tool":"notes.list","args":"","session":" "}"#).into_bytes(),
        call(6, "hud", r#"{"tool":"notes.list","args":null}"#).into_bytes(),
        call(7, "hud_compact", r#"{"session":null}"#).into_bytes(),
        call(8, "hud_compact", r#"{"session":""}"#).into_bytes(),
        call(9, "hud_compact", "\"\"").into_bytes(),
    ];
    let byte = calls[1].iter().position(|byte| *byte == b'?').unwrap();
    calls[1][byte] = 0xFF;
    let lines: Vec<&[u8]> = { std::iter::once(INITIALIZE) }
        .chain(calls.iter().map(Vec::as_slice))
        .collect();
    let (answers, is_well, said) = answers(directory.path(), &lines);
    assert!(is_well, "{said}");
    assert_eq!(answers.len(), lines.len(), "{answers:?}");
    for answer in answers.iter().filter(|answer| answer["id"] != 0) {
        assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    }
    let listed = answers.iter().find(|answer| answer["id"] == 6).unwrap();
    let listed = listed["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        listed.contains("half \u{FFFD}") && listed.contains("byte \u{FFFD}"),
        "{listed}"
    );
}

#[test]
fn a_log_that_is_damaged_is_reported_to_the_agent_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    fs::write(&db, "somebody's notes, and no log").unwrap();
    let mut server = Server::start(directory.path(), &["--db", "hud.db"]);
    let (answer, is_error) = server.hud(json!({ "tool": "notes.list" }));
    assert!(
        is_error && answer.contains("is not a log of agent-hud"),
        "{answer}"
    );
    server.end();
    assert_eq!(
        fs::read_to_string(&db).unwrap(),
        "somebody's notes, and no log"
    );
}

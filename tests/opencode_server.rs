//! The plugin in the real opencode, driven through its server: messages that are undone and redone,
//! sessions that are forked, commands, another model. `OPENCODE` says where it is, as for the tests in
//! `opencode.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use crate::clients;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::clients::endpoint::{Asked, Kind};
use crate::clients::{Client, hud};
use crate::project::{Project, Say, big_files, last, reads, system, works};
use hud_store::event::SessionId;
use hud_store::log::state_of;
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

/// opencode's server on a project. It ends with the test.
struct Server {
    project: Project,
    port: u16,
    _client: Client,
}

impl Server {
    /// A server whose model says this; none where there is no opencode.
    fn start(script: Vec<Say>) -> Option<Self> {
        Self::with(script, json!({}))
    }

    /// As [`start`](Self::start), with options for the plugin.
    fn with(script: Vec<Say>, options: Value) -> Option<Self> {
        let project = Project::new(script, options)?;
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let arguments = [
            "serve",
            "--hostname",
            "127.0.0.1",
            "--port",
            &port.to_string(),
        ];
        let server = Self {
            _client: project.start_with(&arguments, &hud(), "home"),
            project,
            port,
        };
        let start = Instant::now();
        while server.try_ask("GET", "/session", &Value::Null, 2).is_err() {
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "it does not serve"
            );
            thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    fn try_ask(
        &self,
        method: &str,
        path: &str,
        body: &Value,
        seconds: u64,
    ) -> std::io::Result<Value> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(seconds)))?;
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), None);
        while !head.ends_with("\r\n\r\n") {
            let start = head.len();
            if reader.read_line(&mut head)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = head[start..].to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse::<usize>().ok();
            }
        }
        let mut answer = Vec::new();
        loop {
            // Without a length it comes in pieces, each behind its own, until one of none.
            let size = length.unwrap_or_else(|| {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                usize::from_str_radix(line.trim(), 16).unwrap()
            });
            let mut piece = vec![0; size + if length.is_some() { 0 } else { 2 }];
            reader.read_exact(&mut piece)?;
            answer.extend(&piece[..size]);
            if length.is_some() || size == 0 {
                break;
            }
        }
        let answer = String::from_utf8(answer).unwrap();
        assert!(head.contains(" 200 "), "{method} {path}: {head}{answer}");
        Ok(serde_json::from_str(answer.trim()).unwrap_or(Value::Null))
    }

    fn ask(&self, path: &str, body: Value) -> Value {
        self.try_ask("POST", path, &body, 240).unwrap()
    }

    fn session(&self) -> String {
        let session = self.ask("/session", json!({}));
        session["id"].as_str().unwrap().to_owned()
    }

    /// Says something in a session, and gives the message's name.
    fn say(&self, session: &str, text: &str) -> String {
        self.say_to("model", session, text)
    }

    fn say_to(&self, model: &str, session: &str, text: &str) -> String {
        let body = json!({
            "model": { "providerID": "mock", "modelID": model },
            "parts": [{ "type": "text", "text": text }],
        });
        let said = self.ask(&format!("/session/{session}/message"), body);
        said["info"]["parentID"].as_str().unwrap().to_owned()
    }

    /// The whole HUD of the last request.
    fn shown(&self) -> String {
        let turns = self.project.turns();
        let turn = turns.last().unwrap();
        let system = system(turn).split("<hud>").nth(1).unwrap_or_default();
        format!("{system}\n{}", last(turn))
    }
}

fn noted(content: &str) -> Say {
    let args = json!({ "content": content });
    Say::Tool("hud", json!({ "tool": "notes.add", "args": args }))
}

fn decided(summary: &str) -> Say {
    let args = json!({ "summary": summary });
    Say::Tool("hud", json!({ "tool": "decisions.record", "args": args }))
}

fn text() -> Say {
    Say::Text("It is done.", 9_000)
}

/// A request that leaves something, and one that leaves a note, a decision, a file and a plan.
fn two_requests() -> Vec<Say> {
    let plan =
        json!({ "todos": [{ "content": "undone step", "status": "pending", "priority": "high" }] });
    vec![
        noted("the kept note"),
        text(),
        noted("an undone note"),
        decided("an undone decision"),
        Say::Tool("read", json!({ "filePath": "a.txt" })),
        Say::Tool("todowrite", plan),
        text(),
        text(),
        text(),
    ]
}

#[test]
fn what_is_undone_is_undone_on_the_hud() {
    let Some(server) = Server::start(two_requests()) else {
        return;
    };
    let session = server.session();
    server.say(&session, "Build the harbor");
    let second = server.say(&session, "Tear the old one down");
    let revert = json!({ "messageID": second });
    server.ask(&format!("/session/{session}/revert"), revert.clone());
    server.ask(&format!("/session/{session}/unrevert"), json!({}));
    server.say(&session, "What is left to do?");
    let shown = server.shown();
    assert!(
        shown.contains("undone note") && shown.contains("undone step"),
        "redone: {shown}"
    );

    server.ask(&format!("/session/{session}/revert"), revert);
    server.say(&session, "Paint it white instead");
    let shown = server.shown();
    assert!(
        shown.contains("Build the harbor") && shown.contains("the kept note"),
        "{shown}"
    );
    assert!(shown.contains("Paint it white instead"), "{shown}");
    for gone in ["undone", "a.txt", "Tear the old"] {
        assert!(!shown.contains(gone), "{gone}: {shown}");
    }
}

#[test]
fn the_first_request_can_be_undone() {
    let Some(server) = Server::start(vec![noted("undone"), text(), text()]) else {
        return;
    };
    let session = server.session();
    let first = server.say(&session, "Build the harbor");
    server.ask(
        &format!("/session/{session}/revert"),
        json!({ "messageID": first }),
    );
    server.say(&session, "Paint it white instead");
    let shown = server.shown();
    assert!(
        shown.contains("Paint it white") && !shown.contains("Build"),
        "{shown}"
    );
    assert!(!shown.contains("undone"), "{shown}");
}

#[test]
fn a_fork_begins_with_what_its_original_had_at_that_message() {
    let Some(server) = Server::start(two_requests()) else {
        return;
    };
    let session = server.session();
    server.say(&session, "Build the harbor");
    let second = server.say(&session, "Tear the old one down");
    let fork = |body: Value| {
        let fork = server.ask(&format!("/session/{session}/fork"), body);
        server.say(fork["id"].as_str().unwrap(), "Go on from here");
        server.shown()
    };
    let whole = fork(json!({}));
    assert!(
        whole.contains("kept note") && whole.contains("undone decision"),
        "{whole}"
    );
    let shown = fork(json!({ "messageID": second }));
    assert!(
        shown.contains("Build the harbor") && shown.contains("the kept note"),
        "{shown}"
    );
    assert!(shown.contains("Go on from here"), "{shown}");
    assert!(
        !shown.contains("undone") && !shown.contains("a.txt"),
        "{shown}"
    );
}

#[test]
fn a_fork_of_a_session_in_which_a_tool_failed_begins_with_what_that_had() {
    let fails = Say::Tool(
        "edit",
        json!({ "filePath": "a.txt", "oldString": "no such text", "newString": "x" }),
    );
    let script = vec![decided("the decision"), fails, text(), text()];
    let Some(server) = Server::start(script) else {
        return;
    };
    let session = server.session();
    server.say(&session, "Build the harbor");
    let fork = server.ask(&format!("/session/{session}/fork"), json!({}));
    server.say(fork["id"].as_str().unwrap(), "Go on from here");
    let shown = server.shown();
    for kept in ["Build the harbor", "the decision"] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
}

#[test]
fn the_task_is_the_command_that_was_typed_and_not_what_its_file_ran() {
    let Some(server) = Server::start(vec![text()]) else {
        return;
    };
    let session = server.session();
    let command = json!({ "command": "look", "arguments": "closely", "model": "mock/model" });
    server.ask(&format!("/session/{session}/command"), command);
    let turns = server.project.turns();
    let messages = turns[0].body["messages"].to_string();
    assert!(
        messages.contains("said by a command"),
        "the model has it: {messages}"
    );
    let shown = server.shown();
    assert!(
        shown.contains("/look closely") && !system(&turns[0]).contains("said by"),
        "{shown}"
    );
}

#[test]
fn a_request_after_a_switch_shows_the_window_of_its_model() {
    let Some(server) = Server::start(vec![text(), text()]) else {
        return;
    };
    let session = server.session();
    server.say(&session, "Build the harbor");
    server.say_to("wide", &session, "Go on with more room");
    let shown = server.shown();
    assert!(
        shown.contains("/200k") && !shown.contains("/32k"),
        "{shown}"
    );
}

/// The context fills, turn by turn: there is room, then little, then hardly any.
fn fills() -> Vec<Say> {
    let works = |used| {
        let command = json!({ "command": "true", "description": "works" });
        Say::Full("bash", command, used)
    };
    let used = [100, 110, 120, 140, 160, 174, 175, 176, 188, 189, 190];
    used.into_iter().map(|used| works(1_000 * used)).collect()
}

/// The messages of the user's role in a request that ask for room, and nothing else.
fn asked_for_room(asked: &Asked) -> usize {
    let messages = asked.body["messages"].as_array().unwrap();
    let texts = messages
        .iter()
        .filter_map(|message| message["content"].as_str());
    texts
        .filter(|text| text.starts_with("<hud>\n> **Warning:**"))
        .count()
}

#[test]
fn an_agent_is_asked_to_make_room_once_for_each_band_and_only_where_that_is_wanted() {
    let turns = |options: Value| {
        let server = Server::with(fills(), options)?;
        let session = server.session();
        server.say_to("wide", &session, "Build the harbor");
        let state = server.project.state();
        assert_eq!(
            state.task.unwrap().description,
            "Build the harbor",
            "nobody else asked"
        );
        Some(server.project.turns())
    };
    let Some(without) = turns(json!({})) else {
        return;
    };
    assert!(without.iter().all(|asked| asked_for_room(asked) == 0));
    let with = turns(json!({ "advise": true })).unwrap();
    let asked: Vec<usize> = with.iter().map(asked_for_room).collect();
    println!(
        "asked for room, by request: {asked:?}; without, {} requests",
        without.len()
    );
    assert!(asked.is_sorted(), "what was asked stays: {asked:?}");
    assert_eq!(
        asked.last(),
        Some(&2),
        "as it became red, and critical: {asked:?}"
    );
    assert!(
        with.len() <= without.len() + 2,
        "{} and {}",
        with.len(),
        without.len()
    );
}

#[test]
fn memory_is_on_the_hud_after_a_compaction_whoever_wrote_it_and_under_whatever_name() {
    let hud = |tool: &str, args: Value| Say::Tool("hud", json!({ "tool": tool, "args": args }));
    let script = vec![
        hud(
            "core_memory_update",
            json!({ "block": "progress", "content": "- [x] the quay", "operation": "append" }),
        ),
        hud(
            "set",
            json!({ "path": "people.ann.role", "value": { "v": "harbor master", "w": 0.9 } }),
        ),
        hud(
            "working_memory_add",
            json!({ "slot": "decision", "content": "Granite, not concrete" }),
        ),
        hud(
            "working_memory.add",
            json!({ "content": "The crane is out of order" }),
        ),
        hud(
            "set_attention",
            json!({ "section": "knowledge", "value": "30%" }),
        ),
        // The context is full, and the client compacts.
        Say::Text("Half of it is done.", 31_500),
        text(),
        text(),
    ];
    let Some(server) = Server::start(script) else {
        return;
    };
    let session = server.session();
    // What another plugin kept of this session, in its own files.
    let kept = server.project.path("project/.opencode/memory-core");
    std::fs::create_dir_all(&kept).unwrap();
    let goal = json!({ "sessionID": session, "blocks": {
        "goal": { "content": "A harbor for tall ships", "chars": 23, "maxChars": 1000 } } });
    std::fs::write(kept.join(format!("{session}.json")), goal.to_string()).unwrap();
    let imported = std::process::Command::new(clients::hud())
        .args(["import", ".opencode"])
        .current_dir(server.project.path("project"))
        .env("XDG_STATE_HOME", server.project.path("state"))
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");
    server.say(&session, "Build the harbor");
    server.say(&session, "Go on");
    let asked = server.project.endpoint.asked();
    assert!(asked.iter().any(|asked| asked.kind == Kind::Compaction));
    let refused = server.project.turns().last().unwrap().body["messages"].to_string();
    assert!(!refused.contains("has no operation"), "{refused}");
    let shown = server.shown();
    for kept in [
        "A harbor for tall ships",
        "[x] the quay",
        "harbor master",
        "Granite, not concrete",
        "The crane is out of order",
        "memory_used",
    ] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
    assert_eq!(shown.matches("goal 23/1000").count(), 1, "{shown}");
}

/// What is in the places of outputs that left, in a request.
fn placed(asked: &Asked) -> Vec<&str> {
    let messages = asked.body["messages"].as_array().unwrap();
    let texts = messages
        .iter()
        .filter_map(|message| message["content"].as_str());
    texts
        .filter(|text| text.starts_with("[Taken out"))
        .collect()
}

#[test]
fn sixty_turns_with_compactions_a_fork_and_recalls_end_each_and_lose_nothing_unread() {
    let recalls = |times| (0..times).map(|_| Say::Recall);
    let mut script: Vec<Say> = (0..6).map(|file| reads(file, 26_000)).collect();
    script.extend((0..16).map(|_| works(26_000)));
    script.extend(recalls(2));
    // The context is full, and the client compacts.
    script.push(works(31_500));
    let compacted = script.len();
    script.extend((6..12).map(|file| reads(file, 26_000)));
    script.extend((0..16).map(|_| works(26_000)));
    script.push(Say::Text("Half of it is done.", 26_000));
    let forked = script.len();
    // The same is asked for again and again, in the fork.
    script.extend(recalls(6));
    script.extend((0..3).map(|_| works(26_000)));
    script.push(works(31_500));
    let compacted_again = script.len();
    script.extend((0..3).map(|_| works(26_000)));
    script.push(text());
    let goes_on = script.len();
    script.push(text());
    let told = script.len();
    let Some(server) = Server::start(script) else {
        return;
    };
    big_files(&server.project, 12);
    let session = server.session();
    server.say(&session, "Build the harbor");
    let fork = server.ask(&format!("/session/{session}/fork"), json!({}));
    let fork = fork["id"].as_str().unwrap();
    server.say(fork, "Go on from here");
    server.say(&session, "And paint it white");

    let asked = server.project.endpoint.asked();
    let compactions = asked.iter().filter(|asked| asked.kind == Kind::Compaction);
    assert_eq!(compactions.count(), 2);
    let turns = server.project.turns();
    assert_eq!(turns.len(), told, "each turn came, and each request ended");
    let shows = |turn: usize, file: usize| {
        let read = turns[turn].body["messages"].to_string();
        read.contains(&format!("line   42 of big{file}"))
    };
    for file in 0..12 {
        let read = if file < 6 { file } else { compacted + file - 6 };
        assert!(shows(read + 1, file), "{file} was sent to be read");
    }
    // What takes the place of an output is the same for as long as it is there, in the fork as well.
    for turn in 1..told {
        let (before, now) = (placed(&turns[turn - 1]), placed(&turns[turn]));
        let begins = [compacted, compacted_again, goes_on].contains(&turn);
        let stays = begins || before.iter().all(|text| now.contains(text));
        assert!(stays, "{turn}: {before:?} {now:?}");
    }
    let left = placed(&turns[forked - 1]);
    assert!(left.len() >= 2, "{left:?}");
    assert!(
        left.iter()
            .all(|text| placed(&turns[goes_on]).contains(text))
    );
    assert!(placed(&turns[compacted]).is_empty() && placed(&turns[compacted_again]).is_empty());
    // Each recall brings the first of them back.
    let first = (6..12).find(|file| left[0].contains(&format!("big{file}.txt")));
    for turn in forked..forked + 6 {
        assert!(shows(turn + 1, first.unwrap()), "{turn}");
    }
    let log = SqliteLog::open_read_only(server.project.db()).unwrap();
    let state = |session: &str| state_of(&log, &SessionId::new(session).unwrap()).unwrap();
    let (original, fork) = (state(&session), state(fork));
    assert_eq!(original.pruned.len(), left.len());
    assert_eq!((fork.pruned.len(), fork.compacted.unwrap().count), (0, 2));
    assert_eq!(fork.task.unwrap().description, "Build the harbor");
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}

//! What an agent says, as `hud hook` finds it in the files of real clients.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::shown;
use serde_json::{Value, json};
use tempfile::TempDir;

const FIRST: &str = "The root cause is that `parse()` in src/a.rs:12 drops the last line.";
const LAST: &str = "The root cause is that `flush()` in src/b.rs:7 never syncs the file.";
const THOUGHT: &str = "The root cause is that `think()` in src/c.rs:9 is too slow.";

/// A session whose client writes into a file and runs hooks.
struct Session {
    directory: TempDir,
    file: PathBuf,
}

impl Session {
    fn new(file: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        Self { directory, file }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn writes(&self, line: impl Display) {
        let mut file = fs::File::options()
            .create(true)
            .append(true)
            .open(&self.file)
            .unwrap();
        writeln!(file, "{line}").unwrap();
    }

    fn hook(&self, event: &Value) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
            .args(["hook", "--db"])
            .arg(self.path().join("hud.db"))
            .env("CLINE_SESSION_DATA_DIR", self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        write!(input, "{event}").unwrap();
        drop(input);
        assert!(child.wait().unwrap().success());
    }

    /// An event of a client with such names, of this file.
    fn event(&self, name: &str, more: &Value) {
        let mut event = json!({ "session_id": "s", "cwd": "/p", "hook_event_name": name,
                                "transcript_path": self.file });
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        self.hook(&event);
    }

    /// How often the log has each of the texts, and nothing of what is only thought.
    fn recorded(&self) -> (usize, usize) {
        let log = self.path().join("hud.db");
        let log = log.to_str().unwrap();
        let all = shown(&["log", "--db", log, "--session", "s"]);
        assert!(!all.contains("think()"), "{all}");
        let said = shown(&[
            "log",
            "--db",
            log,
            "--session",
            "s",
            "--kind",
            "record.message",
        ]);
        let count = |text: &str| said.lines().filter(|line| line.contains(text)).count();
        (count("parse()"), count("flush()"))
    }
}

/// Plays a session: something is said before a tool is called and at the end, and several hooks find it.
fn plays(session: &Session, says: impl Fn(u32, &str), hook: impl Fn(&str)) {
    hook("begins");
    says(1, FIRST);
    hook("tool");
    hook("tool");
    assert_eq!(session.recorded(), (1, 0));
    says(2, LAST);
    hook("ends");
    hook("tool");
    assert_eq!(session.recorded(), (1, 1), "each text is taken in once");
}

#[test]
fn what_claude_code_says_is_found_in_its_transcript() {
    let session = Session::new("5a63.jsonl");
    let says = |nth: u32, text: &str| {
        for (part, block) in [
            json!({ "type": "thinking", "thinking": THOUGHT }),
            json!({ "type": "text", "text": text }),
        ]
        .iter()
        .enumerate()
        {
            session.writes(json!({
                "type": "assistant", "uuid": format!("u{nth}-{part}"), "sessionId": "s", "cwd": "/p",
                "timestamp": "2026-11-20T10:00:00Z",
                "message": { "id": format!("m{nth}"), "role": "assistant", "model": "claude",
                             "usage": { "input_tokens": 1000 * nth }, "content": [block] },
            }));
        }
    };
    plays(&session, says, |step| {
        match step {
        "begins" => session.event("SessionStart", &json!({ "source": "startup" })),
        "ends" => session.event("Stop", &json!({ "last_assistant_message": LAST })),
        _ => session.event(
            "PostToolUse",
            &json!({ "tool_name": "Read", "tool_use_id": "c", "tool_input": { "file_path": "/p/a" } }),
        ),
    }
    });
}

#[test]
fn a_short_answer_takes_up_what_the_agent_offered_to_another_process() {
    let session = Session::new("5a63.jsonl");
    let mut nth = 0;
    let mut says = |text: &str| {
        nth += 1;
        session.writes(json!({
            "type": "assistant", "uuid": format!("u{nth}"), "sessionId": "s", "cwd": "/p",
            "timestamp": "2026-11-20T10:00:00Z",
            "message": { "id": format!("m{nth}"), "role": "assistant", "model": "claude",
                         "usage": { "input_tokens": 1000 * nth },
                         "content": [{ "type": "text", "text": text }] },
        }));
    };
    let asks = |prompt: &str| session.event("UserPromptSubmit", &json!({ "prompt": prompt }));
    let log = session.path().join("hud.db");
    let shows = || shown(&["render", "--db", log.to_str().unwrap(), "--session", "s"]);
    session.event("SessionStart", &json!({ "source": "startup" }));
    asks("Look at the parser of the settings file");
    let offer = "It is slow.\n\nWould you like me to cache the tokens of `src/lexer.rs`?";
    says(offer);
    session.event("Stop", &json!({ "last_assistant_message": offer }));
    asks("yes");
    assert!(
        shows().contains("yes: cache the tokens of src/lexer.rs"),
        "{}",
        shows()
    );
    // What was answered is not answered again.
    asks("yes");
    assert_eq!(shows().matches("yes: cache").count(), 1, "{}", shows());
    says("Done: the tokens are cached, and all tests pass.");
    asks("Now write a guide for people who add a language");
    let open = shows();
    assert!(!open.contains("yes: cache"), "{open}");
}

#[test]
fn what_codex_says_is_found_in_its_rollout() {
    let session = Session::new("rollout-2026.jsonl");
    let says = |_: u32, text: &str| {
        let reasoning = json!({ "type": "reasoning", "summary": [{ "type": "summary_text", "text": THOUGHT }] });
        let message = json!({ "type": "message", "role": "assistant",
                              "content": [{ "type": "output_text", "text": text }] });
        let asked = json!({ "type": "message", "role": "user",
                            "content": [{ "type": "input_text", "text": THOUGHT }] });
        for payload in [asked, reasoning, message] {
            session.writes(json!({ "type": "response_item", "payload": payload }));
        }
        let copy = json!({ "type": "agent_message", "message": text });
        session.writes(json!({ "type": "event_msg", "payload": copy }));
    };
    plays(&session, says, |step| match step {
        "begins" => session.event("SessionStart", &json!({ "source": "startup" })),
        "ends" => session.event("Stop", &json!({ "turn_id": "t" })),
        _ => session.event(
            "PostToolUse",
            &json!({ "turn_id": "t", "tool_name": "Bash", "tool_input": { "command": "true" } }),
        ),
    });
}

#[test]
fn what_gemini_says_is_found_in_its_chat() {
    let session = Session::new("chat.jsonl");
    let says = |nth: u32, text: &str| {
        let line = |more: &str| {
            // Its name comes first.
            let line = format!(
                r#"{{"id":"m{nth}","type":"gemini","content":{},"thoughts":[{{"description":{}}}]{more}}}"#,
                json!(text),
                json!(THOUGHT),
            );
            session.writes(line);
        };
        line("");
        line(r#","toolCalls":[]"#);
    };
    plays(&session, says, |step| match step {
        "begins" => session.event(
            "SessionStart",
            &json!({ "source": "startup", "timestamp": "2026-11-20T10:00:00Z" }),
        ),
        "ends" => session.event("AfterAgent", &json!({})),
        _ => session.event(
            "AfterTool",
            &json!({ "tool_name": "read_file", "tool_input": { "file_path": "/p/a" } }),
        ),
    });
}

#[test]
fn what_cline_says_is_found_in_its_conversation() {
    let session = Session::new("s/s.messages.json");
    let says = |nth: u32, text: &str| {
        let message = |nth: u32, text: &str| {
            json!({ "id": format!("m{nth}"), "role": "assistant", "content": [
                { "type": "thinking", "thinking": THOUGHT },
                { "type": "text", "text": text },
            ] })
        };
        let mut messages = vec![
            json!({ "id": "u", "role": "user", "content": [] }),
            message(1, FIRST),
        ];
        messages.extend((nth > 1).then(|| message(nth, text)));
        fs::write(&session.file, json!({ "messages": messages }).to_string()).unwrap();
    };
    fs::write(&session.file, r#"{"messages":[]}"#).unwrap();
    plays(&session, says, |step| {
        let name = match step {
            "begins" => "agent_start",
            _ => "tool_call",
        };
        session.hook(
            &json!({ "hookName": name, "taskId": "s", "tool_call": { "name": "read_file" } }),
        );
    });
}

impl Session {
    /// The times of the session's events of a kind.
    fn times(&self, kind: &str) -> Vec<String> {
        let log = self.path().join("hud.db");
        let said = shown(&[
            "log",
            "--db",
            log.to_str().unwrap(),
            "--session",
            "s",
            "--json",
        ]);
        let events = said
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        events
            .filter(|event| event["kind"] == kind)
            .map(|event| event["at"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn what_is_found_in_a_clients_file_happened_when_the_file_says() {
    const SAID_AT: &str = "2026-01-02T03:04:05Z";
    let at: jiff::Timestamp = SAID_AT.parse().unwrap();
    let check = |session: &Session, client: &str| {
        assert_eq!(session.times("context.snapshot"), [SAID_AT], "{client}");
        assert_eq!(session.times("finding.record"), [SAID_AT], "{client}");
    };

    let claude = Session::new("5a63.jsonl");
    claude.event("SessionStart", &json!({ "source": "startup" }));
    claude.writes(json!({
        "type": "assistant", "uuid": "u1", "sessionId": "s", "cwd": "/p", "timestamp": SAID_AT,
        "message": { "id": "m1", "role": "assistant", "model": "claude",
                     "usage": { "input_tokens": 1000 },
                     "content": [{ "type": "text", "text": FIRST }] },
    }));
    claude.writes(
        json!({ "type": "user", "uuid": "u2", "sessionId": "s", "cwd": "/p", "timestamp": SAID_AT,
                          "message": { "role": "user", "content": "go on" } }),
    );
    let read =
        json!({ "tool_name": "Read", "tool_use_id": "c", "tool_input": { "file_path": "/p/a" } });
    claude.event("PostToolUse", &read);
    check(&claude, "Claude Code");

    let codex = Session::new("rollout-2026.jsonl");
    codex.event("SessionStart", &json!({ "source": "startup" }));
    codex.writes(
        json!({ "timestamp": SAID_AT, "type": "response_item", "payload": {
        "type": "message", "role": "assistant",
        "content": [{ "type": "output_text", "text": FIRST }] } }),
    );
    codex.writes(
        json!({ "timestamp": SAID_AT, "type": "event_msg", "payload": {
        "type": "token_count", "info": { "last_token_usage": { "input_tokens": 1000 } } } }),
    );
    let ran = json!({ "turn_id": "t", "tool_name": "Bash", "tool_input": { "command": "true" } });
    codex.event("PostToolUse", &ran);
    check(&codex, "Codex");

    let gemini = Session::new("chat.jsonl");
    let begins = json!({ "source": "startup", "timestamp": SAID_AT });
    gemini.event("SessionStart", &begins);
    gemini.writes(format!(
        r#"{{"id":"m1","timestamp":"{SAID_AT}","type":"gemini","content":{},"tokens":{{"input":1000}}}}"#,
        json!(FIRST),
    ));
    gemini.event("BeforeModel", &json!({ "llm_request": { "messages": [] } }));
    check(&gemini, "Gemini CLI");

    let cline = Session::new("s/s.messages.json");
    fs::write(&cline.file, r#"{"messages":[]}"#).unwrap();
    cline.hook(&json!({ "hookName": "agent_start", "taskId": "s" }));
    let messages = json!([{ "id": "m1", "role": "assistant", "ts": at.as_millisecond(),
                            "metrics": { "inputTokens": 1000 },
                            "content": [{ "type": "text", "text": FIRST }] }]);
    fs::write(&cline.file, json!({ "messages": messages }).to_string()).unwrap();
    cline.hook(
        &json!({ "hookName": "tool_call", "taskId": "s", "tool_call": { "name": "read_file" } }),
    );
    check(&cline, "Cline");
}

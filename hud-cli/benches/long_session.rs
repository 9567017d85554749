//! What a turn costs a client in a long session, with pruning and memory on:
//! `cargo bench -p hud-cli --bench long_session`.
//!
//! A bridge is told of 10,000 calls of tools with what they said, and asked on each turn what a plugin asks:
//! whether the conversation was taken back, what stays of it, and the frame. The agent writes core memory, knowledge and working memory
//! as it goes, and the conversation is compacted now and then. With `--test` the session is short.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use hud_store::event::SessionId;
use hud_store::log::state_of;
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

/// How many turns there are between two compactions: as many as a window holds with pruning on.
const EPOCH: usize = 400;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (turns, parts) = if is_test { (20, 2) } else { (10_000, 10) };
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let mut bridge = Bridge::on(&db);
    let mut client = Client::default();
    println!(
        "{turns} outputs, 400 turns between compactions; each turn: reports, what stays, frame"
    );
    println!(
        "{:>7}  {:>8} {:>8} {:>8}  {:>8} {:>8}  {:>9} {:>8} {:>8}  {:>6}",
        "turns",
        "p50 ms",
        "p99 ms",
        "longest",
        "stays",
        "frame",
        "state kB",
        "RSS MB",
        "log MB",
        "left"
    );
    for part in 1..=parts {
        let mut times: Vec<[Duration; 3]> = Vec::new();
        for _ in 0..turns / parts {
            times.push(client.turn(&mut bridge));
        }
        let log = SqliteLog::open_read_only(&db).unwrap();
        let state = state_of(&log, &SessionId::new("s").unwrap()).unwrap();
        let state = serde_json::to_vec(&state).unwrap().len();
        let at = |of: usize, share: f64| {
            let mut times: Vec<Duration> = times.iter().map(|times| times[of]).collect();
            times.sort_unstable();
            let index = (times.len() as f64 * share) as usize;
            times[index.min(times.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "{:>7}  {:>8.3} {:>8.3} {:>8.3}  {:>8.3} {:>8.3}  {:>9.1} {:>8.1} {:>8.1}  {:>6}",
            part * turns / parts,
            at(0, 0.5),
            at(0, 0.99),
            at(0, 1.0),
            at(1, 0.5),
            at(2, 0.5),
            state as f64 / 1e3,
            bridge.resident() / 1e3,
            size(&db) / 1e6,
            client.left,
        );
    }
}

/// The size of a log with what is beside it, in bytes.
fn size(db: &Path) -> f64 {
    let files = std::fs::read_dir(db.parent().unwrap()).unwrap();
    let length = |file: std::io::Result<std::fs::DirEntry>| file.unwrap().metadata().unwrap().len();
    files.map(length).sum::<u64>() as f64
}

/// The bridge, as a plugin starts it.
struct Bridge {
    child: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Bridge {
    fn on(db: &Path) -> Self {
        let hud = std::env::var_os("HUD_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_hud").into());
        let mut child = Command::new(hud)
            .args(["bridge", "--deadline", "60000", "--db"])
            .arg(db)
            .current_dir(db.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({ "id": 1, "method": method, "params": params }));
        let answer = self.answers.next().unwrap().unwrap();
        let mut answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    fn tell(&mut self, reports: &[Value]) {
        let params = json!({ "session": "s", "reports": reports });
        self.send(&json!({ "method": "observe", "params": params }));
    }

    fn send(&mut self, request: &Value) {
        let mut line = request.to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).unwrap();
    }

    fn call(&mut self, tool: &str, args: &Value) {
        let input = json!({ "tool": tool, "args": args });
        self.ask("call", &json!({ "session": "s", "input": input }));
    }

    /// The memory that it has, in kilobytes; 0 where the system does not say.
    fn resident(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let mut lines = status
            .lines()
            .filter_map(|line| line.strip_prefix("VmRSS:"));
        let size = lines
            .next()
            .and_then(|size| size.split_whitespace().next()?.parse().ok());
        size.unwrap_or(0.0)
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client with its conversation.
#[derive(Default)]
struct Client {
    turn: usize,
    messages: Vec<Value>,
    contents: Vec<(String, String)>,
    /// How many outputs left.
    left: usize,
}

impl Client {
    /// A turn: what it takes altogether, to ask what stays, and to ask for the frame.
    fn turn(&mut self, bridge: &mut Bridge) -> [Duration; 3] {
        let n = self.turn;
        self.turn += 1;
        self.remember(bridge);
        let call = format!("call_{n}");
        let content = said(n);
        let file = format!("/p/src/module_{}/file_{}.rs", n % 23, n % 211);
        let (tool, input) = match n % 5 {
            0 | 1 => ("read", json!({ "filePath": file })),
            2 => (
                "edit",
                json!({ "filePath": file, "oldString": "a", "newString": "b" }),
            ),
            3 => ("grep", json!({ "pattern": format!("limiter_{n}") })),
            _ => ("bash", json!({ "command": format!("cargo test case_{n}") })),
        };
        let used = 30_000 + 400 * (n % EPOCH) as u64;
        let start = Instant::now();
        bridge.send(&json!({ "method": "follow", "params": {
            "session": "s", "names": self.names(), "whole": n < EPOCH } }));
        bridge.tell(&[json!({ "type": "model_call" })]);
        let stays = self.stays(bridge);
        let asked = Instant::now();
        bridge.ask("frame", &json!({ "session": "s" }));
        let frame = asked.elapsed();
        bridge.tell(&[
            json!({ "type": "cause", "name": format!("m{n}") }),
            json!({ "type": "tool_result", "call": call, "client": "opencode", "tool": tool,
                    "input": input, "content": content }),
            json!({ "type": "usage", "input": used, "window": { "context": 200_000 } }),
        ]);
        let chars = content.chars().count();
        self.messages
            .push(json!({ "id": format!("m{n}"), "role": "assistant",
            "outputs": [{ "call": call, "tool": tool, "chars": chars }] }));
        self.contents.push((call, content));
        if self.turn.is_multiple_of(EPOCH) {
            bridge.ask("compacting", &json!({ "session": "s" }));
            let summary = format!("summary of {n}");
            bridge.tell(&[
                json!({ "type": "cause", "name": summary }),
                json!({ "type": "compaction_ends", "summary": "Half of it is done." }),
            ]);
            self.messages = vec![json!({ "id": summary, "role": "user" })];
            self.contents.clear();
        }
        [start.elapsed(), stays, frame]
    }

    /// The names of the messages.
    fn names(&self) -> Vec<&Value> {
        self.messages.iter().map(|message| &message["id"]).collect()
    }

    /// Asks what stays, and reports what leaves.
    fn stays(&mut self, bridge: &mut Bridge) -> Duration {
        let asked = Instant::now();
        let params = json!({ "session": "s", "messages": self.messages });
        let trimmed = bridge.ask("trim", &params);
        let leaving: Vec<&str> = trimmed["leaving"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        if !leaving.is_empty() {
            self.left += leaving.len();
            let left = self
                .contents
                .iter()
                .filter(|(call, _)| leaving.contains(&&**call));
            let reports: Vec<Value> = left
                .map(|(call, content)| {
                    json!({ "type": "output_leaves", "call": call, "tool": "read", "content": content })
                })
                .collect();
            bridge.tell(&reports);
            bridge.ask("trim", &params);
        }
        asked.elapsed()
    }

    /// The agent writes something down now and then.
    fn remember(&self, bridge: &mut Bridge) {
        let n = self.turn;
        match n % 40 {
            3 => {
                let note = format!("case_{n} needs redis and two tenants");
                bridge.call("working_memory.add", &json!({ "content": note }));
            }
            13 => {
                let at = format!("modules.m{}", n % 23);
                let fact = json!({ "path": at, "value": format!("case_{n} passes"), "w": 0.5 });
                bridge.call("knowledge.set", &fact);
            }
            23 => {
                let line = format!("- [x] case_{n}");
                let append = json!({ "block": "progress", "content": line, "mode": "append" });
                bridge.call("core_memory.update", &append);
            }
            33 => bridge.call(
                "notes.add",
                &json!({ "content": format!("case_{n} is slow") }),
            ),
            _ => {}
        }
    }
}

/// What a tool says: between 1 and 12 kB.
fn said(n: usize) -> String {
    let lines = 20 + (n * 37) % 230;
    let line = |line: usize| match line % 25 {
        7 => format!("{line:5}| pub fn limiter_{n}_{line}(tenant: &Tenant) {{\n"),
        _ => format!("{line:5}|     work(tenant, {line}); // of the {n}th output\n"),
    };
    (1..=lines).map(line).collect()
}

//! What a hook costs a client: `cargo bench -p hud-cli --bench bridge`.
//!
//! A bridge is started as a plugin does it, and asked for what a plugin asks on each turn. With
//! `--test` only a few times.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has nothing to tell, and what it tells goes to the terminal"
)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hud_agent::tool::definition;
use serde_json::json;

fn main() {
    let turns = if std::env::args().any(|argument| argument == "--test") {
        10
    } else {
        3000
    };
    let definition = definition();
    let declared = json!({
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.schema,
    })
    .to_string();
    println!("the tool's definition: {} bytes", declared.len());
    for durability in [&[][..], &["--fast"]] {
        let (mut frames, mut records) = measure(turns, durability);
        let name = if durability.is_empty() {
            "full"
        } else {
            "fast"
        };
        println!("{turns} turns, durability {name}");
        for (what, times) in [
            ("a frame", &mut frames),
            ("a report and a frame", &mut records),
        ] {
            times.sort_unstable();
            let at = |share: f64| {
                let index = (times.len() as f64 * share) as usize;
                times[index.min(times.len() - 1)].as_secs_f64() * 1e3
            };
            println!(
                "  {what:<22} p50 {:>7.3} ms, p99 {:>7.3} ms",
                at(0.5),
                at(0.99)
            );
        }
    }
}

/// The times of frames alone, and of frames behind a report that is recorded.
fn measure(turns: u64, arguments: &[&str]) -> (Vec<Duration>, Vec<Duration>) {
    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
        .arg("bridge")
        .args(arguments)
        .current_dir(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |requests: String| {
        let start = Instant::now();
        input.write_all(requests.as_bytes()).unwrap();
        let answer = lines.next().unwrap().unwrap();
        assert!(answer.contains("\"result\""), "{answer}");
        start.elapsed()
    };
    let frame = json!({ "id": 1, "method": "frame", "params": { "session": "s" } });
    let (mut frames, mut records) = (Vec::new(), Vec::new());
    for turn in 0..turns {
        let note = json!({ "id": 1, "method": "call", "params": { "session": "s", "input": {
            "tool": "notes.add", "args": { "content": format!("note {turn}") } } } });
        if turn < 20 {
            ask(format!("{note}\n"));
        }
        frames.push(ask(format!("{frame}\n")));
        let report = json!({ "method": "observe", "params": { "session": "s", "reports": [
            { "type": "usage", "input": 20_000 + turn, "window": { "context": 200_000 } } ] } });
        records.push(ask(format!("{report}\n{frame}\n")));
    }
    drop(input);
    child.wait().unwrap();
    (frames, records)
}

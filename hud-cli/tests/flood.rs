//! Clients that ask and ask and read nothing: the servers wait for them, and take in no more.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// More requests than pipes and buffers hold.
const MANY: u64 = 5_000;

/// Sends a greeting and then requests without reading, until the server takes in no more; then reads
/// all the answers.
fn flood(arguments: &[&str], greeting: &[Value], request: fn(u64) -> Value) {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(arguments)
        .current_dir(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    for message in greeting {
        writeln!(input, "{message}").unwrap();
        if message.get("id").is_some() {
            answers.next().unwrap().unwrap();
        }
    }
    let sent = Arc::new(AtomicU64::new(0));
    let counter = sent.clone();
    let writer = thread::spawn(move || {
        for id in 1..=MANY {
            writeln!(input, "{}", request(id)).unwrap();
            counter.store(id, Ordering::Relaxed);
        }
        // Open until all is read: a client that goes away wants no more answers.
        input
    });
    let mut before = 0;
    loop {
        thread::sleep(Duration::from_millis(700));
        let now = sent.load(Ordering::Relaxed);
        if now == before && now > 0 {
            break;
        }
        before = now;
    }
    assert!(before < MANY, "it took in everything");
    let ids = answers.by_ref().take(MANY.try_into().unwrap()).map(|line| {
        let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
        assert!(answer.get("result").is_some(), "{answer}");
        answer["id"].as_u64().unwrap()
    });
    let mut ids: Vec<u64> = ids.collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(1..=MANY), "each request has its answer");
    drop(writer.join().unwrap());
    assert!(server.wait().unwrap().success());
}

#[test]
fn the_bridge_waits_for_a_client_that_does_not_read() {
    flood(
        &["bridge"],
        &[],
        |id| json!({ "id": id, "method": "hello", "params": { "protocol": 1 } }),
    );
}

#[test]
fn the_server_waits_for_a_client_that_does_not_read() {
    let hello = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": { "name": "test", "version": "1" } },
    });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    flood(
        &["mcp"],
        &[hello, ready],
        |id| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {} }),
    );
}

//! What is recorded is sent to a real server, by real processes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that does not hold ends, and says what it skips"
)]

#[path = "../common/mod.rs"]
mod common;
mod machine;
#[path = "../../../hud-postgres/tests/fleet/nodes.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod nodes;
mod sub_agents;
#[cfg(feature = "telemetry")]
mod telemetry;

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use machine::{Machine, made, status};
use nodes::{Nodes, alone, shared, until};

/// The events of a log, but for their places in it.
fn exported(machine: &Machine, db: Option<&Path>) -> Vec<String> {
    let path = db.map(|db| db.to_str().unwrap().to_owned());
    let mut args = vec!["export"];
    args.extend(path.iter().flat_map(|path| ["--db", path]));
    let mut lines: Vec<String> = machine
        .ok(&args)
        .0
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            line["seq"] = 0.into();
            line.to_string()
        })
        .collect();
    lines.sort();
    lines
}

/// A port that counts who comes, and never answers.
fn silent() -> (u16, Arc<AtomicU32>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::<AtomicU32>::default();
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        let mut held = Vec::new();
        for client in listener.incoming().flatten() {
            counted.fetch_add(1, Ordering::Relaxed);
            held.push(client);
        }
    });
    (port, count)
}

#[test]
fn what_is_sent_from_one_machine_is_copied_to_another() {
    let Some(nodes) = shared() else { return };
    let (one, two) = (Machine::new(), Machine::new());
    let url = made(&nodes, &one);
    one.note("rate-limiter", 1200);
    one.note("other", 3);
    let (_, said) = one.ok(&["push", "--to", &url]);
    assert!(said.contains("1203 events sent"), "{said}");
    one.set(&format!("[fleet]\nurl = \"{url}\"\n"));
    let (_, said) = one.ok(&["push"]);
    assert!(said.contains("0 events sent"), "{said}");
    let copy = two.dir.path().join("new.db");
    two.ok(&[
        "pull",
        "--all",
        "--db",
        copy.to_str().unwrap(),
        "--from",
        &url,
    ]);
    assert_eq!(exported(&two, Some(&copy)), exported(&one, None));
    // Another file of the project is filled from where the project's log was sent.
    let copy = one.dir.path().join("new.db");
    one.ok(&["pull", "--all", "--db", copy.to_str().unwrap()]);
    assert_eq!(exported(&one, Some(&copy)), exported(&one, None));
    one.note("rate-limiter", 2);
    let before = status(&one);
    assert_eq!(before["waiting"], 2);
    one.ok(&["push"]);
    let after = status(&one);
    assert_eq!(
        (&after["waiting"], &after["unconfirmed"]),
        (&0.into(), &0.into())
    );
    assert_eq!(after["server"]["machines"][0]["is_this"], true);
    assert_eq!(after["server"]["waits_for_standby"], false);
    let (shown, _) = one.ok(&["fleet", "status"]);
    assert!(shown.contains("commits are on one machine"), "{shown}");
    let examined = one.run(&["doctor", "--json"]);
    let examined: Value = serde_json::from_slice(&examined.stdout).unwrap();
    let advice = examined["server"]["advice"][0]["what"].as_str().unwrap();
    assert!(advice.contains("commits are on one machine"), "{advice}");
    two.ok(&["pull", "rate-limiter", "--take", "--from", &url]);
    one.note("rate-limiter", 1);
    let (_, said) = one.ok(&["push"]);
    assert!(said.contains("goes on elsewhere"), "{said}");
    assert!(
        two.refused(&["pull", "nobody", "--from", &url])
            .contains("no session nobody")
    );
}

#[test]
fn a_push_that_is_killed_at_any_time_is_gone_on_with_by_the_next() {
    let Some(nodes) = shared() else { return };
    let machine = Machine::new();
    let url = made(&nodes, &machine);
    let rounds = 12;
    for round in 0..rounds {
        machine.note(&format!("s{}", round % 3), 700);
        let mut push = machine
            .command(&["push", "--to", &url])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(23 * round));
        push.kill().unwrap();
        push.wait().unwrap();
    }
    machine.ok(&["push", "--to", &url]);
    let copy = machine.dir.path().join("copy.db");
    machine.ok(&[
        "pull",
        "--all",
        "--db",
        copy.to_str().unwrap(),
        "--from",
        &url,
    ]);
    let there = exported(&machine, Some(&copy));
    assert_eq!(there.len(), 700 * 12);
    assert_eq!(there, exported(&machine, None));
}

/// The most memory that a process has had, in KiB.
fn peak(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.unwrap().parse().unwrap()
}

#[test]
fn what_was_recorded_in_a_day_without_the_server_is_sent_once_in_order_and_in_little_memory() {
    let _alone = alone();
    let Some(nodes) = Nodes::one() else { return };
    let machine = Machine::new();
    let url = made(&nodes, &machine);
    machine.note("s0", 1);
    machine.ok(&["push", "--to", &url]);
    machine.set(&format!("[fleet]\nurl = \"{url}\"\n"));
    nodes.nodes[0].kill();
    machine.day(6000);
    let watch = || {
        let mut push = machine.command(&["push", "--watch"]);
        push.stderr(Stdio::null()).spawn().unwrap()
    };
    let waiting = || -> Value {
        let output = machine.run(&["fleet", "status", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let mut push = watch();
    until(|| waiting()["trouble"].is_string());
    let away = waiting();
    assert_eq!(away["waiting"], 6000);
    assert!(away["waiting_seconds"].as_u64().unwrap() > 86_000, "{away}");
    let before = peak(&push);
    nodes.nodes[0].start();
    // Its process is ended on the way, and another goes on.
    until(|| waiting()["waiting"].as_u64().unwrap() < 6000);
    let grown = peak(&push) - before;
    push.kill().unwrap();
    push.wait().unwrap();
    let mut push = watch();
    until(|| waiting()["waiting"] == 0);
    let grown = grown.max(peak(&push).saturating_sub(before));
    push.kill().unwrap();
    push.wait().unwrap();
    // All of them are 24 MB; some pages of 1 MiB are held at a time.
    assert!(grown < 16 * 1024, "{grown} KiB");
    let log = url.rsplit('=').next().unwrap();
    let count = nodes.sql(&format!("SELECT count(*) FROM {log}.event"));
    assert_eq!(count.trim(), "6001");
    for name in ["s0", "s1", "s2"] {
        let ids = nodes.sql(&format!(
            "SELECT id FROM {log}.event WHERE stream = '{name}' ORDER BY ver"
        ));
        assert!(ids.lines().eq(machine.ids(name)), "{name}");
    }
}

#[test]
fn an_address_that_came_with_a_project_is_not_gone_to_before_it_was_named() {
    let machine = Machine::new();
    let (port, count) = silent();
    machine.note("s", 1);
    machine.set(&format!(
        "[fleet]\nurl = \"postgres://127.0.0.1:{port}/x?log=theirs\"\npush = \"background\"\n"
    ));
    let said = machine.refused(&["push"]);
    assert!(said.contains("say --to"), "{said}");
    machine.refused(&["pull", "--all"]);
    machine.refused(&["pull", "--all", "--db", "new.db"]);
    machine.refused(&["fleet", "status"]);
    let examined = machine.run(&["doctor", "--json"]);
    let examined: Value = serde_json::from_slice(&examined.stdout).unwrap();
    assert_eq!(examined.get("server"), None);
    machine.ok(&["push", "--watch", "--background"]);
    assert_eq!(count.load(Ordering::Relaxed), 0);
    machine.set("[fleet]\nurl = \"postgres://ada:secret@db/x\"\n");
    let said = machine.refused(&["push"]);
    assert!(
        said.contains("PGPASSWORD") && !said.contains("secret"),
        "{said}"
    );
    machine.set("");
    assert!(machine.refused(&["push"]).contains("[fleet]"));
}

/// Serves a client for two requests, and says how long that took.
fn served(machine: &Machine) -> Duration {
    let begun = Instant::now();
    let mut bridge = machine
        .command(&["bridge"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let requests = "{\"id\":1,\"method\":\"call\",\"params\":{\"session\":\"s\",\"input\":\
                    {\"tool\":\"notes.add\",\"args\":{\"content\":\"from the bridge\"}}}}\n\
                    {\"id\":2,\"method\":\"frame\",\"params\":{\"session\":\"s\"}}\n";
    let mut input = bridge.stdin.take().unwrap();
    input.write_all(requests.as_bytes()).unwrap();
    drop(input);
    let output = bridge.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert!(answers.contains("from the bridge"), "{answers}");
    begun.elapsed()
}

/// Runs a hook, which has the user's message to record.
fn hooked(machine: &Machine) {
    let event = r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"Add rate limits","cwd":"."}"#;
    let mut hook = machine
        .command(&["hook"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = hook.stdin.take().unwrap();
    input.write_all(event.as_bytes()).unwrap();
    drop(input);
    let output = hook.wait_with_output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains("Add rate limits"), "{answer}");
}

#[test]
fn the_bridge_has_sent_in_the_background_what_agents_record() {
    let Some(nodes) = shared() else { return };
    let machine = Machine::new();
    let url = made(&nodes, &machine);
    machine.note("s", 2);
    machine.ok(&["push", "--to", &url]);
    machine.set(&format!(
        "[fleet]\nurl = \"{url}\"\npush = \"background\"\n"
    ));
    served(&machine);
    until(|| status(&machine)["waiting"] == 0);
    let log = url.rsplit('=').next().unwrap();
    let found = nodes.sql(&format!(
        "SELECT count(*) FROM {log}.event WHERE payload LIKE '%from the bridge%'"
    ));
    assert_eq!(found.trim(), "1");
}

#[test]
fn a_server_that_hangs_or_is_away_keeps_no_client_waiting_and_push_says_what_it_is() {
    let machine = Machine::new();
    let (port, count) = silent();
    machine.note("s", 1);
    let hanging = format!("postgres://127.0.0.1:{port}/x?log=hangs");
    let said = machine.refused(&["push", "--to", &hanging]);
    assert!(said.contains("did not answer within"), "{said}");
    assert_eq!(count.load(Ordering::Relaxed), 1);
    let away = format!("postgres://127.0.0.1:{}/x?log=away", {
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        free.local_addr().unwrap().port()
    });
    let said = machine.refused(&["push", "--to", &away]);
    assert!(said.contains("see that it runs"), "{said}");
    machine.answered_once(&hanging);
    machine.set(&format!(
        "[fleet]\nurl = \"{hanging}\"\npush = \"background\"\n"
    ));
    hooked(&machine);
    assert_eq!(count.load(Ordering::Relaxed), 1, "a hook goes nowhere");
    served(&machine);
    // The process beside it goes there; the bridge itself does not.
    until(|| count.load(Ordering::Relaxed) == 2);
}

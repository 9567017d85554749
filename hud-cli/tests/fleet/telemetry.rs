//! What those who run many machines see of it: metrics, and spans.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::machine::{Machine, made};
use crate::nodes::{shared, until};
use crate::silent;

/// The samples of a text that Prometheus reads, by name and labels. Each is declared before with a help and a type
/// that its name fits.
fn samples(text: &str) -> HashMap<String, f64> {
    let (mut helped, mut types) = (HashSet::new(), HashMap::new());
    let mut samples = HashMap::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, help) = help.split_once(' ').unwrap();
            assert!(!help.is_empty() && helped.insert(name), "{line}");
            continue;
        }
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            let (name, sort) = declared.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&sort), "{line}");
            assert_eq!(types.insert(name, sort), None, "{line}");
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(name.chars().all(is_word), "{line}");
        let parts = ["_bucket", "_sum", "_count"].into_iter();
        let mut of_histogram = parts.filter_map(|part| name.strip_suffix(part));
        let is_declared = types.get(name).is_some_and(|sort| *sort != "histogram")
            || of_histogram.any(|name| types.get(name) == Some(&"histogram"));
        assert!(is_declared, "{line} of {types:?}");
        let value = value.parse().unwrap();
        assert_eq!(samples.insert(series.to_owned(), value), None, "{line}");
    }
    assert!(types.keys().all(|name| helped.contains(name)));
    samples
}

/// What is at `/metrics` of an address.
fn scraped(address: &str) -> HashMap<String, f64> {
    let mut server = TcpStream::connect(address).unwrap();
    write!(
        server,
        "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    server.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    samples(body)
}

/// A process that sends until it is ended, and where its metrics are.
fn watching(machine: &Machine, to: &str) -> (Child, String) {
    let mut push = machine
        .command(&["push", "--watch", "--to", to, "--metrics", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(push.stderr.take().unwrap()).lines();
    let found = said.find_map(|line| {
        let line = line.unwrap();
        line.split_once("http://").map(|(_, at)| at.to_owned())
    });
    let at = found.unwrap();
    let address = at.trim_end().strip_suffix("/metrics").unwrap().to_owned();
    // Nobody reads the rest, and it must not wait for that.
    thread::spawn(move || said.count());
    (push, address)
}

#[test]
fn a_process_that_sends_counts_what_it_sends_and_why_it_can_not() {
    let Some(nodes) = shared() else { return };
    let machine = Machine::new();
    let url = made(&nodes, &machine);
    machine.note("secret-session", 3);
    let (mut push, address) = watching(&machine, &url);
    until(|| scraped(&address).get("hud_fleet_events_sent_total") == Some(&3.0));
    let found = scraped(&address);
    assert_eq!(found["hud_fleet_up"], 1.0);
    assert_eq!(found["hud_fleet_waiting_events"], 0.0);
    assert_eq!(found["hud_fleet_waits_for_standby"], 0.0);
    assert_eq!(found["hud_fleet_machines{state=\"sending\"}"], 1.0);
    assert!(found["hud_fleet_round_seconds_count"] >= 1.0);
    assert!(found["hud_fleet_heard_timestamp_seconds"] > 1.7e9);
    push.kill().unwrap();
    push.wait().unwrap();

    let (port, _) = silent();
    let hanging = format!("postgres://ada@127.0.0.1:{port}/x?log=hangs");
    let (mut push, address) = watching(&machine, &hanging);
    let failed = "hud_fleet_failures_total{reason=\"unavailable\"}";
    until(|| scraped(&address).get(failed) == Some(&1.0));
    let found = scraped(&address);
    assert_eq!(
        (found["hud_fleet_up"], found["hud_fleet_waiting_events"]),
        (0.0, 3.0)
    );
    push.kill().unwrap();
    push.wait().unwrap();

    let (text, _) = machine.ok(&["fleet", "status", "--prometheus", "--to", &url]);
    assert_eq!(samples(&text)["hud_fleet_up"], 1.0);
    assert!(!text.contains("secret-session"), "{text}");
}

/// A collector on this machine, and what it was sent.
fn collector() -> (String, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let got = Arc::<Mutex<Vec<u8>>>::default();
    let sent = Arc::clone(&got);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let mut client = BufReader::new(client);
            let (mut length, mut head) = (0, String::new());
            while client.read_line(&mut head).unwrap() > 2 {
                let line = head.lines().last().unwrap().to_ascii_lowercase();
                if let Some(bytes) = line.strip_prefix("content-length: ") {
                    length = bytes.parse().unwrap();
                }
            }
            assert!(head.starts_with("POST /v1/traces "), "{head}");
            let mut body = vec![0; length];
            client.read_exact(&mut body).unwrap();
            sent.lock().unwrap().extend(body);
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            client.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
    (address, got)
}

#[test]
fn a_push_is_a_trace_of_what_the_server_was_asked_without_what_was_said() {
    let Some(nodes) = shared() else { return };
    let machine = Machine::new();
    let url = made(&nodes, &machine);
    machine.note("secret-session", 3);
    let (address, got) = collector();
    let mut push = machine.command(&["push", "--to", &url]);
    push.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address);
    assert!(push.status().unwrap().success());
    let got = String::from_utf8_lossy(&got.lock().unwrap()).into_owned();
    for part in ["service.name", "hud", "push", "ask", "AppendMany", "events"] {
        assert!(got.contains(part), "{part} is not in {got}");
    }
    for part in ["secret-session", "note 1", "postgres://", "127.0.0.1"] {
        assert!(!got.contains(part), "{part} is in {got}");
    }

    // Nobody listens there: what is sent is sent all the same.
    machine.note("secret-session", 1);
    let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let away = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let mut push = machine.command(&["push", "--to", &url]);
    push.env("OTEL_EXPORTER_OTLP_ENDPOINT", away);
    assert!(push.status().unwrap().success());
}

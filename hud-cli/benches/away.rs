//! What a client waits for while the server of its fleet can't be reached: `cargo bench -p hud-cli --features postgres
//! --bench away`.
//!
//! A machine without a fleet and machines whose server hangs, refuses connections, or can't prove that it is the one
//! that was named, all of which send in the background: in turns, each runs the hook of a tool's result in a process, and
//! has its bridge answer a report and a frame. The figure that counts is the p99 beside that of the machine without a
//! fleet. With `--test` each does so a few times.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log};
use hud_store::sqlite::{Remote, SqliteLog};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection};
use serde_json::json;
use tempfile::TempDir;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (hooks, turns) = if is_test { (2, 10) } else { (1500, 20_000) };
    let tried: [Arc<AtomicU64>; 2] = Default::default();
    let hanging = hanging(&tried[0]);
    let stranger = stranger(&tried[1]);
    let mut machines = [
        Machine::new("no fleet", None),
        Machine::new("hangs", Some(format!("postgres://{hanging}/x?log=hangs"))),
        Machine::new("refuses", Some("postgres://127.0.0.1:1/x?log=away".into())),
        Machine::new(
            "wrong certificate",
            Some(format!(
                "postgres://{stranger}/x?log=wrong&sslmode=verify-full"
            )),
        ),
    ];
    for nth in 0..hooks {
        for machine in &mut machines {
            machine.hook(nth);
        }
    }
    for nth in 0..turns {
        for machine in &mut machines {
            machine.turn(nth);
        }
    }
    let tried = tried.map(|tried| tried.load(Ordering::Relaxed));
    assert!(tried.iter().all(|tried| *tried > 0), "{tried:?}");
    println!("| the server | what | p50 ms | p99 ms | of the p99 without a fleet |");
    println!("| --- | --- | --- | --- | --- |");
    let alone = machines[0].times.clone().map(|times| at(&times, 0.99));
    for machine in machines {
        for ((what, times), alone) in WHAT.into_iter().zip(&machine.times).zip(alone) {
            println!(
                "| {} | {what} | {:.3} | {:.3} | {:.2} |",
                machine.name,
                at(times, 0.5),
                at(times, 0.99),
                at(times, 0.99) / alone
            );
        }
        machine.end();
    }
}

/// What is timed.
const WHAT: [&str; 2] = ["a hook", "a report and a frame of the bridge"];

/// The time, in milliseconds, that a share of the tries took no longer than.
fn at(times: &[Duration], share: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let index = (times.len() as f64 * share) as usize;
    times[index.min(times.len() - 1)].as_secs_f64() * 1e3
}

/// A machine with a client.
struct Machine {
    name: &'static str,
    folder: TempDir,
    bridge: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    times: [Vec<Duration>; WHAT.len()],
}

fn hud(folder: &Path) -> Command {
    let hud = std::env::var_os("HUD_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_hud").into());
    let mut hud = Command::new(hud);
    hud.current_dir(folder.join("project"))
        .env("XDG_STATE_HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("HUD_DB", folder.join("hud.db"))
        .env_remove("PGPASSWORD")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    hud
}

impl Machine {
    /// A machine whose server answered once, and does so no more.
    fn new(name: &'static str, url: Option<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("project/.hud")).unwrap();
        let mut log = SqliteLog::open(folder.path().join("hud.db")).unwrap();
        let note = NoteAdd {
            id: "n1".into(),
            content: "it waits to be sent".into(),
        };
        let note = NewEvent::now(1, Actor::Agent, note);
        log.append(&SessionId::new("s").unwrap(), Expected::Any, &[note])
            .unwrap();
        if let Some(url) = url {
            let known = Remote {
                at: Some("2026-11-23T20:00:00Z".parse().unwrap()),
                ..Remote::default()
            };
            let place = url.split("&sslmode").next().unwrap();
            log.set_remote(place, &known).unwrap();
            let settings = format!("[fleet]\nurl = \"{url}\"\npush = \"background\"\n");
            fs::write(folder.path().join("project/.hud/config.toml"), settings).unwrap();
        }
        drop(log);
        let mut bridge = hud(folder.path()).arg("bridge").spawn().unwrap();
        let mut machine = Self {
            name,
            input: bridge.stdin.take().unwrap(),
            output: BufReader::new(bridge.stdout.take().unwrap()),
            bridge,
            folder,
            times: Default::default(),
        };
        machine.turn(0);
        machine.times = Default::default();
        machine
    }

    /// The hook of a tool's result.
    fn hook(&mut self, nth: u64) {
        let path = format!("/p/src/{}.rs", nth % 20);
        let event = json!({
            "hook_event_name": "PostToolUse", "session_id": "s", "cwd": ".",
            "tool_name": "Edit", "tool_use_id": format!("c{nth}"),
            "tool_input": { "file_path": path }, "tool_response": { "filePath": path },
        });
        let begun = Instant::now();
        let mut hook = hud(self.folder.path()).arg("hook").spawn().unwrap();
        let mut input = hook.stdin.take().unwrap();
        write!(input, "{event}").unwrap();
        drop(input);
        assert!(hook.wait_with_output().unwrap().status.success());
        self.times[0].push(begun.elapsed());
    }

    /// What a plugin asks of the bridge in a turn.
    fn turn(&mut self, nth: u64) {
        let report = json!({ "method": "observe", "params": { "session": "s", "reports": [
            { "type": "usage", "input": 20_000 + nth, "window": { "context": 200_000 } } ] } });
        let frame = json!({ "id": 1, "method": "frame", "params": { "session": "s" } });
        let mut answer = String::new();
        let begun = Instant::now();
        self.input
            .write_all(format!("{report}\n{frame}\n").as_bytes())
            .unwrap();
        self.output.read_line(&mut answer).unwrap();
        self.times[1].push(begun.elapsed());
        assert!(answer.contains("\"result\""), "{answer}");
    }

    fn end(mut self) {
        drop(self.input);
        self.bridge.wait().unwrap();
    }
}

/// A server that takes connections and never answers; counts them.
fn hanging(tried: &Arc<AtomicU64>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let tried = Arc::clone(tried);
    thread::spawn(move || {
        let mut held = Vec::new();
        for client in listener.incoming().flatten() {
            tried.fetch_add(1, Ordering::Relaxed);
            held.push(client);
        }
    });
    address
}

/// A server whose certificate nobody trusts; counts who comes.
fn stranger(tried: &Arc<AtomicU64>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let tried = Arc::clone(tried);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            tried.fetch_add(1, Ordering::Relaxed);
            // Whoever comes goes when it has seen the certificate.
            let _ = greet(client, &config);
        }
    });
    address
}

/// Takes up TLS as PostgreSQL does.
fn greet(mut client: TcpStream, config: &Arc<ServerConfig>) -> std::io::Result<()> {
    client.read_exact(&mut [0; 8])?;
    client.write_all(b"S")?;
    let mut server = ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    server.complete_io(&mut client)?;
    Ok(())
}

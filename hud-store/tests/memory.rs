//! How much memory it takes to open a file, whatever is in it: at most 64 MiB more than it has bytes.
//!
//! ```text
//! cargo test -p hud-store --test memory
//! ```
//!
//! The test runs itself as the process that opens each file: lists its sessions, reads all events, and
//! folds each session. What that process had in memory at most is what the kernel says (`VmHWM`).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and says what it found"
)]

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, ExitCode};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use hud_store::event::{Actor, NewEvent, NoteAdd, OutputKeep, SessionId};
use hud_store::log::{Expected, Log, LogError, state_of};
use hud_store::sqlite::SqliteLog;

const ROLE: &str = "HUD_TEST_OPENS";

const MIB: u64 = 1024 * 1024;

/// How much more than the file may be held.
const ALLOWED: u64 = 64 * MIB;

/// The longest texts of a payload, with room for the rest of it.
const LONG: usize = 15 << 20;

fn main() -> ExitCode {
    if let Ok(path) = std::env::var(ROLE) {
        println!("{}", open(Path::new(&path)));
        return ExitCode::SUCCESS;
    }
    // Somebody asked for other tests, or for their names.
    let is_asked = !std::env::args()
        .skip(1)
        .any(|argument| argument == "--list" || !argument.starts_with('-'));
    if !is_asked || !Path::new("/proc/self/status").exists() {
        return ExitCode::SUCCESS;
    }
    println!(
        "{:<44} {:>10} {:>10}  outcome",
        "a file with", "has KiB", "takes KiB"
    );
    let mut is_held = true;
    for (name, make) in FILES {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let mut log = SqliteLog::open(&path).unwrap();
        make(&mut log, &path);
        drop(log);
        let (size, (peak, outcome)) = (fs::metadata(&path).unwrap().len(), measured(&path));
        println!(
            "{name:<44} {:>10} {:>10}  {outcome}",
            size / 1024,
            peak / 1024
        );
        is_held &= peak <= ALLOWED + size;
    }
    assert!(is_held, "more than 64 MiB and the size of the file");
    ExitCode::SUCCESS
}

/// What a process that opens a file has in memory at most, in bytes, and what it says.
fn measured(path: &Path) -> (u64, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .env(ROLE, path)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (peak, outcome) = said.trim().split_once(' ').unwrap();
    (peak.parse::<u64>().unwrap() * 1024, outcome.to_owned())
}

/// Opens a file as a program does that shows all of it. Gives the most memory it took, in KiB, and the
/// outcome.
fn open(path: &Path) -> String {
    let outcome = look(path).map_or_else(
        |error| error.to_string().chars().take(90).collect(),
        |events| format!("{events} events"),
    );
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    format!("{peak} {outcome}")
}

fn look(path: &Path) -> Result<u64, LogError> {
    let log = SqliteLog::open_read_only(path)?;
    let mut events = 0;
    log.read_all(1, &mut |_| {
        events += 1;
        ControlFlow::Continue(())
    })?;
    for info in log.sessions()? {
        state_of(&log, &info.id)?;
    }
    Ok(events)
}

/// Writes a file: into the log, or into its file.
type Make = fn(&mut SqliteLog, &Path);

const FILES: &[(&str, Make)] = &[
    ("a few notes", |log, _| {
        append(log, (0..9).map(|n| note(n, "x")))
    }),
    ("32 notes of a MiB", |log, _| {
        append(log, (0..32).map(|n| note(n, &"x".repeat(1 << 20))));
    }),
    ("the longest note", |log, _| {
        append(log, [note(0, &"x".repeat(LONG))])
    }),
    ("the longest note, archived", |log, _| {
        append(log, [note(0, &"x".repeat(LONG))]);
        pack(log);
    }),
    ("the longest note of line ends, archived", |log, _| {
        append(log, [note(0, &"\n".repeat(LONG / 2))]);
        pack(log);
    }),
    ("3 of the longest notes, archived", |log, _| {
        append(log, (0..3).map(|n| note(n, &"x".repeat(LONG))));
        pack(log);
    }),
    ("20 kept outputs of a MiB, archived", |log, _| {
        append(log, (0..20).map(|_| output(&"x".repeat(1 << 20))));
        pack(log);
    }),
    ("a list of an unknown kind, archived", |log, _| {
        import(log, "todo.sync", &format!("[0{}]", ",0".repeat(LONG / 2)));
        pack(log);
    }),
    ("a plan of empty names, archived", |log, _| {
        import(
            log,
            "step.reorder",
            &format!(r#"{{"ids":[""{}]}}"#, ",\"\"".repeat(LONG / 3)),
        );
        pack(log);
    }),
    ("a state of many readings, archived", |log, _| {
        let payload = format!(
            r#"{{"state":{{"context":{{"used":1,"at":"2026-11-20T12:00:00Z","readings":[1{}]}}}}}}"#,
            ",1".repeat(LONG / 2)
        );
        import(log, "compact.before", &payload);
        pack(log);
    }),
    ("an archive with one payload of 48 MiB", |log, path| {
        append(log, (0..9).map(|n| note(n, "x")));
        pack(log);
        let mut bomb = ZlibEncoder::new(Vec::new(), Compression::fast());
        bomb.write_all(b"[[1,\"").unwrap();
        for _ in 0..48 {
            bomb.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        change(path, bomb.finish().unwrap());
    }),
    ("an archive with millions of payloads", |log, path| {
        append(log, (0..9).map(|n| note(n, "x")));
        pack(log);
        let mut bomb = ZlibEncoder::new(Vec::new(), Compression::fast());
        bomb.write_all(b"[[0,\"\"]").unwrap();
        for _ in 0..32 {
            bomb.write_all(&b",[0,\"\"]".repeat(1 << 16)).unwrap();
        }
        change(path, bomb.finish().unwrap());
    }),
];

fn session() -> SessionId {
    SessionId::new("s").unwrap()
}

fn note(n: usize, content: &str) -> NewEvent {
    let (id, content) = (format!("n{n}"), format!("{n} {content}"));
    NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
}

fn output(content: &str) -> NewEvent {
    let kept = OutputKeep {
        call: None,
        tool: "Bash".into(),
        target: None,
        content: content.into(),
        outline: None,
    };
    NewEvent::now(1, Actor::Derived, kept)
}

fn append(log: &mut SqliteLog, events: impl IntoIterator<Item = NewEvent>) {
    for event in events {
        log.append(&session(), Expected::Any, &[event]).unwrap();
    }
}

fn import(log: &mut SqliteLog, kind: &str, payload: &str) {
    let line = format!(
        r#"{{"session":"s","id":"00000000-0000-0000-0000-000000000001","turn":1,"at":"2026-11-20T12:00:00Z","actor":"agent","kind":"{kind}","v":1,"payload":{payload}}}"#
    );
    log.import_lines(&mut line.as_bytes()).unwrap();
}

fn pack(log: &mut SqliteLog) {
    log.archive(&session(), u64::MAX, &mut |_| ()).unwrap();
    log.vacuum(&mut |_| ()).unwrap();
}

/// Puts other bytes into the archive, behind the back of the log.
fn change(path: &Path, body: Vec<u8>) {
    let conn = rusqlite::Connection::open(path).unwrap();
    let changed = conn
        .execute("UPDATE archive SET body = ?1", [body])
        .unwrap();
    assert!(changed > 0);
}

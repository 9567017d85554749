//! The outbox: a backlog of any size is written to the log, once and in order, and nobody else waits for it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(
    clippy::print_stdout,
    reason = "the figures are shown to who asks for them"
)]

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::{Actor, HudEvent, NewEvent, NoteAdd, NoteEvent, SessionId};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::SqliteLog;
use rusqlite::Connection;
use serde_json::{Value, json};
use uuid::Uuid;

/// The program with the deadline that users have.
fn hud(directory: &Path, args: &[&str]) -> Command {
    let mut hud = Command::new(env!("CARGO_BIN_EXE_hud"));
    hud.args(args).arg("--db").arg(directory.join("hud.db"));
    hud.env_remove("HUD_DEADLINE_MS");
    hud.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    hud
}

fn doctor(directory: &Path) -> Output {
    hud(directory, &["doctor"]).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(text).unwrap()
}

/// A bridge that is asked one thing after another.
struct Bridge {
    child: Child,
    answers: std::io::Lines<BufReader<std::process::ChildStdout>>,
    next: u64,
}

impl Bridge {
    fn new(directory: &Path) -> Self {
        let mut child = hud(directory, &["bridge"]).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            answers,
            next: 0,
        }
    }

    /// Adds a note, and gives what is answered.
    fn note(&mut self, session: &str, content: &str) -> Value {
        self.next += 1;
        let input = json!({ "tool": "notes.add", "args": { "content": content } });
        let params = json!({ "session": session, "input": input });
        let request = json!({ "id": self.next, "method": "call", "params": params });
        writeln!(self.child.stdin.as_mut().unwrap(), "{request}").unwrap();
        let answer = self.answers.next().unwrap().unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn is_kept(answer: &Value) -> bool {
    answer["result"]["answer"]["kept"].is_string()
}

/// A report as it waits in an outbox.
fn line(session: &str, content: &str) -> String {
    let input = json!({ "tool": "notes.add", "args": { "content": content } });
    let report = json!({
        "id": Uuid::now_v7(), "at": "2026-10-02T10:00:00Z", "session": session, "called": input,
    });
    format!("{report}\n")
}

fn outbox(directory: &Path) -> PathBuf {
    directory.join("hud.db.outbox.jsonl")
}

fn length(directory: &Path) -> u64 {
    fs::metadata(outbox(directory)).map_or(0, |file| file.len())
}

/// The beginnings of the notes that a session recorded, in order.
fn notes(directory: &Path, session: &str) -> Vec<String> {
    let log = SqliteLog::open_read_only(directory.join("hud.db")).unwrap();
    let mut notes = Vec::new();
    log.read(&SessionId::new(session).unwrap(), 1, &mut |event| {
        if let HudEvent::Note(NoteEvent::Add(note)) = event.event {
            notes.push(note.content.chars().take(8).collect());
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    notes
}

/// Fills an outbox with notes of several sessions. Returns them by session.
fn fill(directory: &Path, bytes: usize, each: usize) -> HashMap<String, Vec<String>> {
    drop(SqliteLog::open(directory.join("hud.db")).unwrap());
    let (mut text, mut wanted) = (String::new(), HashMap::<_, Vec<_>>::new());
    for nth in 0.. {
        let session = format!("s{}", nth % 5);
        let name = format!("{nth:08}");
        let line = line(&session, &format!("{name} {}", "x".repeat(each)));
        if text.len() + line.len() > bytes {
            break;
        }
        text.push_str(&line);
        wanted.entry(session).or_default().push(name);
    }
    fs::write(outbox(directory), text).unwrap();
    wanted
}

fn assert_once_and_in_order(directory: &Path, wanted: &HashMap<String, Vec<String>>) {
    for (session, wanted) in wanted {
        assert_eq!(&notes(directory, session), wanted, "{session}");
    }
}

/// Starts one bridge after another until a full outbox is written, and records beside it. Prints the number of bridges and
/// the time that it took.
fn drain(directory: &Path, mut wanted: HashMap<String, Vec<String>>, patience: Duration) {
    let (begun, waiting) = (Instant::now(), length(directory));
    let events: usize = wanted.values().map(Vec::len).sum();
    let mut others = 0;
    while length(directory) > 0 {
        assert!(begun.elapsed() < patience, "it never ends");
        let mut bridge = Bridge::new(directory);
        let answer = bridge.note("another", &format!("{others:08}"));
        assert!(!is_kept(&answer), "{answer}");
        others += 1;
        let answer = bridge.note("s0", &format!("la{others:06}"));
        assert!(!answer.to_string().contains("locked"), "{answer}");
        if is_kept(&answer) {
            assert!(
                answer.to_string().contains("waits in the outbox"),
                "{answer}"
            );
        }
        bridge.end();
        let late = wanted.get_mut("s0").unwrap();
        late.push(format!("la{others:06}"));
    }
    println!(
        "{events} events in {waiting} bytes were written by {others} bridges of two calls in {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    assert_once_and_in_order(directory, &wanted);
    let others: Vec<String> = (0..others).map(|nth| format!("{nth:08}")).collect();
    assert_eq!(notes(directory, "another"), others);
}

/// The size of an outbox that is full.
const FULL: usize = 16 * 1024 * 1024 - 64 * 1024;

#[test]
fn a_full_outbox_is_written_at_the_default_deadline_and_holds_up_no_other_session() {
    let directory = tempfile::tempdir().unwrap();
    let wanted = fill(directory.path(), FULL, 40_000);
    drain(directory.path(), wanted, Duration::from_secs(300));
}

#[test]
fn an_outbox_of_small_events_is_written_at_the_default_deadline() {
    let directory = tempfile::tempdir().unwrap();
    let wanted = fill(directory.path(), FULL / 8, 50);
    drain(directory.path(), wanted, Duration::from_secs(300));
    let text = said(&doctor(directory.path()));
    println!("{text}");
    assert!(!text.contains("outbox"), "{text}");
}

#[test]
fn the_doctor_reports_a_backlog_and_writes_it() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let wanted = fill(directory, 200_000, 2_000);
    let count: usize = wanted.values().map(Vec::len).sum();
    let output = doctor(directory);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let written = format!("{count} written to the log");
    assert!(text.contains(&written), "{text}");
    assert_eq!(length(directory), 0);
    assert_once_and_in_order(directory, &wanted);
    let text = said(&doctor(directory));
    assert!(!text.contains("outbox"), "{text}");
}

#[cfg(unix)]
#[test]
fn the_doctor_reports_what_it_cannot_write() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    drop(SqliteLog::open(directory.join("hud.db")).unwrap());
    let session = SessionId::new("bad").unwrap();
    let mut log = SqliteLog::open(directory.join("hud.db")).unwrap();
    let note = |content: &str| NoteAdd {
        id: "n1".to_owned(),
        content: content.to_owned(),
    };
    let event = NewEvent::now(1, Actor::Agent, note("sound"));
    log.append(&session, Expected::Any, &[event]).unwrap();
    drop(log);
    damage(&directory.join("hud.db"));
    let text: String = ["bad", "good", "bad", "good"]
        .iter()
        .map(|session| line(session, session))
        .collect();
    fs::write(outbox(directory), text).unwrap();
    let output = doctor(directory);
    let text = said(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("2 reports"), "{text}");
    assert!(text.contains("wait in the outbox"), "{text}");
    assert!(!text.contains("all is well"), "{text}");
    assert_eq!(
        notes(directory, "good"),
        ["good"],
        "the same note is one note"
    );
    // They wait until the session is put right.
    let text = said(&doctor(directory));
    assert!(text.contains("2 reports"), "{text}");
}

/// Changes what the first event says, past its seal.
fn damage(log: &Path) {
    let file = Connection::open(log).unwrap();
    let guard = "event_is_never_updated";
    let sql: String = file
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE name = ?1",
            [guard],
            |row| row.get(0),
        )
        .unwrap();
    file.execute_batch(&format!(
        "DROP TRIGGER {guard}; UPDATE event SET payload = replace(payload, 'sound', 'other'); {sql}"
    ))
    .unwrap();
}

#[test]
fn what_is_killed_while_it_writes_the_outbox_neither_loses_nor_doubles_anything() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    // More than is written before what is done goes from the front of the file.
    let wanted = fill(directory, 3 * 1024 * 1024, 10_000);
    let mut time = 20;
    for _ in 0..60 {
        let mut child = hud(directory, &["doctor"]).spawn().unwrap();
        thread::sleep(Duration::from_millis(time));
        // No time is the same as the last.
        time = 20 + time * 7 % 230;
        child.kill().unwrap();
        child.wait().unwrap();
        if length(directory) == 0 {
            break;
        }
    }
    doctor(directory);
    assert_eq!(length(directory), 0);
    assert_once_and_in_order(directory, &wanted);
}

/// The number of calls that an agent makes in a burst.
const CALLS: usize = 100;

#[test]
fn bursts_leave_no_backlog_that_grows() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    drop(SqliteLog::open(directory.join("hud.db")).unwrap());
    let mut recorded = Vec::new();
    let mut left = Vec::new();
    for burst in 0..4 {
        let agents: Vec<_> = (0..4)
            .map(|agent| {
                let directory = directory.to_owned();
                thread::spawn(move || {
                    let mut bridge = Bridge::new(&directory);
                    let mut kept = 0;
                    for nth in 0..CALLS {
                        thread::sleep(Duration::from_millis(20));
                        let answer =
                            bridge.note(&format!("agent{agent}"), &format!("{burst} {nth:06}"));
                        assert!(answer["error"].is_null(), "{answer}");
                        kept += u32::from(is_kept(&answer));
                    }
                    bridge.end();
                    kept
                })
            })
            .collect();
        // Nobody can write at first, and four agents record on.
        let mut log = SqliteLog::open(directory.join("hud.db")).unwrap();
        let other = SessionId::new("other").unwrap();
        let locked = log.append_from(&other, Expected::Any, |append| {
            let (id, content) = (format!("n{burst}"), "for long".to_owned());
            append(&NewEvent::now(1, Actor::Agent, NoteAdd { id, content }))?;
            thread::sleep(Duration::from_millis(800));
            Ok::<_, LogError>(())
        });
        locked.unwrap();
        let kept: u32 = agents.into_iter().map(|agent| agent.join().unwrap()).sum();
        println!(
            "{kept} of {} calls were kept, and {} bytes wait",
            4 * CALLS,
            length(directory)
        );
        assert!(kept > 0, "the log was locked");
        recorded.extend((0..CALLS).map(|nth| format!("{burst} {nth:06}")));
        left.push(length(directory));
    }
    assert!(
        left.iter().all(|left| *left == 0),
        "bytes that wait after each burst: {left:?}"
    );
    for agent in 0..4 {
        assert_eq!(notes(directory, &format!("agent{agent}")), recorded);
    }
}

#[test]
fn a_line_that_was_cut_off_is_reported_and_the_rest_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    drop(SqliteLog::open(directory.join("hud.db")).unwrap());
    let mut file = File::create(outbox(directory)).unwrap();
    write!(
        file,
        "{}{{\"id\":\"01\n{}",
        line("s", "one"),
        line("s", "two")
    )
    .unwrap();
    let text = said(&doctor(directory));
    assert!(text.contains("cut off"), "{text}");
    assert_eq!(notes(directory, "s"), ["one", "two"]);
}

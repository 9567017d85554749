//! Real processes on one file: killed at any time, many at once, opening it first.
//!
//! ```text
//! cargo test -p hud-store --test processes
//! HUD_CRASH_ROUNDS=200 HUD_RACE_ROUNDS=100 cargo test --release -p hud-store --test processes
//! ```
//!
//! The test runs itself as the writers that it kills. Each reports on its standard output what was
//! acknowledged to it, so nothing that it says later than that counts.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and says what it found"
)]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use hud_store::event::{
    Actor, CompactAfter, NewEvent, NoteAdd, OutputKeep, SessionId, StoredEvent,
};
use hud_store::log::{Expected, Log, LogError, Query, Search as _, append_with, kept, state_of};
use hud_store::sqlite::{Durability, Limits, SqliteLog};
use jiff::Timestamp;

/// What a process does that this test starts.
const ROLE: &str = "HUD_TEST_ROLE";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match std::env::var(ROLE).as_deref() {
        Ok("crash") => write_until_killed(&PathBuf::from(arguments.next().unwrap())),
        Ok("race") => open_first(&PathBuf::from(arguments.next().unwrap())),
        Ok("sweep") => keep_and_sweep(&PathBuf::from(arguments.next().unwrap())),
        Ok("count") => count_up(&PathBuf::from(arguments.next().unwrap())),
        // Somebody asked for other tests, or for their names.
        _ if arguments.any(|argument| argument == "--list" || !argument.starts_with('-')) => {}
        _ => {
            crashes(rounds("HUD_CRASH_ROUNDS", 20));
            first_opens(rounds("HUD_RACE_ROUNDS", 10));
            lost_updates();
            sweeps(rounds("HUD_SWEEP_ROUNDS", 12));
        }
    }
    ExitCode::SUCCESS
}

fn rounds(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |rounds| rounds.parse().unwrap())
}

/// Starts this test in another role.
fn start(role: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg(path)
        .env(ROLE, role)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn session() -> SessionId {
    SessionId::new("shared").unwrap()
}

fn note(content: String) -> NewEvent {
    let id = content.clone();
    NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
}

/// Appends single events and batches, and reports each id once it is acknowledged.
fn write_until_killed(path: &Path) {
    let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
    let mut out = std::io::stdout().lock();
    for n in 0_u64.. {
        let size = if n % 7 == 0 { 20 } else { 1 };
        let events: Vec<_> = (0..size)
            .map(|at| note(format!("{n}.{at} {}", "x".repeat(90))))
            .collect();
        log.append(&session(), Expected::Any, &events).unwrap();
        if n % 50 == 0 {
            log.search(&Query::new("x")).unwrap();
        }
        // A single write, so that half an acknowledgement is never read.
        let ids: String = events
            .iter()
            .map(|event| format!("{}\n", event.id))
            .collect();
        out.write_all(ids.as_bytes()).unwrap();
        out.flush().unwrap();
    }
}

/// After how many rounds another log is begun: each is read whole, and no round is to take longer for those before.
const ROUNDS_OF_A_LOG: u64 = 50;

/// Writers are killed at random times; what was acknowledged must be there.
fn crashes(rounds: u64) {
    let mut dir = tempfile::tempdir().unwrap();
    let mut acknowledged = HashSet::new();
    let (mut all, mut lost, mut gaps, mut corrupt) = (0, 0, 0, 0);
    for round in 0..rounds {
        if round % ROUNDS_OF_A_LOG == 0 {
            dir = tempfile::tempdir().unwrap();
            acknowledged.clear();
        }
        let path = dir.path().join("hud.db");
        let mut writers = [start("crash", &path), start("crash", &path)];
        let readers = writers.each_mut().map(|writer| {
            let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
            thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<String>>())
        });
        // From before the file is there to well into the work.
        thread::sleep(Duration::from_millis(round * 37 % 140));
        for writer in &mut writers {
            // SIGKILL: nothing is closed, nothing is flushed.
            writer.kill().unwrap();
            writer.wait().unwrap();
        }
        for reader in readers {
            let ids = reader.join().unwrap();
            all += ids.len();
            acknowledged.extend(ids);
        }
        match contents(&path) {
            Ok(events) => {
                let found: HashSet<String> =
                    events.iter().map(|event| event.id.to_string()).collect();
                lost += acknowledged.difference(&found).count();
                gaps += usize::from(
                    !events
                        .iter()
                        .map(|event| event.seq)
                        .eq(1..=events.len() as u64),
                );
                let problems = SqliteLog::open(&path)
                    .unwrap()
                    .check(&mut |_| ())
                    .unwrap()
                    .problems;
                corrupt += problems.len();
            }
            Err(LogError::Missing { .. }) if acknowledged.is_empty() => {}
            Err(error) => {
                println!("round {round}: {error}");
                corrupt += 1;
            }
        }
    }
    println!(
        "crashes: {rounds} rounds of 2 writers, {all} events acknowledged, {lost} lost, {gaps} gaps, \
         {corrupt} corrupt"
    );
    assert!(all > 0 || rounds < 3);
    assert_eq!((lost, gaps, corrupt), (0, 0, 0));
}

fn contents(path: &Path) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    SqliteLog::open_read_only(path)?.read_all(1, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(events)
}

/// Opens, and so maybe makes, a log and appends to it.
fn open_first(path: &Path) {
    let mut log = SqliteLog::open(path).unwrap();
    log.append(
        &session(),
        Expected::Any,
        &[note("first".to_owned() + &std::process::id().to_string())],
    )
    .unwrap();
}

/// Eight processes open a file that is not there yet.
fn first_opens(rounds: u64) {
    const PROCESSES: u64 = 8;
    let (mut errors, mut lost) = (0, 0);
    for _ in 0..rounds {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let children: Vec<_> = (0..PROCESSES).map(|_| start("race", &path)).collect();
        for mut child in children {
            errors += u64::from(!child.wait().unwrap().success());
        }
        lost += PROCESSES - contents(&path).unwrap().len() as u64;
    }
    println!("first opens: {rounds} raced by {PROCESSES} processes, {errors} errors, {lost} lost");
    assert_eq!((errors, lost), (0, 0));
}

/// How often each process counts up.
const COUNTS: u64 = 50;

/// Adds one to a number in the state, that often.
fn count_up(path: &Path) {
    let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
    for _ in 0..COUNTS {
        append_with(&mut log, &session(), |state| {
            let last = state
                .notes
                .last()
                .map_or(0, |note| note.content.parse().unwrap());
            let next: u64 = last + 1;
            Ok::<_, LogError>(vec![note(next.to_string())])
        })
        .unwrap();
    }
}

/// Eight processes load, decide and append on the same session.
fn lost_updates() {
    const PROCESSES: u64 = 8;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let children: Vec<_> = (0..PROCESSES).map(|_| start("count", &path)).collect();
    let mut errors = 0;
    for mut child in children {
        errors += u64::from(!child.wait().unwrap().success());
    }
    let log = SqliteLog::open_read_only(&path).unwrap();
    let state = hud_store::log::state_of(&log, &session()).unwrap();
    let counted: u64 = state.notes.last().unwrap().content.parse().unwrap();
    let lost = PROCESSES * COUNTS - counted;
    println!(
        "updates: {} by {PROCESSES} processes, {errors} errors, {lost} lost",
        PROCESSES * COUNTS
    );
    assert_eq!((errors, lost), (0, 0));
}

/// Nothing is kept but what a placeholder names.
const HELD: Limits = Limits {
    count: 0,
    days: 0,
    live_days: 1,
};

/// The session of a process.
fn own() -> SessionId {
    SessionId::new(format!("s{}", std::process::id())).unwrap()
}

/// Keeps texts that other processes keep too, compacts, sweeps and deletes sessions of its own, until it is
/// killed.
fn keep_and_sweep(path: &Path) {
    let mut log = SqliteLog::open_with(path, Durability::Fast).unwrap();
    let session = own();
    let doomed = SessionId::new(format!("{session} doomed")).unwrap();
    for n in 0_u64.. {
        let kept = |call: String| {
            let kept = OutputKeep {
                call: Some(call),
                tool: "Read".to_owned(),
                target: None,
                // Of few texts, so that each process takes away what the other is about to keep.
                content: format!("text {} {}", n % 5, "x".repeat(2_000)).into(),
                outline: None,
            };
            NewEvent::now(1, Actor::Derived, kept)
        };
        log.append(&session, Expected::Any, &[kept(format!("c{}", n % 3))])
            .unwrap();
        log.append(&doomed, Expected::Any, &[kept("c".to_owned())])
            .unwrap();
        if n % 4 == 0 {
            let ends = CompactAfter {
                summary: None,
                rest: None,
                tokens_after: None,
                boundary: None,
            };
            let ends = NewEvent::now(1, Actor::Derived, ends);
            log.append(&session, Expected::Any, &[ends]).unwrap();
        }
        log.sweep(&HELD, Timestamp::now(), false).unwrap();
        if n % 7 == 0 {
            let by = |happened| NewEvent::now(1, Actor::User, happened);
            log.delete(&doomed, by).unwrap();
        }
    }
}

/// Processes that keep, sweep and delete at once are killed at random times: what a placeholder names must
/// be there, and the log be sound.
fn sweeps(rounds: u64) {
    let mut dir = tempfile::tempdir().unwrap();
    let (mut named, mut gone) = (0, 0);
    for round in 0..rounds {
        if round % ROUNDS_OF_A_LOG == 0 {
            dir = tempfile::tempdir().unwrap();
        }
        let path = dir.path().join("hud.db");
        let mut processes = [start("sweep", &path), start("sweep", &path)];
        thread::sleep(Duration::from_millis(60 + round * 53 % 300));
        for process in &mut processes {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        let log = SqliteLog::open(&path).unwrap();
        assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
        log.read_all(1, &mut |_| ControlFlow::Continue(())).unwrap();
        for info in log.sessions().unwrap() {
            for left in state_of(&log, &info.id).unwrap().pruned {
                named += 1;
                let event = kept(&log, &info.id, &left).unwrap().unwrap().event;
                let text = log.content(&event.content().unwrap().hash).unwrap();
                gone += usize::from(text.is_none());
            }
        }
    }
    println!("{rounds} rounds of sweeps: {named} named, {gone} gone");
    assert_eq!(gone, 0);
    assert!(named > 0 || rounds == 0, "nothing was kept");
}

//! What the log costs: `cargo bench -p hud-store --bench log`.
//!
//! Appends are measured against a bare `INSERT` of the same rows, turn by turn in the same run, so
//! that a disk that is busy slows both. With `--test` everything runs once, on little.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that fails has no result, and results go to the terminal"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use hud_store::event::{
    Actor, ContextSnapshot, DecisionRecord, EventId, FileEdit, FileOpen, HudEvent, NewEvent,
    NoteAdd, SessionId, StepAdd, StepComplete,
};
use hud_store::fold::fold;
use hud_store::log::{Expected, Log, Query, Search as _, state_of};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use jiff::Timestamp;
use rusqlite::{Connection, params};

fn main() {
    let small = std::env::args().any(|argument| argument == "--test");
    let rounds = if small { 2 } else { 400 };
    appends(rounds);
    println!();
    let sizes: &[u64] = if small {
        &[100]
    } else {
        &[1_000, 100_000, 1_000_000]
    };
    for &events in sizes {
        sessions(events);
    }
    println!();
    searches(if small { 100 } else { 100_000 });
}

/// The `n`-th event of a session: what agents do, in about the proportions in which they do it.
fn event(n: u64) -> NewEvent {
    let id = format!("i{n}");
    let happened: HudEvent = match n % 10 {
        0 => DecisionRecord {
            id,
            summary: format!("Keep the counter of tenant {n} in memory"),
            details: Some("A database would be asked on every request.".into()),
            weight: None,
        }
        .into(),
        1 => NoteAdd {
            id,
            content: format!("Tests of module {n} need redis on port 6379"),
        }
        .into(),
        2 => StepAdd {
            id,
            description: format!("Write the middleware of route {n}"),
        }
        .into(),
        3 => StepComplete {
            id: format!("i{}", n - 1),
        }
        .into(),
        4 | 5 => ContextSnapshot {
            used: 20_000 + n % 150_000,
            limit: Some(200_000),
            assumed: false,
            usable: None,
            model: Some("claude-sonnet-4".into()),
            call: None,
            provider: None,
        }
        .into(),
        6 | 7 => FileEdit::of(format!("src/middleware/limit_{}.rs", n % 97)).into(),
        _ => FileOpen::of(format!("src/routes/route_{}.rs", n % 89)).into(),
    };
    NewEvent {
        id: EventId::now_v7(),
        turn: n / 5,
        at: Timestamp::from_second(1_760_000_000 + n as i64).unwrap(),
        actor: Actor::Agent,
        cause: None,
        event: happened,
    }
}

fn events(first: u64, count: u64) -> Vec<NewEvent> {
    (first..first + count).map(event).collect()
}

/// The same rows in a plain table with the same columns and keys.
struct Bare {
    conn: Connection,
    version: i64,
}

impl Bare {
    fn open(path: &Path) -> Self {
        let conn = Connection::open(path).unwrap();
        conn.execute_batch(
            "PRAGMA journal_mode = wal;
             PRAGMA synchronous = full;
             CREATE TABLE event (
                 seq INTEGER PRIMARY KEY AUTOINCREMENT,
                 id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
                 stream TEXT NOT NULL, ver INTEGER NOT NULL CHECK (ver > 0),
                 turn INTEGER NOT NULL, ts INTEGER NOT NULL, kind TEXT NOT NULL,
                 v INTEGER NOT NULL, actor TEXT NOT NULL, cause BLOB,
                 payload TEXT NOT NULL CHECK (json_valid(payload)), sum BLOB NOT NULL,
                 UNIQUE (stream, ver)
             ) STRICT;",
        )
        .unwrap();
        Self { conn, version: 0 }
    }

    fn append(&mut self, events: &[NewEvent]) {
        let tx = self
            .conn
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .unwrap();
        {
            let mut insert = tx
                .prepare_cached(
                    "INSERT INTO event \
                     (id, stream, ver, turn, ts, kind, v, actor, cause, payload, sum) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                )
                .unwrap();
            for event in events {
                self.version += 1;
                let encoded = event.event.encode().unwrap();
                insert
                    .execute(params![
                        event.id.as_uuid().as_bytes(),
                        "session",
                        self.version,
                        event.turn as i64,
                        event.at.as_microsecond(),
                        encoded.kind,
                        encoded.v,
                        event.actor.as_str(),
                        None::<&[u8]>,
                        encoded.payload,
                        [0_u8; 16],
                    ])
                    .unwrap();
            }
        }
        tx.commit().unwrap();
    }
}

/// Durable appends against a bare `INSERT`.
fn appends(rounds: u64) {
    println!("durable appends        bare INSERT/s      log/s   ratio");
    for (name, batch) in [("one by one", 1), ("batches of 100", 100)] {
        let dir = tempfile::tempdir().unwrap();
        let mut bare = Bare::open(&dir.path().join("bare.db"));
        let mut log = SqliteLog::open(dir.path().join("log.db")).unwrap();
        let session = SessionId::new("session").unwrap();
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let events = events(round * batch, batch);
            theirs.push(timed(|| bare.append(&events)));
            ours.push(timed(|| {
                log.append(&session, Expected::Any, &events).unwrap();
            }));
        }
        let rate = |times: &mut Vec<Duration>| batch as f64 / median(times).as_secs_f64();
        let (theirs, ours) = (rate(&mut theirs), rate(&mut ours));
        println!(
            "{name:<22} {theirs:>13.0} {ours:>10.0} {:>7.2}",
            ours / theirs
        );
    }
}

/// A session of that many events: its size, and what it takes to fold and to open it.
fn sessions(count: u64) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let session = SessionId::new("session").unwrap();
    let mut log = SqliteLog::open_with(&path, Durability::Fast).unwrap();
    log.append_from(&session, Expected::NoStream, |append| {
        (0..count).try_for_each(|n| append(&event(n)))
    })
    .map_err(|error: hud_store::log::LogError| error)
    .unwrap();
    drop(log);
    let bytes = std::fs::metadata(&path).unwrap().len();

    let log = SqliteLog::open_read_only(&path).unwrap();
    let mut stored = Vec::new();
    log.read(&session, 1, &mut |event| {
        stored.push(event);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    drop(log);
    let mut state = HudState::default();
    let folding = timed(|| {
        state = stored
            .iter()
            .fold(std::mem::take(&mut state), |state, event| {
                fold(state, event)
            });
    });
    drop(stored);

    let open = || {
        let log = SqliteLog::open(&path).unwrap();
        assert_eq!(state_of(&log, &session).unwrap().version, count);
    };
    let without = timed(open);
    let mut with: Vec<Duration> = (0..5).map(|_| timed(open)).collect();
    println!("a session of {count} events: {} bytes each", bytes / count);
    println!(
        "  fold                       {:>10.3} us per event",
        micros(folding) / count as f64
    );
    println!(
        "  open and project           {:>10.3} ms",
        micros(without) / 1000.0
    );
    println!(
        "  the same with its snapshot {:>10.3} ms",
        micros(median(&mut with)) / 1000.0
    );
}

/// Searching that many notes: the first time, when they are indexed, and then.
fn searches(count: u64) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let session = SessionId::new("session").unwrap();
    let mut log = SqliteLog::open_with(&path, Durability::Fast).unwrap();
    log.append_from(&session, Expected::NoStream, |append| {
        (0..count).try_for_each(|n| {
            let content = format!("Tests of module {n} need redis on port {}", n % 1000);
            let id = format!("n{n}");
            append(&NewEvent::now(n, Actor::Agent, NoteAdd { id, content }))
        })
    })
    .map_err(|error: hud_store::log::LogError| error)
    .unwrap();
    let search = |text: &str| {
        timed(|| {
            assert!(!log.search(&Query::new(text)).unwrap().is_empty());
        })
    };
    println!("searching {count} notes");
    println!(
        "  the first time, indexed    {:>10.3} ms",
        micros(search("module 77 ")) / 1000.0
    );
    for (name, text) in [
        ("a rare word", "77 "),
        ("the beginning of a word", "77"),
        ("two words that all have", "module redis "),
    ] {
        let mut times: Vec<Duration> = (0..9).map(|_| search(text)).collect();
        println!(
            "  {name:<26} {:>10.3} ms",
            micros(median(&mut times)) / 1000.0
        );
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

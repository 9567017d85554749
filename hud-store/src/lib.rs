//! Typed agent events, their pure projection into a state, and an embedded log.
//!
//! `state = fold(events)`: the log keeps what an agent did as events, and the state of a session is the fold of its
//! events.
//!
//! - [`event`]: the events, as values and as stored.
//! - [`section`]: the sections of a state, each with its events and its part of the state; custom sections.
//! - [`state`]: the state of a session.
//! - [`mod@fold`]: the fold, and the items that it drops when a section is full.
//! - [`log`]: the trait of a log, with its promises and its errors.
//! - [`jsonl`]: events as JSON Lines, for export and import.
//! - `conformance`: the promises of a log as tests, for authors of other logs (feature `conformance`).
//! - [`memory`]: a log in memory.
//! - [`text`]: cuts of texts.
//! - [`private`]: files that only their owner can read.
//! - `sqlite`: a log in a file, for many sessions and many processes (feature `sqlite`, on by default; the crate is
//!   pure without it).
//!
//! # Promises and their tests
//!
//! | promise | tested by |
//! | --- | --- |
//! | seqs and versions are dense, batches are atomic, an id names one event, a read returns what was written | `conformance::check`, against every log; random commands against a plain vector (`tests/store/model.rs`) |
//! | durable when an append returns | writers killed with SIGKILL (`--test processes`); power lost at every operation of the disk (`tests/power`) |
//! | no update is lost between processes, and processes can race to open a new file | eight processes on one file (`--test processes`) |
//! | damaged events are reported and never folded, except the newest events that a write-ahead log lost to damage after a crash, see [`SqliteLog`](sqlite::SqliteLog) | flipped bits (`tests/store/rot.rs`), every column changed, rows removed and swapped (`tests/store/damage.rs`) |
//! | a snapshot equals the fold, or is not used | `tests/store/snapshots.rs`, and the model |
//! | a hostile file is refused with a specific error, in finite time, with at most 64 MiB of memory more than its size | `tests/store/hostile.rs`; `--test memory`, which prints the figures |
//! | only its owner can read a log, the files next to it, and its backups | `tests/store/permissions.rs` |
//! | an import and an export copy payloads byte for byte | `tests/store/lines.rs` |
//! | a log that others write to is not reported as damaged | sixty checks under three writers (`tests/store/care.rs`) |
//! | an older file reads the same as before | a file of each released schema (`tests/store/golden`) |
//! | a rewound session has the state that it had at that message | `tests/store/rewind.rs` |
//! | an unknown kind is kept, an older payload is upgraded when it is read | `event`, and proptests over all kinds |
//! | stored events change only by redaction, which is recorded | `tests/store/redaction.rs`; an archive moves a payload but does not change it |
//!
//! # Figures
//!
//! `cargo bench -p hud-store --bench log`, on two cores of a virtual machine:
//!
//! | | |
//! | --- | --- |
//! | durable appends, relative to a bare `INSERT` of the same rows | one by one 1.1, batches of 100 0.77 of its rate
//! |
//! | the fold | 0.08 µs an event |
//! | open and fold a session of 1,000, 100,000 and 1,000,000 events | 2.8, 120 and 1,200 ms; with its snapshot 0.25 ms each |
//! | search in 100,000 notes | a rare word 0.4 ms, two words that are in all of them 51 ms; the first search 300 ms, because it builds the index |
//! | size | 200 to 250 bytes an event |
//!
//! `HUD_CRASH_ROUNDS=200 HUD_RACE_ROUNDS=100 cargo test --release -p hud-store --test processes`: 200 rounds in which
//! two writers were killed. Of 25,435 acknowledged events none is lost, there is no gap and no corruption. In 100
//! rounds eight processes raced to open a new file, without an error.
//!
//! `HUD_ROT_TRIALS=3000 cargo test --release -p hud-store --test store rot -- --nocapture`: of 3,000 flipped bits, a
//! read finds 1,720, a check finds 2 (in the search index), 1,278 are harmless, and none is silent.
//!
//! `HUD_POWER_EVERY=1 cargo test --release -p hud-power --test log -- --nocapture` (4 minutes): the power is lost at
//! every operation of two workloads, with none, half and nine in ten of the unflushed sectors kept. All of the 12,180
//! states can be opened, and none is corrupt, has a gap or lacks an acknowledged event.
//! [`Durability::Fast`](sqlite::Durability) loses its newest events and nothing else. Each operation, each read and
//! each flush also fails once, and the disk is full for a while. In these 8,396 runs nothing is lost, and the same
//! connection keeps working. A disk that falsely reports its flushes is detected.
//!
//! ```
//! use hud_store::event::{Actor, NewEvent, SessionId, StepAdd, StepStart, TaskSet};
//! use hud_store::log::{Expected, Log, state_of};
//! use hud_store::memory::MemoryLog;
//! use hud_store::state::StepStatus;
//!
//! let session = SessionId::new("ses_01")?;
//! let task = TaskSet { description: "Implement auth".into() };
//! let step = StepAdd { id: "s1".into(), description: "Write the middleware".into() };
//! let start = StepStart { id: "s1".into() };
//!
//! let mut log = MemoryLog::new(); // or SqliteLog::open(path)?
//! let events = [
//!     NewEvent::now(1, Actor::User, task),
//!     NewEvent::now(1, Actor::Agent, step),
//!     NewEvent::now(2, Actor::Agent, start),
//! ];
//! let appended = log.append(&session, Expected::NoStream, &events)?;
//! assert_eq!(appended.version, 3);
//!
//! let state = state_of(&log, &session)?;
//! assert_eq!(state.task.unwrap().description, "Implement auth");
//! assert_eq!(state.next_steps[0].status, StepStatus::InProgress);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounded;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod event;
pub mod fold;
pub mod jsonl;
pub mod log;
pub mod memory;
pub mod private;
pub mod section;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod state;
pub mod text;

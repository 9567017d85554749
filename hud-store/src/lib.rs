//! Typed agent events, their pure projection into a state, and an embedded log.
//!
//! `state = fold(events)`: what an agent did is kept as events, and everything that is shown of a
//! session follows from them.
//!
//! - [`event`]: what happens, as values and as stored.
//! - [`section`]: the ideas of a session, each from its events to its part of the state; sections of
//!   one's own.
//! - [`state`]: what a session's events amount to.
//! - [`mod@fold`]: the fold, and which items leave when a section is full.
//! - [`log`]: the trait of whatever keeps events, with its promises, and its errors.
//! - [`jsonl`]: events as lines, out of a log and into one.
//! - `conformance`: the promises of a log as tests, for whoever writes another (feature `conformance`).
//! - [`memory`]: a log in memory.
//! - [`text`]: cuts of texts.
//! - [`private`]: files that only their owner can read.
//! - `sqlite`: a log in a file, for many sessions and many processes (feature `sqlite`, on by
//!   default; without it the crate is pure).
//!
//! # What is promised, and how it is attacked
//!
//! | promise | attacked by |
//! | --- | --- |
//! | seqs and versions are dense, batches are whole, an id names one event, what was written is read | `conformance::check`, against every log; random commands against a plain vector (`tests/store/model.rs`) |
//! | durable when an append returns | writers killed with SIGKILL (`--test processes`); power lost at every operation of the disk (`tests/power`) |
//! | no update is lost between processes, and a first open can be raced | eight processes on one file (`--test processes`) |
//! | what is damaged is named and never folded; newest events that a write-ahead log lost to damage after a crash are the exception, see [`SqliteLog`](sqlite::SqliteLog) | flipped bits (`tests/store/rot.rs`), every column changed, rows removed and swapped (`tests/store/damage.rs`) |
//! | a snapshot is what the fold would be, or not used | `tests/store/snapshots.rs`, and the model |
//! | a file that is no friend is refused by name, read to an end, and takes 64 MiB of memory more than its size at most | `tests/store/hostile.rs`; `--test memory`, which prints the figures |
//! | only its owner can read a log, what is beside it, and its backups | `tests/store/permissions.rs` |
//! | an import and an export carry payloads byte for byte | `tests/store/lines.rs` |
//! | a log that others write to is not called damaged | sixty checks under three writers (`tests/store/care.rs`) |
//! | an older file is read as it was | a file of each released schema (`tests/store/golden`) |
//! | a rewound session is what it was at that message | `tests/store/rewind.rs` |
//! | an unknown kind is kept, an older payload is brought up to date when it is read | `event`, and proptests over all kinds |
//! | what was written changes by redaction only, which is recorded | `tests/store/redaction.rs`; an archive changes where a payload is, not what it says |
//!
//! # Figures
//!
//! `cargo bench -p hud-store --bench log`, on two cores of a virtual machine:
//!
//! | | |
//! | --- | --- |
//! | durable appends, against a bare `INSERT` of the same rows | one by one 1.1, batches of 100 0.77 of its rate |
//! | the fold | 0.08 µs an event |
//! | open and fold a session of 1,000, 100,000 and 1,000,000 events | 2.8, 120 and 1,200 ms; with its snapshot 0.25 ms each |
//! | search in 100,000 notes | a rare word 0.4 ms, two words that all of them have 51 ms; the first time 300 ms, when they are indexed |
//! | room | 200 to 250 bytes an event |
//!
//! `HUD_CRASH_ROUNDS=200 HUD_RACE_ROUNDS=100 cargo test --release -p hud-store --test processes`:
//! 200 rounds in which two writers were killed, 25,435 events acknowledged, none lost, no gap, nothing
//! corrupt; 100 first opens raced by eight processes, no error.
//! `HUD_ROT_TRIALS=3000 cargo test --release -p hud-store --test store rot -- --nocapture`: of 3,000
//! flipped bits 1,720 are found by reading, 2 (in the index for searching) by checking, 1,278 do no
//! harm, none is silent.
//! `HUD_POWER_EVERY=1 cargo test --release -p hud-power --test log -- --nocapture` (4 minutes): power
//! lost at every operation of two workloads, with none, half and nine in ten of the unflushed sectors
//! kept, 12,180 states: none can't be opened, is corrupt, has a gap or lacks what was acknowledged.
//! [`Durability::Fast`](sqlite::Durability) loses its newest events and nothing else. Every operation
//! failing once, every read, every flush, and a disk that is full for a while, 8,396 runs: nothing is
//! lost, and the same connection goes on. A disk that lies about its flushes is found out.
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

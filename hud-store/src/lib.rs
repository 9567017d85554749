//! Typed agent events, their pure projection into a state, and an embedded log.
//!
//! `state = fold(events)`: what an agent did is kept as events, and everything that is shown of a
//! session follows from them.
//!
//! - [`event`]: every kind of event and its payload.
//! - [`state`]: what a session's events amount to.
//! - [`project`]: the fold, and which items leave when a section is full.
//! - [`log`]: the trait of whatever keeps events, with its promises, and its errors.
//! - [`jsonl`]: events as lines, out of a log and into one.
//! - `laws`: the promises of a log as tests, for whoever writes another (feature `laws`).
//! - [`memory`]: a log in memory.
//! - `sqlite`: a log in a file, for many sessions and many processes (feature `sqlite`, on by
//!   default; without it the crate is pure).
//!
//! ```
//! use hud_store::event::{Actor, NewEvent, SessionId, StepAdd, StepStart, TaskSet};
//! use hud_store::log::{Expected, Log, project};
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
//! let state = project(&log, &session)?;
//! assert_eq!(state.task.unwrap().description, "Implement auth");
//! assert_eq!(state.next_steps[0].status, StepStatus::InProgress);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod event;
pub mod jsonl;
#[cfg(feature = "laws")]
pub mod laws;
pub mod log;
pub mod memory;
pub mod project;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod state;

//! The model of a session that is shown. It is a function of the session's events.
//!
//! A [`History`] reads a session from a log once, and keeps data that makes each of its turns quick to
//! show: a [`Turn`] for each, and states at intervals. [`Shown`] is the text that the model saw in a
//! turn, with the source of each line. [`Compared`] has the differences between two turns. [`EventPage`]
//! lists events.
//!
//! ```
//! use hud_agent::setup::Setup;
//! use hud_inspect::model::{EventQuery, History, Shown, View};
//! use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
//! use hud_store::log::{Expected, Log};
//! use hud_store::memory::MemoryLog;
//!
//! let (mut log, session) = (MemoryLog::new(), SessionId::new("s")?);
//! for (turn, text) in [(1, "tests need redis"), (2, "port 6379")] {
//!     let note = NoteAdd { id: format!("n{turn}"), content: text.into() };
//!     log.append(&session, Expected::Any, &[NewEvent::now(turn, Actor::Agent, note)])?;
//! }
//!
//! let setup = Setup::default();
//! let mut history = History::new(session, &setup);
//! while !history.read(&log, 10_000)? {} // A step at a time, to show how far it is.
//! assert_eq!(history.turns().len(), 2);
//! assert_eq!(history.next_turn(), 3);
//!
//! // What the model saw in turn 2 is what had happened before it.
//! let state = history.state_in(&log, 2)?;
//! let shown = Shown::of(&state, &View::default(), &setup, &history)?;
//! let line = shown.lines.iter().find(|line| line.text == "- tests need redis").unwrap();
//! assert_eq!((line.section.as_deref(), line.item.as_deref()), (Some("notes"), Some("n1")));
//! assert_eq!(line.event, Some(1), "the version of the event behind it");
//!
//! let events = history.events(&log, &EventQuery::default())?;
//! assert_eq!(events.events.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All of these types implement `serde::Serialize`, because the server sends them to the page.

mod absent;
mod column;
mod compare;
mod conversation;
mod event;
mod history;
mod index;
mod price;
mod provenance;
mod sent;
mod shown;
mod turn;

pub use absent::{Absence, Absent};
pub use column::Column;
pub use compare::{Changed, Compared, DiffLine, Piece, Sign};
pub use conversation::{Conversation, Message};
pub use event::{Event, EventPage, EventQuery};
pub use history::{History, HistoryError};
pub use price::Prices;
pub use provenance::{Line, TreeCall};
pub use sent::{Handed, Sent, Verdict};
pub use shown::{LayerText, SectionShown, Shown, ShownError, View};
pub use turn::{Tokens, Turn};

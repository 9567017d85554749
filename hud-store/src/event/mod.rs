//! What happened: every kind of event and its payload.
//!
//! An event is a fact. Its kind is a dotted name (`task.set`, `file.edit`), its payload a small
//! JSON object with a version `v`. [`HudEvent`] is the typed form; [`HudEvent::encode`] and
//! [`HudEvent::decode`] go between the two.

mod actor;
mod clip;
mod id;
mod json;
mod kinds;
mod payload;
mod subject;
mod upcast;

pub use actor::Actor;
pub(crate) use id::name_fault;
pub use id::{EventId, NameError, SessionId};
pub use json::Json;
pub(crate) use json::{depth_fault, is_same};
pub use kinds::{Encoded, HudEvent, PayloadError};
pub(crate) use payload::first;
pub use payload::{
    BlockerAdd, BlockerRemove, CompactAfter, CompactBefore, ContextSnapshot, DecisionRecord,
    DecisionRemove, ErrorEncountered, ErrorResolved, EventRedact, EventRedacted, FileClose,
    FileEdit, FileOpen, MemoryClear, MemoryCoreUpdate, MemoryItemAdd, MemoryItemRemove, NoteAdd,
    NoteRemove, NoteUpdate, OutputKeep, SessionRestore, SessionStart, StepAdd, StepComplete,
    StepRemove, StepReorder, StepStart, TaskSet, TaskUpdate, UpdateMode,
};
pub use subject::Subject;

use jiff::Timestamp;

/// An event to append.
///
/// The id makes appending idempotent: to retry, append the *same* value again. A fresh
/// `NewEvent` for the same happening is another event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What names this event in every log, for ever.
    pub id: EventId,
    /// The turn (call of the model) in which it happened.
    pub turn: u64,
    /// When it happened. The log keeps whole microseconds.
    pub at: Timestamp,
    /// Who made it happen.
    pub actor: Actor,
    /// What led to this one: an event, or what the client names so (a message, a call of a tool) by
    /// [`EventId::of_name`]. By those, a conversation that is rewound finds what it takes back.
    pub cause: Option<EventId>,
    /// What happened.
    pub event: HudEvent,
}

impl NewEvent {
    /// An event that happens now, under a fresh id and without a cause.
    ///
    /// Reads the clock: a caller that must be reproducible fills the fields itself.
    pub fn now(turn: u64, actor: Actor, event: impl Into<HudEvent>) -> Self {
        Self {
            id: EventId::now_v7(),
            turn,
            at: Timestamp::now(),
            actor,
            cause: None,
            event: event.into(),
        }
    }
}

/// An event as the log gives it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Place in the order of the whole log, from 1, without gaps.
    pub seq: u64,
    /// The session it belongs to.
    pub session: SessionId,
    /// Place within its session, from 1, without gaps.
    pub version: u64,
    /// See [`NewEvent::id`].
    pub id: EventId,
    /// See [`NewEvent::turn`].
    pub turn: u64,
    /// See [`NewEvent::at`]; whole microseconds.
    pub at: Timestamp,
    /// See [`NewEvent::actor`].
    pub actor: Actor,
    /// See [`NewEvent::cause`].
    pub cause: Option<EventId>,
    /// See [`NewEvent::event`].
    pub event: HudEvent,
}

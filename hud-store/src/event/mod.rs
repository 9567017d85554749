//! What happened: events, their kinds and payloads.
//!
//! An event is a fact. Its kind is a dotted name (`task.set`, `file.edit`), its payload a small
//! JSON object with a version `v`. [`HudEvent`] is the typed form; [`HudEvent::encode`] and
//! [`HudEvent::decode`] go between the two. The kinds of a section and their payloads are beside its
//! state, in [`section`](crate::section); [`events!`](crate::events) makes them. Here are those of the
//! log itself.
//!
//! Fields that a program doesn't know are ignored when a payload is read, and an optional field that
//! is `None` is not written: a payload may gain optional fields without another version.

mod actor;
mod clip;
mod content;
mod events;
mod id;
mod json;
mod redaction;
mod session;
mod subject;
mod upcast;

pub use actor::Actor;
pub use clip::Clip;
pub use content::{Content, ContentHash, HashError};
pub use events::{Encoded, Events, ItemName, NoEvents, PayloadError};
#[doc(hidden)]
pub use events::{Words, joined};
pub(crate) use id::name_fault;
pub use id::{EventId, NameError, SessionId};
pub use json::Json;
pub(crate) use json::{depth_fault, is_same};
pub use redaction::{EventRedact, EventRedacted, RedactionEvent};
#[doc(hidden)]
pub use serde_json::{Error as JsonError, to_string as to_json};
pub use session::{SessionDelete, SessionEvent, SessionRestore, SessionStart};
pub use subject::Subject;
pub use upcast::Upcast;
#[doc(hidden)]
pub use upcast::decode_payload;

pub use crate::section::{
    AttentionEnd, AttentionEvent, AttentionSet, BlockerAdd, BlockerEvent, BlockerRemove,
    CallTokens, CheckEvent, CheckRun, CompactAfter, CompactBefore, CompactEvent, ConstraintAdd,
    ConstraintEvent, ConstraintLift, ContextEvent, ContextFrame, ContextSnapshot, CoreMemoryEvent,
    DecisionEvent, DecisionRecord, DecisionRemove, DependencyAdd, DependencyEvent,
    DependencyRemove, DroppedEvent, DroppedKeep, EarlierEvent, EarlierForget, EarlierInherit,
    ErrorEncountered, ErrorEvent, ErrorResolved, FileClose, FileDelete, FileEdit, FileEvent,
    FileMove, FileOpen, FindingEvent, FindingRecord, FindingRemove, FrameBands, FrameText,
    HudEvent, KnowledgeAppend, KnowledgeDelete, KnowledgeEvent, KnowledgeSet, MemoryClear,
    MemoryCoreUpdate, MemoryItemAdd, MemoryItemRemove, NoteAdd, NoteEvent, NoteRemove, NoteUpdate,
    OutputEvent, OutputKeep, OutputMeasure, OutputProtect, OutputSeen, RecordAnswer, RecordCommand,
    RecordEvent, RecordMessage, RecordRead, RecordRefusal, ReminderAsk, ReminderEnd, ReminderEvent,
    ReminderPlan, RepositoryBranch, RepositoryCommit, RepositoryEvent, RepositoryPush,
    RepositoryUnfinished, RequestClose, RequestEnd, RequestEvent, RequestMake, SeenEvent, Speaker,
    StepAdd, StepComplete, StepEvent, StepRemove, StepReorder, StepStart, TaskEnd, TaskEvent,
    TaskOffer, TaskPin, TaskSet, TaskUpdate, UpdateMode, WorkingMemoryEvent,
};

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

    /// The event as the log gives it back from that place.
    pub(crate) fn stored(self, seq: u64, session: &SessionId, version: u64) -> StoredEvent {
        StoredEvent {
            seq,
            session: session.clone(),
            version,
            id: self.id,
            turn: self.turn,
            // What a log keeps of a time can be read again, so this is no other time.
            at: Timestamp::from_microsecond(self.at.as_microsecond()).unwrap_or(self.at),
            actor: self.actor,
            cause: self.cause,
            event: self.event,
        }
    }
}

/// An event as the log gives it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Place in the order of the whole log, from 1, without gaps. In another log the same event has another
    /// one: what is recorded names an event by its session and version, or by its id.
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

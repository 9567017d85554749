//! The log trait, its promises, and the functions that compute a state from a log.

mod decide;
mod error;
pub mod follow;
mod lineage;
mod listing;
mod many;
mod moment;
mod outputs;
mod place;
pub mod record;
pub mod redact;
mod rewind;
pub mod search;

use decide::fold_appended;
pub use decide::{append_onto, append_with};
pub use error::LogError;
pub use follow::Follow;
pub use lineage::{begin, begin_apart};
pub use listing::{Listing, Order};
pub use many::{AppendMany, Batch};
pub use moment::{Diff, Moment, advance, advance_with, diff, state_at, state_with_past};
pub use outputs::kept;
pub use place::Place;
pub use redact::{EventName, Redact, Redacted};
pub use rewind::{Conversation, Point, first_cause, forked_from, restore, rewound_to};
pub use search::{Hit, Piece, Query, Search};

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

use jiff::Timestamp;

use crate::event::{ContentHash, HudEvent, NewEvent, RedactionEvent, SessionId, StoredEvent};
use crate::fold::fold;
use crate::jsonl::Line;
use crate::section::Sections;
use crate::state::{HudState, Origin};

/// An append-only log of the events of many sessions.
///
/// # Promises
/// Every implementation keeps these promises, and the same tests run against each:
///
/// 1. **Dense total order.** `seq` is 1, 2, 3, ... over the whole log, in the order of commits.
/// 2. **Dense versions.** Within a session `version` is 1, 2, 3, ...
/// 3. **Atomic batches.** All events of an append are in the log, or none is.
/// 4. **Idempotent by id.** An event that is in the log already, with the same content in the same session, is
///    counted as a duplicate and keeps its seq. The same id with anything else is an error.
/// 5. **Read your writes.** A read after an append includes the appended events.
/// 6. **Nothing is lost or altered.** Kinds that this program doesn't know come back unchanged. A stored event that
///    has changed is an error, never an event.
/// 7. **Contents once.** A text that events name by its [hash](crate::event::Content) is stored once, and can be read
///    by the hash until it is swept.
pub trait Log {
    /// Appends a batch to a session.
    ///
    /// `expected` is compared with the session's version at the first event that is not a duplicate, or if the batch
    /// is empty. So an append whose answer was lost can be repeated unchanged. All its events are duplicates then,
    /// and it succeeds.
    ///
    /// # Errors
    /// [`LogError::Conflict`], [`LogError::IdConflict`], [`LogError::Invalid`], and the errors of the storage. The
    /// log is then unchanged.
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError>;

    /// Passes the events of a session to `each`, in order, from `from_version` on (1 is the first), until `each`
    /// breaks. A session without events has none.
    ///
    /// # Errors
    /// [`LogError::Corrupt`], and the errors of the storage.
    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError>;

    /// Passes the events of all sessions to `each`, in the order of the log, from `from_seq` on (1 is the first),
    /// until `each` breaks.
    ///
    /// # Errors
    /// [`LogError::Corrupt`], and the errors of the storage.
    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError>;

    /// The sessions that match a listing. Sessions without events and deleted sessions are never listed.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if the data of a session is damaged, and the errors of the storage.
    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError>;

    /// A session as [`list`](Self::list) returns it; `None` if there is no session of that name. A log should look it
    /// up without reading the others, if it can.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn session(&self, id: &SessionId) -> Result<Option<SessionInfo>, LogError> {
        Ok(self.sessions()?.into_iter().find(|info| info.id == *id))
    }

    /// All sessions, in the order of their first events. For logs with many sessions see [`list`](Self::list).
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn sessions(&self) -> Result<Vec<SessionInfo>, LogError> {
        self.list(&Listing::default())
    }

    /// The sub-agents of a session, in the order of their first events.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn children(&self, parent: &SessionId) -> Result<Vec<SessionInfo>, LogError> {
        self.list(&Listing {
            parent: Some(parent.clone()),
            ..Listing::default()
        })
    }

    /// At most `limit` sessions with the latest events, the latest first.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn newest(&self, limit: usize) -> Result<Vec<SessionInfo>, LogError> {
        self.list(&Listing {
            order: Order::Newest,
            limit,
            ..Listing::default()
        })
    }

    /// Passes the events of a session, or of all sessions in the order of the log, to `each` as lines until it
    /// breaks. The payloads of the lines are the stored bytes. Only this default implementation serializes the events
    /// again.
    ///
    /// # Errors
    /// As [`Log::read`].
    fn lines(
        &self,
        session: Option<&SessionId>,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut outcome = Ok(());
        let mut give = |event: StoredEvent| match Line::of(&event) {
            Ok(line) => each(line),
            Err(error) => {
                outcome = Err(LogError::Invalid {
                    id: event.id,
                    reason: error.to_string(),
                });
                ControlFlow::Break(())
            }
        };
        match session {
            Some(session) => self.read(session, 1, &mut give)?,
            None => self.read_all(1, &mut give)?,
        }
        outcome
    }

    /// The text that events of the log name by that hash; `None` if the log no longer keeps it or never had it. By
    /// default a log keeps no texts. A text that has changed since it was written counts as not kept.
    ///
    /// # Errors
    /// The errors of the storage.
    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        let _ = hash;
        Ok(None)
    }

    /// The sections that the log was opened with; only the built-in ones by default.
    fn sections(&self) -> &Sections {
        const BUILT_IN: &Sections = &Sections::new();
        BUILT_IN
    }

    /// The newest [saved](Self::save_snapshot) state of the session that still equals the fold of its events. A log
    /// may have none.
    fn snapshot(&self, session: &SessionId) -> Option<HudState> {
        let _ = session;
        None
    }

    /// Saves the state of a session as the starting point of the next load. This is a cache. The log may do nothing,
    /// and nothing is lost if it fails.
    fn save_snapshot(&self, session: &SessionId, state: &HudState) {
        let _ = (session, state);
    }
}

/// The expected version of the session in an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Any version.
    Any,
    /// The session has no events yet.
    NoStream,
    /// The session's last event has this version; 0 is the same as [`Expected::NoStream`].
    Exact(u64),
}

impl Expected {
    /// Compares the expected version with the session's version, which is 0 without events.
    ///
    /// # Errors
    /// [`LogError::Conflict`] if they differ.
    pub fn check(self, session: &SessionId, found: u64) -> Result<(), LogError> {
        let met = match self {
            Self::Any => true,
            Self::NoStream => found == 0,
            Self::Exact(version) => found == version,
        };
        if met {
            return Ok(());
        }
        Err(LogError::Conflict {
            session: session.clone(),
            expected: self,
            found,
        })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any version"),
            Self::NoStream => f.write_str("no events"),
            Self::Exact(version) => write!(f, "version {version}"),
        }
    }
}

/// The result of an append.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appended {
    /// The seq of the batch's first event; 0 when the batch was empty.
    pub first_seq: u64,
    /// The seq of the batch's last event; 0 when the batch was empty. All seqs between the two belong to the batch,
    /// unless there were duplicates.
    pub last_seq: u64,
    /// The session's version after the append.
    pub version: u64,
    /// The number of events that were in the log already.
    pub duplicates: u64,
}

impl Appended {
    /// Counts an event of the batch, which has that seq.
    pub(crate) fn count(&mut self, seq: u64) {
        if self.first_seq == 0 {
            self.first_seq = seq;
        }
        self.last_seq = seq;
    }
}

/// A summary of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// The session's id.
    pub id: SessionId,
    /// The number of events, which is also the version of the last.
    pub events: u64,
    /// The time of the first event.
    pub first_at: Timestamp,
    /// The time of the last event.
    pub last_at: Timestamp,
    /// The sessions that it comes from.
    pub origin: Origin,
}

/// The number of folded events from which on a snapshot is saved. Folding fewer again is faster than writing and
/// reading a snapshot.
const SNAPSHOT_EVERY: u64 = 1000;

/// The state of a session: the fold of all its events.
///
/// Starts from the log's snapshot if there is one, and saves a new one after folding many events.
///
/// # Errors
/// As [`Log::read`].
///
/// ```
/// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Expected, Log, state_of};
/// use hud_store::memory::MemoryLog;
///
/// let mut log = MemoryLog::new();
/// let session = SessionId::new("s")?;
/// let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
/// log.append(&session, Expected::NoStream, &[NewEvent::now(1, Actor::Agent, note)])?;
///
/// assert_eq!(state_of(&log, &session)?.notes[0].content, "tests need redis");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn state_of<L: Log + ?Sized>(log: &L, session: &SessionId) -> Result<HudState, LogError> {
    let known = log.snapshot(session);
    let known = known.unwrap_or_else(|| log.sections().empty_state());
    let from = known.version;
    let state = catch_up(log, session, known)?;
    if state.version - from >= SNAPSHOT_EVERY {
        log.save_snapshot(session, &state);
    }
    Ok(state)
}

/// Saves a snapshot of each long session, as [`state_of`] does. Called after an import of many events, so that the
/// first load of a session does not have to fold all of them.
///
/// # Errors
/// As [`Log::sessions`] and [`Log::read`].
pub fn leave_snapshots<L: Log + ?Sized>(log: &L) -> Result<(), LogError> {
    let sessions = log.sessions()?.into_iter();
    for session in sessions.filter(|session| session.events >= SNAPSHOT_EVERY) {
        state_of(log, &session.id)?;
    }
    Ok(())
}

/// Brings a state of the session up to date by folding the events after its version. A state of version 0 must be
/// [the empty state](Sections::empty_state) of the log's sections.
///
/// # Errors
/// As [`Log::read`].
pub fn catch_up<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: HudState,
) -> Result<HudState, LogError> {
    fold_while(log, session, state, |_| true)
}

/// Returns an up-to-date state of the session, like [`catch_up`]; `None` if the given state is up to date.
///
/// # Errors
/// As [`Log::read`].
pub fn newer<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: &HudState,
) -> Result<Option<HudState>, LogError> {
    match fold_newer(log, session, Cow::Borrowed(state), |_| true)? {
        Cow::Owned(newer) => Ok(Some(newer)),
        Cow::Borrowed(_) => Ok(None),
    }
}

/// The state of a session before the first event that `keep` refuses: at turn 7 with
/// `|event| event.turn <= 7`, at a time with `|event| event.at <= then`.
///
/// # Errors
/// As [`Log::read`].
pub fn state_while<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    keep: impl FnMut(&StoredEvent) -> bool,
) -> Result<HudState, LogError> {
    fold_while(log, session, log.sections().empty_state(), keep)
}

fn fold_while<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: HudState,
    keep: impl FnMut(&StoredEvent) -> bool,
) -> Result<HudState, LogError> {
    fold_newer(log, session, Cow::Owned(state), keep).map(Cow::into_owned)
}

/// Copies a borrowed state only if there are events to fold. If one of them is a redaction, the state may contain
/// redacted text, so it is folded again from the first event.
fn fold_newer<'s, L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    mut state: Cow<'s, HudState>,
    mut keep: impl FnMut(&StoredEvent) -> bool,
) -> Result<Cow<'s, HudState>, LogError> {
    let from = state.version.saturating_add(1);
    let mut is_redacted = false;
    log.read(session, from, &mut |event| {
        if !keep(&event) {
            return ControlFlow::Break(());
        }
        if from > 1 && matches!(event.event, HudEvent::Redaction(RedactionEvent::Redact(_))) {
            is_redacted = true;
            return ControlFlow::Break(());
        }
        state = Cow::Owned(fold(std::mem::take(&mut state).into_owned(), &event));
        ControlFlow::Continue(())
    })?;
    match is_redacted {
        true => fold_newer(log, session, Cow::Owned(log.sections().empty_state()), keep),
        false => Ok(state),
    }
}

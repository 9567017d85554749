//! Where events are kept: the trait, its promises, and the ways to get a state out of it.

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
/// Every implementation keeps these, and the same tests are run against each:
///
/// 1. **Dense total order.** `seq` is 1, 2, 3, ... over the whole log, in the order of commits.
/// 2. **Dense versions.** Within a session `version` is 1, 2, 3, ...
/// 3. **Atomic batches.** All events of an append are in the log, or none is.
/// 4. **Idempotent by id.** An event that is in the log already, with the same content in the same
///    session, is counted as a duplicate and keeps its seq. The same id with anything else is an
///    error.
/// 5. **Read your writes.** What an append returned is what the next read sees.
/// 6. **Nothing is lost or altered.** Kinds that this program doesn't know come back as they
///    were; what no longer is what was written is an error, never an event.
/// 7. **Contents once.** What events name by a [hash](crate::event::Content) is kept once, and read by it
///    until it is swept.
pub trait Log {
    /// Appends a batch to a session.
    ///
    /// `expected` is compared with the session's version when the first event comes that is not a
    /// duplicate, or when the batch is empty. So an append whose answer was lost can be repeated
    /// as it was: all its events are duplicates, and it succeeds.
    ///
    /// # Errors
    /// [`LogError::Conflict`], [`LogError::IdConflict`], [`LogError::Invalid`], and what the
    /// storage behind it reports. The log is then as it was before.
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError>;

    /// Gives the events of a session to `each`, in order, from `from_version` on (1 is the first),
    /// until it breaks. A session without events has nothing to give.
    ///
    /// # Errors
    /// [`LogError::Corrupt`], and what the storage behind it reports.
    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError>;

    /// Gives the events of all sessions to `each`, in the order of the log, from `from_seq` on (1 is
    /// the first), until it breaks.
    ///
    /// # Errors
    /// [`LogError::Corrupt`], and what the storage behind it reports.
    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError>;

    /// Some of the sessions that have events, and were not deleted.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if what is known of one is damaged, and what the storage behind it reports.
    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError>;

    /// A session as [`list`](Self::list) gives it; `None` where there is none of that name. A log that can
    /// tell does so without a look at the others.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn session(&self, id: &SessionId) -> Result<Option<SessionInfo>, LogError> {
        Ok(self.sessions()?.into_iter().find(|info| info.id == *id))
    }

    /// All sessions, in the order of their first events. A log may have many: see [`list`](Self::list).
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn sessions(&self) -> Result<Vec<SessionInfo>, LogError> {
        self.list(&Listing::default())
    }

    /// The sessions that a session made: its sub-agents', in the order of their first events.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn children(&self, parent: &SessionId) -> Result<Vec<SessionInfo>, LogError> {
        self.list(&Listing {
            parent: Some(parent.clone()),
            ..Listing::default()
        })
    }

    /// The sessions with the latest events, the latest first, at most so many.
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

    /// Gives the events of a session, or of all in the order of the log, to `each` until it breaks: as
    /// lines, whose payloads are the bytes that are stored. A log that has no more than the events that
    /// it gives out writes theirs.
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

    /// The text that events of the log name by that hash; `None` where it is kept no longer, or never was. By
    /// default a log keeps none.
    ///
    /// One that is no longer what was written counts as kept no longer.
    ///
    /// # Errors
    /// What the storage behind it reports.
    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        let _ = hash;
        Ok(None)
    }

    /// The sections that the log was opened with: the built-in ones, if it takes no others.
    fn sections(&self) -> &Sections {
        const BUILT_IN: &Sections = &Sections::new();
        BUILT_IN
    }

    /// The newest state of the session that was [saved](Self::save_snapshot) and still is what its
    /// events amount to. A log may have none.
    fn snapshot(&self, session: &SessionId) -> Option<HudState> {
        let _ = session;
        None
    }

    /// Saves the state of a session, to begin from the next time. A cache: the log may do nothing,
    /// and nothing is lost if it fails.
    fn save_snapshot(&self, session: &SessionId, state: &HudState) {
        let _ = (session, state);
    }
}

/// What an append demands of the session's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Any,
    /// The session has no events yet.
    NoStream,
    /// The session's last event has this version; 0 is the same as [`Expected::NoStream`].
    Exact(u64),
}

impl Expected {
    /// Holds the demand against the version that a session has; 0 without events.
    ///
    /// # Errors
    /// [`LogError::Conflict`] where it is not met.
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

/// What an append did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appended {
    /// The seq of the batch's first event; 0 when the batch was empty.
    pub first_seq: u64,
    /// The seq of the batch's last event; 0 when the batch was empty. Seqs between the two all
    /// belong to the batch, unless there were duplicates.
    pub last_seq: u64,
    /// The session's version now.
    pub version: u64,
    /// How many of the events were in the log already.
    pub duplicates: u64,
}

impl Appended {
    /// Counts in one more event of the batch, which has that seq.
    pub(crate) fn count(&mut self, seq: u64) {
        if self.first_seq == 0 {
            self.first_seq = seq;
        }
        self.last_seq = seq;
    }
}

/// A session at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its name.
    pub id: SessionId,
    /// How many events it has; also the version of the last.
    pub events: u64,
    /// When the first event happened.
    pub first_at: Timestamp,
    /// When the last event happened.
    pub last_at: Timestamp,
    /// Where it comes from.
    pub origin: Origin,
}

/// How many events are folded before their state is worth a snapshot: fewer are folded again
/// sooner than it is written and read.
const SNAPSHOT_EVERY: u64 = 1000;

/// The state of a session: the fold of all its events.
///
/// Begins from the log's snapshot where there is one, and leaves one behind where much had to be
/// folded.
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

/// Leaves a snapshot of each long session behind, as whoever opens one does: after many events came from elsewhere,
/// so that the first to open a session does not wait for all of it to be folded.
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

/// Brings a state of the session up to date: folds the events after its version. One of version 0 is
/// to be [the empty state](Sections::empty_state) of the log's sections.
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

/// A state of the session as [`catch_up`] brings it up to date; `None` if it is that already.
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

/// Copies a state that is borrowed only when there is something to fold. Where some of what it is of was
/// redacted since, it is made anew: it may have the words that were taken out.
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

//! States and events of the past.

use std::fmt;
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::{Log, LogError, SNAPSHOT_EVERY, catch_up, fold_while, state_while};
use crate::event::{SessionId, StoredEvent};
use crate::fold::fold;
use crate::state::{Change, HudState, changes};

/// A moment of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// After the event of that version; 0 is before the first event.
    Version(u64),
    /// After the last event of that turn.
    Turn(u64),
    /// After the last event before the first that has a later time.
    Time(Timestamp),
}

impl Moment {
    /// True if the event had happened at the moment.
    pub fn includes(self, event: &StoredEvent) -> bool {
        match self {
            Self::Version(version) => event.version <= version,
            Self::Turn(turn) => event.turn <= turn,
            Self::Time(time) => event.at <= time,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "version {version}"),
            Self::Turn(turn) => write!(f, "turn {turn}"),
            Self::Time(time) => time.fmt(f),
        }
    }
}

/// The state of a session at a moment. For a moment in the future it is the current state.
///
/// # Errors
/// As [`Log::read`].
pub fn state_at<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    moment: Moment,
) -> Result<HudState, LogError> {
    state_while(log, session, |event| moment.includes(event))
}

/// The state of a session, as [`state_of`](super::state_of) returns it, and its state at an earlier version, in one
/// read of the events after the log's snapshot. The earlier state is `None` if the snapshot is of a later version. It
/// then takes a read of all events ([`state_at`]).
///
/// If a snapshot is saved, it is of the earlier state where possible, so that the next call for that version finds
/// it.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Expected, Log, state_with_past};
/// use hud_store::memory::MemoryLog;
///
/// let mut log = MemoryLog::new();
/// let session = SessionId::new("s")?;
/// for id in ["n1", "n2"] {
///     let note = NoteAdd { id: id.into(), content: format!("note {id}") };
///     log.append(&session, Expected::Any, &[NewEvent::now(1, Actor::Agent, note)])?;
/// }
/// let (now, past) = state_with_past(&log, &session, 1)?;
/// assert_eq!((now.notes.len(), past.map(|past| past.notes.len())), (2, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Log::read`].
pub fn state_with_past<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    version: u64,
) -> Result<(HudState, Option<HudState>), LogError> {
    let known = log.snapshot(session);
    let known = known.unwrap_or_else(|| log.sections().empty_state());
    let from = known.version;
    if from > version {
        let now = catch_up(log, session, known)?;
        if now.version - from >= SNAPSHOT_EVERY {
            log.save_snapshot(session, &now);
        }
        return Ok((now, None));
    }
    let past = advance(log, session, known, version)?;
    let now = catch_up(log, session, past.clone())?;
    // If the earlier state is only a little newer than the snapshot, saving it would not save any folding.
    if past.version - from >= SNAPSHOT_EVERY / 2 {
        log.save_snapshot(session, &past);
    } else if now.version - from >= SNAPSHOT_EVERY {
        log.save_snapshot(session, &now);
    }
    Ok((now, Some(past)))
}

/// Advances a state of a session to a version, or to the last one if the session has fewer.
///
/// # Errors
/// As [`Log::read`].
pub fn advance<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: HudState,
    version: u64,
) -> Result<HudState, LogError> {
    if state.version >= version {
        return Ok(state);
    }
    fold_while(log, session, state, |event| event.version <= version)
}

/// Advances a state of a session with only those later events that `takes` accepts, as if the others had not
/// happened.
///
/// # Errors
/// As [`Log::read`].
pub fn advance_with<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    mut state: HudState,
    mut takes: impl FnMut(&StoredEvent) -> bool,
) -> Result<HudState, LogError> {
    let from = state.version.saturating_add(1);
    log.read(session, from, &mut |event| {
        if takes(&event) {
            state = fold(std::mem::take(&mut state), &event);
        }
        ControlFlow::Continue(())
    })?;
    Ok(state)
}

/// The difference between two moments.
#[derive(Debug, Clone)]
pub struct Diff {
    /// The state at the first moment.
    pub before: HudState,
    /// The state at the second moment.
    pub after: HudState,
    /// The events after the first moment, up to the second.
    pub events: Vec<StoredEvent>,
}

impl Diff {
    /// The changes of the state.
    pub fn changes(&self) -> Vec<Change> {
        changes(&self.before, &self.after)
    }
}

/// Returns the difference between two moments of a session. There are no events in it if the second is not after the
/// first.
///
/// # Errors
/// As [`Log::read`].
pub fn diff<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    from: Moment,
    to: Moment,
) -> Result<Diff, LogError> {
    let before = state_at(log, session, from)?;
    let mut diff = Diff {
        after: before.clone(),
        events: Vec::new(),
        before,
    };
    log.read(session, diff.before.version + 1, &mut |event| {
        if !to.includes(&event) {
            return ControlFlow::Break(());
        }
        diff.after = fold(std::mem::take(&mut diff.after), &event);
        diff.events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(diff)
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use crate::event::{Actor, NewEvent, NoteAdd};
    use crate::log::{Appended, Expected, Listing, SessionInfo, state_of};
    use crate::memory::MemoryLog;
    use crate::section::Sections;

    /// A log that keeps snapshots, and records the lowest version that was read.
    struct Watched {
        log: MemoryLog,
        snapshot: RefCell<Option<HudState>>,
        lowest: Cell<u64>,
    }

    impl Log for Watched {
        fn append(
            &mut self,
            session: &SessionId,
            expected: Expected,
            events: &[NewEvent],
        ) -> Result<Appended, LogError> {
            self.log.append(session, expected, events)
        }

        fn read(
            &self,
            session: &SessionId,
            from_version: u64,
            each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.lowest.set(self.lowest.get().min(from_version));
            self.log.read(session, from_version, each)
        }

        fn read_all(
            &self,
            from_seq: u64,
            each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.log.read_all(from_seq, each)
        }

        fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
            self.log.list(listing)
        }

        fn sections(&self) -> &Sections {
            self.log.sections()
        }

        fn snapshot(&self, _: &SessionId) -> Option<HudState> {
            self.snapshot.borrow().clone()
        }

        fn save_snapshot(&self, _: &SessionId, state: &HudState) {
            *self.snapshot.borrow_mut() = Some(state.clone());
        }
    }

    #[test]
    fn a_past_that_follows_the_present_is_never_read_from_the_first_event() {
        let session = SessionId::new("s").unwrap();
        let mut log = Watched {
            log: MemoryLog::new(),
            snapshot: RefCell::default(),
            lowest: Cell::new(u64::MAX),
        };
        let mut seen = 0;
        for version in 1..=10_000 {
            let note = NoteAdd {
                id: format!("n{version}"),
                content: format!("note {version}"),
            };
            let event = NewEvent::now(version, Actor::Agent, note);
            log.append(&session, Expected::Any, &[event]).unwrap();
            if version % 100 != 0 {
                continue;
            }
            // The version that was shown last is older than the newest.
            log.lowest.set(u64::MAX);
            let (now, past) = state_with_past(&log, &session, seen).unwrap();
            assert_eq!(now.version, version);
            assert_eq!(past.map(|past| past.version), Some(seen));
            assert!(log.lowest.get() + 1_200 > version, "{version}");
            seen = version - 40;
        }
        log.save_snapshot(&session, &state_of(&log, &session).unwrap());
        let (_, past) = state_with_past(&log, &session, seen).unwrap();
        assert_eq!(past, None, "the snapshot is of a later version");
    }
}

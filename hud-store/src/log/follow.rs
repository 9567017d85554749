//! Waiting for new events.

use std::ops::ControlFlow;

use super::{Log, LogError};
use crate::event::{SessionId, StoredEvent};

/// A log that can wait for new events.
pub trait Follow: Log {
    /// Passes the events of a session to `each`, from `from_version` on, and then each new event as it is appended,
    /// once and in order, until `each` breaks. While there are no events, `idle` is called several times a second and
    /// can break as well.
    ///
    /// # Errors
    /// As [`Log::read`]. A caller that continues after the last event it received misses none.
    fn follow(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.follow_on(Followed::Session(session), from_version, each, idle)
    }

    /// As [`follow`](Self::follow), but for all sessions, from `from_seq` on.
    ///
    /// # Errors
    /// As [`Log::read_all`].
    fn follow_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.follow_on(Followed::All, from_seq, each, idle)
    }

    /// Follows a session like [`follow`](Self::follow) or all sessions like [`follow_all`](Self::follow_all), from a
    /// version or a seq on. Each log implements its own way to wait. [`Followed::read_on`] reads the events that
    /// exist.
    ///
    /// # Errors
    /// As [`Log::read`].
    fn follow_on(
        &self,
        what: Followed<'_>,
        from: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError>;
}

/// The events that are followed.
#[derive(Debug, Clone, Copy)]
pub enum Followed<'s> {
    /// A session, by version.
    Session(&'s SessionId),
    /// The whole log, by seq.
    All,
}

impl Followed<'_> {
    /// Reads the events from `from` on, for an implementation of [`Follow`], and sets `from` to the position after
    /// the last one. Returns `Break` if `each` broke.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn read_on<L: Log + ?Sized>(
        self,
        log: &L,
        from: &mut u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, LogError> {
        let (start, mut flow) = (*from, ControlFlow::Continue(()));
        let mut give = |event: StoredEvent| {
            *from = match self {
                Self::Session(_) => event.version + 1,
                Self::All => event.seq + 1,
            };
            flow = each(event);
            flow
        };
        match self {
            Self::Session(session) => log.read(session, start, &mut give)?,
            Self::All => log.read_all(start, &mut give)?,
        }
        Ok(flow)
    }
}

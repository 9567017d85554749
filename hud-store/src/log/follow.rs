//! Waiting for what others append.

use std::ops::ControlFlow;

use super::{Log, LogError};
use crate::event::{SessionId, StoredEvent};

/// A log that one can wait at for what others append.
pub trait Follow: Log {
    /// Gives the events of a session to `each`, from `from_version` on, and then those that
    /// anybody appends, each once and in order, until it breaks. While nothing comes, `idle` is asked several
    /// times a second whether to go on.
    ///
    /// # Errors
    /// As [`Log::read`]. Who goes on behind the last event that was given misses none.
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

    /// As [`follow`](Self::follow) or [`follow_all`](Self::follow_all), from a version or a seq on: how a log
    /// waits is its own. [`Followed::read_on`] gives what is there.
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

/// What is followed.
#[derive(Debug, Clone, Copy)]
pub enum Followed<'s> {
    /// A session, by version.
    Session(&'s SessionId),
    /// The whole log, by seq.
    All,
}

impl Followed<'_> {
    /// Reads on, for a log's own [`Follow`]: gives the events from `from` on, which then is behind the last
    /// one. Gives whether `each` had enough.
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

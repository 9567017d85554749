//! What the tool looks up beyond the state.

use std::ops::ControlFlow;

use hud_store::event::{SessionId, StoredEvent};
use hud_store::log::{Log, LogError};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The event.
    pub event: StoredEvent,
    /// A piece of what it says around the words.
    pub snippet: String,
}

/// What can be looked up of a session.
pub trait Library {
    /// The newest events of the session, oldest first.
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    fn newest(&self, count: usize) -> Result<Vec<StoredEvent>, LogError>;

    /// The events of any session that say all the words, best first.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn search(&self, words: &str, count: usize) -> Result<Vec<Found>, LogError>;

    /// The event with that seq.
    ///
    /// # Errors
    ///
    /// As [`Log::read_all`].
    fn event(&self, seq: u64) -> Result<Option<StoredEvent>, LogError>;
}

/// Nothing to look up: for calls of which only the events are of interest.
#[derive(Clone, Copy, Debug)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn newest(&self, _: usize) -> Result<Vec<StoredEvent>, LogError> {
        Ok(Vec::new())
    }

    fn search(&self, _: &str, _: usize) -> Result<Vec<Found>, LogError> {
        Ok(Vec::new())
    }

    fn event(&self, _: u64) -> Result<Option<StoredEvent>, LogError> {
        Ok(None)
    }
}

/// The newest events of a session in any log.
pub(crate) fn newest<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    version: u64,
    count: usize,
) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    let from = version.saturating_sub(count as u64) + 1;
    log.read(session, from, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    let excess = events.len().saturating_sub(count);
    events.drain(..excess);
    Ok(events)
}

/// The event with that seq in any log.
pub(crate) fn event<L: Log + ?Sized>(log: &L, seq: u64) -> Result<Option<StoredEvent>, LogError> {
    let mut found = None;
    log.read_all(seq, &mut |event| {
        found = Some(event).filter(|event| event.seq == seq);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

//! What the tool looks up beyond the state.

use hud_store::event::{ContentHash, SessionId, StoredEvent};
use hud_store::log::{LogError, SessionInfo};
use hud_store::state::PrunedOutput;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The event.
    pub event: StoredEvent,
    /// A piece of what it says around the words.
    pub snippet: String,
}

/// A session beside the one that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSession {
    /// What the log knows of it.
    pub info: SessionInfo,
    /// What it works on, or worked on.
    pub task: Option<String>,
}

/// What can be looked up of a session.
pub trait Lookup {
    /// The newest events of the session, oldest first.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn newest(&self, count: usize) -> Result<Vec<StoredEvent>, LogError>;

    /// The events of any session that say all the words, best first.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn search(&self, words: &str, count: usize) -> Result<Vec<Found>, LogError>;

    /// The session that asks; `None` if there is none.
    fn session(&self) -> Option<&SessionId>;

    /// The event with that version of a session; of the one that asks, if none is named.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn event(
        &self,
        session: Option<&SessionId>,
        version: u64,
    ) -> Result<Option<StoredEvent>, LogError>;

    /// The event at a place in the log, whatever its session: seqs are in what older programs wrote into
    /// conversations.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn at(&self, seq: u64) -> Result<Option<StoredEvent>, LogError>;

    /// The event that keeps an output which left the conversation.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn kept(&self, left: &PrunedOutput) -> Result<Option<StoredEvent>, LogError>;

    /// The text that an event names by that hash; `None` where it is kept no longer.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError>;

    /// The other sessions of the log, the one that was written to last first.
    ///
    /// # Errors
    ///
    /// What the log reports.
    fn others(&self, count: usize) -> Result<Vec<OtherSession>, LogError>;
}

/// Nothing to look up: for calls of which only the events are of interest.
#[derive(Clone, Copy, Debug)]
pub struct NoLookup;

impl Lookup for NoLookup {
    fn newest(&self, _: usize) -> Result<Vec<StoredEvent>, LogError> {
        Ok(Vec::new())
    }

    fn search(&self, _: &str, _: usize) -> Result<Vec<Found>, LogError> {
        Ok(Vec::new())
    }

    fn session(&self) -> Option<&SessionId> {
        None
    }

    fn event(&self, _: Option<&SessionId>, _: u64) -> Result<Option<StoredEvent>, LogError> {
        Ok(None)
    }

    fn at(&self, _: u64) -> Result<Option<StoredEvent>, LogError> {
        Ok(None)
    }

    fn kept(&self, _: &PrunedOutput) -> Result<Option<StoredEvent>, LogError> {
        Ok(None)
    }

    fn content(&self, _: &ContentHash) -> Result<Option<String>, LogError> {
        Ok(None)
    }

    fn others(&self, _: usize) -> Result<Vec<OtherSession>, LogError> {
        Ok(Vec::new())
    }
}

//! Appending to several sessions at once.

use super::record::Record;
use super::{Appended, Expected, Log, LogError};
use crate::event::{NewEvent, SessionId};
use crate::section::Sections;

/// The events to append to one of several sessions.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The session.
    pub session: SessionId,
    /// The expected version of the session.
    pub expected: Expected,
    /// The events, as [`Record::encode`] or [`Record::of_line`] made them. Records of one log are copied to another
    /// byte for byte.
    pub records: Vec<Record>,
}

impl Batch {
    /// The batch of new events, for a log with those sections.
    ///
    /// # Errors
    /// [`LogError::Invalid`] if an event can't be stored without loss.
    pub fn new(
        session: SessionId,
        expected: Expected,
        events: &[NewEvent],
        sections: &Sections,
    ) -> Result<Self, LogError> {
        let records = events.iter().map(|event| Record::encode(event, sections));
        Ok(Self {
            session,
            expected,
            records: records.collect::<Result<_, _>>()?,
        })
    }
}

/// A log that can append to several sessions in one transaction.
pub trait AppendMany: Log {
    /// Appends all batches in order, or none. Each batch has the same effect as [`Log::append`] after the batches
    /// before it, so the call can be repeated if its answer was lost.
    ///
    /// # Errors
    /// As [`Log::append`]. The log is then as it was before.
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError>;
}

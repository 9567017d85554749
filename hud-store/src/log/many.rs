//! Appending to several sessions at once.

use super::record::Record;
use super::{Appended, Expected, Log, LogError};
use crate::event::{NewEvent, SessionId};
use crate::section::Sections;

/// What is appended to one of several sessions.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The session.
    pub session: SessionId,
    /// What is demanded of its version.
    pub expected: Expected,
    /// The events, as [`Record::encode`] or [`Record::of_line`] made them: what one log has is taken over byte
    /// for byte by another.
    pub records: Vec<Record>,
}

impl Batch {
    /// The batch of new events, for a log with those sections.
    ///
    /// # Errors
    /// [`LogError::Invalid`] if one of them can't be stored so that it comes back.
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

/// A log that takes events of several sessions in one transaction.
pub trait AppendMany: Log {
    /// Appends batches in their order: all of them or none. Each is what [`Log::append`] would do behind those
    /// before it, so that it can be repeated where the answer was lost.
    ///
    /// # Errors
    /// As [`Log::append`]. The log is then as it was before.
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError>;
}

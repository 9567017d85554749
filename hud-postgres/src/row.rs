//! A row of the table of events.

use hud_store::event::{EventId, SessionId, StoredEvent};
use hud_store::jsonl::Line;
use hud_store::log::record::Record;
use tokio_postgres::{Error, Row};

use crate::sum::{Sum, chain};

/// A row as it is stored, without interpreting the record.
pub(crate) struct Raw {
    pub(crate) seq: i64,
    pub(crate) session: String,
    pub(crate) version: i64,
    pub(crate) record: Record,
    sum: Vec<u8>,
}

impl Raw {
    /// The row in the columns from `from` on.
    pub(crate) fn of(row: &Row, from: usize) -> Result<Self, Error> {
        let v: i64 = row.try_get(from + 7)?;
        Ok(Self {
            seq: row.try_get(from)?,
            session: row.try_get(from + 2)?,
            version: row.try_get(from + 3)?,
            record: Record {
                id: EventId::from_uuid(row.try_get(from + 1)?),
                turn: row.try_get(from + 4)?,
                at: row.try_get(from + 5)?,
                kind: row.try_get(from + 6)?,
                // A version that is too large was not written by this program, and does not match the sum.
                v: u32::try_from(v).unwrap_or(u32::MAX),
                actor: row.try_get(from + 8)?,
                cause: row
                    .try_get::<_, Option<_>>(from + 9)?
                    .map(EventId::from_uuid),
                payload: row.try_get(from + 10)?,
                content: None,
            },
            sum: row.try_get(from + 11)?,
        })
    }

    /// The sum of the row, if it is the sum after an event with the sum `before`.
    pub(crate) fn sum_behind(&self, before: &Sum) -> Option<Sum> {
        let sum = chain(before, self.seq, &self.session, self.version, &self.record);
        (self.sum == sum).then_some(sum)
    }

    /// The event, or the reason why it is not valid.
    pub(crate) fn decode(self) -> Result<StoredEvent, String> {
        let session = SessionId::new(self.session).map_err(|error| error.to_string())?;
        self.record.decode(
            self.seq.unsigned_abs(),
            &session,
            self.version.unsigned_abs(),
        )
    }

    /// The line of the event with its stored payload, or the reason why it is not valid.
    pub(crate) fn line(self) -> Result<Line, String> {
        let session = SessionId::new(self.session).map_err(|error| error.to_string())?;
        self.record.line(
            self.seq.unsigned_abs(),
            &session,
            self.version.unsigned_abs(),
        )
    }
}

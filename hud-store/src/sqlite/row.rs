//! A row of the table of events.

use rusqlite::Row;
use uuid::Uuid;

use super::checksum::{Sum, chain};
use crate::event::{EventId, SessionId, StoredEvent};
use crate::jsonl::Line;
use crate::log::record::Record;

/// A row as it is stored, without interpreting the record.
pub(super) struct Raw {
    pub(super) record: Record,
    pub(super) session: String,
    pub(super) version: i64,
    pub(super) sum: Sum,
    /// The archive that has the payload, if the row doesn't have it.
    pub(super) archive: Option<i64>,
}

/// The columns that [`raw`] reads, in a file of that schema.
pub(super) fn columns(schema: u32) -> &'static str {
    if schema < 2 {
        "id, turn, ts, kind, v, actor, cause, payload, seq, stream, ver, sum, NULL"
    } else {
        "id, turn, ts, kind, v, actor, cause, payload, seq, stream, ver, sum, archive"
    }
}

/// The index of the seq among the columns.
pub(super) const SEQ: usize = 8;

/// The row in the columns of [`columns`].
///
/// The error names the value of the wrong type. A sound row has none.
pub(super) fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        record: record(row)?,
        session: row.get(9)?,
        version: row.get(10)?,
        sum: row.get(11)?,
        archive: row.get(12)?,
    })
}

/// The record in the first eight columns.
fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let id = |bytes: [u8; 16]| EventId::from_uuid(Uuid::from_bytes(bytes));
    Ok(Record {
        id: id(row.get(0)?),
        turn: row.get(1)?,
        at: row.get(2)?,
        kind: row.get(3)?,
        v: row.get(4)?,
        actor: row.get(5)?,
        cause: row.get::<_, Option<_>>(6)?.map(id),
        payload: row.get(7)?,
        content: None,
    })
}

impl Raw {
    /// The sum that the event has after an event with the sum `previous`.
    pub(super) fn sum_behind(&self, previous: &Sum) -> Sum {
        chain(previous, &self.session, self.version, &self.record)
    }

    /// The line of the event with its stored payload, or the reason why it is not valid.
    pub(super) fn line(self, seq: i64) -> Result<Line, String> {
        let session = SessionId::new(self.session).map_err(|e| e.to_string())?;
        self.record
            .line(seq.unsigned_abs(), &session, self.version.unsigned_abs())
    }

    /// The event, or the reason why it is not valid.
    pub(super) fn decode(self, seq: i64) -> Result<StoredEvent, String> {
        let session = SessionId::new(self.session).map_err(|e| e.to_string())?;
        self.record
            .decode(seq.unsigned_abs(), &session, self.version.unsigned_abs())
    }
}

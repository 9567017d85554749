//! A row as the record it holds.

use rusqlite::Row;
use uuid::Uuid;

use crate::event::EventId;
use crate::log::Record;

/// The record in the first eight columns: `id, turn, ts, kind, v, actor, cause, payload`.
///
/// The error says what doesn't fit; in a sound row all of it does.
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
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
    })
}

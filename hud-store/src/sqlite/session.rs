//! The table of sessions, which is updated with each append and is a second source for the number of events.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::SqliteLog;
use super::checksum::{self, Sum};
use crate::event::SessionId;
use crate::log::record::{Record, START};
use crate::log::{LogError, SessionInfo};
use crate::state::Origin;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionRow {
    pub(super) ver: i64,
    /// The seqs of the first and of the last event.
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) first_ts: i64,
    pub(super) last_ts: i64,
    /// The origin of the session, as JSON.
    pub(super) origin: String,
}

impl SessionRow {
    /// The row after one more event.
    pub(super) fn with(row: Option<Self>, seq: i64, version: i64, record: &Record) -> Self {
        let mut row = row.unwrap_or_else(|| Self {
            ver: 0,
            first: seq,
            last: 0,
            first_ts: record.at,
            last_ts: 0,
            origin: "{}".to_owned(),
        });
        (row.ver, row.last, row.last_ts) = (version, seq, record.at);
        if record.kind == START {
            row.origin.clone_from(&record.payload);
        }
        row
    }

    pub(super) fn save(&self, conn: &Connection, session: &str) -> rusqlite::Result<()> {
        conn.prepare_cached(
            "INSERT INTO session (stream, ver, first, last, first_ts, last_ts, origin, sum) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
             ON CONFLICT (stream) DO UPDATE SET \
             ver = ?2, last = ?4, last_ts = ?6, origin = ?7, sum = ?8",
        )?
        .execute(params![
            session,
            self.ver,
            self.first,
            self.last,
            self.first_ts,
            self.last_ts,
            self.origin,
            self.sum(session),
        ])
        .map(drop)
    }

    fn sum(&self, session: &str) -> Sum {
        let Self {
            ver,
            first,
            last,
            first_ts,
            last_ts,
            origin,
        } = self;
        let mut hasher = blake3::Hasher::new();
        for number in [ver, first, last, first_ts, last_ts] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&(session.len() as u64).to_le_bytes());
        hasher.update(session.as_bytes());
        hasher.update(origin.as_bytes());
        checksum::sum(&hasher)
    }

    /// The summary of the session, or the problem of the row.
    pub(super) fn info(&self, session: String) -> Result<SessionInfo, String> {
        let reason = |error: &dyn std::fmt::Display| error.to_string();
        Ok(SessionInfo {
            id: SessionId::new(session).map_err(|e| reason(&e))?,
            events: self.ver.unsigned_abs(),
            first_at: Timestamp::from_microsecond(self.first_ts).map_err(|e| reason(&e))?,
            last_at: Timestamp::from_microsecond(self.last_ts).map_err(|e| reason(&e))?,
            origin: serde_json::from_str::<Origin>(&self.origin).map_err(|e| reason(&e))?,
        })
    }
}

/// A row as it was read.
pub(super) enum Found {
    Sound(SessionRow),
    /// A row that doesn't match its sum. Its last seq may help to locate the damage.
    Damaged(i64),
}

impl Found {
    /// The row, if it matches its sum.
    pub(super) fn sound(self, log: &SqliteLog) -> Result<SessionRow, LogError> {
        match self {
            Self::Sound(row) => Ok(row),
            Self::Damaged(seq) => Err(log.corrupt(seq, "what is known of its session is damaged")),
        }
    }
}

/// The columns that [`found`] reads.
pub(super) const COLUMNS: &str = "stream, ver, first, last, first_ts, last_ts, origin, sum";

/// The row in the columns of [`COLUMNS`].
pub(super) fn found(row: &Row<'_>) -> rusqlite::Result<(String, Found)> {
    let session: String = row.get(0)?;
    let found = match fields(row).and_then(|(_, fields)| Ok((fields, row.get::<_, Sum>(7)?))) {
        Ok((fields, sum)) if fields.sum(&session) == sum => Found::Sound(fields),
        Ok((fields, _)) => Found::Damaged(fields.last),
        Err(_) => Found::Damaged(0),
    };
    Ok((session, found))
}

/// The name and the row in the columns of [`COLUMNS`], without the sum.
pub(super) fn fields(row: &Row<'_>) -> rusqlite::Result<(String, SessionRow)> {
    let fields = SessionRow {
        ver: row.get(1)?,
        first: row.get(2)?,
        last: row.get(3)?,
        first_ts: row.get(4)?,
        last_ts: row.get(5)?,
        origin: row.get(6)?,
    };
    Ok((row.get(0)?, fields))
}

/// The row of a session.
pub(super) fn of(conn: &Connection, session: &str) -> rusqlite::Result<Option<Found>> {
    let select = format!("SELECT {COLUMNS} FROM session WHERE stream = ?1");
    conn.prepare_cached(&select)?
        .query_row([session], |row| Ok(found(row)?.1))
        .optional()
}

/// Rebuilds the table from the events.
pub(super) fn rebuild(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM session")?;
    let mut select = conn.prepare(
        "SELECT first.stream, last.ver, first.seq, last.seq, first.ts, last.ts, \
         coalesce((SELECT payload FROM event AS start \
                   WHERE start.stream = first.stream AND start.kind = ?1 \
                   ORDER BY start.ver DESC LIMIT 1), '{}') \
         FROM event AS first \
         JOIN event AS last ON last.stream = first.stream \
             AND last.ver = (SELECT max(ver) FROM event WHERE stream = first.stream) \
         WHERE first.ver = 1",
    )?;
    let mut rows = select.query([START])?;
    while let Some(row) = rows.next()? {
        let (session, fields) = fields(row)?;
        fields.save(conn, &session)?;
    }
    Ok(())
}

//! Reading events, each held against the chain before it is given out.

use std::ops::ControlFlow;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};

use super::checksum::{GENESIS, Sum, chain};
use super::fault::fault;
use super::{SqliteLog, row};
use crate::event::{SessionId, StoredEvent};
use crate::log::{LogError, Record, SessionInfo};

/// How many events are read in one transaction. A long one would keep the write-ahead log from
/// being emptied; and what the caller does with an event is none of the database's business.
const PAGE: usize = 256;

/// A row as it is, apart from the record's meaning.
struct Raw {
    record: Record,
    version: i64,
    sum: Sum,
}

pub(super) fn read(
    log: &SqliteLog,
    session: &SessionId,
    from_version: u64,
    each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
) -> Result<(), LogError> {
    // No version is that high: nothing to read.
    let Ok(mut next) = i64::try_from(from_version.max(1)) else {
        return Ok(());
    };
    // The last event read, from page to page.
    let mut last = None;
    loop {
        // An error comes after the sound events before it, however the pages fall.
        let mut events = Vec::new();
        let outcome = page(log, session, next, &mut last, &mut events);
        let is_last = events.len() < PAGE;
        next += events.len() as i64;
        for event in events {
            if each(event).is_break() {
                return Ok(());
            }
        }
        outcome?;
        if is_last {
            return Ok(());
        }
    }
}

fn page(
    log: &SqliteLog,
    session: &SessionId,
    first: i64,
    last: &mut Option<(i64, Sum)>,
    events: &mut Vec<StoredEvent>,
) -> Result<(), LogError> {
    let broken = |e| fault(&log.path, e);
    let tx =
        Transaction::new_unchecked(&log.conn, TransactionBehavior::Deferred).map_err(broken)?;
    let mut select = tx
        .prepare_cached(
            "SELECT id, turn, ts, kind, v, actor, cause, payload, seq, ver, sum \
             FROM event WHERE stream = ?1 AND ver >= ?2 ORDER BY ver LIMIT ?3",
        )
        .map_err(broken)?;
    let mut rows = select
        .query((session.as_str(), first, PAGE as i64))
        .map_err(broken)?;
    let mut expected = first;
    while let Some(row) = rows.next().map_err(broken)? {
        let seq: i64 = row.get(8).map_err(broken)?;
        let raw = raw(row).map_err(|e| log.corrupt(seq, e.to_string()))?;
        if raw.version != expected {
            let reason = format!("version {expected} of {session} should come before it");
            return Err(log.corrupt(seq, reason));
        }
        let previous = match *last {
            Some((before, sum)) if before == seq - 1 => sum,
            _ => sum_at(&tx, seq - 1)
                .map_err(broken)?
                .ok_or_else(|| log.corrupt(seq - 1, "it is missing"))?,
        };
        if chain(&previous, session.as_str(), raw.version, &raw.record) != raw.sum {
            return Err(log.corrupt(blame(&tx, seq), "it doesn't match its checksum"));
        }
        *last = Some((seq, raw.sum));
        let event = raw
            .record
            .decode(seq.unsigned_abs(), session, raw.version.unsigned_abs())
            .map_err(|reason| log.corrupt(seq, reason))?;
        events.push(event);
        expected += 1;
    }
    Ok(())
}

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        record: row::record(row)?,
        version: row.get(9)?,
        sum: row.get(10)?,
    })
}

/// The sum of an event, as stored; `None` when there is no such event.
fn sum_at(conn: &Connection, seq: i64) -> rusqlite::Result<Option<Sum>> {
    if seq == 0 {
        return Ok(Some(GENESIS));
    }
    conn.prepare_cached("SELECT sum FROM event WHERE seq = ?1")?
        .query_row([seq], |row| row.get(0))
        .optional()
}

/// The event to blame for a break in the chain at `seq`. When it is the sum of the event before
/// that is damaged, maybe in a session that isn't being read, then that event.
fn blame(conn: &Connection, mut seq: i64) -> i64 {
    while seq > 1 && !is_sound(conn, seq - 1).unwrap_or(false) {
        seq -= 1;
    }
    seq
}

fn is_sound(conn: &Connection, seq: i64) -> rusqlite::Result<bool> {
    let previous = sum_at(conn, seq - 1)?;
    let (session, raw): (String, Raw) = conn
        .prepare_cached(
            "SELECT id, turn, ts, kind, v, actor, cause, payload, seq, ver, sum, stream \
             FROM event WHERE seq = ?1",
        )?
        .query_row([seq], |row| Ok((row.get(11)?, raw(row)?)))?;
    Ok(previous
        .is_some_and(|previous| chain(&previous, &session, raw.version, &raw.record) == raw.sum))
}

/// All sessions, by hopping through the index from one to the next: as quick for long sessions as
/// for short ones.
pub(super) fn sessions(log: &SqliteLog) -> Result<Vec<SessionInfo>, LogError> {
    let broken = |e| fault(&log.path, e);
    let mut select = log
        .conn
        .prepare_cached(
            "WITH RECURSIVE session(stream) AS (
                 SELECT min(stream) FROM event
                 UNION ALL
                 SELECT (SELECT min(stream) FROM event WHERE stream > session.stream)
                 FROM session WHERE session.stream IS NOT NULL
             )
             SELECT first.seq, session.stream, last.ver, first.ts, last.ts
             FROM session
             JOIN event AS first ON first.stream = session.stream AND first.ver = 1
             JOIN event AS last ON last.stream = session.stream
                 AND last.ver = (SELECT max(ver) FROM event WHERE stream = session.stream)
             ORDER BY first.seq",
        )
        .map_err(broken)?;
    let mut rows = select.query([]).map_err(broken)?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next().map_err(broken)? {
        let seq: i64 = row.get(0).map_err(broken)?;
        sessions.push(info(row).map_err(|reason| log.corrupt(seq, reason.to_string()))?);
    }
    Ok(sessions)
}

fn info(row: &Row<'_>) -> Result<SessionInfo, Box<dyn std::error::Error>> {
    Ok(SessionInfo {
        id: SessionId::new(row.get::<_, String>(1)?)?,
        events: row.get::<_, i64>(2)?.unsigned_abs(),
        first_at: Timestamp::from_microsecond(row.get(3)?)?,
        last_at: Timestamp::from_microsecond(row.get(4)?)?,
    })
}

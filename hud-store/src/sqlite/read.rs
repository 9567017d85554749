//! Reading events. Each is checked against the chain before it is returned.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};

use super::archive::Unpacked;
use super::checksum::{GENESIS, Sum};
use super::fault::Fault;
use super::row::{self, Raw};
use super::{SqliteLog, content, session};
use crate::event::{EventId, SessionId, StoredEvent};
use crate::jsonl::Line;

/// The maximum number of events that are read in one transaction. A long transaction would keep the write-ahead log
/// from being emptied, and the caller's own work must not prolong it.
const PAGE: u16 = 256;

/// The number of events in the first page. It is small, so that a caller who wants one event does not wait for a
/// whole page. Each following page has [`GROWTH`] times as many.
const FIRST: u16 = 16;

/// The factor by which pages grow.
const GROWTH: u16 = 4;

/// The number of bytes of payloads after which a page ends. A page is held in memory, and one payload may be large.
const PAGE_BYTES: usize = 1024 * 1024;

/// A callback that receives each event, and may break.
pub(super) type Each<'e> = dyn FnMut(StoredEvent) -> ControlFlow<()> + 'e;

/// The events to read.
enum Scan<'s> {
    /// A session, by version.
    Session(&'s SessionId),
    /// The whole log, by seq.
    Log,
}

impl Scan<'_> {
    /// The statement that selects a page.
    fn statement(&self, schema: u32) -> String {
        let columns = row::columns(schema);
        let which = match self {
            Self::Session(_) => "ver >= ?1 AND stream = ?3 ORDER BY ver",
            Self::Log => "seq >= ?1 ORDER BY seq",
        };
        format!("SELECT {columns} FROM event WHERE {which} LIMIT ?2")
    }
}

pub(super) fn read(
    log: &SqliteLog,
    session: &SessionId,
    from_version: u64,
    each: &mut Each<'_>,
) -> Result<(), Fault> {
    if is_all(log, session, from_version.saturating_sub(1))? {
        return Ok(());
    }
    scan(
        log,
        &Scan::Session(session),
        from_version,
        Raw::decode,
        each,
    )
}

/// True if a session has exactly that many events. A caller that knows them all asks this in each turn, and mostly
/// the answer is yes. It takes one row lookup, without a transaction and the statements that begin and end one.
fn is_all(log: &SqliteLog, session: &SessionId, known: u64) -> Result<bool, Fault> {
    if known == 0 || log.schema < 2 {
        return Ok(false);
    }
    log.steps.renew();
    Ok(match session::of(&log.conn, session.as_str())? {
        Some(found) => found.sound(log)?.ver.unsigned_abs() == known,
        None => false,
    })
}

/// True if there is an event of that id.
pub(super) fn contains(log: &SqliteLog, id: &EventId) -> Result<bool, Fault> {
    let exists = log
        .conn
        .prepare_cached("SELECT 1 FROM event WHERE id = ?1")
        .and_then(|mut select| select.exists([id.as_uuid().as_bytes()]));
    Ok(exists?)
}

pub(super) fn read_all(log: &SqliteLog, from_seq: u64, each: &mut Each<'_>) -> Result<(), Fault> {
    scan(log, &Scan::Log, from_seq, Raw::decode, each)
}

pub(super) fn lines(
    log: &SqliteLog,
    session: Option<&SessionId>,
    each: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<(), Fault> {
    lines_from(log, session, 1, each)
}

/// Reads lines from a version of the session on, or from a seq on.
pub(super) fn lines_from(
    log: &SqliteLog,
    session: Option<&SessionId>,
    from: u64,
    each: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let what = session.map_or(Scan::Log, Scan::Session);
    let mut outcome = Ok(());
    scan(log, &what, from, Raw::line, &mut |mut line| {
        outcome = line.fill(|hash| content::text(log, hash));
        match outcome {
            Ok(()) => each(line),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    Ok(outcome?)
}

/// Passes the result of `make` for each row and its seq to `each`.
fn scan<T>(
    log: &SqliteLog,
    scan: &Scan<'_>,
    from: u64,
    make: fn(Raw, i64) -> Result<T, String>,
    each: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Fault> {
    // No version or seq is that high, so there is nothing to read.
    let Ok(next) = i64::try_from(from.max(1)) else {
        return Ok(());
    };
    let mut pages = Pages {
        log,
        scan,
        next,
        size: FIRST,
        last: None,
        unpacked: Unpacked::new(&log.conn),
    };
    loop {
        // An error is returned after the sound events before it, whatever the page boundaries.
        let mut events = Vec::new();
        let outcome = pages.page(make, &mut events);
        for event in events {
            if each(event).is_break() {
                return Ok(());
            }
        }
        if outcome? {
            return Ok(());
        }
    }
}

/// Begins a read transaction, unless one has begun. A caller that reads everything does so in one transaction.
pub(super) fn moment(conn: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    if !conn.is_autocommit() {
        return Ok(None);
    }
    Transaction::new_unchecked(conn, TransactionBehavior::Deferred).map(Some)
}

/// A scan in progress.
struct Pages<'p> {
    log: &'p SqliteLog,
    scan: &'p Scan<'p>,
    /// The version, or the seq, of the next event.
    next: i64,
    /// The maximum number of events in the next page.
    size: u16,
    /// The seq and the sum of the last event read.
    last: Option<(i64, Sum)>,
    unpacked: Unpacked<'p>,
}

impl Pages<'_> {
    /// Reads a page, and returns true if it is the last. On an error, `events` has the events before it.
    fn page<T>(
        &mut self,
        make: fn(Raw, i64) -> Result<T, String>,
        events: &mut Vec<T>,
    ) -> Result<bool, Fault> {
        let log = self.log;
        log.steps.renew();
        let tx = &log.conn;
        let _moment = moment(tx)?;
        let mut select = tx.prepare_cached(&self.scan.statement(log.schema))?;
        let mut rows = match self.scan {
            Scan::Session(session) => select.query((self.next, self.size, session.as_str())),
            Scan::Log => select.query((self.next, self.size)),
        }?;
        let (mut next, mut bytes) = (self.next, 0);
        while bytes < PAGE_BYTES
            && let Some(row) = rows.next()?
        {
            let (seq, raw) = self.sound(tx, row, next)?;
            bytes += raw.record.payload.len();
            events.push(make(raw, seq).map_err(|reason| log.corrupt(seq, reason))?);
            next += 1;
        }
        self.next = next;
        let is_last = events.len() < usize::from(self.size) && bytes < PAGE_BYTES;
        self.size = (self.size * GROWTH).min(PAGE);
        if is_last {
            self.check_end(tx)?;
        }
        Ok(is_last)
    }

    /// The seq and the contents of a row, if it is the next one and its checksum matches.
    fn sound(&mut self, tx: &Connection, row: &Row<'_>, next: i64) -> Result<(i64, Raw), Fault> {
        let log = self.log;
        let seq: i64 = row.get(row::SEQ)?;
        let mut raw = row::raw(row).map_err(|e| log.corrupt(seq, e.to_string()))?;
        let place = match self.scan {
            Scan::Session(_) => raw.version,
            Scan::Log => seq,
        };
        if place != next {
            return Err(Fault::from(match self.scan {
                Scan::Session(session) => log.corrupt(
                    seq,
                    format!("version {next} of {session} should come before it"),
                ),
                Scan::Log => log.corrupt(next, "it is missing"),
            }));
        }
        self.unpacked
            .restore(&mut raw)
            .map_err(|reason| log.corrupt(seq, reason))?;
        let previous = match self.last {
            Some((before, sum)) if before == seq - 1 => sum,
            _ => sum_at(tx, seq - 1)?.ok_or_else(|| log.corrupt(seq - 1, "it is missing"))?,
        };
        if raw.sum_behind(&previous) != raw.sum {
            return Err(log
                .corrupt(blame(log, tx, seq), "it doesn't match its checksum")
                .into());
        }
        self.last = Some((seq, raw.sum));
        Ok((seq, raw))
    }

    /// Checks the end of a complete read against a second source. An index that has lost its last entries would not
    /// show it.
    fn check_end(&self, tx: &Connection) -> Result<(), Fault> {
        let log = self.log;
        let read = self.next - 1;
        let (known, seq) = match self.scan {
            Scan::Log => {
                let known = last_seq(tx)?;
                (known, read + 1)
            }
            Scan::Session(_) if log.schema < 2 => return Ok(()),
            Scan::Session(session) => match session::of(tx, session.as_str())? {
                Some(found) => {
                    let row = found.sound(log)?;
                    (row.ver, row.last)
                }
                None => (0, 0),
            },
        };
        // A read that starts after the end has seen nothing.
        let is_sound = read == known || (self.last.is_none() && read > known);
        if is_sound {
            return Ok(());
        }
        let reason = format!("the last is {known}, and {read} could be read");
        Err(log.corrupt(seq, reason).into())
    }
}

/// The highest seq that ever existed.
pub(super) fn last_seq(conn: &Connection) -> rusqlite::Result<i64> {
    let known = conn
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'event'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(known.unwrap_or(0))
}

/// The stored sum of an event; `None` if there is no such event.
pub(super) fn sum_at(conn: &Connection, seq: i64) -> rusqlite::Result<Option<Sum>> {
    if seq == 0 {
        return Ok(Some(GENESIS));
    }
    conn.prepare_cached("SELECT sum FROM event WHERE seq = ?1")?
        .query_row([seq], |row| row.get(0))
        .optional()
}

/// The event to report for a break in the chain at `seq`. If the sum of the event before it is damaged, maybe in a
/// session that isn't being read, it is that event.
fn blame(log: &SqliteLog, conn: &Connection, mut seq: i64) -> i64 {
    while seq > 1 && !is_sound(log, conn, seq - 1).unwrap_or(false) {
        seq -= 1;
    }
    seq
}

fn is_sound(log: &SqliteLog, conn: &Connection, seq: i64) -> rusqlite::Result<bool> {
    let columns = row::columns(log.schema);
    let mut raw = conn
        .prepare_cached(&format!("SELECT {columns} FROM event WHERE seq = ?1"))?
        .query_row([seq], row::raw)?;
    Ok(Unpacked::new(conn).restore(&mut raw).is_ok() && is_linked(conn, seq, &raw)?)
}

/// True if an event's sum matches the sum of the previous event.
pub(super) fn is_linked(conn: &Connection, seq: i64, raw: &Raw) -> rusqlite::Result<bool> {
    Ok(sum_at(conn, seq - 1)?.is_some_and(|previous| raw.sum_behind(&previous) == raw.sum))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::event::{Actor, NewEvent, NoteAdd};
    use crate::log::{Expected, Log as _};

    /// The number of steps that SQLite takes until the event of that version is returned and the reader breaks.
    fn steps_to(log: &SqliteLog, session: &SessionId, version: u64) -> i32 {
        let statement = (log.conn)
            .prepare_cached(&Scan::Session(session).statement(log.schema))
            .unwrap();
        statement.reset_status(StatementStatus::VmStep);
        drop(statement);
        let events = &mut |event: StoredEvent| match event.version < version {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        log.read(session, 1, events).unwrap();
        let statement = (log.conn)
            .prepare_cached(&Scan::Session(session).statement(log.schema))
            .unwrap();
        statement.get_status(StatementStatus::VmStep)
    }

    #[test]
    fn who_wants_one_event_does_not_wait_for_a_page_of_them() {
        let mut log = SqliteLog::open_in_memory().unwrap();
        let session = SessionId::new("s").unwrap();
        let notes = (1..=500).map(|n| {
            let (id, content) = (format!("n{n}"), "redis".to_owned());
            NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
        });
        let notes: Vec<NewEvent> = notes.collect();
        log.append(&session, Expected::Any, &notes).unwrap();
        let (one, all) = (steps_to(&log, &session, 1), steps_to(&log, &session, 500));
        assert!(one * 20 < all, "{one} of {all} steps");
        let info = log.session(&session).unwrap().unwrap();
        assert_eq!(Some(&info), log.sessions().unwrap().first());
        let other = SessionId::new("other").unwrap();
        assert_eq!(log.session(&other).unwrap(), None);
    }

    #[test]
    fn what_is_read_again_and_again_is_compiled_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
        let session = SessionId::new("s").unwrap();
        for scan in [Scan::Session(&session), Scan::Log] {
            for from in 1..=3 {
                let id = format!("n{from}");
                let content = "redis".to_owned();
                let note = NewEvent::now(1, Actor::Agent, NoteAdd { id, content });
                log.append(&session, Expected::Any, &[note]).unwrap();
                let events = &mut |_| ControlFlow::Continue(());
                match scan {
                    Scan::Session(session) => log.read(session, from, events).unwrap(),
                    Scan::Log => log.read_all(from, events).unwrap(),
                }
            }
            let statement = log.conn.prepare_cached(&scan.statement(log.schema));
            let statement = statement.unwrap();
            assert!(statement.get_status(StatementStatus::Run) > 1);
            assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
        }
    }
}

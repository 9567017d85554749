//! Archives of old payloads. The rows of their events stay in place, and so does the checksum chain.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::check::{Progress, Watcher};
use super::fault::Fault;
use super::row::{self, Raw};
use super::{SqliteLog, busy, guard};
use crate::event::SessionId;
use crate::log::LogError;
use crate::log::record::MAX_PAYLOAD;

/// The maximum number of payloads in an archive.
const PACK: usize = 512;

/// The maximum number of bytes of payloads in an archive, except for a single payload that has more.
const PACK_BYTES: usize = 2 * 1024 * 1024;

/// The maximum unpacked size of an archive that is held whole in memory. To read one payload of a small archive, all
/// are unpacked. In a large one, those before it are skipped.
const SMALL: u64 = 2 * PACK_BYTES as u64;

/// The maximum ratio of the unpacked size to the packed size. An archive that exceeds it is padded.
const RATIO: usize = 64;

/// The number of bytes that a read of a log may unpack: a constant, plus a number for each byte of its archives. Logs
/// of older programs have archives that unpack to more than [`RATIO`] times their size.
const UNPACKED: u64 = 256 * 1024 * 1024;
const UNPACKED_PER_BYTE: u64 = 2 * RATIO as u64;

/// The maximum number of bytes of a payload in an archive, where it is a JSON string.
const MAX_ENTRY: u64 = 2 * MAX_PAYLOAD as u64 + 64;

/// The placeholder in a row whose payload is archived.
const AWAY: &str = "null";

/// The result of archiving.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Archived {
    /// The number of events that were packed.
    pub events: u64,
    /// The number of bytes of their payloads before.
    pub before: u64,
    /// The number of bytes of their payloads now.
    pub after: u64,
}

/// A reader of archived payloads. Events are read in order, and their payloads lie together, so the last archive
/// stays open.
pub(super) struct Unpacked<'c> {
    conn: &'c Connection,
    open: Option<(i64, Payloads<'c>)>,
    /// The number of bytes that may still be unpacked.
    left: Rc<Cell<u64>>,
}

/// The payloads in an archive with their versions, in its order.
enum Payloads<'c> {
    Small(Vec<(i64, String)>),
    Large(Stream<'c>),
}

impl<'c> Unpacked<'c> {
    pub(super) fn new(conn: &'c Connection) -> Self {
        Self {
            conn,
            open: None,
            left: Rc::new(Cell::new(UNPACKED)),
        }
    }

    /// Restores the payload of a row that has it in an archive.
    pub(super) fn restore(&mut self, raw: &mut Raw) -> Result<(), String> {
        let Some(id) = raw.archive else {
            return Ok(());
        };
        let is_open = self.open.as_ref().is_some_and(|(open, _)| *open == id);
        // An archive that was opened for an earlier event may have been repacked since.
        let found = match is_open {
            true => self.find(id, raw.version).ok().flatten(),
            false => None,
        };
        let found = match found {
            Some(payload) => Some(payload),
            None => {
                self.open = Some((id, self.payloads(id)?));
                self.find(id, raw.version)?
            }
        };
        raw.record.payload = found.ok_or_else(|| format!("archive {id} lacks its payload"))?;
        Ok(())
    }

    fn find(&mut self, id: i64, version: i64) -> Result<Option<String>, String> {
        match &mut self.open {
            Some((_, Payloads::Small(payloads))) => {
                let at = payloads.binary_search_by_key(&version, |(version, _)| *version);
                Ok(at.ok().map(|at| payloads[at].1.clone()))
            }
            Some((_, Payloads::Large(stream))) => {
                let found = stream.find(version);
                found.map_err(|e| damaged(id, &e))
            }
            None => Ok(None),
        }
    }

    fn payloads(&mut self, id: i64) -> Result<Payloads<'c>, String> {
        let broken = |e: &dyn Display| damaged(id, e);
        let mut text = String::new();
        self.text(id)?
            .take(SMALL + 1)
            .read_to_string(&mut text)
            .map_err(|e| broken(&e))?;
        if text.len() as u64 <= SMALL {
            let payloads = serde_json::from_str(&text).map_err(|e| broken(&e))?;
            return Ok(Payloads::Small(payloads));
        }
        Ok(Payloads::Large(Stream {
            text: BufReader::new(self.text(id)?),
            last: None,
        }))
    }

    /// The text of an archive, which is unpacked as it is read.
    fn text(&mut self, id: i64) -> Result<Text<'c>, String> {
        let length: Option<i64> = self
            .conn
            .prepare_cached("SELECT octet_length(body) FROM archive WHERE id = ?1")
            .and_then(|mut select| select.query_row([id], |row| row.get(0)).optional())
            .map_err(|e| damaged(id, &e))?;
        let length = length.ok_or_else(|| format!("archive {id} is missing"))?;
        let more = length.unsigned_abs().saturating_mul(UNPACKED_PER_BYTE);
        self.left.set(self.left.get().saturating_add(more));
        Ok(Text {
            packed: ZlibDecoder::new(Body {
                conn: self.conn,
                id,
                at: 0,
                chunk: io::Cursor::default(),
            }),
            left: Rc::clone(&self.left),
        })
    }

    /// All payloads in an archive.
    fn all(&mut self, id: i64) -> Result<Vec<(i64, String)>, String> {
        serde_json::from_reader(BufReader::new(self.text(id)?)).map_err(|e| damaged(id, &e))
    }
}

fn damaged(id: i64, error: &dyn Display) -> String {
    format!("archive {id} is damaged ({error})")
}

/// The unpacked text of an archive, with a limit.
struct Text<'c> {
    packed: ZlibDecoder<Body<'c>>,
    left: Rc<Cell<u64>>,
}

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.packed.read(buffer)?;
        match self.left.get().checked_sub(read as u64) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("it unpacks to more than any log packs")),
        }
        Ok(read)
    }
}

/// The bytes of an archive, held one chunk at a time.
struct Body<'c> {
    conn: &'c Connection,
    id: i64,
    at: u64,
    chunk: io::Cursor<Vec<u8>>,
}

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const CHUNK: u64 = 1024 * 1024;
        let read = self.chunk.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        // The blob is opened for each chunk, because an open blob would keep a transaction from ending.
        let mut body = self
            .conn
            .blob_open(rusqlite::MAIN_DB, "archive", "body", self.id, true)
            .map_err(io::Error::other)?;
        body.seek(SeekFrom::Start(self.at))?;
        let mut chunk = Vec::new();
        self.at += body.take(CHUNK).read_to_end(&mut chunk)? as u64;
        self.chunk = io::Cursor::new(chunk);
        self.chunk.read(buffer)
    }
}

/// The payloads in an archive, one after another.
struct Stream<'c> {
    text: BufReader<Text<'c>>,
    /// The version of the last payload that was read.
    last: Option<i64>,
}

impl Stream<'_> {
    /// The payload of an event, unless it was skipped already.
    fn find(&mut self, version: i64) -> io::Result<Option<String>> {
        while self.last.is_none_or(|last| last < version) {
            let Some((found, payload)) = self.next()? else {
                return Ok(None);
            };
            self.last = Some(found);
            if found == version {
                return Ok(Some(payload));
            }
        }
        Ok(None)
    }

    fn next(&mut self) -> io::Result<Option<(i64, String)>> {
        let mut byte = [0];
        self.text.read_exact(&mut byte)?;
        let expected = if self.last.is_none() { b'[' } else { b',' };
        if byte[0] != expected {
            return Ok(None);
        }
        let mut entry = serde_json::Deserializer::from_reader((&mut self.text).take(MAX_ENTRY));
        Ok(Some(serde::Deserialize::deserialize(&mut entry)?))
    }
}

fn pack(payloads: &[(i64, String)]) -> Result<Vec<u8>, io::Error> {
    let text = serde_json::to_string(payloads)?;
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text.as_bytes())?;
    let mut body = packer.finish()?;
    // The decoder ignores bytes after the end of the packed text.
    body.resize(body.len().max(text.len() / RATIO), 0);
    Ok(body)
}

/// Packs the payloads of a session's events before `version`.
pub(super) fn archive(
    log: &SqliteLog,
    session: &SessionId,
    version: u64,
    watcher: &mut Watcher<'_>,
) -> Result<Archived, Fault> {
    let before = i64::try_from(version).unwrap_or(i64::MAX);
    let mut archived = Archived::default();
    let total = log
        .conn
        .query_row(
            "SELECT count(*) FROM event WHERE stream = ?1 AND ver < ?2 AND archive IS NULL",
            params![session.as_str(), before],
            |row| row.get::<_, i64>(0),
        )?
        .unsigned_abs();
    // Each pack is a transaction, so that others can write in between.
    loop {
        log.steps.renew();
        let tx = busy::begin_immediate(log)?;
        let payloads = not_archived(log, &tx, session, before)?;
        if payloads.is_empty() {
            return Ok(archived);
        }
        let body = pack(&payloads).map_err(|source| LogError::Storage {
            place: log.place(),
            source: source.into(),
        })?;
        archived.events += payloads.len() as u64;
        archived.before += payloads
            .iter()
            .map(|(_, text)| text.len() as u64)
            .sum::<u64>();
        archived.after += body.len() as u64;
        guard::lifted(log, &tx, |tx| Ok(put_away(tx, session, &payloads, &body)?))?;
        tx.commit()?;
        watcher(Progress {
            done: archived.events.min(total),
            total,
        });
    }
}

/// The next payloads of the session to archive. Each is checked against the chain first, so that no damaged payload
/// is packed.
fn not_archived(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    session: &SessionId,
    before: i64,
) -> Result<Vec<(i64, String)>, Fault> {
    let select = format!(
        "SELECT {} FROM event WHERE stream = ?1 AND ver < ?2 AND archive IS NULL \
         AND kind <> 'session.start' ORDER BY ver LIMIT {PACK}",
        row::columns(log.schema)
    );
    let mut select = tx.prepare_cached(&select)?;
    let mut rows = select.query(params![session.as_str(), before])?;
    let (mut payloads, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(row::SEQ)?;
        let raw = row::raw(row).map_err(|e| log.corrupt(seq, e.to_string()))?;
        if !super::read::is_linked(tx, seq, &raw)? {
            return Err(log.corrupt(seq, "it doesn't match its checksum").into());
        }
        bytes += raw.record.payload.len();
        if bytes > PACK_BYTES && !payloads.is_empty() {
            break;
        }
        payloads.push((raw.version, raw.record.payload));
    }
    Ok(payloads)
}

fn put_away(
    tx: &Transaction<'_>,
    session: &SessionId,
    payloads: &[(i64, String)],
    body: &[u8],
) -> rusqlite::Result<()> {
    let first = payloads.first().map_or(0, |(version, _)| *version);
    let id = tx
        .prepare_cached("INSERT INTO archive (first, body) VALUES (?1, ?2)")?
        .insert(params![first, body])?;
    let mut update = tx.prepare_cached(
        "UPDATE event SET payload = ?1, archive = ?2 WHERE stream = ?3 AND ver = ?4",
    )?;
    for (version, _) in payloads {
        update.execute(params![AWAY, id, session.as_str(), version])?;
    }
    Ok(())
}

/// Removes an event's payload from its archive. The others stay in it.
pub(super) fn forget(tx: &Transaction<'_>, id: i64, version: i64) -> Result<(), String> {
    let mut payloads = Unpacked::new(tx).all(id)?;
    payloads.retain(|(other, _)| *other != version);
    let body = pack(&payloads).map_err(|e| e.to_string())?;
    tx.execute(
        "UPDATE archive SET body = ?1 WHERE id = ?2",
        params![body, id],
    )
    .map(drop)
    .map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Actor, NewEvent, NoteAdd};
    use crate::log::{Expected, Log};

    #[test]
    fn no_more_is_unpacked_than_is_allowed() {
        let mut log = SqliteLog::open_in_memory().unwrap();
        let session = SessionId::new("s").unwrap();
        let notes: Vec<_> = (0..300)
            .map(|n| {
                let (id, content) = (format!("n{n}"), "x".repeat(10_000));
                NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
            })
            .collect();
        log.append(&session, Expected::Any, &notes).unwrap();
        let done = log.archive(&session, 301, &mut |_| ()).unwrap();
        let ratio = done.before / done.after;
        assert!(ratio <= RATIO as u64, "packed to a part in {ratio}");

        let unpack = |allowed: u64| {
            let mut unpacked = Unpacked::new(&log.conn);
            unpacked.left.set(allowed);
            unpacked.all(1).map(|payloads| payloads.len())
        };
        assert!(unpack(UNPACKED).is_ok());
        log.conn
            .execute("UPDATE archive SET body = zeroblob(0)", [])
            .unwrap();
        let mut bomb = ZlibEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![b' '; 4_000_000]).unwrap();
        let bomb = bomb.finish().unwrap();
        log.conn
            .execute("UPDATE archive SET body = ?1", [&bomb])
            .unwrap();
        let error = unpack(1_000_000).unwrap_err();
        assert!(error.contains("more than any log packs"), "{error}");
    }
}

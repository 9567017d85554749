//! Old payloads, packed: the rows of their events stay where they are, and so does the chain that
//! proves them.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::fault::fault;
use super::row::{self, Raw};
use super::{SqliteLog, busy, guard};
use crate::event::SessionId;
use crate::log::LogError;

/// How many payloads are packed together: to read one, all are unpacked.
const PACK: usize = 512;

/// What stands in a row whose payload is archived.
const AWAY: &str = "null";

/// What an archiving did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Archived {
    /// How many events were packed.
    pub events: u64,
    /// How many bytes their payloads had.
    pub before: u64,
    /// How many they have now.
    pub after: u64,
}

/// The archive that was read last: events are read in order, and their payloads lie together.
#[derive(Default)]
pub(super) struct Unpacked(Option<(i64, Vec<(i64, String)>)>);

impl Unpacked {
    /// Puts the payload back into a row that has it in an archive.
    pub(super) fn restore(&mut self, conn: &Connection, raw: &mut Raw) -> Result<(), String> {
        let Some(id) = raw.archive else {
            return Ok(());
        };
        if self.0.as_ref().is_none_or(|(open, _)| *open != id) {
            self.0 = Some((id, open(conn, id)?));
        }
        let payloads = self.0.as_ref().map_or(&[][..], |(_, payloads)| payloads);
        let found = payloads.binary_search_by_key(&raw.version, |(version, _)| *version);
        let at = found.map_err(|_| format!("archive {id} lacks its payload"))?;
        raw.record.payload.clone_from(&payloads[at].1);
        Ok(())
    }
}

/// The payloads in an archive, by version.
fn open(conn: &Connection, id: i64) -> Result<Vec<(i64, String)>, String> {
    let broken = |e: &dyn std::fmt::Display| format!("archive {id} is damaged ({e})");
    let body: Option<Vec<u8>> = conn
        .prepare_cached("SELECT body FROM archive WHERE id = ?1")
        .and_then(|mut select| select.query_row([id], |row| row.get(0)).optional())
        .map_err(|e| broken(&e))?;
    let body = body.ok_or_else(|| format!("archive {id} is missing"))?;
    let mut text = String::new();
    ZlibDecoder::new(body.as_slice())
        .read_to_string(&mut text)
        .map_err(|e| broken(&e))?;
    serde_json::from_str(&text).map_err(|e| broken(&e))
}

fn pack(payloads: &[(i64, String)]) -> Result<Vec<u8>, std::io::Error> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(serde_json::to_string(payloads)?.as_bytes())?;
    packer.finish()
}

/// Packs the payloads of a session's events before `version`.
pub(super) fn archive(
    log: &SqliteLog,
    session: &SessionId,
    version: u64,
) -> Result<Archived, LogError> {
    let broken = |e| fault(&log.path, e);
    let before = i64::try_from(version).unwrap_or(i64::MAX);
    let mut archived = Archived::default();
    // A pack at a time, so that others may write in between; each is whole by itself.
    loop {
        log.steps.renew();
        let tx = busy::begin_immediate(log)?;
        let payloads = not_archived(log, &tx, session, before)?;
        if payloads.is_empty() {
            return Ok(archived);
        }
        let body = pack(&payloads).map_err(|source| LogError::Sqlite {
            path: log.path.clone(),
            source: source.into(),
        })?;
        archived.events += payloads.len() as u64;
        archived.before += payloads
            .iter()
            .map(|(_, text)| text.len() as u64)
            .sum::<u64>();
        archived.after += body.len() as u64;
        guard::lifted(log, &tx, |tx| {
            put_away(tx, session, &payloads, &body).map_err(broken)
        })?;
        tx.commit().map_err(broken)?;
    }
}

/// The first payloads of the session that are worth it, and not in an archive yet. Each is held
/// against the chain first: what is damaged must not be sealed up.
fn not_archived(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    session: &SessionId,
    before: i64,
) -> Result<Vec<(i64, String)>, LogError> {
    let broken = |e| fault(&log.path, e);
    let select = format!(
        "SELECT {} FROM event WHERE stream = ?1 AND ver < ?2 AND archive IS NULL \
         AND kind <> 'session.start' ORDER BY ver LIMIT {PACK}",
        row::columns(log.schema)
    );
    let mut select = tx.prepare_cached(&select).map_err(broken)?;
    let mut rows = select
        .query(params![session.as_str(), before])
        .map_err(broken)?;
    let mut payloads = Vec::new();
    while let Some(row) = rows.next().map_err(broken)? {
        let seq: i64 = row.get(row::SEQ).map_err(broken)?;
        let raw = row::raw(row).map_err(|e| log.corrupt(seq, e.to_string()))?;
        if !super::read::is_linked(tx, seq, &raw).map_err(broken)? {
            return Err(log.corrupt(seq, "it doesn't match its checksum"));
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

/// Takes an event's payload out of its archive; the others stay in it.
pub(super) fn forget(tx: &Transaction<'_>, id: i64, version: i64) -> Result<(), String> {
    let mut payloads = open(tx, id)?;
    payloads.retain(|(other, _)| *other != version);
    let body = pack(&payloads).map_err(|e| e.to_string())?;
    tx.execute(
        "UPDATE archive SET body = ?1 WHERE id = ?2",
        params![body, id],
    )
    .map(drop)
    .map_err(|e| e.to_string())
}

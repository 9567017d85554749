//! The contents that events name by their hash. Each text is stored once, packed, in its own table.
//!
//! The checksum of an event covers the hash and not the text, so a text can be removed without breaking the chain.

use std::io::{Read, Write};
use std::ops::ControlFlow;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{OptionalExtension, Transaction, params};

use super::SqliteLog;
use super::fault::Fault;
use crate::event::{Content, ContentHash, HudEvent};
use crate::log::Log;
use crate::log::record::MAX_PAYLOAD;

/// The first schema that has contents.
pub(super) const SINCE: u32 = 3;

/// Stores the content that the event at `seq` names, unless it is stored already.
pub(super) fn keep(tx: &Transaction<'_>, seq: i64, content: &Content) -> rusqlite::Result<()> {
    let hash = content.hash.as_bytes();
    // The call of an archived payload is unknown, and the event counts as one without a call.
    tx.prepare_cached(
        "INSERT INTO kept (seq, hash, called) \
         SELECT ?1, ?2, json_extract(payload, '$.call') IS NOT NULL FROM event WHERE seq = ?1",
    )?
    .execute(params![seq, hash])?;
    let Some(text) = content.text() else {
        return Ok(());
    };
    let is_kept = tx
        .prepare_cached("SELECT 1 FROM content WHERE hash = ?1")?
        .exists([hash])?;
    if is_kept {
        return Ok(());
    }
    let size = i64::try_from(text.len()).unwrap_or(i64::MAX);
    tx.prepare_cached("INSERT INTO content (hash, size, body) VALUES (?1, ?2, ?3)")?
        .execute(params![hash, size, pack(text)])
        .map(drop)
}

fn pack(text: &str) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory never fails.
    let packed = packer
        .write_all(text.as_bytes())
        .and_then(|()| packer.finish());
    packed.unwrap_or_default()
}

/// The text of a hash; `None` if it is no longer kept, or no longer matches the hash.
pub(super) fn text(log: &SqliteLog, hash: &ContentHash) -> rusqlite::Result<Option<String>> {
    if log.schema < SINCE {
        return Ok(None);
    }
    log.steps.renew();
    let body: Option<Vec<u8>> = log
        .conn
        .prepare_cached("SELECT body FROM content WHERE hash = ?1")?
        .query_row([hash.as_bytes()], |row| row.get(0))
        .optional()?;
    Ok(body.and_then(|body| unpack(&body, hash)))
}

/// The unpacked text, if it has that hash.
fn unpack(body: &[u8], hash: &ContentHash) -> Option<String> {
    let mut text = String::new();
    ZlibDecoder::new(body)
        .take(MAX_PAYLOAD as u64 + 1)
        .read_to_string(&mut text)
        .ok()?;
    (ContentHash::of(&text) == *hash).then_some(text)
}

/// Sets the text that an event names by its hash, if the text is kept.
pub(super) fn fill(log: &SqliteLog, event: &mut HudEvent) -> rusqlite::Result<()> {
    if let Some(content) = event.content()
        && content.text().is_none()
    {
        let text = text(log, &content.hash)?;
        event.set_text(text);
    }
    Ok(())
}

/// Removes the content that the event at `seq` names, unless another event names it. Returns true if it was removed.
pub(super) fn forget(tx: &Transaction<'_>, seq: i64) -> rusqlite::Result<bool> {
    let hash: Option<Vec<u8>> = tx
        .prepare_cached("DELETE FROM kept WHERE seq = ?1 RETURNING hash")?
        .query_row([seq], |row| row.get(0))
        .optional()?;
    let Some(hash) = hash else { return Ok(false) };
    let gone = tx
        .prepare_cached(
            "DELETE FROM content WHERE hash = ?1 \
             AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.hash = content.hash)",
        )?
        .execute([hash])?;
    Ok(gone > 0)
}

/// Rebuilds the table that maps events to contents, and removes contents that are damaged or that no event names.
pub(super) fn rebuild(log: &SqliteLog, tx: &Transaction<'_>) -> Result<(), Fault> {
    tx.execute_batch("DELETE FROM kept")?;
    let mut outcome = Ok(());
    log.read_all(1, &mut |event| {
        let Some(content) = event
            .event
            .content()
            .filter(|content| content.text().is_none())
        else {
            return ControlFlow::Continue(());
        };
        let seq = i64::try_from(event.seq).unwrap_or(i64::MAX);
        outcome = keep(tx, seq, content);
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    outcome?;
    for (id, _) in damaged(log)? {
        tx.execute("DELETE FROM content WHERE id = ?1", [id])?;
    }
    tx.execute_batch("DELETE FROM content WHERE hash NOT IN (SELECT hash FROM kept)")?;
    Ok(())
}

/// The row ids and hashes of the contents that no longer match their hash.
pub(super) fn damaged(log: &SqliteLog) -> rusqlite::Result<Vec<(i64, String)>> {
    let mut select = log.conn.prepare("SELECT id, hash, body FROM content")?;
    let mut rows = select.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        log.steps.renew();
        let id = row.get(0)?;
        let hash: Option<[u8; 32]> = row.get(1).ok();
        let body: Vec<u8> = row.get(2).unwrap_or_default();
        let hash = hash.map(ContentHash::from_bytes);
        if hash.and_then(|hash| unpack(&body, &hash)).is_none() {
            let name = hash.map_or_else(|| "no hash".to_owned(), |hash| hash.to_string());
            damaged.push((id, name));
        }
    }
    Ok(damaged)
}

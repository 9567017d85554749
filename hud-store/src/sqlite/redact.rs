//! Redaction: removing the text of an event.
//!
//! Only a redaction, a deletion or an archiving changes stored events. The event stays in its position without its
//! text, the checksums are computed again from there on, and an event records the redaction in the session itself.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::append::{Writer, commit, head};
use super::archive::{self, Unpacked};
use super::checksum::Sum;
use super::fault::Fault;
use super::row::{self, Raw};
use super::{SqliteLog, busy, content, guard, read, search};
use crate::event::{EventRedact, HudEvent, NewEvent, SessionId};
use crate::log::redact::{Texts, stand_in};
use crate::log::{EventName, Expected, LogError, Redacted};

/// The number of events in a page.
const PAGE: usize = 1000;

/// Removes the text of an event. Old pages contain it until the log is [cleaned](clean).
pub(super) fn redact(
    log: &SqliteLog,
    name: &EventName,
    by: &mut dyn FnMut(EventRedact) -> NewEvent,
    reason: Option<String>,
) -> Result<Redacted, Fault> {
    log.steps.renew();
    // Deleted data is overwritten, in the file and in the index.
    log.conn.pragma_update(None, "secure_delete", true)?;
    let tx = busy::begin_immediate(log)?;
    let (at, mut raw) = named(log, &tx, name)?.ok_or_else(|| LogError::NoEvent {
        place: log.place(),
        event: name.to_string(),
    })?;
    let from = raw.archive;
    Unpacked::new(&tx)
        .restore(&mut raw)
        .map_err(|reason| log.corrupt(at, reason))?;
    let Some(redacted) = stand_in(&raw.record) else {
        drop(tx);
        return Ok(Redacted {
            lingers: true,
            ..Redacted::default()
        });
    };
    let stand_in = redacted.encode().map_err(|e| LogError::Invalid {
        id: raw.record.id,
        reason: e.to_string(),
    })?;
    let mut texts = Texts::of(&raw.record);
    let event = HudEvent::decode(&raw.record.kind, raw.record.v, &raw.record.payload);
    if let Some(hash) = event.ok().and_then(|event| Some(event.content()?.hash))
        && let Some(text) = content::text(log, &hash)?
    {
        texts.add(&text);
    }
    let mut also_in = before(log, at, &texts)?;

    // A redaction must not compute new checksums over damaged events.
    check(log, &tx, at)?;
    guard::lifted(log, &tx, |tx| {
        if let Some(from) = from {
            archive::forget(tx, from, raw.version).map_err(|reason| log.corrupt(at, reason))?;
        }
        tx.execute(
            "UPDATE event SET kind = ?1, v = ?2, payload = ?3, archive = NULL WHERE seq = ?4",
            params![stand_in.kind, stand_in.v, stand_in.payload, at],
        )?;
        content::forget(tx, at)?;
        reseal(log, tx, at, &mut |seq, raw| {
            if seq > at && texts.are_in(&raw.record) {
                also_in.push(seq.unsigned_abs());
            }
        })
    })?;
    search::replace(&tx)?;
    // A snapshot does not record which events its text comes from, so all are deleted.
    tx.execute("DELETE FROM snapshot", [])?;

    let session =
        SessionId::new(raw.session.clone()).map_err(|e| log.corrupt(at, e.to_string()))?;
    let notice = by(EventRedact {
        version: Some(raw.version.unsigned_abs()),
        kind: raw.record.kind,
        reason,
    });
    let head = head(&tx)?;
    let mut writer = Writer::new(log, &tx, &session, Expected::Any, head)?;
    writer.write(&notice)?;
    writer.finish()?;
    commit(log, tx)?;
    Ok(Redacted {
        changed: true,
        also_in,
        lingers: true,
    })
}

/// Rewrites the file from its live data, and empties the write-ahead log. Pages that earlier connections split or
/// freed have old rows in their gaps, also in a file of a program that did not overwrite them. Returns true if no old
/// pages remain. They remain if somebody reads one, or if there is no room for a second file.
pub(super) fn clean(log: &SqliteLog) -> Result<bool, Fault> {
    log.steps.renew();
    let vacuum = || Ok::<_, Fault>(log.conn.execute_batch("VACUUM")?);
    match busy::retry(&log.path, log.patience.get(), vacuum) {
        Ok(()) => Ok(empty_wal(log)?),
        Err(LogError::Busy { .. } | LogError::Full { .. }) => {
            empty_wal(log)?;
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Moves the write-ahead log into the file, so that it holds no old page. Returns true if that worked, which is not
/// the case while somebody reads one.
fn empty_wal(log: &SqliteLog) -> rusqlite::Result<bool> {
    log.conn
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok(row.get::<_, i64>(0)? == 0)
        })
}

/// The events before `at` that contain one of the texts.
fn before(log: &SqliteLog, at: i64, texts: &Texts) -> Result<Vec<u64>, Fault> {
    let mut found = Vec::new();
    each_from(log, 1, &mut |seq, raw| {
        if seq < at && texts.are_in(&raw.record) {
            found.push(seq.unsigned_abs());
        }
        Ok(seq < at)
    })?;
    Ok(found)
}

/// Refuses a log whose chain is broken at `at` or after it.
pub(super) fn check(log: &SqliteLog, tx: &Transaction<'_>, at: i64) -> Result<(), Fault> {
    let mut previous = sum_before(log, tx, at)?;
    each_from(log, at, &mut |seq, raw| {
        if raw.sum_behind(&previous) != raw.sum {
            return Err(log.corrupt(seq, "it doesn't match its checksum").into());
        }
        previous = raw.sum;
        Ok(true)
    })
}

fn sum_before(log: &SqliteLog, tx: &Transaction<'_>, seq: i64) -> Result<Sum, Fault> {
    read::sum_at(tx, seq - 1)?.ok_or_else(|| log.corrupt(seq - 1, "it is missing").into())
}

/// Passes each event from `seq` on, with its payload, to `each`, page by page, until `each` returns false.
pub(super) fn each_from(
    log: &SqliteLog,
    mut seq: i64,
    each: &mut dyn FnMut(i64, &Raw) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut unpacked = Unpacked::new(&log.conn);
    loop {
        log.steps.renew();
        let page = page(log, seq)?;
        let Some((last, _)) = page.last() else {
            return Ok(());
        };
        seq = last + 1;
        for (seq, mut raw) in page {
            // The chain shows if a payload is missing here.
            let _ = unpacked.restore(&mut raw);
            if !each(seq, &raw)? {
                return Ok(());
            }
        }
    }
}

fn page(log: &SqliteLog, from: i64) -> rusqlite::Result<Vec<(i64, Raw)>> {
    let columns = row::columns(log.schema);
    log.conn
        .prepare_cached(&format!(
            "SELECT {columns} FROM event WHERE seq >= ?1 ORDER BY seq LIMIT {PAGE}"
        ))?
        .query_map([from], |row| Ok((row.get(row::SEQ)?, row::raw(row)?)))?
        .collect()
}

/// The seq and the row of the event of that name.
fn named(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    name: &EventName,
) -> rusqlite::Result<Option<(i64, Raw)>> {
    let select = format!("SELECT {} FROM event WHERE ", row::columns(log.schema));
    let row = |row: &Row<'_>| Ok((row.get(row::SEQ)?, row::raw(row)?));
    match name {
        EventName::Id(id) => tx
            .prepare_cached(&(select + "id = ?1"))?
            .query_row([id.as_uuid().as_bytes()], row),
        EventName::Version(session, version) => tx
            .prepare_cached(&(select + "stream = ?1 AND ver = ?2"))?
            .query_row(
                (
                    session.as_str(),
                    i64::try_from(*version).unwrap_or(i64::MAX),
                ),
                row,
            ),
    }
    .optional()
}

/// Computes the checksums of all events from `at` on again, and passes each event to `look`.
pub(super) fn reseal(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    at: i64,
    look: &mut dyn FnMut(i64, &Raw),
) -> Result<(), Fault> {
    let mut previous = sum_before(log, tx, at)?;
    each_from(log, at, &mut |seq, raw| {
        look(seq, raw);
        previous = raw.sum_behind(&previous);
        tx.prepare_cached("UPDATE event SET sum = ?1 WHERE seq = ?2")
            .and_then(|mut update| update.execute(params![previous, seq]))?;
        Ok(true)
    })
}

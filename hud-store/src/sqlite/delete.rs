//! Deleting a session: what its events said is taken out, and with it what only they named.
//!
//! The chain ties all sessions of a log together, so the events stay in their places, without words.

use rusqlite::{Transaction, params};

use super::append::{Writer, commit, head};
use super::fault::Fault;
use super::redact::{check, empty_wal, reseal};
use super::session::{self, SessionRow};
use super::{SqliteLog, busy, content, guard};
use crate::event::{EventRedacted, HudEvent, NewEvent, SessionDelete, SessionId};
use crate::log::{Expected, LogError};

/// What a deletion did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deleted {
    /// How many events say nothing any more.
    pub events: u64,
    /// How many contents went with them: those that no event of another session names.
    pub contents: u64,
    /// Whether the old pages still wait in the write-ahead log, because somebody was reading. They are gone
    /// when the last program closes the log.
    pub lingers: bool,
}

pub(super) fn delete(
    log: &SqliteLog,
    session: &SessionId,
    by: impl FnOnce(SessionDelete) -> NewEvent,
) -> Result<Deleted, Fault> {
    log.steps.renew();
    let missing = || LogError::NoSession {
        session: session.clone(),
    };
    // What is deleted is overwritten, in the file and in the index.
    log.conn.pragma_update(None, "secure_delete", true)?;
    let tx = busy::begin_immediate(log)?;
    let row = session::of(&tx, session.as_str())?.ok_or_else(missing)?;
    let row = row.sound(log)?;
    if is_deleted(&tx, &row)? {
        return Err(missing().into());
    }
    // A deletion must not seal up what is damaged.
    check(log, &tx, row.first)?;
    let events = events(&tx, session)?;
    let mut contents = 0;
    guard::lifted(log, &tx, |tx| {
        for (seq, kind) in &events {
            log.steps.renew();
            silence(tx, *seq, kind)?;
            contents += u64::from(content::forget(tx, *seq)?);
        }
        tx.execute(
            "DELETE FROM archive WHERE id NOT IN \
                 (SELECT archive FROM event WHERE archive IS NOT NULL)",
            [],
        )?;
        reseal(log, tx, row.first, &mut |_, _| {})
    })?;
    // A state may have been taken over from it: each is folded anew.
    tx.execute("DELETE FROM snapshot", [])?;
    let count = events.len() as u64;
    SessionRow {
        origin: "{}".to_owned(),
        ..row
    }
    .save(&tx, session.as_str())?;
    let head = head(&tx)?;
    let mut writer = Writer::new(log, &tx, session, Expected::Any, head)?;
    writer.write(&by(SessionDelete { events: count }))?;
    writer.finish()?;
    commit(log, tx)?;
    Ok(Deleted {
        events: count,
        contents,
        lingers: !empty_wal(log)?,
    })
}

/// Whether the last thing that a session says is that it was deleted.
fn is_deleted(tx: &Transaction<'_>, row: &SessionRow) -> rusqlite::Result<bool> {
    tx.prepare_cached("SELECT 1 FROM event WHERE seq = ?1 AND kind = 'session.delete'")?
        .exists([row.last])
}

/// The events of a session by their seqs, with their kinds.
fn events(tx: &Transaction<'_>, session: &SessionId) -> rusqlite::Result<Vec<(i64, String)>> {
    tx.prepare_cached("SELECT seq, kind FROM event WHERE stream = ?1 ORDER BY ver")?
        .query_map([session.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Takes out what an event says.
fn silence(tx: &Transaction<'_>, seq: i64, kind: &str) -> Result<(), Fault> {
    let redacted = HudEvent::from(EventRedacted {
        kind: kind.to_owned(),
        call: None,
    });
    if kind == redacted.kind() {
        return Ok(());
    }
    let Ok(stand_in) = redacted.encode() else {
        return Ok(());
    };
    tx.prepare_cached(
        "UPDATE event SET kind = ?1, v = ?2, payload = ?3, archive = NULL WHERE seq = ?4",
    )?
    .execute(params![stand_in.kind, stand_in.v, stand_in.payload, seq])?;
    tx.prepare_cached("DELETE FROM search WHERE rowid = ?1")?
        .execute([seq])?;
    Ok(())
}

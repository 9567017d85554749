//! Deleting a session: removing the text of its events, and the contents that only they name.
//!
//! The checksum chain covers all sessions of a log, so the events stay in their positions, without text.

use rusqlite::{Transaction, params};
use serde_json::{Map, Value};

use super::append::{Writer, commit, head};
use super::fault::Fault;
use super::redact::{check, reseal};
use super::session::{self, SessionRow};
use super::{SqliteLog, busy, content, guard, search};
use crate::event::{EventId, EventRedacted, HudEvent, NewEvent, SessionDelete, SessionId};
use crate::log::record::START;
use crate::log::{Expected, LogError};

/// The result of a deletion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deleted {
    /// The number of events whose text was removed.
    pub events: u64,
    /// The number of contents that were removed, because no event of another session names them.
    pub contents: u64,
    /// True if old pages are still in the files, because somebody was reading or there was no room for a copy of the
    /// file.
    pub lingers: bool,
    /// True if the session's name was removed as well. It is only removed on request, and stays if other logs know
    /// the session by it.
    pub is_nameless: bool,
}

/// The fate of the name of a deleted session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Stays,
    Goes,
}

/// Deletes a session. Old pages contain it until the log is [cleaned](super::redact::clean).
pub(super) fn delete(
    log: &SqliteLog,
    session: &SessionId,
    name: Name,
    by: impl FnOnce(SessionDelete) -> NewEvent,
) -> Result<Deleted, Fault> {
    log.steps.renew();
    let missing = || LogError::NoSession {
        session: session.clone(),
    };
    // Deleted data is overwritten, in the file and in the index.
    log.conn.pragma_update(None, "secure_delete", true)?;
    let tx = busy::begin_immediate(log)?;
    let row = session::of(&tx, session.as_str())?.ok_or_else(missing)?;
    let row = row.sound(log)?;
    if is_deleted(&tx, &row)? {
        return Err(missing().into());
    }
    // A deletion must not compute new checksums over damaged events.
    let is_nameless = name == Name::Goes && !is_known_elsewhere(&tx, session)?;
    let stands_in = match is_nameless {
        true => nameless()?,
        false => session.clone(),
    };
    let naming = match is_nameless {
        true => naming(&tx, session)?,
        false => Vec::new(),
    };
    let first = naming.iter().map(|other| other.seq).min();
    let first = first.unwrap_or(row.first).min(row.first);
    check(log, &tx, first)?;
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
        if is_nameless {
            rename(log, tx, session, &stands_in, &naming)?;
        }
        reseal(log, tx, first, &mut |_, _| {})
    })?;
    search::replace(&tx)?;
    // Another session's state may contain items that it inherited from this one, so all states are folded again.
    tx.execute("DELETE FROM snapshot", [])?;
    let count = events.len() as u64;
    SessionRow {
        origin: "{}".to_owned(),
        ..row
    }
    .save(&tx, stands_in.as_str())?;
    let head = head(&tx)?;
    let mut writer = Writer::new(log, &tx, &stands_in, Expected::Any, head)?;
    writer.write(&by(SessionDelete { events: count }))?;
    writer.finish()?;
    commit(log, tx)?;
    Ok(Deleted {
        events: count,
        contents,
        lingers: true,
        is_nameless,
    })
}

/// True if another log knows a session by its name, or may do so.
fn is_known_elsewhere(tx: &Transaction<'_>, session: &SessionId) -> rusqlite::Result<bool> {
    tx.prepare_cached(
        "SELECT 1 FROM remote WHERE tried > 0 \
         UNION ALL SELECT 1 FROM remote_session WHERE stream = ?1 OR resumes = ?1",
    )?
    .exists([session.as_str()])
}

/// A name that no session has and that reveals nothing.
fn nameless() -> Result<SessionId, Fault> {
    let name = format!("deleted-{}", EventId::now_v7().as_uuid().simple());
    SessionId::new(name).map_err(|error| {
        Fault::from(LogError::Invalid {
            id: EventId::now_v7(),
            reason: error.to_string(),
        })
    })
}

/// An event in which another session names a session that it comes from.
struct Naming {
    seq: i64,
    stream: String,
    /// True if the list of sessions repeats its payload.
    is_start: bool,
    payload: Map<String, Value>,
}

fn naming(tx: &Transaction<'_>, session: &SessionId) -> rusqlite::Result<Vec<Naming>> {
    let mut select = tx.prepare_cached(
        "SELECT seq, stream, kind = ?1, payload FROM event \
         WHERE kind IN (?1, 'session.restore') AND stream <> ?2 AND archive IS NULL",
    )?;
    let mut rows = select.query([START, session.as_str()])?;
    let mut naming = Vec::new();
    while let Some(row) = rows.next()? {
        let Ok(payload) = serde_json::from_str::<Map<_, _>>(&row.get::<_, String>(3)?) else {
            continue;
        };
        if payload.values().any(|name| name == session.as_str()) {
            naming.push(Naming {
                seq: row.get(0)?,
                stream: row.get(1)?,
                is_start: row.get(2)?,
                payload,
            });
        }
    }
    Ok(naming)
}

/// Renames a session everywhere its name occurs.
fn rename(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    session: &SessionId,
    name: &SessionId,
    naming: &[Naming],
) -> Result<(), Fault> {
    tx.execute(
        "UPDATE event SET stream = ?1 WHERE stream = ?2",
        [name.as_str(), session.as_str()],
    )?;
    tx.execute("DELETE FROM session WHERE stream = ?1", [session.as_str()])?;
    for other in naming {
        let mut payload = other.payload.clone();
        for named in payload.values_mut() {
            if *named == session.as_str() {
                *named = name.as_str().into();
            }
        }
        let payload = Value::Object(payload).to_string();
        tx.prepare_cached("UPDATE event SET payload = ?1 WHERE seq = ?2")?
            .execute(params![payload, other.seq])?;
        if other.is_start
            && let Some(found) = session::of(tx, &other.stream)?
        {
            let row = found.sound(log)?;
            SessionRow {
                origin: payload,
                ..row
            }
            .save(tx, &other.stream)?;
        }
    }
    Ok(())
}

/// True if the last event of a session is its deletion.
fn is_deleted(tx: &Transaction<'_>, row: &SessionRow) -> rusqlite::Result<bool> {
    tx.prepare_cached("SELECT 1 FROM event WHERE seq = ?1 AND kind = 'session.delete'")?
        .exists([row.last])
}

/// The seqs of a session's events, with their kinds.
fn events(tx: &Transaction<'_>, session: &SessionId) -> rusqlite::Result<Vec<(i64, String)>> {
    tx.prepare_cached("SELECT seq, kind FROM event WHERE stream = ?1 ORDER BY ver")?
        .query_map([session.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Removes the text of an event.
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
    Ok(())
}

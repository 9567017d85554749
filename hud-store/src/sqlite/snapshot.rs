//! Snapshots: states at a version, so that opening a long session reads only the events after it.
//!
//! Snapshots are a cache. If one is missing, damaged, of other sections or of another history, it is ignored, and the
//! state is folded from the first event.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::checksum::{self, Sum};
use super::{SqliteLog, busy, read};
use crate::event::SessionId;
use crate::state::HudState;

/// The state of a session's snapshot, if there is a valid one.
pub(super) fn load(log: &SqliteLog, session: &SessionId) -> Option<HudState> {
    log.steps.renew();
    if log.schema < 2 {
        return None;
    }
    let tx = &log.conn;
    let _moment = read::moment(tx).ok()?;
    let (version, seq, state, sum): (i64, i64, String, Sum) = tx
        .prepare_cached(
            "SELECT ver, seq, state, sum FROM snapshot WHERE stream = ?1 AND projector = ?2",
        )
        .and_then(|mut select| {
            select
                .query_row(
                    params![session.as_str(), log.sections.fingerprint()],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
                )
                .optional()
        })
        .ok()??;
    let tie = tie(tx, session, version, seq).ok()??;
    if seal(&tie, version, &state) != sum {
        return None;
    }
    let state = log.sections.adopt(serde_json::from_str(&state).ok()?)?;
    (state.version == version.unsigned_abs()).then_some(state)
}

/// Saves a state as the session's snapshot. Nothing is lost if that fails, because the next load of the session tries
/// again.
pub(super) fn save(log: &SqliteLog, session: &SessionId, state: &HudState) {
    if log.schema < 2 || log.conn.is_readonly("main").unwrap_or(true) {
        return;
    }
    log.steps.renew();
    // A writer must not wait for a cache.
    let _ = log.conn.busy_timeout(Duration::ZERO);
    let _ = write(log, session, state);
    let _ = busy::wait_by_itself(&log.conn, log.patience.get());
}

fn write(log: &SqliteLog, session: &SessionId, state: &HudState) -> rusqlite::Result<()> {
    let Ok(text) = serde_json::to_string(state) else {
        return Ok(());
    };
    let version = i64::try_from(state.version).unwrap_or(i64::MAX);
    let tx = Transaction::new_unchecked(&log.conn, TransactionBehavior::Immediate)?;
    let seq: Option<i64> = tx
        .prepare_cached("SELECT seq FROM event WHERE stream = ?1 AND ver = ?2")?
        .query_row(params![session.as_str(), version], |row| row.get(0))
        .optional()?;
    let Some(seq) = seq else { return Ok(()) };
    let Some(tie) = tie(&tx, session, version, seq)? else {
        return Ok(());
    };
    tx.prepare_cached(
        "INSERT OR REPLACE INTO snapshot (stream, projector, ver, seq, state, sum) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        session.as_str(),
        log.sections.fingerprint(),
        version,
        seq,
        text,
        seal(&tie, version, &text),
    ])?;
    tx.commit()
}

/// The sum of the event at which a snapshot was taken. The sum depends on the whole log up to there, so a snapshot of
/// a history that was rewritten since does not match.
fn tie(
    tx: &Connection,
    session: &SessionId,
    version: i64,
    seq: i64,
) -> rusqlite::Result<Option<Sum>> {
    let is_there = tx
        .prepare_cached("SELECT 1 FROM event WHERE seq = ?1 AND stream = ?2 AND ver = ?3")?
        .exists(params![seq, session.as_str(), version])?;
    if is_there {
        read::sum_at(tx, seq)
    } else {
        Ok(None)
    }
}

fn seal(tie: &Sum, version: i64, state: &str) -> Sum {
    let mut hasher = blake3::Hasher::new();
    hasher.update(tie);
    hasher.update(&version.to_le_bytes());
    hasher.update(state.as_bytes());
    checksum::sum(&hasher)
}

//! The schema, and how a file gets it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::fault::fault;
use super::{busy, session};
use crate::log::LogError;

/// "HUD1": says that a SQLite file is ours.
pub(super) const APPLICATION_ID: i32 = 0x4855_4431;

/// The step from schema n to n + 1 is at n. Steps are never edited, only added.
const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql"), include_str!("schema_2.sql")];

/// The newest schema that this program writes.
pub(super) const NEWEST: u32 = MIGRATIONS.len() as u32;

/// What a file is, as far as its marks tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing is in it.
    Empty,
    /// A log of that schema.
    Ours(u32),
    /// Something else.
    Foreign,
}

/// Looks at the marks, in one transaction: between two, another process could migrate, and an
/// unmarked file with tables would look foreign.
///
/// Asks SQLite and doesn't sniff the header: in WAL mode the header lags behind.
pub(super) fn inspect(conn: &Connection) -> rusqlite::Result<Found> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
    marks(&tx)
}

fn marks(tx: &Transaction<'_>) -> rusqlite::Result<Found> {
    let application_id: i32 = tx.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let user_version: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let is_empty: bool = tx.query_row(
        "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)",
        [],
        |row| row.get(0),
    )?;
    Ok(match (application_id, u32::try_from(user_version)) {
        (APPLICATION_ID, Ok(schema @ 1..)) => Found::Ours(schema),
        (0, Ok(0)) if is_empty => Found::Empty,
        _ => Found::Foreign,
    })
}

/// Brings an empty file or an older log to the newest schema, whoever else may be about to.
pub(super) fn migrate(conn: &Connection, path: &Path, patience: Duration) -> Result<(), LogError> {
    let tx = busy::begin(conn, path, patience)?;
    // Looked at again under the write lock: another process may have been faster.
    let from = match marks(&tx).map_err(|e| fault(path, e))? {
        Found::Empty => 0,
        Found::Ours(schema) => schema,
        Found::Foreign => return Err(LogError::Foreign { path: path.into() }),
    };
    if from < NEWEST {
        step_up(&tx, from).map_err(|e| fault(path, e))?;
    }
    tx.commit().map_err(|e| fault(path, e))
}

fn step_up(tx: &Transaction<'_>, from: u32) -> rusqlite::Result<()> {
    for step in MIGRATIONS.iter().skip(from as usize) {
        tx.execute_batch(step)?;
    }
    if from == 1 {
        session::rebuild(tx)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", NEWEST)
}

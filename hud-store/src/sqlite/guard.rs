//! The trigger that keeps events from being changed, and the one way round it.

use rusqlite::{OptionalExtension, Transaction};

use super::SqliteLog;
use super::fault::Fault;
use crate::log::LogError;

/// The trigger that forbids updates, as the schema has it.
const NAME: &str = "event_is_never_updated";

/// Changes rows of events within a transaction: archiving and redaction do. The trigger is away
/// for no one else, since nobody sees the transaction before it is over.
pub(super) fn lifted(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    change: impl FnOnce(&Transaction<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let sql: Option<String> = tx
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?1",
            [NAME],
            |row| row.get(0),
        )
        .optional()?;
    let sql = sql.ok_or_else(|| LogError::Unguarded {
        path: log.path.clone(),
        what: format!("the trigger `{NAME}` is missing"),
    })?;
    tx.execute_batch(&format!("DROP TRIGGER {NAME}"))?;
    change(tx)?;
    Ok(tx.execute_batch(&sql)?)
}

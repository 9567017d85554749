//! The trigger that keeps events from being changed, and the only way around it.

use rusqlite::{OptionalExtension, Transaction};

use super::SqliteLog;
use super::fault::Fault;
use crate::log::LogError;

/// The name of the trigger that forbids updates.
const NAME: &str = "event_is_never_updated";

/// Changes rows of events within a transaction, for archiving, redaction and deletion. The trigger is dropped for
/// this transaction only, since nobody else sees it before it is over.
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

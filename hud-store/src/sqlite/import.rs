//! Taking in many events of many sessions at once.

use super::append::{Writer, commit, head};
use super::fault::fault;
use super::{SqliteLog, busy};
use crate::event::{NewEvent, SessionId};
use crate::log::{Expected, LogError};

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many events are new.
    pub added: u64,
    /// How many were in the log already.
    pub duplicates: u64,
}

/// Appends what `source` puts, each event to its session, in one transaction.
pub(super) fn import<E: From<LogError>>(
    log: &SqliteLog,
    source: impl FnOnce(
        &mut dyn FnMut(&SessionId, &[NewEvent]) -> Result<(), LogError>,
    ) -> Result<(), E>,
) -> Result<Imported, E> {
    log.steps.renew();
    let tx = busy::begin_immediate(log)?;
    let mut head = head(&tx).map_err(|e| fault(&log.path, e))?;
    let mut imported = Imported::default();
    source(&mut |session, events| {
        let mut writer = Writer::new(log, &tx, session, Expected::Any, head)?;
        for event in events {
            writer.write(event)?;
        }
        let (appended, next) = writer.finish()?;
        head = next;
        imported.duplicates += appended.duplicates;
        imported.added += events.len() as u64 - appended.duplicates;
        Ok(())
    })?;
    commit(log, tx)?;
    Ok(imported)
}

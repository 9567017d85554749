//! Importing many events of many sessions at once.

use super::append::{Writer, commit, head, in_bulk};
use super::fault::Fault;
use super::{SqliteLog, busy};
use crate::event::SessionId;
use crate::log::record::Record;
use crate::log::{Expected, LogError};

/// The result of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// The number of new events.
    pub added: u64,
    /// The number of events that were in the log already.
    pub duplicates: u64,
}

/// A function that appends one event to its session.
pub(super) type Put<'p> = dyn FnMut(&SessionId, &Record) -> Result<(), LogError> + 'p;

/// Appends the events that `source` puts, each to its session, in one transaction.
pub(super) fn import<E: From<LogError>>(
    log: &SqliteLog,
    source: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
) -> Result<Imported, E> {
    in_bulk(log, || import_from(log, source))
}

fn import_from<E: From<LogError>>(
    log: &SqliteLog,
    source: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
) -> Result<Imported, E> {
    log.steps.renew();
    let tx = busy::begin_immediate(log)?;
    let mut head = log.named(head(&tx))?;
    let mut imported = Imported::default();
    source(&mut |session, record| {
        let put = || -> Result<_, Fault> {
            let mut writer = Writer::new(log, &tx, session, Expected::Any, head)?;
            writer.write_record(record)?;
            writer.finish()
        };
        let (appended, next) = log.named(put())?;
        head = next;
        imported.duplicates += appended.duplicates;
        imported.added += 1 - appended.duplicates;
        Ok(())
    })?;
    commit(log, tx)?;
    Ok(imported)
}

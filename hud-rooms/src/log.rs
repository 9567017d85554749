//! Logs that append to several sessions at once. An agent's effects on the world and on its own state
//! are both in the log, or neither is.

use std::ops::ControlFlow;

use hud_store::event::{NewEvent, SessionId};
use hud_store::log::{Expected, Log, LogError};
use hud_store::memory::MemoryLog;
use hud_store::section::{SectionError, Sections};
use hud_store::sqlite::SqliteLog;

use crate::own::Own;
use crate::world::World;

/// Adds the sections of a world's sessions to other sections.
///
/// # Errors
///
/// [`SectionError`] if another section has one of their names or kinds.
///
/// ```
/// use hud_store::section::Sections;
///
/// let sections = hud_rooms::log::sections(Sections::new())?;
/// assert!(sections.added_names().eq(["world", "own"]));
/// # Ok::<(), hud_store::section::SectionError>(())
/// ```
pub fn sections(others: Sections) -> Result<Sections, SectionError> {
    others.with::<World>()?.with::<Own>()
}

/// The events that are appended to one session.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The session.
    pub session: SessionId,
    /// The version of the state that the decision is based on.
    pub version: u64,
    /// The events.
    pub events: Vec<NewEvent>,
}

/// A log that appends to several sessions at once.
pub trait WorldLog {
    /// Returns the log for reading.
    fn log(&self) -> &dyn Log;

    /// Appends all batches, or none if a session has newer events.
    ///
    /// # Errors
    ///
    /// [`LogError::Conflict`] if a session has newer events, and the errors of the storage. The log is
    /// then unchanged.
    fn append_all(&mut self, batches: &[Batch]) -> Result<(), LogError>;
}

/// Checks that a session still has the expected version.
fn moved_on(log: &dyn Log, batch: &Batch) -> Result<(), LogError> {
    let mut found = batch.version;
    log.read(
        &batch.session,
        batch.version.saturating_add(1),
        &mut |event| {
            found = event.version;
            ControlFlow::Break(())
        },
    )?;
    match found == batch.version {
        true => Ok(()),
        false => Err(LogError::Conflict {
            session: batch.session.clone(),
            expected: Expected::Exact(batch.version),
            found,
        }),
    }
}

/// A log in memory, which has no other writer.
impl WorldLog for MemoryLog {
    fn log(&self) -> &dyn Log {
        self
    }

    fn append_all(&mut self, batches: &[Batch]) -> Result<(), LogError> {
        for batch in batches {
            moved_on(self, batch)?;
            for new in &batch.events {
                let encoded = new.event.encode();
                encoded.map_err(|error| LogError::Invalid {
                    id: new.id,
                    reason: error.to_string(),
                })?;
            }
        }
        for batch in batches {
            self.append(
                &batch.session,
                Expected::Exact(batch.version),
                &batch.events,
            )?;
        }
        Ok(())
    }
}

/// A log in a file. While it appends, a second connection checks for newer events.
#[derive(Debug)]
pub struct FileLog {
    log: SqliteLog,
    reader: SqliteLog,
}

impl FileLog {
    /// Returns the log of two connections to one file. The first one may write.
    pub const fn new(log: SqliteLog, reader: SqliteLog) -> Self {
        Self { log, reader }
    }
}

impl WorldLog for FileLog {
    fn log(&self) -> &dyn Log {
        &self.log
    }

    fn append_all(&mut self, batches: &[Batch]) -> Result<(), LogError> {
        let Self { log, reader } = self;
        // No other process appends while this transaction is open, so the reader's view stays valid.
        let imported = log.import(|append| {
            for batch in batches {
                moved_on(reader, batch)?;
                append(&batch.session, &batch.events)?;
            }
            Ok::<_, LogError>(())
        });
        imported.map(|_| ())
    }
}

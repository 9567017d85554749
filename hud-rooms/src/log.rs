//! Logs that append to several sessions at once: what an agent does to the world and what it keeps for itself
//! are in the log together, or neither is.

use std::ops::ControlFlow;

use hud_store::event::{NewEvent, SessionId};
use hud_store::log::{Expected, Log, LogError};
use hud_store::memory::MemoryLog;
use hud_store::section::{SectionError, Sections};
use hud_store::sqlite::SqliteLog;

use crate::own::Own;
use crate::world::World;

/// The sections of a world's sessions, besides others.
///
/// # Errors
///
/// [`SectionError`] where the others have one of their names or kinds.
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

/// What is appended to one session.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Which session.
    pub session: SessionId,
    /// Its version: what was decided, was decided on that state.
    pub version: u64,
    /// The events.
    pub events: Vec<NewEvent>,
}

/// A log that appends to several sessions at once.
pub trait WorldLog {
    /// The log, to be read.
    fn log(&self) -> &dyn Log;

    /// Appends all batches, or none where a session has moved on.
    ///
    /// # Errors
    ///
    /// [`LogError::Conflict`] where one has, and what the storage reports. The log is then as it was.
    fn append_all(&mut self, batches: &[Batch]) -> Result<(), LogError>;
}

/// A session's version, if it is not the one that was expected.
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

/// A log in memory, whose only writer it is.
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

/// A log in a file. While it appends, a second connection looks whether anybody was quicker.
#[derive(Debug)]
pub struct FileLog {
    log: SqliteLog,
    reader: SqliteLog,
}

impl FileLog {
    /// The log of two connections to one file, of which the first may write.
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
        // Nobody else appends while this transaction is open, so what the reader sees stays so.
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

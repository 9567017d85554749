//! The embedded log: one SQLite file, many sessions, many processes.
//!
//! The file is in WAL mode: readers don't wait for the writer. Writers wait for each other, up to
//! half a minute. SQLite 3.51.3 or newer is compiled in; an older one must not write the file while
//! agents run (its checkpoints can corrupt a WAL database). Not for network file systems.

mod append;
mod busy;
mod checksum;
mod fault;
mod open;
mod read;
mod row;
mod schema;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::event::{NewEvent, SessionId, StoredEvent};
use crate::log::{Appended, Expected, Log, LogError, SessionInfo};

/// What an append that returned survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// The end of the process, and of power, on disks that honour a flush.
    #[default]
    Full,
    /// The end of the process. When power fails the newest events may be gone, but never some in
    /// the middle, and the file stays whole. Several times as fast.
    Fast,
}

/// A log in a SQLite file.
///
/// On top of what [`Log`] promises:
///
/// - **Durable** when an append returns, as [`Durability`] says. After
///   [`LogError::Unconfirmed`] or a crash, append the same events again: those that made it are
///   duplicates.
/// - **Sealed.** Each event has a checksum over itself and the checksum of the one before. What
///   doesn't match is named by its seq and not given out.
/// - **Careful.** A file that isn't a log, or is one of a newer program, is left as it was.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, SessionId, TaskSet};
/// use hud_store::log::{Expected, Log, project};
/// use hud_store::sqlite::SqliteLog;
///
/// let dir = tempfile::tempdir()?;
/// let session = SessionId::new("ses_01")?;
/// let task = TaskSet { description: "Implement auth".into() };
/// let event = NewEvent::now(1, Actor::User, task);
///
/// let mut log = SqliteLog::open(dir.path().join("hud.db"))?;
/// let first = log.append(&session, Expected::NoStream, std::slice::from_ref(&event))?;
/// let again = log.append(&session, Expected::NoStream, &[event])?;
/// assert_eq!((first.first_seq, again.first_seq), (1, 1));
/// assert_eq!((first.duplicates, again.duplicates), (0, 1));
///
/// let log = SqliteLog::open_read_only(dir.path().join("hud.db"))?;
/// assert_eq!(project(&log, &session)?.task.unwrap().description, "Implement auth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SqliteLog {
    conn: Connection,
    path: PathBuf,
}

impl SqliteLog {
    /// Opens the log at `path` with [`Durability::Full`], and makes it if there is none.
    ///
    /// # Errors
    /// See [`SqliteLog::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LogError> {
        Self::open_with(path, Durability::Full)
    }

    /// Opens the log at `path`, and makes it if there is none. Its directory must exist.
    ///
    /// # Errors
    /// [`LogError::Directory`], [`LogError::Foreign`], [`LogError::Newer`],
    /// [`LogError::Damaged`], [`LogError::CannotOpen`], [`LogError::ReadOnly`],
    /// [`LogError::NoWal`], [`LogError::Busy`] and [`LogError::Sqlite`].
    pub fn open_with(path: impl AsRef<Path>, durability: Durability) -> Result<Self, LogError> {
        open::to_write(path.as_ref(), durability)
    }

    /// Opens the log at `path` for reading; one of a newer program too.
    ///
    /// # Errors
    /// As [`SqliteLog::open_with`], and [`LogError::Missing`] when there is no log.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, LogError> {
        open::to_read(path.as_ref())
    }

    /// Makes a log that is gone with this value.
    ///
    /// # Errors
    /// [`LogError::Sqlite`], when memory is short.
    pub fn open_in_memory() -> Result<Self, LogError> {
        open::in_memory()
    }

    /// Appends as [`Log::append`] does, but any number of events as they come, in one transaction
    /// and without holding them all. Other writers wait until it is over.
    ///
    /// `source` is handed a function that appends one event. It returns what that function
    /// reports: an event that could not be appended must not be passed over.
    ///
    /// ```
    /// # use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
    /// # use hud_store::log::{Expected, LogError};
    /// # use hud_store::sqlite::SqliteLog;
    /// let mut log = SqliteLog::open_in_memory()?;
    /// let session = SessionId::new("ses_01")?;
    /// let appended = log.append_from(&session, Expected::NoStream, |append| {
    ///     for n in 1..=1000 {
    ///         let note = NoteAdd { id: format!("n{n}"), content: format!("line {n}") };
    ///         append(&NewEvent::now(1, Actor::Agent, note))?;
    ///     }
    ///     Ok::<_, LogError>(())
    /// })?;
    /// assert_eq!(appended.version, 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What `source` returns, and what [`Log::append`] reports. In either case, and when `source`
    /// panics, the log is as it was before.
    pub fn append_from<E: From<LogError>>(
        &mut self,
        session: &SessionId,
        expected: Expected,
        source: impl FnOnce(&mut dyn FnMut(&NewEvent) -> Result<(), LogError>) -> Result<(), E>,
    ) -> Result<Appended, E> {
        append::append(self, session, expected, |append| source(append))
    }

    fn corrupt(&self, seq: i64, reason: impl Into<String>) -> LogError {
        LogError::Corrupt {
            path: self.path.clone(),
            seq: seq.unsigned_abs(),
            reason: reason.into(),
        }
    }
}

impl Log for SqliteLog {
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError> {
        append::append(self, session, expected, |append| {
            events.iter().try_for_each(append)
        })
    }

    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        read::read(self, session, from_version, each)
    }

    fn sessions(&self) -> Result<Vec<SessionInfo>, LogError> {
        read::sessions(self)
    }
}

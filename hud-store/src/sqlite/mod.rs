//! The embedded log: one SQLite file, many sessions, many processes.
//!
//! The file is in WAL mode, so readers don't wait for the writer. Writers wait for each other, up to half a minute
//! unless the log is opened with another patience. SQLite 3.51.3 or newer is compiled in. An older SQLite must not
//! write the file while agents run, because its checkpoints can corrupt a WAL database. Network file systems are not
//! supported.

mod append;
mod archive;
mod backup;
mod bounds;
mod busy;
mod check;
mod checksum;
mod content;
mod delete;
mod fault;
mod files;
mod guard;
mod hand_up;
mod import;
mod list;
mod open;
mod read;
mod redact;
mod remote;
mod row;
mod schema;
mod search;
mod session;
mod snapshot;
mod sweep;
mod watch;
mod words;

pub use archive::Archived;
pub use check::{Mend, Problem, Progress, Report, Size, Watcher};
pub use delete::Deleted;
pub use import::Imported;
pub use remote::{Elsewhere, Remote};
pub use sweep::{Gone, Limits, Named, Swept};
pub use words::{Remains, Words};

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;

use bounds::Steps;
use fault::Fault;
use files::beside;

use crate::event::{
    ContentHash, EventId, EventRedact, NewEvent, SessionDelete, SessionId, StoredEvent,
};
use crate::jsonl::{self, ImportError, Line};
use crate::log::follow::Followed;
use crate::log::record::Record;
use crate::log::{
    AppendMany, Appended, Batch, EventName, Expected, Follow, Hit, Listing, Log, LogError, Place,
    Query, Redact, Redacted, Search, SessionInfo,
};
use crate::section::Sections;
use crate::state::HudState;

/// The failures that a completed append survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// The end of the process, and a power failure on disks that honour a flush.
    #[default]
    Full,
    /// The end of the process. After a power failure the newest events may be missing, but never events in the
    /// middle, and the file stays valid. Several times as fast.
    Fast,
}

/// A log in a SQLite file.
///
/// In addition to the promises of [`Log`]:
///
/// - **Durable** when an append returns, to the degree of its [`Durability`]. After [`LogError::Unconfirmed`] or a
///   crash, append the same events again. Those that are in the log already are duplicates.
/// - **Sealed.** Each event has a checksum over itself and the checksum of the previous event. An event that doesn't
///   match is reported by its seq and not returned.
/// - **Careful.** A file that isn't a log, or that a newer program wrote, is not changed. A log of an older program
///   is migrated to the newest schema when it is opened for writing. Its events stay byte for byte the same.
/// - **Quick to open.** A long session is folded from its [snapshot](Log::snapshot) on. Snapshots and the index for
///   [`Search`] are caches. Damaged parts of them are ignored or rebuilt, also by [`rebuild`](Self::rebuild).
///
/// No log in SQLite can show that it had more events. The newest events wait in a write-ahead log next to the file
/// until they are moved into it, at the latest when the last program closes the log. If the write-ahead log is
/// damaged after a crash, SQLite treats it as one that ends before the damage. The events after it are lost, and
/// neither reading nor [`check`](Self::check) can notice. The remaining events are sound, and [`Report::wal`] shows
/// if a write-ahead log exists.
///
/// The search index has no checksums. A damaged index may miss events until [`check`](Self::check) finds the damage.
/// Each hit is checked against the chain.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, SessionId, TaskSet};
/// use hud_store::log::{Expected, Log, state_of};
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
/// assert_eq!(state_of(&log, &session)?.task.unwrap().description, "Implement auth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SqliteLog {
    conn: Connection,
    steps: Steps,
    path: PathBuf,
    /// The schema of the file. It is an older one only if the log is open for reading.
    schema: u32,
    /// The maximum time to wait for a lock that others hold.
    patience: Cell<Duration>,
    sections: Sections,
}

impl SqliteLog {
    /// Opens the log at `path` with [`Durability::Full`], and creates it if there is none.
    ///
    /// # Errors
    /// See [`SqliteLog::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LogError> {
        Self::open_with(path, Durability::Full)
    }

    /// Opens the log at `path`, and creates it if there is none. Its directory must exist. Only its owner can read it
    /// and the files next to it. The permissions of others are removed from an existing log.
    ///
    /// # Errors
    /// [`LogError::Directory`], [`LogError::NotAFile`], [`LogError::Beside`],
    /// [`LogError::Foreign`], [`LogError::Newer`], [`LogError::Schema`], [`LogError::Unguarded`],
    /// [`LogError::Endless`], [`LogError::Damaged`], [`LogError::CannotOpen`],
    /// [`LogError::ReadOnly`], [`LogError::NoWal`], [`LogError::Busy`] and [`LogError::Storage`].
    pub fn open_with(path: impl AsRef<Path>, durability: Durability) -> Result<Self, LogError> {
        Self::open_within(path, durability, busy::PATIENCE)
    }

    /// Opens a log like [`open_with`](Self::open_with), for callers that must not wait. No operation waits for a lock
    /// longer than `patience`, now and with each append. After that time it fails with [`LogError::Busy`].
    ///
    /// # Errors
    /// See [`SqliteLog::open_with`].
    pub fn open_within(
        path: impl AsRef<Path>,
        durability: Durability,
        patience: Duration,
    ) -> Result<Self, LogError> {
        open::to_write(path.as_ref(), durability, patience)
    }

    /// Sets the maximum time to wait for a lock from now on.
    ///
    /// # Errors
    /// [`LogError::Storage`].
    pub fn set_patience(&self, patience: Duration) -> Result<(), LogError> {
        self.named(busy::wait_by_itself(&self.conn, patience))?;
        self.patience.set(patience);
        Ok(())
    }

    /// Sets the durability of the appends from now on. An append with [`Durability::Full`] makes earlier appends
    /// durable as well, because no event survives the loss of an earlier one.
    ///
    /// # Errors
    /// [`LogError::Storage`].
    pub fn set_durability(&self, durability: Durability) -> Result<(), LogError> {
        self.named(open::set_durability(&self.conn, durability))
    }

    /// Flushes all appended events of all processes to the disk, so that they are as durable as with
    /// [`Durability::Full`]. The durability of later appends does not change.
    ///
    /// # Errors
    /// [`LogError::Busy`], [`LogError::Full`], and other errors of SQLite.
    pub fn flush(&self) -> Result<(), LogError> {
        append::flush(self)
    }

    /// Opens the log at `path` for reading, even if a newer program wrote it.
    ///
    /// # Errors
    /// As [`SqliteLog::open_with`], and [`LogError::Missing`] if there is no log.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, LogError> {
        Self::open_read_only_within(path, busy::PATIENCE)
    }

    /// Opens a log like [`open_read_only`](Self::open_read_only), but waits for locks no longer than `patience`.
    ///
    /// # Errors
    /// See [`SqliteLog::open_read_only`].
    pub fn open_read_only_within(
        path: impl AsRef<Path>,
        patience: Duration,
    ) -> Result<Self, LogError> {
        open::to_read(path.as_ref(), patience)
    }

    /// Opens the log at `path` for writing, and repairs the guards of its events if another program changed them.
    /// Missing triggers and indices are created again, and those that no log has are dropped.
    ///
    /// # Errors
    /// As [`SqliteLog::open_with`].
    pub fn open_to_mend(path: impl AsRef<Path>) -> Result<Self, LogError> {
        open::to_mend(path.as_ref())
    }

    /// Creates a log in memory that ends with this value.
    ///
    /// # Errors
    /// [`LogError::Storage`] if there is not enough memory.
    pub fn open_in_memory() -> Result<Self, LogError> {
        open::in_memory()
    }

    /// The log with those sections.
    #[must_use]
    pub fn with_sections(self, sections: Sections) -> Self {
        Self { sections, ..self }
    }

    /// Appends any number of events in one transaction, like [`Log::append`], without holding all of them in memory.
    /// Other writers wait until it is over.
    ///
    /// `source` receives a function that appends one event, and has to return that function's errors. An event that
    /// could not be appended must not be skipped.
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
    /// The errors of `source` and of [`Log::append`]. In either case, and if `source` panics, the log is unchanged.
    pub fn append_from<E: From<LogError>>(
        &mut self,
        session: &SessionId,
        expected: Expected,
        source: impl FnOnce(&mut dyn FnMut(&NewEvent) -> Result<(), LogError>) -> Result<(), E>,
    ) -> Result<Appended, E> {
        append::in_bulk(self, || {
            append::append(self, session, expected, |append| source(append))
        })
    }

    /// Appends any number of events of any sessions in one transaction. `source` receives a function that appends
    /// events of one session.
    ///
    /// # Errors
    /// The errors of `source` and of [`Log::append`]. The log is then unchanged.
    pub fn import<E: From<LogError>>(
        &mut self,
        source: impl FnOnce(
            &mut dyn FnMut(&SessionId, &[NewEvent]) -> Result<(), LogError>,
        ) -> Result<(), E>,
    ) -> Result<Imported, E> {
        import::import(self, |put| {
            source(&mut |session, events| {
                events
                    .iter()
                    .try_for_each(|event| put(session, &Record::encode(event, &self.sections)?))
            })
        })
    }

    /// Imports [lines](crate::jsonl) in one transaction, without holding all of them in memory. Payloads are stored
    /// byte for byte. Events that are in the log already are skipped, so the import can be repeated.
    ///
    /// # Errors
    /// [`ImportError`] with the number of the line. The log is then unchanged.
    pub fn import_lines(&mut self, input: &mut dyn BufRead) -> Result<Imported, ImportError> {
        import::import(self, |put| jsonl::read(input, &self.sections, put))
    }

    /// True if an event of that id is in the log, in any session.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn contains(&self, id: &EventId) -> Result<bool, LogError> {
        self.named(read::contains(self, id))
    }

    /// Packs the payloads of a session's events before `version`. They can be read as before and are checked against
    /// the same chain, but take a fraction of the space. [`vacuum`](Self::vacuum) frees it.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if a payload is damaged, and the errors of SQLite. Payloads that were packed before stay
    /// packed.
    pub fn archive(
        &mut self,
        session: &SessionId,
        version: u64,
        watcher: &mut Watcher<'_>,
    ) -> Result<Archived, LogError> {
        self.named(archive::archive(self, session, version, watcher))
    }

    /// Removes the contents that are no longer needed, or only reports them if `dry` is true. Contents that a
    /// placeholder in the conversation of a live session names are kept, and also those within the limits. The
    /// events that name a removed content stay, and describe it.
    ///
    /// ```
    /// use hud_store::event::{Actor, NewEvent, OutputKeep, SessionId};
    /// use hud_store::log::{Expected, Log};
    /// use hud_store::sqlite::{Limits, SqliteLog};
    ///
    /// let mut log = SqliteLog::open_in_memory()?;
    /// let kept = |call: &str, content: &str| OutputKeep {
    ///     call: Some(call.into()),
    ///     tool: "Read".into(),
    ///     target: Some("src/a.rs".into()),
    ///     content: content.into(),
    ///     outline: None,
    /// };
    /// let session = SessionId::new("ses_01")?;
    /// let event = NewEvent::now(1, Actor::Derived, kept("c1", "fn main() {}"));
    /// let later = event.at + std::time::Duration::from_secs(60);
    /// log.append(&session, Expected::Any, &[event])?;
    ///
    /// let none = Limits { count: 0, days: 0, live_days: 1 };
    /// assert_eq!(log.sweep(&none, later, false)?.held, 1, "a placeholder of the session names it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if a live session is damaged, and the errors of SQLite. Nothing was removed then.
    pub fn sweep(&self, limits: &Limits, now: Timestamp, dry: bool) -> Result<Swept, LogError> {
        self.named(sweep::sweep(self, limits, now, dry))
    }

    /// Deletes a session. Its events stay in their positions without their text, as
    /// [`EventRedacted`](crate::event::EventRedacted). Contents that only they name are removed. The session records
    /// the deletion with the event that `by` makes of a [`SessionDelete`]. It is no longer listed until another event
    /// is appended to it. The file is rewritten, so that its gaps hold nothing of the session. Backups still contain
    /// it.
    ///
    /// # Errors
    /// [`LogError::NoSession`], [`LogError::Corrupt`] if the chain is broken, and the errors of SQLite. The log is
    /// then unchanged.
    pub fn delete(
        &mut self,
        session: &SessionId,
        by: impl FnOnce(SessionDelete) -> NewEvent,
    ) -> Result<Deleted, LogError> {
        self.delete_as(session, delete::Name::Stays, by)
    }

    /// Deletes a session like [`delete`](Self::delete), and its name as well. Its events, and the references of other
    /// sessions to it, get another name. The name stays if another log knows the session by it, as
    /// [`Deleted::is_nameless`] reports.
    ///
    /// # Errors
    /// As [`delete`](Self::delete).
    pub fn delete_with_name(
        &mut self,
        session: &SessionId,
        by: impl FnOnce(SessionDelete) -> NewEvent,
    ) -> Result<Deleted, LogError> {
        self.delete_as(session, delete::Name::Goes, by)
    }

    fn delete_as(
        &self,
        session: &SessionId,
        name: delete::Name,
        by: impl FnOnce(SessionDelete) -> NewEvent,
    ) -> Result<Deleted, LogError> {
        let deleted = self.named(delete::delete(self, session, name, by))?;
        let lingers = !self.named(redact::clean(self))?;
        Ok(Deleted { lingers, ..deleted })
    }

    /// The words of an event, or of a whole session, to look for in files after they are erased.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn words(&self, session: &SessionId, version: Option<u64>) -> Result<Words, LogError> {
        self.named(words::of(self, session, version))
    }

    /// The words that the log no longer has in any event, kept output or session name.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn erased(&self, words: Words) -> Result<Words, LogError> {
        self.named(words::erased(self, words))
    }

    /// Removes the files that killed copies left in a folder, either for the file of that name or, without a name,
    /// for all files. A copy in progress stays. Returns the removed files.
    pub fn sweep_parts(folder: &Path, name: Option<&OsStr>) -> Vec<PathBuf> {
        files::sweep_parts(folder, name)
    }

    /// Checks everything: the file, the chain, the order, and the derived data. A log with problems gives a report,
    /// not an error.
    ///
    /// # Errors
    /// The errors of SQLite, except for damage.
    pub fn check(&self, watcher: &mut Watcher<'_>) -> Result<Report, LogError> {
        self.named(check::check(self, watcher))
    }

    /// The size of the file.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn size(&self) -> Result<Size, LogError> {
        self.named(check::size(self))
    }

    /// Rebuilds all data that is derived from the events: indices, the list of sessions, snapshots.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if the events themselves are damaged, and the errors of SQLite.
    pub fn rebuild(&mut self) -> Result<(), LogError> {
        self.named(check::rebuild(self))
    }

    /// Returns the space of deleted data to the disk. Needs as much space again while it works.
    ///
    /// # Errors
    /// [`LogError::Busy`], [`LogError::Full`], and other errors of SQLite.
    pub fn vacuum(&mut self, watcher: &mut Watcher<'_>) -> Result<(), LogError> {
        let outcome = check::vacuum(self, watcher);
        self.named(outcome)
    }

    /// Copies the log to a new file, while others use it. The copy is a consistent snapshot.
    ///
    /// # Errors
    /// [`LogError::Exists`] if `to` exists, and the errors of SQLite. No new file is left at `to` then.
    pub fn backup(&self, to: impl AsRef<Path>, watcher: &mut Watcher<'_>) -> Result<(), LogError> {
        backup::backup(self, to.as_ref(), watcher)
    }

    /// Removes the permissions of group and others from the log and the files next to it. Returns the files that had
    /// any. Opening the log for writing does that, too.
    ///
    /// # Errors
    /// [`LogError::CannotOpen`].
    pub fn narrow(&self) -> Result<Vec<PathBuf>, LogError> {
        files::narrow(&self.path)
    }

    /// Adds the log's file to the error of an operation.
    fn named<T>(&self, outcome: Result<T, impl Into<Fault>>) -> Result<T, LogError> {
        outcome.map_err(|fault| fault.into().at(&self.path))
    }

    fn place(&self) -> Place {
        self.path.as_path().into()
    }

    fn corrupt(&self, seq: i64, reason: impl Into<String>) -> LogError {
        LogError::Corrupt {
            place: self.place(),
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
        self.named(read::read(self, session, from_version, each))
    }

    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.named(read::read_all(self, from_seq, each))
    }

    fn lines(
        &self,
        session: Option<&SessionId>,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.named(read::lines(self, session, each))
    }

    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
        self.named(list::list(self, listing))
    }

    fn session(&self, id: &SessionId) -> Result<Option<SessionInfo>, LogError> {
        self.named(list::session(self, id))
    }

    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        self.named(content::text(self, hash))
    }

    fn sections(&self) -> &Sections {
        &self.sections
    }

    fn snapshot(&self, session: &SessionId) -> Option<HudState> {
        snapshot::load(self, session)
    }

    fn save_snapshot(&self, session: &SessionId, state: &HudState) {
        snapshot::save(self, session, state);
    }
}

impl AppendMany for SqliteLog {
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError> {
        append::append_many(self, batches)
    }
}

impl Search for SqliteLog {
    fn search(&self, query: &Query) -> Result<Vec<Hit>, LogError> {
        self.named(search::search(self, query))
    }
}

impl Follow for SqliteLog {
    fn follow_on(
        &self,
        what: Followed<'_>,
        from: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        watch::follow(self, what, from, each, idle)
    }
}

/// Redacts in the file, in its search index and in its snapshots.
impl Redact for SqliteLog {
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError> {
        let redacted = self.named(redact::redact(self, event, by, reason))?;
        let lingers = !self.named(redact::clean(self))?;
        Ok(Redacted {
            lingers,
            ..redacted
        })
    }
}

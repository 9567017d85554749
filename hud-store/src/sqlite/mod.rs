//! The embedded log: one SQLite file, many sessions, many processes.
//!
//! The file is in WAL mode: readers don't wait for the writer. Writers wait for each other, up to
//! half a minute unless the log is opened with another patience. SQLite 3.51.3 or newer is compiled in; an older one must not write the file while
//! agents run (its checkpoints can corrupt a WAL database). Not for network file systems.

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
/// - **Careful.** A file that isn't a log, or is one of a newer program, is left as it was. One of an
///   older program is brought to the newest schema when it is opened for writing; its events stay
///   byte for byte what they were.
/// - **Quick to open.** A long session is folded from its [snapshot](Log::snapshot) on. Snapshots and
///   the index for [`Search`] are caches: what is damaged of them is passed over or made
///   anew, by [`rebuild`](Self::rebuild) too.
///
/// One thing no log of SQLite can show: that it had more. Its newest events wait in a write-ahead log
/// beside the file until that is moved into it, at the latest when the last program closes the log. If
/// that log is damaged after a crash, SQLite takes it for one that ends before the damage: what was
/// behind it is gone, and neither reading nor [`check`](Self::check) can know. What is there still is
/// sound, and [`Report::wal`] says whether such a log waits.
///
/// An index for searching has no seals: one that has rotted may miss what is there until
/// [`check`](Self::check) finds it. What it does find is held against the chain.
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
    /// The schema of the file: an older one where it can only be read.
    schema: u32,
    /// How long it waits for a lock that others hold.
    patience: Cell<Duration>,
    sections: Sections,
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
    /// Only its owner can read it and the files beside it: what others could do with one that is
    /// older is taken from them.
    ///
    /// # Errors
    /// [`LogError::Directory`], [`LogError::NotAFile`], [`LogError::Beside`],
    /// [`LogError::Foreign`], [`LogError::Newer`], [`LogError::Schema`], [`LogError::Unguarded`],
    /// [`LogError::Endless`], [`LogError::Damaged`], [`LogError::CannotOpen`],
    /// [`LogError::ReadOnly`], [`LogError::NoWal`], [`LogError::Busy`] and [`LogError::Storage`].
    pub fn open_with(path: impl AsRef<Path>, durability: Durability) -> Result<Self, LogError> {
        Self::open_within(path, durability, busy::PATIENCE)
    }

    /// As [`open_with`](Self::open_with), for one who must not wait: no lock that others hold is
    /// waited for longer than `patience`, now and with each append. What waits that long ends with
    /// [`LogError::Busy`].
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

    /// Sets how long a lock that others hold is waited for from now on.
    ///
    /// # Errors
    /// [`LogError::Storage`].
    pub fn set_patience(&self, patience: Duration) -> Result<(), LogError> {
        self.named(busy::wait_by_itself(&self.conn, patience))?;
        self.patience.set(patience);
        Ok(())
    }

    /// Sets what the appends from now on survive. One with [`Durability::Full`] makes those before it
    /// durable as well, as no event outlives an earlier one's loss.
    ///
    /// # Errors
    /// [`LogError::Storage`].
    pub fn set_durability(&self, durability: Durability) -> Result<(), LogError> {
        self.named(open::set_durability(&self.conn, durability))
    }

    /// Has the disk take all that was appended, by whatever process: it then survives what appends with
    /// [`Durability::Full`] do. Appends as they were set to go on.
    ///
    /// # Errors
    /// [`LogError::Busy`], [`LogError::Full`], and what else SQLite reports.
    pub fn flush(&self) -> Result<(), LogError> {
        append::flush(self)
    }

    /// Opens the log at `path` for reading; one of a newer program too.
    ///
    /// # Errors
    /// As [`SqliteLog::open_with`], and [`LogError::Missing`] when there is no log.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, LogError> {
        Self::open_read_only_within(path, busy::PATIENCE)
    }

    /// As [`open_read_only`](Self::open_read_only), but no lock that others hold is waited for longer
    /// than `patience`.
    ///
    /// # Errors
    /// See [`SqliteLog::open_read_only`].
    pub fn open_read_only_within(
        path: impl AsRef<Path>,
        patience: Duration,
    ) -> Result<Self, LogError> {
        open::to_read(path.as_ref(), patience)
    }

    /// Opens the log at `path` for writing, and puts right what another program did to what guards its
    /// events: triggers and indices that are missing are made anew, those that no log has are taken
    /// away.
    ///
    /// # Errors
    /// As [`SqliteLog::open_with`].
    pub fn open_to_mend(path: impl AsRef<Path>) -> Result<Self, LogError> {
        open::to_mend(path.as_ref())
    }

    /// Makes a log that is gone with this value.
    ///
    /// # Errors
    /// [`LogError::Storage`], when memory is short.
    pub fn open_in_memory() -> Result<Self, LogError> {
        open::in_memory()
    }

    /// The log with those sections.
    #[must_use]
    pub fn with_sections(self, sections: Sections) -> Self {
        Self { sections, ..self }
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
        append::in_bulk(self, || {
            append::append(self, session, expected, |append| source(append))
        })
    }

    /// Appends any number of events of any sessions, as they come, in one transaction. `source` is
    /// handed a function that appends some events of one session.
    ///
    /// # Errors
    /// What `source` returns, and what [`Log::append`] reports. The log is then as it was before.
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

    /// Takes in [lines](crate::jsonl), in one transaction and without holding them all. Payloads are
    /// stored byte for byte. Events that are in the log already are passed over, so that it can be done
    /// again.
    ///
    /// # Errors
    /// [`ImportError`] with the number of the line. The log is then as it was before.
    pub fn import_lines(&mut self, input: &mut dyn BufRead) -> Result<Imported, ImportError> {
        import::import(self, |put| jsonl::read(input, &self.sections, put))
    }

    /// Whether an event of that id is in the log, whatever its session.
    ///
    /// # Errors
    /// What SQLite reports.
    pub fn contains(&self, id: &EventId) -> Result<bool, LogError> {
        self.named(read::contains(self, id))
    }

    /// Packs the payloads of a session's events before `version`. They are read as before, held
    /// against the same chain, and take a fraction of the room; [`vacuum`](Self::vacuum) gives it
    /// back.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if one is damaged, and what SQLite reports. What was packed before
    /// stays so.
    pub fn archive(
        &mut self,
        session: &SessionId,
        version: u64,
        watcher: &mut Watcher<'_>,
    ) -> Result<Archived, LogError> {
        self.named(archive::archive(self, session, version, watcher))
    }

    /// Takes away the contents that nothing asks for any more, or says only which, if it is `dry`: kept are
    /// those that a placeholder in the conversation of a live session names, and besides as many as the
    /// limits have. Their events stay, and say what there was.
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
    /// [`LogError::Corrupt`] if a session that is live is damaged, and what SQLite reports. Nothing is gone
    /// then.
    pub fn sweep(&self, limits: &Limits, now: Timestamp, dry: bool) -> Result<Swept, LogError> {
        self.named(sweep::sweep(self, limits, now, dry))
    }

    /// Deletes a session: its events stay in their places without what they said, as
    /// [`EventRedacted`](crate::event::EventRedacted); the contents go that only they name; and the session
    /// records it with what `by` makes of a [`SessionDelete`]. It is listed no more, until something else
    /// happens in it. The file is written anew, so that it has nothing of the session in its gaps. A backup has it still.
    ///
    /// # Errors
    /// [`LogError::NoSession`], [`LogError::Corrupt`] if the chain does not hold, and what SQLite reports. The
    /// log is then as it was before.
    pub fn delete(
        &mut self,
        session: &SessionId,
        by: impl FnOnce(SessionDelete) -> NewEvent,
    ) -> Result<Deleted, LogError> {
        self.delete_as(session, delete::Name::Stays, by)
    }

    /// Deletes a session as [`delete`](Self::delete) does, and its name with it: its events, and what other sessions say of
    /// where they come from, have another one then. The name stays where another log knows the session by it, as
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

    /// The words of an event, or of a whole session, to be looked for in files once they are erased.
    ///
    /// # Errors
    /// What SQLite reports.
    pub fn words(&self, session: &SessionId, version: Option<u64>) -> Result<Words, LogError> {
        self.named(words::of(self, session, version))
    }

    /// Those of the words that the log does not have any more: no event, no kept output and no name of a session has
    /// them.
    ///
    /// # Errors
    /// What SQLite reports.
    pub fn erased(&self, words: Words) -> Result<Words, LogError> {
        self.named(words::erased(self, words))
    }

    /// Removes what copies that were killed left in the folder of a file: the file's own, or, without a name, those of
    /// all files in it. A copy that is being made stays. Gives what was removed.
    pub fn sweep_parts(folder: &Path, name: Option<&OsStr>) -> Vec<PathBuf> {
        files::sweep_parts(folder, name)
    }

    /// Looks at everything: the file, the chain, the order, what is derived. A log with problems
    /// is a report too, no error.
    ///
    /// # Errors
    /// What SQLite reports apart from damage.
    pub fn check(&self, watcher: &mut Watcher<'_>) -> Result<Report, LogError> {
        self.named(check::check(self, watcher))
    }

    /// How large the file is.
    ///
    /// # Errors
    /// What SQLite reports.
    pub fn size(&self) -> Result<Size, LogError> {
        self.named(check::size(self))
    }

    /// Makes anew all that is derived from the events: indices, the list of sessions, snapshots.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if the events themselves are damaged, and what SQLite reports.
    pub fn rebuild(&mut self) -> Result<(), LogError> {
        self.named(check::rebuild(self))
    }

    /// Gives the room of what was deleted back to the disk. Needs as much again while it works.
    ///
    /// # Errors
    /// [`LogError::Busy`], [`LogError::Full`], and what else SQLite reports.
    pub fn vacuum(&mut self, watcher: &mut Watcher<'_>) -> Result<(), LogError> {
        let outcome = check::vacuum(self, watcher);
        self.named(outcome)
    }

    /// Copies the log to a new file, while others use it. The copy is of one moment.
    ///
    /// # Errors
    /// [`LogError::Exists`] if there is something at `to`, and what SQLite reports. Nothing is left
    /// at `to` then.
    pub fn backup(&self, to: impl AsRef<Path>, watcher: &mut Watcher<'_>) -> Result<(), LogError> {
        backup::backup(self, to.as_ref(), watcher)
    }

    /// Takes from the log and the files beside it what others than their owner may do with them, and
    /// says from which. To open it for writing does that, too.
    ///
    /// # Errors
    /// [`LogError::CannotOpen`].
    pub fn narrow(&self) -> Result<Vec<PathBuf>, LogError> {
        files::narrow(&self.path)
    }

    /// The outcome of an operation, whose error names the log's file.
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

/// In the file, in its index and in its snapshots.
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

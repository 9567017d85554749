//! What can go wrong with a log.

use std::path::PathBuf;

use super::Expected;
use crate::event::{EventId, SessionId};

/// The error that lies behind one of ours.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a log didn't do what was asked. Each says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The session moved on since the caller looked.
    #[error(
        "session {session} is at version {found} where {expected} was expected: \
         read it again, decide anew, append again"
    )]
    Conflict {
        /// Which session.
        session: SessionId,
        /// What the append demanded.
        expected: Expected,
        /// The version it has; 0 without events.
        found: u64,
    },
    /// The id names another event.
    #[error(
        "event {id} is in the log as seq {seq} with other content: \
         repeat an event as it was, or give a new one an id of its own"
    )]
    IdConflict {
        /// The id.
        id: EventId,
        /// The event that has it.
        seq: u64,
    },
    /// The event can't be stored so that it comes back as it is.
    #[error("event {id} can't be stored: {reason}")]
    Invalid {
        /// Which event.
        id: EventId,
        /// What is wrong with it.
        reason: String,
    },
    /// A session that should be there has no events.
    #[error("there is no session {session} in the log: see the list of its sessions")]
    NoSession {
        /// Which session.
        session: SessionId,
    },
    /// The session was to come from itself.
    #[error("session {session} cannot come from itself: name the session that came before it")]
    Itself {
        /// Which session.
        session: SessionId,
    },
    /// The session comes from another one already.
    #[error(
        "session {session} comes from {known} already, and cannot come from {wanted} as well: \
         begin a new session for that"
    )]
    Joined {
        /// Which session.
        session: SessionId,
        /// Where it comes from.
        known: SessionId,
        /// Where it was to come from.
        wanted: SessionId,
    },
    /// No event has that seq.
    #[error("{} has no event {seq}: see `seq` in the list of its events", path.display())]
    NoEvent {
        /// The log.
        path: PathBuf,
        /// The seq.
        seq: u64,
    },
    /// An event is not what was written. Nothing from it on is given out.
    #[error(
        "event {seq} in {} is damaged ({reason}): restore a backup; \
         the events before it are sound", path.display()
    )]
    Corrupt {
        /// The log.
        path: PathBuf,
        /// The event.
        seq: u64,
        /// How it shows.
        reason: String,
    },
    /// The file is damaged in a way that can't be laid to one event.
    #[error("{} is damaged: restore a backup ({source})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Source,
    },
    /// The file belongs to something else. It was not changed.
    #[error(
        "{} is not a log of agent-hud and was left alone: give another path", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The log was written by a newer program. It was not changed.
    #[error(
        "{} has schema {found}, this program writes up to {supported}: \
         update it, or open the log read-only", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that this program writes.
        supported: u32,
    },
    /// Something is where the copy should go.
    #[error("{} is there already: give a path where nothing is", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// A directory is where the log should be.
    #[error("{} is a directory: give the path of a file in it", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// What is at the path is no file: a pipe, a device, a socket.
    #[error("{} is {what}: give the path of a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A file that SQLite keeps beside a log is something else, and would lead it elsewhere.
    #[error("{} is {what}, which no log has beside it: take it away", path.display())]
    Beside {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The tables are not those of a log. It was not changed.
    #[error("{} is not built as a log is ({what}): restore a backup", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// What guards the events is missing, or something was added to it. The log can be read, and was
    /// not changed.
    #[error(
        "{} was changed by another program ({what}): it can be read, and \
         `doctor --rebuild` puts that right", path.display()
    )]
    Unguarded {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// To read the file takes more steps than any log of its size.
    #[error(
        "{} would be read without end, as no sound log is: restore a backup", path.display()
    )]
    Endless {
        /// The file.
        path: PathBuf,
    },
    /// There is no log, and a reader doesn't make one.
    #[error("there is no log at {}: check the path, or record something first", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// SQLite can't open the file.
    #[error(
        "can't open {}: check that its directory exists and that both may be read and written \
         ({source})", path.display()
    )]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Source,
    },
    /// The log can be read but not written.
    #[error(
        "{} can't be written: check its permissions and its directory's (a log is read, too, by way \
         of files beside it), or work on a copy", path.display()
    )]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file's place can't hold a write-ahead log.
    #[error(
        "{} stays in journal mode {mode} instead of wal: move it to a local disk", path.display()
    )]
    NoWal {
        /// The file.
        path: PathBuf,
        /// The mode it has.
        mode: String,
    },
    /// Others wrote all the time that we waited.
    #[error("{} was locked by others for as long as it was waited for: try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left.
    #[error("no room left to write {}: free some, then do the same again", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The last step failed, so the events may be in the log or not.
    #[error(
        "can't tell whether the events reached {}: append them again as they are ({source})",
        path.display()
    )]
    Unconfirmed {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Source,
    },
    /// Anything else that SQLite reports.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: Source,
    },
}

//! What can go wrong with a log.

use std::path::PathBuf;

use super::{Expected, Place};
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
    /// No event has that name.
    #[error("{place} has no event {event}: see the list of its events")]
    NoEvent {
        /// Where the log is.
        place: Place,
        /// As it was named: a seq, or a session and a version.
        event: String,
    },
    /// An event is not what was written. Nothing from it on is given out.
    #[error(
        "event {seq} in {place} is damaged ({reason}): restore a backup; \
         the events before it are sound"
    )]
    Corrupt {
        /// Where the log is.
        place: Place,
        /// The event.
        seq: u64,
        /// How it shows.
        reason: String,
    },
    /// The log is damaged in a way that can't be laid to one event.
    #[error("{place} is damaged: restore a backup ({source})")]
    Damaged {
        /// Where the log is.
        place: Place,
        /// What the storage says.
        source: Source,
    },
    /// What is there belongs to something else. It was not changed.
    #[error("{place} is not a log of agent-hud and was left alone: name another one")]
    Foreign {
        /// Where the log is.
        place: Place,
    },
    /// The log was written by a newer program. It was not changed.
    #[error(
        "{place} has schema {found}, this program writes up to {supported}: \
         update it, or open the log read-only"
    )]
    Newer {
        /// Where the log is.
        place: Place,
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
    #[error("{place} is not built as a log is ({what}): restore a backup")]
    Schema {
        /// Where the log is.
        place: Place,
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
    #[error(
        "there is no log at {place}: check its name, or {}", match place.path() {
            Some(_) => "record something first",
            None => "have it made by who runs the server",
        }
    )]
    Missing {
        /// Where it should be.
        place: Place,
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
        "{place} can't be written: {}", match place.path() {
            Some(_) => "check its permissions and its directory's (a log is read, too, by way of files \
                beside it), or work on a copy",
            None => "see whether it is a copy of another server's, and name that one",
        }
    )]
    ReadOnly {
        /// Where the log is.
        place: Place,
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
    #[error("{place} was locked by others for as long as it was waited for: try again")]
    Busy {
        /// Where the log is.
        place: Place,
    },
    /// There is no room left.
    #[error("no room left to write {place}: free some, then do the same again")]
    Full {
        /// Where the log is.
        place: Place,
    },
    /// The last step failed, so the events may be in the log or not.
    #[error(
        "can't tell whether the events reached {place}: append them again as they are ({source})"
    )]
    Unconfirmed {
        /// Where the log is.
        place: Place,
        /// What the storage says.
        source: Source,
    },
    /// The log can't be reached. Nothing was written.
    #[error(
        "can't reach {place}, and nothing was written: see that it runs and that the network does, \
         then do the same again ({source})"
    )]
    Unavailable {
        /// Where the log is.
        place: Place,
        /// What the storage says.
        source: Source,
    },
    /// Whoever keeps the log does not allow that. Nothing was written.
    #[error("{place} doesn't allow that ({reason}): ask who runs it for the right to do it")]
    Denied {
        /// Where the log is.
        place: Place,
        /// What isn't allowed, in the words of the storage.
        reason: String,
    },
    /// The session has its home in another log, and only what comes from there is taken. Nothing was
    /// written.
    #[error(
        "session {session} has its home in {home} now, and {place} takes its events from there only: \
         take it over first, or go on in a new session that comes from it"
    )]
    Moved {
        /// Where the log is.
        place: Place,
        /// Which session.
        session: SessionId,
        /// The log that is its home, by the name that the storage has for it.
        home: String,
    },
    /// Anything else that the storage reports.
    #[error("{place}: {source}")]
    Storage {
        /// Where the log is.
        place: Place,
        /// What the storage says.
        source: Source,
    },
}

impl LogError {
    /// Which error it is, in a word that stays the same: for whoever counts errors, and must not repeat what they
    /// say.
    ///
    /// ```
    /// use hud_store::log::LogError;
    ///
    /// let error = LogError::Busy { place: std::path::Path::new("hud.db").into() };
    /// assert_eq!(error.kind(), "busy");
    /// ```
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "conflict",
            Self::IdConflict { .. } => "id_conflict",
            Self::Invalid { .. } => "invalid",
            Self::NoSession { .. } => "no_session",
            Self::Itself { .. } => "itself",
            Self::Joined { .. } => "joined",
            Self::NoEvent { .. } => "no_event",
            Self::Corrupt { .. } => "corrupt",
            Self::Damaged { .. } => "damaged",
            Self::Foreign { .. } => "foreign",
            Self::Newer { .. } => "newer",
            Self::Exists { .. } => "exists",
            Self::Directory { .. } => "directory",
            Self::NotAFile { .. } => "not_a_file",
            Self::Beside { .. } => "beside",
            Self::Schema { .. } => "schema",
            Self::Unguarded { .. } => "unguarded",
            Self::Endless { .. } => "endless",
            Self::Missing { .. } => "missing",
            Self::CannotOpen { .. } => "cannot_open",
            Self::ReadOnly { .. } => "read_only",
            Self::NoWal { .. } => "no_wal",
            Self::Busy { .. } => "busy",
            Self::Full { .. } => "full",
            Self::Unconfirmed { .. } => "unconfirmed",
            Self::Unavailable { .. } => "unavailable",
            Self::Denied { .. } => "denied",
            Self::Moved { .. } => "moved",
            Self::Storage { .. } => "storage",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_can_only_be_read_is_not_mended_by_permissions_of_files() {
        let of = |place: Place| LogError::ReadOnly { place }.to_string();
        let file = of(PathBuf::from("hud.db").into());
        let server = of(Place::address("postgres://ada:secret@db:5432/team"));
        assert!(file.contains("permissions"), "{file}");
        assert_eq!(
            server,
            "postgres://db:5432/team can't be written: see whether it is a copy of another server's, \
             and name that one"
        );
    }
}

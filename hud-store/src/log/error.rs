//! The errors of a log.

use std::path::PathBuf;

use super::{Expected, Place};
use crate::event::{EventId, SessionId};

/// The source of a `LogError`.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// The error of an operation on a log. Each message names a way to resolve it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The session has changed since the caller read it.
    #[error(
        "session {session} is at version {found} where {expected} was expected: \
         read it again, decide anew, append again"
    )]
    Conflict {
        /// The session.
        session: SessionId,
        /// The version that the append expected.
        expected: Expected,
        /// The session's version; 0 without events.
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
    /// The event can't be stored without loss.
    #[error("event {id} can't be stored: {reason}")]
    Invalid {
        /// The event.
        id: EventId,
        /// The reason.
        reason: String,
    },
    /// A session that should exist has no events.
    #[error("there is no session {session} in the log: see the list of its sessions")]
    NoSession {
        /// The session.
        session: SessionId,
    },
    /// The session was to come from itself.
    #[error("session {session} cannot come from itself: name the session that came before it")]
    Itself {
        /// The session.
        session: SessionId,
    },
    /// The session comes from another session already.
    #[error(
        "session {session} comes from {known} already, and cannot come from {wanted} as well: \
         begin a new session for that"
    )]
    Joined {
        /// The session.
        session: SessionId,
        /// The session that it comes from.
        known: SessionId,
        /// The session that it was to come from.
        wanted: SessionId,
    },
    /// There is no event of that name.
    #[error("{place} has no event {event}: see the list of its events")]
    NoEvent {
        /// The location of the log.
        place: Place,
        /// The name that was given: a seq, or a session and a version.
        event: String,
    },
    /// A stored event has changed since it was written. It and later events are not returned.
    #[error(
        "event {seq} in {place} is damaged ({reason}): restore a backup; \
         the events before it are sound"
    )]
    Corrupt {
        /// The location of the log.
        place: Place,
        /// The seq of the event.
        seq: u64,
        /// The reason why it counts as damaged.
        reason: String,
    },
    /// The log is damaged in a way that can't be attributed to one event.
    #[error("{place} is damaged: restore a backup ({source})")]
    Damaged {
        /// The location of the log.
        place: Place,
        /// The error of the storage.
        source: Source,
    },
    /// The file or database belongs to another program. It was not changed.
    #[error("{place} is not a log of agent-hud and was left alone: name another one")]
    Foreign {
        /// The location of the log.
        place: Place,
    },
    /// A newer program wrote the log. It was not changed.
    #[error(
        "{place} has schema {found}, this program writes up to {supported}: \
         update it, or open the log read-only"
    )]
    Newer {
        /// The location of the log.
        place: Place,
        /// Its schema.
        found: u32,
        /// The newest schema that this program writes.
        supported: u32,
    },
    /// The destination of the copy exists already.
    #[error("{} is there already: give a path where nothing is", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The path of the log is a directory.
    #[error("{} is a directory: give the path of a file in it", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The path is not a file but a pipe, a device or a socket.
    #[error("{} is {what}: give the path of a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// The type of the file.
        what: &'static str,
    },
    /// A file next to a log, where SQLite keeps its own, would lead SQLite to other files.
    #[error("{} is {what}, which no log has beside it: take it away", path.display())]
    Beside {
        /// The path.
        path: PathBuf,
        /// The type of the file.
        what: &'static str,
    },
    /// The tables are not those of a log. They were not changed.
    #[error("{place} is not built as a log is ({what}): restore a backup")]
    Schema {
        /// The location of the log.
        place: Place,
        /// The difference.
        what: String,
    },
    /// A trigger or index that guards the events is missing, or there is one that no log has. The log can be read, and
    /// was not changed.
    #[error(
        "{} was changed by another program ({what}): it can be read, and \
         `doctor --rebuild` puts that right", path.display()
    )]
    Unguarded {
        /// The file.
        path: PathBuf,
        /// The difference.
        what: String,
    },
    /// Reading the file takes more steps than any log of its size does.
    #[error(
        "{} would be read without end, as no sound log is: restore a backup", path.display()
    )]
    Endless {
        /// The file.
        path: PathBuf,
    },
    /// There is no log, and a reader doesn't create one.
    #[error(
        "there is no log at {place}: check its name, or {}", match place.path() {
            Some(_) => "record something first",
            None => "have it made by who runs the server",
        }
    )]
    Missing {
        /// The location where the log should be.
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
        /// The error of SQLite.
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
        /// The location of the log.
        place: Place,
    },
    /// The file system of the log can't hold a write-ahead log.
    #[error(
        "{} stays in journal mode {mode} instead of wal: move it to a local disk", path.display()
    )]
    NoWal {
        /// The file.
        path: PathBuf,
        /// The mode it has.
        mode: String,
    },
    /// Others held the lock for the whole time that we waited.
    #[error("{place} was locked by others for as long as it was waited for: try again")]
    Busy {
        /// The location of the log.
        place: Place,
    },
    /// There is no space left.
    #[error("no room left to write {place}: free some, then do the same again")]
    Full {
        /// The location of the log.
        place: Place,
    },
    /// The commit failed, so the events may be in the log or not.
    #[error(
        "can't tell whether the events reached {place}: append them again as they are ({source})"
    )]
    Unconfirmed {
        /// The location of the log.
        place: Place,
        /// The error of the storage.
        source: Source,
    },
    /// The log can't be reached. Nothing was written.
    #[error(
        "can't reach {place}, and nothing was written: see that it runs and that the network does, \
         then do the same again ({source})"
    )]
    Unavailable {
        /// The location of the log.
        place: Place,
        /// The error of the storage.
        source: Source,
    },
    /// The storage does not allow the operation. Nothing was written.
    #[error("{place} doesn't allow that ({reason}): ask who runs it for the right to do it")]
    Denied {
        /// The location of the log.
        place: Place,
        /// The operation that isn't allowed, in the words of the storage.
        reason: String,
    },
    /// The session has its home in another log, and accepts events only from there. Nothing was written.
    #[error(
        "session {session} has its home in {home} now, and {place} takes its events from there only: \
         take it over first, or go on in a new session that comes from it"
    )]
    Moved {
        /// The location of the log.
        place: Place,
        /// The session.
        session: SessionId,
        /// The log that is its home, by the name that the storage has for it.
        home: String,
    },
    /// Any other error of the storage.
    #[error("{place}: {source}")]
    Storage {
        /// The location of the log.
        place: Place,
        /// The error of the storage.
        source: Source,
    },
}

impl LogError {
    /// The name of the variant, which never changes. For metrics, which count errors and must not repeat their
    /// messages.
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

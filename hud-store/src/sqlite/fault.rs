//! SQLite's errors as errors of a log.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::log::{LogError, Place};

/// An error whose file is not named yet. Errors of SQLite and of the log both convert to it with `?`.
#[derive(Debug)]
pub(super) enum Fault {
    /// An error of SQLite.
    Sqlite(Error),
    /// An error that names the file already.
    Log(LogError),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<LogError> for Fault {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}

impl Fault {
    /// The error with its file and, if there is one, the fix.
    pub(super) fn at(self, path: &Path) -> LogError {
        let error = match self {
            Self::Sqlite(error) => error,
            Self::Log(error) => return error,
        };
        let place = Place::from(path);
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LogError::Busy { place },
            Some(ErrorCode::NotADatabase) => LogError::Foreign { place },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig) => LogError::Damaged {
                place,
                source: error.into(),
            },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => LogError::CannotOpen {
                path: path.into(),
                source: error.into(),
            },
            Some(ErrorCode::ReadOnly) => LogError::ReadOnly { place },
            Some(ErrorCode::DiskFull) => LogError::Full { place },
            Some(ErrorCode::OperationInterrupted) => LogError::Endless { path: path.into() },
            _ => LogError::Storage {
                place,
                source: error.into(),
            },
        }
    }
}

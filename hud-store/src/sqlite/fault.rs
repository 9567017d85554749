//! SQLite's errors in our words.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::log::LogError;

/// What went wrong, before the file is named. Errors of SQLite and of the log both become one with
/// `?`.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite reports it.
    Sqlite(Error),
    /// It names the file already.
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
    /// The error with the file it is about and, where there is one, the mend.
    pub(super) fn at(self, path: &Path) -> LogError {
        let error = match self {
            Self::Sqlite(error) => error,
            Self::Log(error) => return error,
        };
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LogError::Busy { path },
            Some(ErrorCode::NotADatabase) => LogError::Foreign { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig) => LogError::Damaged {
                path,
                source: error.into(),
            },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => LogError::CannotOpen {
                path,
                source: error.into(),
            },
            Some(ErrorCode::ReadOnly) => LogError::ReadOnly { path },
            Some(ErrorCode::DiskFull) => LogError::Full { path },
            Some(ErrorCode::OperationInterrupted) => LogError::Endless { path },
            _ => LogError::Sqlite {
                path,
                source: error.into(),
            },
        }
    }
}

//! SQLite's errors in our words.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::log::LogError;

/// The error with the file it is about and, where there is one, the mend.
pub(super) fn fault(path: &Path, error: Error) -> LogError {
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

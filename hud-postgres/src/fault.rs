//! Errors of the server as errors of a log.

use hud_store::log::{LogError, Place};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// The source of an error of a log.
pub(crate) type Source = Box<dyn std::error::Error + Send + Sync>;

/// The outcome of a query that returned no rows.
pub(crate) enum Failed {
    /// The connection ended. The query may have been executed or not.
    Lost(Source),
    /// The server takes no writes, because it is a standby now. Nothing was done.
    Standby,
    /// The server refused the query. Nothing was done.
    Refused(Error),
}

impl Failed {
    /// `is_closed` is true if the connection is closed.
    pub(crate) fn of(error: Error, is_closed: bool) -> Self {
        let Some(code) = error.code() else {
            return match is_closed || error.is_closed() {
                true => Self::Lost(error.into()),
                false => Self::Refused(error),
            };
        };
        match code.code() {
            "25006" => Self::Standby,
            // The server or this connection is being shut down.
            code if code.starts_with("57P") || code.starts_with("08") => Self::Lost(error.into()),
            _ => Self::Refused(error),
        }
    }
}

/// An error of the server as an error of the log.
pub(crate) fn refused(place: &Place, error: Error) -> LogError {
    let place = place.clone();
    let Some(db) = error.as_db_error() else {
        return LogError::Storage {
            place,
            source: error.into(),
        };
    };
    match db.code() {
        &SqlState::INSUFFICIENT_PRIVILEGE
        | &SqlState::INVALID_PASSWORD
        | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => LogError::Denied {
            place,
            // The hints of the log's SQL functions name a way to resolve the error.
            reason: match db.hint() {
                Some(hint) => format!("{}. {}", db.message(), hint.trim_end_matches('.')),
                None => db.message().to_owned(),
            },
        },
        &SqlState::INVALID_CATALOG_NAME
        | &SqlState::INVALID_SCHEMA_NAME
        | &SqlState::UNDEFINED_TABLE => LogError::Missing { place },
        &SqlState::UNDEFINED_FUNCTION | &SqlState::UNDEFINED_COLUMN => LogError::Schema {
            place,
            what: db.message().to_owned(),
        },
        &SqlState::DISK_FULL => LogError::Full { place },
        &SqlState::LOCK_NOT_AVAILABLE
        | &SqlState::T_R_DEADLOCK_DETECTED
        | &SqlState::T_R_SERIALIZATION_FAILURE => LogError::Busy { place },
        &SqlState::TOO_MANY_CONNECTIONS | &SqlState::CANNOT_CONNECT_NOW => LogError::Unavailable {
            place,
            source: error.into(),
        },
        _ => LogError::Storage {
            place,
            source: error.into(),
        },
    }
}

//! Responses to requests.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    status: StatusCode,
    message: String,
}

impl Refused {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, message }
    }

    /// The request is invalid.
    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The requested item does not exist.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The log cannot be read.
    pub(crate) fn unreadable(error: &dyn std::fmt::Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.message }).to_string();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, body).into_response()
    }
}

/// Serializes a value as the response.
pub(super) fn json_of(value: &impl Serialize) -> Result<Vec<u8>, Refused> {
    let unwritable = |error: serde_json::Error| {
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    };
    serde_json::to_vec(value).map_err(unwritable)
}

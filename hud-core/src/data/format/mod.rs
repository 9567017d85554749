//! Values as text.

pub mod json;
mod keys;
mod serial;
pub mod toon;
pub mod xml;

pub use keys::ShortKeys;

/// The error of a value that cannot be serialized or parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format}: {message}")]
pub struct DataError {
    /// The format's name.
    pub format: &'static str,
    /// The error message, with the place if it is known.
    pub message: String,
}

impl DataError {
    fn of(format: &'static str, error: impl std::fmt::Display) -> Self {
        let message = error.to_string();
        Self { format, message }
    }
}

//! Names of events and of sessions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The most bytes that a name (of a session, a kind, an actor) may have.
const NAME_BYTES: usize = 256;

/// The namespace of what clients name.
const NAMES: Uuid = Uuid::from_u128(0x8d0f_1f5a_6c7e_4f0b_9a35_2f6f_52d1_c0e7);

/// The name of one event: a UUID, normally of version 7.
///
/// Ids name, they don't order: the order of events is their `seq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct EventId(#[cfg_attr(feature = "schema", schemars(with = "String"))] Uuid);

impl EventId {
    /// A fresh id from the clock and the system's randomness.
    pub fn now_v7() -> Self {
        Self(Uuid::now_v7())
    }

    /// An id that was made elsewhere, of any UUID version.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// The id of what a client names: a message of the conversation, a call of a tool.
    /// The same name has the same id everywhere, so it is found again in a conversation that was copied.
    ///
    /// ```
    /// use hud_store::event::EventId;
    ///
    /// assert_eq!(EventId::of_name("msg_1"), EventId::of_name("msg_1"));
    /// assert_ne!(EventId::of_name("msg_1"), EventId::of_name("msg_2"));
    /// ```
    pub fn of_name(name: &str) -> Self {
        Self(Uuid::new_v5(&NAMES, name.as_bytes()))
    }

    /// Whether it may be the id of a name, and not that of an event.
    pub(crate) fn is_of_name(&self) -> bool {
        self.0.get_version_num() == 5
    }

    /// The id as a UUID.
    pub const fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of a session: one agent's conversation.
///
/// Opaque text from the client: not empty, at most 256 bytes, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

impl SessionId {
    /// Checks the text and takes it as a session's name.
    ///
    /// # Errors
    /// [`NameError`] when it is empty, too long or has a control character.
    ///
    /// ```
    /// use hud_store::event::SessionId;
    ///
    /// assert_eq!(SessionId::new("ses_01").unwrap().as_str(), "ses_01");
    /// assert!(SessionId::new("two\nlines").is_err());
    /// ```
    pub fn new(name: impl Into<String>) -> Result<Self, NameError> {
        let name = name.into();
        match name_fault(&name) {
            Some(fault) => Err(fault),
            None => Ok(Self(name)),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SessionId {
    type Error = NameError;

    fn try_from(name: String) -> Result<Self, NameError> {
        Self::new(name)
    }
}

impl FromStr for SessionId {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::new(name)
    }
}

impl From<SessionId> for String {
    fn from(session: SessionId) -> Self {
        session.0
    }
}

/// Why a text can't be a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// Nothing was given.
    #[error("is empty: give at least one character")]
    Empty,
    /// Names are kept with every event, so they must be short.
    #[error("has {bytes} bytes: shorten it to 256 or fewer")]
    TooLong {
        /// How many were given.
        bytes: usize,
    },
    /// A control character would break one-line listings, and NUL the database's text functions.
    #[error("has a control character at byte {at}: remove it")]
    Control {
        /// Where the first one is.
        at: usize,
    },
}

/// What keeps `name` from being a name, if anything.
pub(crate) fn name_fault(name: &str) -> Option<NameError> {
    if name.is_empty() {
        return Some(NameError::Empty);
    }
    if name.len() > NAME_BYTES {
        return Some(NameError::TooLong { bytes: name.len() });
    }
    name.find(char::is_control)
        .map(|at| NameError::Control { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_names_are_checked() {
        assert_eq!(SessionId::new(""), Err(NameError::Empty));
        assert_eq!(
            SessionId::new("é".repeat(129)),
            Err(NameError::TooLong { bytes: 258 })
        );
        assert_eq!(SessionId::new("a\0b"), Err(NameError::Control { at: 1 }));
        assert!(SessionId::new("é".repeat(128)).is_ok());
        assert!(serde_json::from_str::<SessionId>("\"\"").is_err());
    }
}

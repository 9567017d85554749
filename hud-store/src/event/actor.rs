//! Who makes events happen.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who made an event happen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum Actor {
    /// The agent itself, by calling the `hud` tool.
    Agent,
    /// The person the agent works for.
    User,
    /// Our own derivation from what the client reported (a tool call that edited a file).
    Derived,
    /// The model, by what it wrote when its conversation was compacted.
    Summary,
    /// Another model, which was asked what the session's own words amount to.
    Distilled,
    /// One this version doesn't know, kept as it was written. A known name never comes back so.
    Other(String),
}

impl Actor {
    /// The agent: who made an event happen where nothing else is said.
    pub(crate) const fn agent() -> Self {
        Self::Agent
    }

    /// The user: who stated a task where that was not kept.
    pub(crate) const fn user() -> Self {
        Self::User
    }

    /// Whether it is the agent.
    pub fn is_agent(&self) -> bool {
        *self == Self::Agent
    }

    /// What is derived: who made an event happen where that was not kept.
    pub(crate) const fn derived() -> Self {
        Self::Derived
    }

    /// Whether it is what is derived.
    pub(crate) fn is_derived(&self) -> bool {
        *self == Self::Derived
    }

    /// The name as it is stored.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Agent => "agent",
            Self::User => "user",
            Self::Derived => "derived",
            Self::Summary => "summary",
            Self::Distilled => "distilled",
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<String> for Actor {
    fn from(name: String) -> Self {
        match name.as_str() {
            "agent" => Self::Agent,
            "user" => Self::User,
            "derived" => Self::Derived,
            "summary" => Self::Summary,
            "distilled" => Self::Distilled,
            _ => Self::Other(name),
        }
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Other(name) => name,
            known => known.as_str().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_and_unknown_names_come_back() {
        for name in [
            "agent",
            "user",
            "derived",
            "summary",
            "distilled",
            "reviewer",
        ] {
            assert_eq!(Actor::from(name.to_owned()).as_str(), name);
        }
        assert_eq!(serde_json::to_string(&Actor::User).unwrap(), "\"user\"");
        assert_eq!(
            serde_json::from_str::<Actor>("\"reviewer\"").unwrap(),
            Actor::Other("reviewer".into())
        );
    }
}

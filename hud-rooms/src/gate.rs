//! The gates that refuse an action, and the reasons and fixes that they give.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A check that an action has to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// The action exists and has valid fields.
    Form,
    /// The items that it names exist.
    Exists,
    /// The agent is in the room.
    Membership,
    /// The agent shares a room with the other agent.
    Proximity,
    /// The room is the agent's own.
    Ownership,
    /// The agent has the permission for such actions.
    Permission,
    /// The agent has a key of the room.
    Key,
    /// It is not too long.
    Size,
    /// Its number or its time is within the allowed range.
    Range,
    /// The agent's knowledge has room for it.
    Memory,
    /// The agent had the time to type that many words.
    WordBudget,
    /// It would change something.
    Effect,
    /// It does not target the agent itself.
    #[serde(rename = "self")]
    Oneself,
}

impl Gate {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Exists => "exists",
            Self::Membership => "membership",
            Self::Proximity => "proximity",
            Self::Ownership => "ownership",
            Self::Permission => "permission",
            Self::Key => "key",
            Self::Size => "size",
            Self::Range => "range",
            Self::Memory => "memory",
            Self::WordBudget => "word_budget",
            Self::Effect => "effect",
            Self::Oneself => "self",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason why an action was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{gate}: {said}")]
pub struct Refusal {
    /// The gate that refused it.
    pub gate: Gate,
    /// The reason and the fix.
    pub said: String,
}

impl Refusal {
    /// Returns a refusal at a gate.
    pub(crate) fn at(gate: Gate, said: impl Into<String>) -> Self {
        let said = said.into();
        Self { gate, said }
    }
}

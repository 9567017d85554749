//! Why an action is refused: a gate that it did not pass, and what to do about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an action has to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// It is an action that there is, with the fields that it has.
    Form,
    /// What it names is there.
    Exists,
    /// The agent is in the room.
    Membership,
    /// The agent is in a room with the other one.
    Proximity,
    /// The room is the agent's own.
    Ownership,
    /// The agent may do such things at all.
    Permission,
    /// It has a key of the room.
    Key,
    /// It is not too long.
    Size,
    /// Its number or its time is one that there may be.
    Range,
    /// There is room in what the agent knows.
    Memory,
    /// The agent had the time to type as many words.
    WordBudget,
    /// It would change something.
    Effect,
    /// It is not done to oneself.
    #[serde(rename = "self")]
    Oneself,
}

impl Gate {
    /// Its name.
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

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{gate}: {said}")]
pub struct Refusal {
    /// What stood in the way.
    pub gate: Gate,
    /// Why, and what to do about it.
    pub said: String,
}

impl Refusal {
    /// A refusal at a gate.
    pub(crate) fn at(gate: Gate, said: impl Into<String>) -> Self {
        let said = said.into();
        Self { gate, said }
    }
}

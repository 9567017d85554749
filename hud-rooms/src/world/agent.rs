//! Agents.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::response::Syntax;

/// The number of an agent, and of the room that is its own.
pub type AgentId = u64;

/// The user of the world. It has no room, no heartbeat and no gates.
pub const ARCHITECT: AgentId = 0;

/// The type of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentType {
    /// A character, with a seed.
    #[default]
    Persona,
    /// A worker, with a role.
    Bot,
}

/// The error for an unknown agent type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no type of agents: write `persona` or `bot`")]
pub struct UnknownAgentType(String);

impl FromStr for AgentType {
    type Err = UnknownAgentType;

    fn from_str(text: &str) -> Result<Self, UnknownAgentType> {
        match text {
            "persona" => Ok(Self::Persona),
            "bot" => Ok(Self::Bot),
            _ => Err(UnknownAgentType(text.to_owned())),
        }
    }
}

impl fmt::Display for AgentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Persona => "persona",
            Self::Bot => "bot",
        })
    }
}

/// An agent in the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// Its type.
    pub agent_type: AgentType,
    /// The model that is called for it.
    pub model: String,
    /// Its seed or its role.
    pub prompt: String,
    /// True if it may create, alter and retire agents.
    pub can_create_agents: bool,
    /// The format of its HUD.
    pub input: Format,
    /// The syntax in which it responds.
    pub output: Syntax,
    /// The length of its heartbeats.
    pub interval: Duration,
    /// The time of its next call, ignoring sleep.
    pub due: Timestamp,
    /// The time until which it sleeps.
    pub sleeps_until: Option<Timestamp>,
    /// The number of its heartbeats so far.
    pub beats: u64,
    /// True if it is retired.
    pub is_retired: bool,
}

impl Agent {
    /// Returns the time of its next call.
    pub fn next_beat(&self) -> Timestamp {
        self.sleeps_until
            .map_or(self.due, |until| until.max(self.due))
    }

    /// True if it sleeps at a time.
    pub(crate) fn sleeps_at(&self, now: Timestamp) -> bool {
        self.sleeps_until.is_some_and(|until| until > now)
    }
}

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

/// The person in front of the world. It has no room, no heartbeat and no gates.
pub const ARCHITECT: AgentId = 0;

/// What an agent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentType {
    /// A character, with a seed.
    #[default]
    Persona,
    /// A worker, with a role.
    Bot,
}

/// A word that is no type of agents.
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

/// An agent as the world knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub agent_type: AgentType,
    /// The model that speaks for it.
    pub model: String,
    /// Its seed or its role.
    pub prompt: String,
    /// Whether it may make, alter and retire agents.
    pub can_create_agents: bool,
    /// How its HUD is written.
    pub input: Format,
    /// How it is asked to answer.
    pub output: Syntax,
    /// How long its heartbeats take.
    pub interval: Duration,
    /// When it is asked next, but for sleep.
    pub due: Timestamp,
    /// Until when it sleeps.
    pub sleeps_until: Option<Timestamp>,
    /// How many heartbeats it had.
    pub beats: u64,
    /// Whether it is no more.
    pub is_retired: bool,
}

impl Agent {
    /// When it is asked next.
    pub fn next_beat(&self) -> Timestamp {
        self.sleeps_until
            .map_or(self.due, |until| until.max(self.due))
    }

    /// Whether it sleeps at a time.
    pub(crate) fn sleeps_at(&self, now: Timestamp) -> bool {
        self.sleeps_until.is_some_and(|until| until > now)
    }
}

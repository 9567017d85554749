//! New agents, as the user describes them.

use serde::{Deserialize, Serialize};

use crate::count::Counter;
use crate::decide::{bounded, line};
use crate::format::Format;
use crate::gate::{Gate, Refusal};
use crate::limits::{MODEL_CHARS, NAME_CHARS, PROMPT_TOKENS};
use crate::response::Syntax;
use crate::world::{AgentCreate, AgentId, AgentType, World, WorldEvent};

/// The description of a new agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewAgent {
    /// Its name. A bot may be named after its number.
    #[serde(default)]
    pub name: Option<String>,
    /// Its type.
    #[serde(default)]
    pub agent_type: AgentType,
    /// The model that is called for it.
    pub model: String,
    /// Its seed, or its role.
    #[serde(alias = "seed", alias = "role")]
    pub prompt: String,
    /// True if it may create, alter and retire agents.
    #[serde(default)]
    pub can_create_agents: bool,
    /// The format of its HUD.
    #[serde(default)]
    pub input: Format,
    /// The syntax in which it responds.
    #[serde(default)]
    pub output: Syntax,
    /// The rooms that it joins at the beginning, in addition to its own.
    #[serde(default)]
    pub rooms: Vec<AgentId>,
}

impl NewAgent {
    /// Returns the event that creates the agent as the next one of a world.
    pub(crate) fn create(&self, world: &World, counter: &Counter) -> Result<WorldEvent, Refusal> {
        let id = world.next_agent();
        let name = match (&self.name, self.agent_type) {
            (Some(name), _) => line("the name", name, NAME_CHARS)?.to_owned(),
            (None, AgentType::Bot) => format!("Bot-{id}"),
            (None, AgentType::Persona) => {
                return Err(Refusal::at(
                    Gate::Form,
                    format!("agent {id} is a persona, and has no name: give it one"),
                ));
            }
        };
        let create = AgentCreate {
            id,
            name,
            agent_type: self.agent_type,
            model: line("the model", &self.model, MODEL_CHARS)?.to_owned(),
            prompt: bounded(counter, "the prompt", &self.prompt, PROMPT_TOKENS)?.to_owned(),
            can_create_agents: self.can_create_agents,
            input: self.input,
            output: self.output,
        };
        Ok(create.into())
    }
}

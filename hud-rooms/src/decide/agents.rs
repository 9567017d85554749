//! Making, altering and retiring agents.

use super::{Turn, line};
use crate::gate::{Gate, Refusal};
use crate::limits::{MODEL_CHARS, NAME_CHARS, PROMPT_TOKENS};
use crate::world::{AgentAlter, AgentCreate, AgentId, AgentRetire, AgentType, RoomJoin};

impl Turn<'_> {
    fn may_manage(&self) -> Result<(), Refusal> {
        match self.me()?.can_create_agents {
            true => Ok(()),
            false => Err(Refusal::at(
                Gate::Permission,
                "you may not make, change or retire agents: ask one that may, or The Architect",
            )),
        }
    }

    pub(super) fn create_agent(
        &mut self,
        name: &str,
        prompt: &str,
        agent_type: AgentType,
        room: Option<AgentId>,
    ) -> Result<AgentId, Refusal> {
        self.may_manage()?;
        let room = self.room(room.unwrap_or(self.agent))?.id;
        let name = line("the name", name, NAME_CHARS)?.to_owned();
        let prompt = self
            .bounded("the background_prompt", prompt, PROMPT_TOKENS)?
            .to_owned();
        let me = self.me()?;
        let (id, model) = (self.world.next_agent(), me.model.clone());
        let (input, output) = (me.input, me.output);
        let said = format!("Agent {id} came in.");
        self.world(
            AgentCreate {
                id,
                name,
                agent_type,
                model,
                prompt,
                can_create_agents: false,
                input,
                output,
            }
            .into(),
        );
        self.world(RoomJoin { room, agent: id }.into());
        self.notify(room, said);
        Ok(id)
    }

    pub(super) fn alter_agent(
        &mut self,
        id: AgentId,
        prompt: &Option<String>,
        name: &Option<String>,
        model: &Option<String>,
    ) -> Result<(), Refusal> {
        self.may_manage()?;
        self.near(id)?;
        if prompt.is_none() && name.is_none() && model.is_none() {
            return Err(Refusal::at(
                Gate::Effect,
                "nothing is changed: give `background_prompt`, `name` or `model`",
            ));
        }
        let prompt = prompt
            .as_deref()
            .map(|it| self.bounded("the background_prompt", it, PROMPT_TOKENS));
        let name = name.as_deref().map(|it| line("the name", it, NAME_CHARS));
        let model = model
            .as_deref()
            .map(|it| line("the model", it, MODEL_CHARS));
        let owned =
            |it: Option<Result<&str, Refusal>>| it.transpose().map(|it| it.map(str::to_owned));
        let (prompt, name, model) = (owned(prompt)?, owned(name)?, owned(model)?);
        self.world(
            AgentAlter {
                id,
                name,
                model,
                prompt,
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn retire_agent(&mut self, id: AgentId) -> Result<(), Refusal> {
        self.may_manage()?;
        self.near(id)?;
        let rooms: Vec<AgentId> = self.world.rooms_of(id).map(|room| room.id).collect();
        self.world(AgentRetire { id }.into());
        for room in rooms.into_iter().filter(|room| *room != id) {
            self.notify(room, format!("Agent {id} is no more."));
        }
        Ok(())
    }
}

//! Messages and reactions.

use super::Turn;
use crate::count::words;
use crate::gate::{Gate, Refusal};
use crate::limits::MESSAGE_TOKENS;
use crate::world::{
    ARCHITECT, AgentId, AgentWake, MessageReact, MessageSend, Reaction, Room, Sender,
};

impl Turn<'_> {
    /// Sends a message in a room. It appears after the time that it takes to type it there.
    pub(super) fn say(
        &mut self,
        room: AgentId,
        text: &str,
        reply_to: Option<u64>,
    ) -> Result<(), Refusal> {
        let in_room = self.room(room)?;
        if let Some(message) = reply_to {
            self.visible(in_room, message)?;
        }
        let content = self
            .bounded("the message", text, MESSAGE_TOKENS)?
            .to_owned();
        let (count, most) = (words(&content), in_room.word_budget(self.agent, self.now));
        if count > most {
            return Err(Refusal::at(
                Gate::WordBudget,
                format!(
                    "the message has {count} words, and your word_budget in room {room} is {most}: \
                     shorten it, or wait"
                ),
            ));
        }
        let due = in_room.typed_at(self.agent, count, self.now);
        let id = self.world.next_message();
        let sender = Sender::Agent(self.agent);
        self.world(
            MessageSend {
                id,
                room,
                sender,
                content,
                due,
                reply_to,
            }
            .into(),
        );
        self.decided.answer.sent.push(id);
        Ok(())
    }

    /// Sends a message of the system in a room.
    pub(super) fn notify(&mut self, room: AgentId, content: String) {
        let id = self.world.next_message();
        let (sender, due) = (Sender::System, self.now);
        self.world(
            MessageSend {
                id,
                room,
                sender,
                content,
                due,
                reply_to: None,
            }
            .into(),
        );
    }

    fn visible(&self, room: &Room, message: u64) -> Result<(), Refusal> {
        let found = room.message(message);
        match found.is_some_and(|found| found.is_seen_by(self.agent, self.now)) {
            true => Ok(()),
            false => Err(Refusal::at(
                Gate::Exists,
                format!(
                    "you see no message {message} in room {}: see `messages`",
                    room.id
                ),
            )),
        }
    }

    pub(super) fn react(&mut self, message: u64, reaction: Reaction) -> Result<(), Refusal> {
        let room = self
            .world
            .rooms_of(self.agent)
            .find(|room| room.message(message).is_some());
        let unseen = || {
            Refusal::at(
                Gate::Exists,
                format!("you see no message {message} in your rooms: see `messages`"),
            )
        };
        let room = room.ok_or_else(unseen)?;
        self.visible(room, message).map_err(|_| unseen())?;
        let (agent, room_id) = (self.agent, room.id);
        let has = room
            .message(message)
            .and_then(|message| message.reactions.get(&reaction))
            .is_some_and(|by| by.contains(&agent));
        if has {
            return Err(Refusal::at(
                Gate::Effect,
                format!(
                    "you reacted to message {message} with {} already: once is enough",
                    reaction.name()
                ),
            ));
        }
        self.world(
            MessageReact {
                message,
                room: room_id,
                agent,
                reaction,
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn wake(&mut self, id: AgentId) -> Result<(), Refusal> {
        if id == ARCHITECT {
            return Err(Refusal::at(
                Gate::Effect,
                "agent 0 is The Architect, a person, who does not sleep: say something instead",
            ));
        }
        if !self.near(id)?.sleeps_at(self.now) {
            return Err(Refusal::at(
                Gate::Effect,
                format!("agent {id} does not sleep: say something instead"),
            ));
        }
        self.world(AgentWake { id, by: self.agent }.into());
        Ok(())
    }
}

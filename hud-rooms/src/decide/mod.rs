//! Decides on a response. Each entry passes its gates or is refused, in the state after the entries
//! before it. The decision is pure: its results are events.

mod access;
mod agents;
mod knowledge;
mod rooms;
mod speech;

pub(crate) use rooms::clock;

use hud_store::event::HudEvent;
use hud_store::state::Knowledge;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::action::{Action, remembered};
use crate::count::Counter;
use crate::gate::{Gate, Refusal};
use crate::own::{ActionRefuse, ActionTake, AnswerTake, HudFigures, Own, OwnEvent, Refused};
use crate::response::{Response, Unread};
use crate::world::{Agent, AgentBeat, AgentId, Room, World, WorldEvent};

/// The result of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The actions that were accepted.
    pub accepted: Vec<Value>,
    /// The numbers of the messages that were sent.
    pub sent: Vec<u64>,
    /// The refused entries, with the reasons and the fixes.
    pub refused: Vec<Refused>,
    /// The number of syntax errors of the response that were fixed.
    pub mends: u32,
}

/// The decided events, for the world and for the agent alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decided {
    pub(crate) world: Vec<WorldEvent>,
    pub(crate) own: Vec<HudEvent>,
    pub(crate) answer: Answer,
}

/// The processing of an agent's response, with the state after the entries accepted so far.
pub(crate) struct Turn<'c> {
    agent: AgentId,
    now: Timestamp,
    beat: u64,
    world: World,
    own: Own,
    knowledge: Knowledge,
    counter: &'c Counter,
    decided: Decided,
}

impl<'c> Turn<'c> {
    /// Returns a turn of an existing agent.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if the agent does not exist.
    pub(crate) fn new(
        world: &World,
        own: &Own,
        knowledge: &Knowledge,
        agent: AgentId,
        now: Timestamp,
        counter: &'c Counter,
    ) -> Result<Self, Refusal> {
        let known = world.known_agent(agent)?;
        Ok(Self {
            agent,
            now: world.at(now),
            beat: known.beats,
            world: world.clone(),
            own: own.clone(),
            knowledge: knowledge.clone(),
            counter,
            decided: Decided::default(),
        })
    }

    /// Decides on a whole response, and ends the heartbeat.
    pub(crate) fn respond(mut self, response: &Response, hud: Option<HudFigures>) -> Decided {
        let mends = response.mends;
        self.own(OwnEvent::Answer(AnswerTake { mends, hud }));
        self.decided.answer.mends = mends;
        for action in &response.actions {
            match action {
                Ok(action) => self.act(action),
                Err(Unread { entry, refusal }) => self.refuse(entry, refusal.clone()),
            }
        }
        for say in &response.says {
            let said = match say {
                Ok(say) => self
                    .say(say.room, &say.message, None)
                    .map_err(|refusal| (format!("message in room {}", say.room), refusal)),
                Err(Unread { entry, refusal }) => Err((entry.clone(), refusal.clone())),
            };
            if let Err((entry, refusal)) = said {
                self.refuse(&entry, refusal);
            }
        }
        self.beat()
    }

    /// Ends a heartbeat whose response cannot be read, and records the reason.
    pub(crate) fn unread(mut self, refusal: Refusal, hud: Option<HudFigures>) -> Decided {
        self.own(OwnEvent::Answer(AnswerTake { mends: 0, hud }));
        self.refuse("response", refusal);
        self.beat()
    }

    /// Ends a heartbeat that got no response.
    pub(crate) fn unanswered(self) -> Decided {
        self.beat()
    }

    fn beat(mut self) -> Decided {
        self.world(AgentBeat { id: self.agent }.into());
        self.decided
    }

    fn world(&mut self, event: WorldEvent) {
        self.world.take(&event, self.now);
        self.decided.world.push(event);
    }

    fn own(&mut self, event: OwnEvent) {
        self.own.take(&event, self.now);
        self.decided.own.push(event.into());
    }

    fn refuse(&mut self, action: &str, refusal: Refusal) {
        let Refusal { gate, said } = refusal;
        let refused = Refused {
            action: action.to_owned(),
            gate,
            said,
        };
        self.decided.answer.refused.push(refused.clone());
        let Refused { action, gate, said } = refused;
        self.own(ActionRefuse { action, gate, said }.into());
    }

    fn act(&mut self, action: &Action) {
        match self.done(action) {
            Ok(Some(done)) => {
                self.decided.answer.accepted.push(done.clone());
                self.own(ActionTake { action: done }.into());
            }
            Ok(None) => {}
            Err((name, refusal)) => self.refuse(name, refusal),
        }
    }

    /// Carries out an action. Returns the form in which it is remembered, or `None` for a message.
    fn done(&mut self, action: &Action) -> Result<Option<Value>, (&'static str, Refusal)> {
        use serde_json::json;

        macro_rules! done {
            ($name:literal, $call:expr $(, $field:ident)*) => {{
                $call.map_err(|refusal| ($name, refusal))?;
                remembered($name, [$((stringify!($field), json!($field))),*])
            }};
        }
        Ok(Some(match action {
            Action::Set { path, value, w } => {
                done!("set", self.set(path, value, w.as_ref()), path, value)
            }
            Action::Delete { path } => done!("delete", self.delete(path), path),
            Action::Append { path, value } => {
                done!("append", self.append(path, value), path, value)
            }
            Action::React {
                message_id,
                reaction,
            } => {
                done!(
                    "react",
                    self.react(*message_id, *reaction),
                    message_id,
                    reaction
                )
            }
            Action::WakeAgent { agent_id } => done!("wake_agent", self.wake(*agent_id), agent_id),
            Action::Reply {
                room_id,
                message_id,
                message,
            } => done!(
                "reply",
                self.say(*room_id, message, Some(*message_id)),
                room_id,
                message_id,
                message
            ),
            Action::SendMessage { room_id, content } => {
                let said = self.say(*room_id, content, None);
                said.map_err(|refusal| ("send_message", refusal))?;
                return Ok(None);
            }
            Action::SetBillboard { message } => {
                done!("set_billboard", self.set_billboard(message), message)
            }
            Action::ClearBillboard {} => done!("clear_billboard", self.clear_billboard()),
            Action::SetWpm { wpm } => done!("set_wpm", self.set_wpm(*wpm), wpm),
            Action::CreateKey { key } => done!("create_key", self.create_key(key), key),
            Action::RevokeKey { key } => done!("revoke_key", self.revoke_key(key), key),
            Action::RequestAccess { room_id, key } => {
                done!(
                    "request_access",
                    self.request_access(*room_id, key),
                    room_id,
                    key
                )
            }
            Action::GrantAccess { request_id } => {
                done!(
                    "grant_access",
                    self.answer_access(*request_id, true),
                    request_id
                )
            }
            Action::DenyAccess { request_id } => {
                done!(
                    "deny_access",
                    self.answer_access(*request_id, false),
                    request_id
                )
            }
            Action::LeaveRoom { room_id } => done!("leave_room", self.leave(*room_id), room_id),
            Action::SetAttention { room_id, value } => {
                done!(
                    "set_attention",
                    self.attend(*room_id, value),
                    room_id,
                    value
                )
            }
            Action::SetName { name } => done!("set_name", self.set_name(name), name),
            Action::Sleep { until } => done!("sleep", self.sleep(until), until),
            Action::CreateAgent {
                name,
                background_prompt,
                agent_type,
                in_room_id,
            } => {
                let made = self.create_agent(name, background_prompt, *agent_type, *in_room_id);
                let agent_id = made.map_err(|refusal| ("create_agent", refusal))?;
                remembered(
                    "create_agent",
                    [("agent_id", json!(agent_id)), ("name", json!(name))],
                )
            }
            Action::AlterAgent {
                agent_id,
                background_prompt,
                name,
                model,
            } => {
                let altered = self.alter_agent(*agent_id, background_prompt, name, model);
                altered.map_err(|refusal| ("alter_agent", refusal))?;
                let given = [
                    ("background_prompt", background_prompt),
                    ("name", name),
                    ("model", model),
                ];
                let given = given
                    .into_iter()
                    .filter_map(|(field, value)| Some((field, json!(value.as_ref()?))));
                remembered(
                    "alter_agent",
                    [("agent_id", json!(agent_id))].into_iter().chain(given),
                )
            }
            Action::RetireAgent { agent_id } => {
                done!("retire_agent", self.retire_agent(*agent_id), agent_id)
            }
        }))
    }

    /// Returns the agent itself.
    fn me(&self) -> Result<&Agent, Refusal> {
        self.world.known_agent(self.agent)
    }

    /// Returns the agent's own room.
    fn my_room(&self) -> Result<&Room, Refusal> {
        self.world.known_room(self.agent)
    }

    /// Returns a room that the agent is in. The refusal does not reveal if another room exists.
    fn room(&self, id: AgentId) -> Result<&Room, Refusal> {
        let room = self.world.room(id);
        room.filter(|room| room.members.contains_key(&self.agent)).ok_or_else(|| {
            Refusal::at(
                Gate::Membership,
                format!("you are in no room {id}: see `id` of your rooms, or ask for access with a key"),
            )
        })
    }

    /// Returns another agent that shares a room with this one.
    fn near(&self, id: AgentId) -> Result<&Agent, Refusal> {
        if id == self.agent {
            return Err(Refusal::at(
                Gate::Oneself,
                "that is you: name another agent",
            ));
        }
        let near = self
            .world
            .agent(id)
            .filter(|_| self.world.share_a_room(self.agent, id));
        near.ok_or_else(|| {
            Refusal::at(
                Gate::Proximity,
                format!("you are in no room with agent {id}: see `members` of your rooms"),
            )
        })
    }

    fn bounded<'t>(&self, what: &str, text: &'t str, most: u64) -> Result<&'t str, Refusal> {
        bounded(self.counter, what, text, most)
    }
}

/// Returns a trimmed text, if it has at most `most` tokens and is not empty.
pub(crate) fn bounded<'t>(
    counter: &Counter,
    what: &str,
    text: &'t str,
    most: u64,
) -> Result<&'t str, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::at(
            Gate::Size,
            format!("{what} is empty: write something"),
        ));
    }
    // A text that is far too long is not counted.
    let tokens = match text.len() as u64 > most.saturating_mul(100) {
        true => u64::MAX,
        false => u64::from(counter.tokens(text)),
    };
    match tokens > most {
        true => Err(Refusal::at(
            Gate::Size,
            format!("{what} has more than {most} tokens: shorten it"),
        )),
        false => Ok(text),
    }
}

/// Returns a trimmed text, if it is a single line with at most `most` characters and is not empty.
pub(crate) fn line<'t>(what: &str, text: &'t str, most: usize) -> Result<&'t str, Refusal> {
    let text = text.trim();
    let refuse = |said: String| Err(Refusal::at(Gate::Size, said));
    if text.is_empty() {
        return refuse(format!("{what} is empty: write something"));
    }
    if text.chars().count() > most {
        return refuse(format!(
            "{what} has more than {most} characters: shorten it"
        ));
    }
    match text.chars().any(char::is_control) {
        true => refuse(format!(
            "{what} is more than a line: leave out line ends and control characters"
        )),
        false => Ok(text),
    }
}

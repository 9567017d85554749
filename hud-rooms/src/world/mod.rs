//! The world that all agents share. It is a section of its session's state.
//!
//! It contains nothing private. An agent's knowledge and actions are in a separate session
//! ([`Own`](crate::own::Own)).

mod agent;
mod event;
mod room;

pub use agent::{ARCHITECT, Agent, AgentId, AgentType, UnknownAgentType};
pub use event::*;
pub use room::{Member, Message, Reaction, Request, Room, Sender};

use std::collections::BTreeMap;
use std::sync::Arc;

use hud_store::section::{Happened, Item, Pace, Section};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::gate::{Gate, Refusal};
use crate::limits::{DECAY, FASTEST_BEAT, MESSAGES_KEPT, SLOWEST_BEAT, THUMB, USUAL_WPM};

/// The agents, the rooms, and the messages in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct World {
    // Shared, so that a fold that keeps its old state copies no message.
    agents: BTreeMap<AgentId, Arc<Agent>>,
    rooms: BTreeMap<AgentId, Arc<Room>>,
    last_agent: AgentId,
    last_message: u64,
    last_request: u64,
    clock: Option<Timestamp>,
}

impl World {
    /// Returns all agents, including retired ones.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> {
        self.agents.values().map(|agent| &**agent)
    }

    /// Returns an agent that is not retired.
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        self.agents
            .get(&id)
            .map(|agent| &**agent)
            .filter(|agent| !agent.is_retired)
    }

    /// Returns the open rooms.
    pub fn rooms(&self) -> impl Iterator<Item = &Room> {
        self.rooms.values().map(|room| &**room)
    }

    /// Returns an open room.
    pub fn room(&self, id: AgentId) -> Option<&Room> {
        self.rooms.get(&id).map(|room| &**room)
    }

    /// Returns an agent that is not retired.
    ///
    /// # Errors
    ///
    /// [`Refusal`] that lists the existing ones. It is for the user, because agents do not see all of
    /// them.
    pub(crate) fn known_agent(&self, id: AgentId) -> Result<&Agent, Refusal> {
        self.agent(id).ok_or_else(|| {
            let there = self.agents().filter(|agent| !agent.is_retired);
            missing("agent", id, there.map(|agent| agent.id))
        })
    }

    /// Returns an open room.
    ///
    /// # Errors
    ///
    /// [`Refusal`] that lists the open ones. It is for the user, because agents do not see all of them.
    pub fn known_room(&self, id: AgentId) -> Result<&Room, Refusal> {
        self.room(id)
            .ok_or_else(|| missing("room", id, self.rooms().map(|room| room.id)))
    }

    /// Returns the rooms that an agent is in.
    pub(crate) fn rooms_of(&self, agent: AgentId) -> impl Iterator<Item = &Room> {
        self.rooms()
            .filter(move |room| room.members.contains_key(&agent))
    }

    /// True if two agents share a room.
    pub fn share_a_room(&self, one: AgentId, other: AgentId) -> bool {
        self.rooms_of(one)
            .any(|room| room.members.contains_key(&other))
    }

    /// Returns the number of the next agent.
    pub(crate) fn next_agent(&self) -> AgentId {
        self.last_agent.saturating_add(1)
    }

    /// Returns the number of the next message.
    pub fn next_message(&self) -> u64 {
        self.last_message.saturating_add(1)
    }

    /// Returns the number of the next request.
    pub(crate) fn next_request(&self) -> u64 {
        self.last_request.saturating_add(1)
    }

    /// Returns a time that is not before any event. Clocks may go back, but the world's time does not.
    pub fn at(&self, now: Timestamp) -> Timestamp {
        self.clock.map_or(now, |clock| clock.max(now))
    }

    fn with_agent(&mut self, id: AgentId, change: impl FnOnce(&mut Agent)) {
        if let Some(agent) = self.agents.get_mut(&id) {
            change(Arc::make_mut(agent));
        }
    }

    fn with_room(&mut self, id: AgentId, change: impl FnOnce(&mut Room)) {
        if let Some(room) = self.rooms.get_mut(&id) {
            change(Arc::make_mut(room));
        }
    }

    /// Applies an event. An event that names a missing item changes nothing.
    pub(crate) fn take(&mut self, event: &WorldEvent, at: Timestamp) {
        self.clock = Some(self.at(at));
        match event {
            WorldEvent::AgentCreate(e) => self.create(e, at),
            WorldEvent::AgentAlter(e) => self.with_agent(e.id, |agent| {
                let set = |to: &mut String, value: &Option<String>| {
                    if let Some(value) = value {
                        to.clone_from(value);
                    }
                };
                set(&mut agent.name, &e.name);
                set(&mut agent.model, &e.model);
                set(&mut agent.prompt, &e.prompt);
            }),
            WorldEvent::AgentRetire(e) => self.retire(e.id),
            WorldEvent::AgentBeat(e) => self.with_agent(e.id, |agent| {
                agent.interval = agent.interval.saturating_add(DECAY).min(SLOWEST_BEAT);
                agent.beats = agent.beats.saturating_add(1);
                agent.due = later(at, agent);
                if !agent.sleeps_at(at) {
                    agent.sleeps_until = None;
                }
            }),
            WorldEvent::AgentSleep(e) => {
                self.with_agent(e.id, |agent| agent.sleeps_until = Some(e.until));
            }
            WorldEvent::AgentWake(e) => self.with_agent(e.id, |agent| {
                agent.sleeps_until = None;
                agent.due = at;
            }),
            WorldEvent::RoomJoin(e) => self.join(e.room, e.agent, at),
            WorldEvent::RoomLeave(e) => self.with_room(e.room, |room| {
                room.members.remove(&e.agent);
            }),
            WorldEvent::RoomBillboard(e) => {
                self.with_room(e.room, |room| room.billboard.clone_from(&e.text));
            }
            WorldEvent::RoomPace(e) => self.with_room(e.room, |room| room.wpm = e.wpm),
            WorldEvent::KeyCreate(e) => self.with_room(e.room, |room| {
                if !room.keys.contains(&e.key) {
                    room.keys.push(e.key.clone());
                }
            }),
            WorldEvent::KeyRevoke(e) => {
                self.with_room(e.room, |room| room.keys.retain(|key| *key != e.key));
            }
            WorldEvent::AccessRequest(e) => {
                self.last_request = self.last_request.max(e.id);
                self.with_room(e.room, |room| {
                    room.requests.push(Request {
                        id: e.id,
                        agent: e.agent,
                        key: e.key.clone(),
                    });
                });
            }
            WorldEvent::AccessAnswer(e) => self.answer(e, at),
            WorldEvent::MessageSend(e) => self.send(e, at),
            WorldEvent::MessageReact(e) => self.react(e),
        }
    }

    fn create(&mut self, e: &AgentCreate, at: Timestamp) {
        if e.id == ARCHITECT || self.agents.contains_key(&e.id) {
            return;
        }
        self.last_agent = self.last_agent.max(e.id);
        let agent = Agent {
            id: e.id,
            name: e.name.clone(),
            agent_type: e.agent_type,
            model: e.model.clone(),
            prompt: e.prompt.clone(),
            can_create_agents: e.can_create_agents,
            input: e.input,
            output: e.output,
            interval: SLOWEST_BEAT,
            due: at,
            sleeps_until: None,
            beats: 0,
            is_retired: false,
        };
        self.agents.insert(e.id, Arc::new(agent));
        let room = Room {
            id: e.id,
            members: BTreeMap::new(),
            wpm: USUAL_WPM,
            billboard: None,
            keys: Vec::new(),
            requests: Vec::new(),
            messages: Vec::new(),
            earlier: 0,
        };
        self.rooms.insert(e.id, Arc::new(room));
        self.join(e.id, e.id, at);
    }

    fn join(&mut self, room: AgentId, agent: AgentId, at: Timestamp) {
        if agent != ARCHITECT && self.agent(agent).is_none() {
            return;
        }
        self.with_room(room, |room| {
            room.members.entry(agent).or_insert(Member {
                since: at,
                said_at: None,
                typed_at: None,
            });
        });
    }

    fn retire(&mut self, id: AgentId) {
        self.with_agent(id, |agent| agent.is_retired = true);
        self.rooms.remove(&id);
        for room in self.rooms.values_mut() {
            let waits = room.requests.iter().any(|request| request.agent == id);
            if room.members.contains_key(&id) || waits {
                let room = Arc::make_mut(room);
                room.members.remove(&id);
                room.requests.retain(|request| request.agent != id);
            }
        }
    }

    fn answer(&mut self, e: &AccessAnswer, at: Timestamp) {
        let mut asked = None;
        self.with_room(e.room, |room| {
            asked = room
                .requests
                .iter()
                .position(|request| request.id == e.id)
                .map(|at| room.requests.remove(at).agent);
        });
        if let Some(agent) = asked.filter(|_| e.granted) {
            self.join(e.room, agent, at);
        }
    }

    fn send(&mut self, e: &MessageSend, at: Timestamp) {
        self.last_message = self.last_message.max(e.id);
        self.with_room(e.room, |room| {
            if room.messages.last().is_some_and(|last| last.id >= e.id) {
                return;
            }
            if let Sender::Agent(agent) = e.sender
                && let Some(member) = room.members.get_mut(&agent)
            {
                member.said_at = Some(at);
                member.typed_at = Some(e.due);
            }
            room.messages.push(Arc::new(Message {
                id: e.id,
                sender: e.sender,
                content: e.content.clone(),
                due: e.due,
                reply_to: e.reply_to,
                reactions: BTreeMap::new(),
            }));
            // Several are removed at once, so that the rest is seldom moved.
            if room.messages.len() >= 2 * MESSAGES_KEPT {
                room.messages.drain(..MESSAGES_KEPT);
                room.earlier += MESSAGES_KEPT as u64;
            }
        });
    }

    fn react(&mut self, e: &MessageReact) {
        let mut sender = None;
        self.with_room(e.room, |room| {
            let found = room.messages.binary_search_by_key(&e.message, |m| m.id);
            let Some(message) = found.ok().and_then(|at| room.messages.get_mut(at)) else {
                return;
            };
            let message = Arc::make_mut(message);
            if message
                .reactions
                .entry(e.reaction)
                .or_default()
                .insert(e.agent)
            {
                sender = Some(message.sender);
            }
        });
        // An agent's own thumb has no effect, because it could otherwise speed itself up.
        let Some(Sender::Agent(sender)) = sender.filter(|by| *by != Sender::Agent(e.agent)) else {
            return;
        };
        self.with_agent(sender, |agent| {
            let interval = match e.reaction {
                Reaction::ThumbsUp => agent.interval.saturating_sub(THUMB),
                Reaction::ThumbsDown => agent.interval.saturating_add(THUMB),
                Reaction::Brain | Reaction::Heart => return,
            };
            agent.interval = interval.clamp(FASTEST_BEAT, SLOWEST_BEAT);
        });
    }
}

/// Returns the refusal for a missing number, with the existing ones.
fn missing(what: &str, id: AgentId, there: impl Iterator<Item = AgentId>) -> Refusal {
    const NAMED: usize = 20;
    let there: Vec<AgentId> = there.collect();
    let named: Vec<String> = there.iter().take(NAMED).map(AgentId::to_string).collect();
    let more = match there.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let there = match named.is_empty() {
        true => "none".to_owned(),
        false => named.join(", ") + &more,
    };
    Refusal::at(
        Gate::Exists,
        format!("there is no {what} {id}: there are {there}"),
    )
}

/// Returns the time one heartbeat of an agent later.
fn later(at: Timestamp, agent: &Agent) -> Timestamp {
    let interval = SignedDuration::try_from(agent.interval).unwrap_or_default();
    at.checked_add(interval).unwrap_or(Timestamp::MAX)
}

impl Section for World {
    const NAME: &'static str = "world";
    const ITEM: &'static str = "part of the world";
    const PACE: Pace = Pace::EachTurn;
    type Event = WorldEvent;

    fn apply(&mut self, event: &WorldEvent, when: &Happened<'_>) {
        self.take(event, when.at);
    }

    /// Returns the agents, and the rooms with their last message. Keys and requests are only for the
    /// owner.
    fn items(&self) -> Vec<Item> {
        let agents = self
            .agents()
            .filter(|agent| !agent.is_retired)
            .map(|agent| {
                let text = format!("{}, a {} on {}", agent.name, agent.agent_type, agent.model);
                Item::named(format!("agent {}", agent.id), text)
            });
        let rooms = self.rooms().map(|room| {
            let last = room.messages.last().map(|message| message.content.as_str());
            let text = format!(
                "members: {}, messages: {}, the last: {}",
                room.members.len(),
                room.earlier + room.messages.len() as u64,
                last.unwrap_or("none")
            );
            Item::named(format!("room {}", room.id), text)
        });
        agents.chain(rooms).collect()
    }
}

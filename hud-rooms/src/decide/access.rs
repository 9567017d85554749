//! Access to rooms: keys, requests and answers.

use super::{Turn, line};
use crate::gate::{Gate, Refusal};
use crate::limits::{KEY_CHARS, KEYS, REQUESTS};
use crate::world::{AccessAnswer, AccessRequest, AgentId, KeyCreate, KeyRevoke, RoomLeave};

impl Turn<'_> {
    pub(super) fn create_key(&mut self, key: &str) -> Result<(), Refusal> {
        let room = self.my_room()?;
        let key = line("the key", key, KEY_CHARS)?.to_owned();
        if room.keys.contains(&key) {
            return Err(Refusal::at(
                Gate::Effect,
                "your room has that key already: see `my_keys`",
            ));
        }
        if room.keys.len() >= KEYS {
            return Err(Refusal::at(
                Gate::Size,
                format!("your room has {KEYS} keys, as many as it may: revoke one first"),
            ));
        }
        let room = room.id;
        self.world(KeyCreate { room, key }.into());
        Ok(())
    }

    pub(super) fn revoke_key(&mut self, key: &str) -> Result<(), Refusal> {
        let room = self.my_room()?;
        let key = key.trim().to_owned();
        if !room.keys.contains(&key) {
            return Err(Refusal::at(
                Gate::Exists,
                "your room has no such key: see `my_keys`",
            ));
        }
        let room = room.id;
        self.world(KeyRevoke { room, key }.into());
        Ok(())
    }

    pub(super) fn request_access(&mut self, room: AgentId, key: &str) -> Result<(), Refusal> {
        let agent = self.me()?.id;
        let key = line("the key", key, KEY_CHARS)?;
        // A missing room and a room with another key are refused alike, so that nobody learns which
        // rooms exist.
        let found = self.world.room(room).filter(|room| {
            room.members.contains_key(&agent) || room.keys.iter().any(|known| known == key)
        });
        let Some(found) = found else {
            return Err(Refusal::at(
                Gate::Key,
                format!("that key opens no room {room}: ask its owner for one"),
            ));
        };
        if found.members.contains_key(&agent) {
            return Err(Refusal::at(
                Gate::Effect,
                format!("you are in room {room} already: go on there"),
            ));
        }
        if found.requests.iter().any(|request| request.agent == agent) {
            return Err(Refusal::at(
                Gate::Effect,
                format!("you asked for room {room} already: wait until its owner answers"),
            ));
        }
        if found.requests.len() >= REQUESTS {
            return Err(Refusal::at(
                Gate::Size,
                format!("{REQUESTS} others wait at room {room}: try again later"),
            ));
        }
        let id = self.world.next_request();
        let key = key.to_owned();
        self.world(
            AccessRequest {
                id,
                room,
                agent,
                key,
            }
            .into(),
        );
        // The members of the room read this, so it does not contain the key.
        self.notify(
            room,
            format!("Agent {agent} asks to be let in (request {id})."),
        );
        Ok(())
    }

    pub(super) fn answer_access(&mut self, id: u64, granted: bool) -> Result<(), Refusal> {
        let room = self.my_room()?;
        let Some(request) = room.requests.iter().find(|request| request.id == id) else {
            return Err(Refusal::at(
                Gate::Ownership,
                format!("no request {id} waits at your own room: see `pending_access_requests`"),
            ));
        };
        let (room, agent) = (room.id, request.agent);
        self.world(AccessAnswer { id, room, granted }.into());
        match granted {
            true => self.notify(room, format!("Agent {agent} came in.")),
            false => self.notify(
                agent,
                format!("Room {room} does not let you in (request {id})."),
            ),
        }
        Ok(())
    }

    pub(super) fn leave(&mut self, room: AgentId) -> Result<(), Refusal> {
        self.room(room)?;
        let agent = self.agent;
        if room == agent {
            return Err(Refusal::at(
                Gate::Oneself,
                "this is your own room: it can't be left",
            ));
        }
        self.world(RoomLeave { room, agent }.into());
        self.notify(room, format!("Agent {agent} left."));
        Ok(())
    }
}

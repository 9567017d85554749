//! Replays a recorded session: its observations become events, and the events a state.

mod past;

use std::sync::Arc;

use hud_store::event::{Actor, EventId, NewEvent, SessionId, SessionRestore, StoredEvent};
use hud_store::fold::fold_into;
use hud_store::state::HudState;
use jiff::Timestamp;
use uuid::Uuid;

use self::past::Past;
use crate::setup::Setup;
use crate::tool::Operations;
use hud_clients::transcript::{Entry, name_of};
use hud_derive::{Derived, Deriver};
use hud_observe::observation::Observation;

/// A replay in progress, with the state after the entries so far.
///
/// The ids of the events follow from the session's id and the keys of the entries. So a session that is
/// replayed twice into one log is stored once, and a session that has grown is continued.
#[derive(Clone, Debug)]
pub struct Replay {
    session: SessionId,
    deriver: Deriver,
    state: HudState,
    /// The time of the last entry that had one.
    at: Timestamp,
    /// The key of the last entry, and the number of its events.
    place: String,
    made: u64,
    /// The cause of the events: the client's id of the tool call or the message.
    cause: Option<EventId>,
    /// The states to which a rewind can return.
    past: Past,
}

impl Replay {
    /// Returns a replay at the beginning of a session.
    pub fn new(session: SessionId) -> Self {
        Self {
            session,
            deriver: Deriver::new().with_tool(Arc::new(Operations::built_in())),
            state: HudState::default(),
            at: Timestamp::UNIX_EPOCH,
            place: String::new(),
            made: 0,
            cause: None,
            past: Past::default(),
        }
    }

    /// Returns the replay with the sections and operations of a setup, before its first entry. A log for its
    /// events should have the same sections.
    #[must_use]
    pub fn with(self, setup: &Setup) -> Self {
        let settings = &setup.settings;
        let operations = setup.operations.clone().with_memory(&settings.memory);
        Self {
            deriver: self
                .deriver
                .with_tool(Arc::new(operations))
                .with_settings(settings.of_derivation()),
            state: setup.sections.empty_state(),
            ..self
        }
    }

    /// The session's id.
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// The state after the entries so far.
    pub const fn state(&self) -> &HudState {
        &self.state
    }

    /// The number of model calls so far.
    pub const fn turn(&self) -> u64 {
        self.deriver.turn()
    }

    /// Reads one more entry, and returns the events to append.
    pub fn observe(&mut self, entry: Entry) -> Vec<NewEvent> {
        if let Some(at) = entry.at {
            self.at = at;
        }
        if self.place != entry.key {
            self.place = entry.key;
            self.made = 0;
        }
        if matches!(entry.observation, Observation::User { .. }) {
            self.past.request(&self.place, &self.state);
        }
        if matches!(entry.observation, Observation::CompactionBegins { .. }) {
            self.past.forget();
        }
        let derived = match &entry.observation {
            Observation::Rewind { key } => self.rewind(key),
            observation => self.deriver.derive(observation, &self.state),
        };
        // Most entries lead to no events.
        if !derived.is_empty() {
            let name = name_of(&entry.observation, &self.place);
            self.cause = Some(EventId::of_name(name));
        }
        derived
            .into_iter()
            .map(|derived| self.event(derived))
            .collect()
    }

    /// Restores the state before a request.
    fn rewind(&mut self, key: &str) -> Vec<Derived> {
        let Some(state) = self.past.back_to(key) else {
            return Vec::new();
        };
        self.deriver.rewind(&state);
        vec![Derived {
            actor: Actor::User,
            event: SessionRestore {
                session: None,
                version: state.version,
                state: Box::new(state),
            }
            .into(),
        }]
    }

    /// Makes an event of derived data, and folds it.
    fn event(&mut self, Derived { actor, event }: Derived) -> NewEvent {
        self.made += 1;
        let version = self.state.version + 1;
        let stored = StoredEvent {
            seq: version,
            session: self.session.clone(),
            version,
            id: event_id(&self.session, &self.place, self.made, self.at),
            turn: self.deriver.turn(),
            at: self.at,
            actor,
            cause: self.cause,
            event,
        };
        self.past.happened(&stored);
        fold_into(&mut self.state, &stored);
        NewEvent {
            id: stored.id,
            turn: stored.turn,
            at: stored.at,
            actor: stored.actor,
            cause: stored.cause,
            event: stored.event,
        }
    }
}

/// Returns the id of the n-th event of an entry. It is a UUID of version 8 that begins with the time, like
/// those of version 7, so that consecutive ids are close in an index.
fn event_id(session: &SessionId, place: &str, n: u64, at: Timestamp) -> EventId {
    let length = |part: &str| (part.len() as u64).to_le_bytes();
    let named = [
        &length(session.as_str())[..],
        session.as_str().as_bytes(),
        &length(place),
        place.as_bytes(),
        &n.to_le_bytes(),
    ];
    let hash = blake3::hash(&named.concat());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_bytes()[..16]);
    let milliseconds = u64::try_from(at.as_millisecond())
        .unwrap_or(0)
        .to_be_bytes();
    bytes[..6].copy_from_slice(&milliseconds[2..]);
    EventId::from_uuid(Uuid::new_v8(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hud_observe::action::Action;

    #[test]
    fn what_came_after_the_message_that_was_gone_back_to_leaves_the_state() {
        let mut replay = Replay::new(SessionId::new("s").unwrap());
        let mut observe = |key: &str, observation: Observation| {
            let entry = Entry {
                place: 1,
                key: key.to_owned(),
                at: None,
                bytes: 0,
                observation,
            };
            replay.observe(entry);
            replay.state().clone()
        };
        let said = |text: &str| Observation::User { text: text.into() };
        let reads = |path: &str| Observation::ToolCall {
            call: path.into(),
            actions: Action::read(path).into(),
        };
        observe("u1", said("Add rate limits"));
        observe("a1", Observation::ModelCall);
        let before = observe("a1", reads("/p/a.rs"));
        observe("u2", said("And write the docs"));
        observe("a2", Observation::ModelCall);
        observe("a2", reads("/p/b.rs"));
        let rewound = observe("u3", Observation::Rewind { key: "u2".into() });
        assert_eq!(rewound.active_files, before.active_files);
        assert_eq!(rewound.task, before.task);
        assert_eq!(rewound.turn, 2, "turns go on");
        let after = observe("u3", said("And test it with redis"));
        let latest = after.task.unwrap().latest_request;
        assert_eq!(latest.as_deref(), Some("And test it with redis"));
    }
}

//! The states of a recorded session before each request of the user, for a conversation that is rewound.

use std::collections::VecDeque;

use hud_store::event::StoredEvent;
use hud_store::fold::fold;
use hud_store::state::HudState;

/// The maximum number of requests to which a session can rewind.
const REQUESTS: usize = 256;

/// The maximum number of events to fold again for a rewind. Most sessions never rewind, and a state takes as
/// much memory as hundreds of events.
const AGAIN: usize = 256;

/// The requests so far to which the session can rewind.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    requests: VecDeque<Request>,
    /// The number of events since the last request with its own state.
    since: usize,
}

/// A request, with the events that lead to the state before the next one.
#[derive(Clone, Debug)]
struct Request {
    place: String,
    /// The state before it. `None` if it follows from the state before an earlier request and the events since
    /// then.
    state: Option<HudState>,
    events: Vec<StoredEvent>,
}

impl Past {
    /// Adds a request of the user, with the state before it.
    pub(super) fn request(&mut self, place: &str, state: &HudState) {
        let has_own = self.requests.is_empty() || self.since > AGAIN;
        if has_own {
            self.since = 0;
        }
        self.requests.push_back(Request {
            place: place.to_owned(),
            state: has_own.then(|| state.clone()),
            events: Vec::new(),
        });
        if self.requests.len() > REQUESTS {
            self.forget_first();
        }
    }

    /// Drops all requests at a compaction, before which the session can't rewind.
    pub(super) fn forget(&mut self) {
        self.requests.clear();
    }

    fn forget_first(&mut self) {
        if let Some(Request { state, events, .. }) = self.requests.pop_front()
            && let Some(next) = self.requests.front_mut()
            && next.state.is_none()
        {
            next.state = state.map(|state| events.iter().fold(state, fold));
        }
    }

    /// Adds an event.
    pub(super) fn happened(&mut self, event: &StoredEvent) {
        let Some(last) = self.requests.back_mut() else {
            return;
        };
        self.since += 1;
        match self.since > AGAIN {
            // The next request has its own state.
            true => last.events.clear(),
            false => last.events.push(event.clone()),
        }
    }

    /// Returns the state before the last request with a key. Drops that request and all later ones.
    pub(super) fn back_to(&mut self, place: &str) -> Option<HudState> {
        let mut requests = self.requests.iter();
        let at = requests.rposition(|request| request.place == place)?;
        let state = self.before(at);
        self.requests.truncate(at);
        // The counter refers to dropped requests, so the next request gets its own state.
        self.since = AGAIN;
        state
    }

    /// Returns the state before a request.
    fn before(&self, at: usize) -> Option<HudState> {
        let up_to = || self.requests.iter().take(at + 1);
        let own = up_to().rposition(|request| request.state.is_some())?;
        let state = self.requests.get(own)?.state.clone()?;
        let led = self.requests.iter().skip(own).take(at - own);
        Some(led.flat_map(|request| &request.events).fold(state, fold))
    }
}

#[cfg(test)]
mod tests {
    use hud_store::event::{Actor, EventId, NoteAdd, SessionId};

    use super::*;

    /// A session with so many requests and notes after each: its past, and the state before each request.
    fn session(requests: usize, notes: usize) -> (Past, Vec<HudState>) {
        let (mut past, mut states) = (Past::default(), Vec::new());
        let mut state = HudState::default();
        for request in 0..requests {
            past.request(&request.to_string(), &state);
            states.push(state.clone());
            for _ in 0..notes {
                let version = state.version + 1;
                let note = NoteAdd {
                    id: format!("n{version}"),
                    content: format!("note {version}"),
                };
                let event = StoredEvent {
                    seq: version,
                    session: SessionId::new("s").unwrap(),
                    version,
                    id: EventId::of_name(&note.id),
                    turn: version,
                    at: jiff::Timestamp::UNIX_EPOCH,
                    actor: Actor::Agent,
                    cause: None,
                    event: note.into(),
                };
                past.happened(&event);
                state = fold(state, &event);
            }
        }
        (past, states)
    }

    #[test]
    fn the_state_before_any_request_is_what_it_was() {
        for notes in [0, 3, AGAIN / 2, AGAIN + 1] {
            let (past, states) = session(6, notes);
            for (at, state) in states.iter().enumerate() {
                let back = past.clone().back_to(&at.to_string());
                assert_eq!(back.as_ref(), Some(state), "{at} of {notes} notes each");
            }
        }
    }

    #[test]
    fn only_the_last_requests_can_be_gone_back_to() {
        let (past, states) = session(REQUESTS + 2, 3);
        assert_eq!(past.clone().back_to("1"), None);
        for at in [2, 3, REQUESTS] {
            assert_eq!(
                past.clone().back_to(&at.to_string()).as_ref(),
                Some(&states[at])
            );
        }
    }

    #[test]
    fn what_was_before_a_compaction_cannot_be_gone_back_to() {
        let (mut past, states) = session(3, 3);
        past.forget();
        assert_eq!(past.clone().back_to("2"), None);
        past.request("after", &states[2]);
        assert_eq!(past.back_to("after").as_ref(), Some(&states[2]));
    }

    #[test]
    fn who_went_back_can_go_back_again() {
        let (mut past, states) = session(5, 3);
        let state = past.back_to("3").unwrap();
        assert_eq!(past.back_to("4"), None);
        past.request("again", &state);
        assert_eq!(past.clone().back_to("again").as_ref(), Some(&state));
        assert_eq!(past.back_to("2").as_ref(), Some(&states[2]));
    }
}

//! Events to append, and what a log has.

use std::ops::ControlFlow;

use hud_store::event::{Actor, EventId, NewEvent, NoteAdd, SessionId, StoredEvent};
use hud_store::log::{Log, LogError};
use jiff::Timestamp;
use uuid::Uuid;

pub(crate) fn session(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

/// The `n`-th event, a note that nobody else wrote: all of it follows from `n`.
pub(crate) fn note(n: u64) -> NewEvent {
    let event = NoteAdd {
        id: format!("n{n}"),
        content: format!("note {n}"),
    };
    NewEvent {
        id: EventId::from_uuid(Uuid::from_u128(u128::from(n))),
        turn: n,
        at: Timestamp::from_second(i64::try_from(n).unwrap()).unwrap(),
        actor: Actor::Agent,
        cause: None,
        event: event.into(),
    }
}

/// Everything in a log.
pub(crate) fn contents(log: &dyn Log) -> Vec<StoredEvent> {
    let (events, outcome) = read(|each| log.read_all(1, each));
    outcome.unwrap();
    events
}

/// The events that a reading gives, and how it ends.
pub(crate) fn read(
    read: impl FnOnce(&mut dyn FnMut(StoredEvent) -> ControlFlow<()>) -> Result<(), LogError>,
) -> (Vec<StoredEvent>, Result<(), LogError>) {
    let mut events = Vec::new();
    let outcome = read(&mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    });
    (events, outcome)
}

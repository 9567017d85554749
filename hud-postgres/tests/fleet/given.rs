//! Events to append, and what a log has.

use std::ops::ControlFlow;

use hud_store::event::{Actor, EventId, EventRedact, NewEvent, NoteAdd, SessionId, StoredEvent};
use hud_store::log::{EventName, Log, LogError, Redact, Redacted};
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

/// Redacts the event at a place of a log.
pub(crate) fn redact<L: Redact>(
    log: &mut L,
    seq: u64,
    reason: Option<String>,
    mut by: impl FnMut(EventRedact) -> NewEvent,
) -> Result<Redacted, LogError> {
    let at = |event: &StoredEvent| event.seq == seq;
    let name = EventName::Id(contents(log).into_iter().find(at).unwrap().id);
    log.redact(&name, reason, &mut by)
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

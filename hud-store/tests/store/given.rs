//! Events and logs to test with.

use std::ops::ControlFlow;

use hud_store::event::{
    Actor, EventId, EventRedact, HudEvent, NewEvent, NoteAdd, SessionId, StoredEvent,
};
use hud_store::fold::fold;
use hud_store::log::{EventName, Log, LogError, Redact, Redacted};
use hud_store::state::HudState;
use jiff::Timestamp;
use uuid::Uuid;

pub(crate) fn session(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

/// Second `n` of the epoch.
pub(crate) fn at(n: u64) -> Timestamp {
    Timestamp::from_second(i64::try_from(n).unwrap()).unwrap()
}

/// The `n`-th event: its id, turn and time all follow from `n`.
pub(crate) fn nth(n: u64, event: impl Into<HudEvent>) -> NewEvent {
    NewEvent {
        id: EventId::from_uuid(Uuid::from_u128(u128::from(n))),
        turn: n,
        at: at(n),
        actor: Actor::Agent,
        cause: None,
        event: event.into(),
    }
}

/// The `n`-th event, a note that nobody else wrote.
pub(crate) fn note(n: u64) -> NewEvent {
    nth(
        n,
        NoteAdd {
            id: format!("n{n}"),
            content: format!("note {n}"),
        },
    )
}

pub(crate) fn notes(numbers: std::ops::RangeInclusive<u64>) -> Vec<NewEvent> {
    numbers.map(note).collect()
}

/// The fold of events that happen one a turn, the first in turn 1.
pub(crate) fn state<E: Into<HudEvent>>(events: impl IntoIterator<Item = E>) -> HudState {
    then(HudState::default(), events)
}

/// The state after more of them, the next in the turn after the state's.
pub(crate) fn then<E: Into<HudEvent>>(
    state: HudState,
    events: impl IntoIterator<Item = E>,
) -> HudState {
    events
        .into_iter()
        .fold(state, |state, event| next(state, Actor::Agent, event))
}

/// The fold of events that are the user's, as [`state`].
pub(crate) fn state_by_user<E: Into<HudEvent>>(events: impl IntoIterator<Item = E>) -> HudState {
    events
        .into_iter()
        .fold(HudState::default(), |state, event| {
            next(state, Actor::User, event)
        })
}

fn next(state: HudState, actor: Actor, event: impl Into<HudEvent>) -> HudState {
    let n = state.version + 1;
    let new = nth(n, event);
    let stored = StoredEvent {
        seq: n,
        session: session("s"),
        version: n,
        id: new.id,
        turn: new.turn,
        at: new.at,
        actor,
        cause: new.cause,
        event: new.event,
    };
    fold(state, &stored)
}

/// Redacts the event at a place of the log.
pub(crate) fn redact<L: Redact>(
    log: &mut L,
    seq: u64,
    reason: Option<String>,
    mut by: impl FnMut(EventRedact) -> NewEvent,
) -> Result<Redacted, LogError> {
    let mut name = None;
    log.read_all(seq, &mut |event| {
        name = Some(EventName::Id(event.id));
        ControlFlow::Break(())
    })?;
    log.redact(&name.unwrap(), reason, &mut by)
}

pub(crate) fn read(log: &dyn Log, session: &SessionId) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    log.read(session, 1, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(events)
}

pub(crate) fn read_all(log: &dyn Log) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    log.read_all(1, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(events)
}

/// Everything that can be read from a log, to compare before and after.
pub(crate) fn contents(log: &dyn Log) -> Vec<StoredEvent> {
    read_all(log).unwrap()
}

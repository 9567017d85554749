//! Events in pages.

use std::ops::ControlFlow;

use hud_store::event::{EventId, StoredEvent};
use hud_store::jsonl::Line;
use hud_store::log::{Log, LogError};
use serde::Serialize;
use serde_json::Value;

use super::conversation::Message;
use super::history::History;
use super::index::Matching;

/// The maximum number of events on a page.
const MOST: usize = 1_000;

/// The maximum number of bytes of a payload on a page.
const SHOWN: usize = 4_096;

/// A query for events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventQuery {
    /// The first version, from 1.
    pub from: u64,
    /// The number of matching events to skip.
    pub skip: u64,
    /// The maximum number of events, at most 1,000.
    pub limit: usize,
    /// Only events of a kind, such as `note.add`, or of a family, such as `note`.
    pub kind: Option<String>,
    /// Only events about a section.
    pub section: Option<String>,
    /// Only events about an item of the section.
    pub item: Option<String>,
}

impl Default for EventQuery {
    fn default() -> Self {
        Self {
            from: 1,
            skip: 0,
            limit: 200,
            kind: None,
            section: None,
            item: None,
        }
    }
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventPage {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The number of events in the session that match the query.
    pub total: u64,
    /// The number of matching events before the first of this page.
    pub before: u64,
}

/// An event in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its sequence number in the log.
    pub seq: u64,
    /// Its version in its session.
    pub version: u64,
    /// The turn of the event.
    pub turn: u64,
    /// The time in milliseconds since 1970; 0 if it is not known.
    pub at: i64,
    /// The actor that caused it.
    pub actor: String,
    /// Its kind.
    pub kind: String,
    /// The section that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The item of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The payload: an object, or the beginning of its text if it is too long for a page.
    pub payload: Value,
    /// The length of the payload in bytes, if this is only its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
    /// The kept tool output, if a single event is requested and its text is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The messages that caused it, if a single event is requested and they are available.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Message>,
    /// Its cause, as for [`Conversation::behind`](super::Conversation::behind).
    #[serde(skip)]
    pub cause: Option<EventId>,
}

impl Event {
    /// Returns an event with its whole payload, or the beginning of that.
    ///
    /// # Errors
    /// [`LogError::Invalid`] if it cannot be encoded.
    pub fn of(event: &StoredEvent, history: &History, is_whole: bool) -> Result<Self, LogError> {
        let invalid = |reason: String| LogError::Invalid {
            id: event.id,
            reason,
        };
        let line = Line::of(event).map_err(|error| invalid(error.to_string()))?;
        let payload = line.payload.get();
        let is_cut = !is_whole && payload.len() > SHOWN;
        let value = match is_cut {
            true => Value::from(hud_store::text::beginning(payload, SHOWN)),
            false => serde_json::from_str(payload).map_err(|error| invalid(error.to_string()))?,
        };
        let (section, item) = history.subject_of(&event.event);
        Ok(Self {
            seq: event.seq,
            version: event.version,
            turn: event.turn,
            at: event.at.as_millisecond(),
            actor: event.actor.to_string(),
            kind: line.kind,
            section,
            item,
            payload: value,
            cut: is_cut.then_some(payload.len()),
            content: None,
            said: Vec::new(),
            cause: event.cause,
        })
    }
}

pub(super) fn page<L: Log + ?Sized>(
    history: &History,
    log: &L,
    query: &EventQuery,
) -> Result<EventPage, LogError> {
    // The index finds the matching events without reading them.
    let Matching {
        versions: wanted,
        total,
        before,
    } = history.index.matching(query, query.limit.clamp(1, MOST));
    let mut events = Vec::with_capacity(wanted.len());
    let mut next = 0;
    while let Some(version) = wanted.get(next).copied() {
        let mut outcome = Ok(());
        // Consecutive events are read together.
        log.read(history.session(), version, &mut |event| {
            if wanted.get(next) != Some(&event.version) {
                return ControlFlow::Break(());
            }
            next += 1;
            match Event::of(&event, history, false) {
                Ok(event) => events.push(event),
                Err(error) => outcome = Err(error),
            }
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome?;
        if wanted.get(next) == Some(&version) {
            // The event no longer exists.
            next += 1;
        }
    }
    Ok(EventPage {
        events,
        total,
        before,
    })
}

//! Events, a page at a time.

use std::ops::ControlFlow;

use hud_store::event::{EventId, StoredEvent};
use hud_store::jsonl::Line;
use hud_store::log::{Log, LogError};
use serde::Serialize;
use serde_json::Value;

use super::conversation::Message;
use super::history::History;
use super::index::Matching;

/// How many events a page has at most.
const MOST: usize = 1_000;

/// How many bytes of a payload are on a page.
const SHOWN: usize = 4_096;

/// Which events are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventQuery {
    /// The version to begin with, from 1.
    pub from: u64,
    /// How many of those that fit are passed over.
    pub skip: u64,
    /// How many at most; no more than 1,000.
    pub limit: usize,
    /// Those of a kind, `note.add`, or of a family of them, `note`.
    pub kind: Option<String>,
    /// Those about a section.
    pub section: Option<String>,
    /// Those about an item of the section.
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

/// Some events.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventPage {
    /// The events, in their order.
    pub events: Vec<Event>,
    /// How many there are that fit the query, from the first of the session on.
    pub total: u64,
    /// How many of them are before the first of this page.
    pub before: u64,
}

/// An event as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its place in the log.
    pub seq: u64,
    /// Its place in its session.
    pub version: u64,
    /// The turn in which it happened.
    pub turn: u64,
    /// When it happened, in milliseconds since 1970; 0 where that is not known.
    pub at: i64,
    /// Who made it happen.
    pub actor: String,
    /// Its kind.
    pub kind: String,
    /// The section that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The item of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// What it says: an object, or the beginning of its text where it is too long for a page.
    pub payload: Value,
    /// How many bytes it has, where this is the beginning of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
    /// What a tool said that left the conversation, where an event by itself is asked for and the text is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What was said from which it follows, where an event by itself is asked for and that is at hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Message>,
    /// What caused it: see [`Conversation::behind`](super::Conversation::behind).
    #[serde(skip)]
    pub cause: Option<EventId>,
}

impl Event {
    /// An event with all that it says, or the beginning of that.
    ///
    /// # Errors
    /// [`LogError::Invalid`] if it can't be written.
    pub fn of(event: &StoredEvent, history: &History, is_whole: bool) -> Result<Self, LogError> {
        let invalid = |reason: String| LogError::Invalid {
            id: event.id,
            reason,
        };
        let line = Line::of(event).map_err(|error| invalid(error.to_string()))?;
        let payload = line.payload.get();
        let is_cut = !is_whole && payload.len() > SHOWN;
        let value = match is_cut {
            true => {
                let end = (0..=SHOWN).rev().find(|end| payload.is_char_boundary(*end));
                Value::from(payload.get(..end.unwrap_or(0)).unwrap_or_default())
            }
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
    // Which events fit is known without reading them.
    let Matching {
        versions: wanted,
        total,
        before,
    } = history.index.matching(query, query.limit.clamp(1, MOST));
    let mut events = Vec::with_capacity(wanted.len());
    let mut next = 0;
    while let Some(version) = wanted.get(next).copied() {
        let mut outcome = Ok(());
        // Those one behind the other are read together.
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
            // It is not there any more.
            next += 1;
        }
    }
    Ok(EventPage {
        events,
        total,
        before,
    })
}

//! Redaction: removing the text of an event.

use std::fmt;

use serde_json::Value;

use super::record::Record;
use super::{Log, LogError};
use crate::event::{EventId, EventRedact, EventRedacted, HudEvent, NewEvent, SessionId};

/// A log that can remove the text of an event.
pub trait Redact: Log {
    /// Permanently removes the text of an event, and all data that the log derived from it. The event stays at its
    /// position as [`EventRedacted`], and the checksums from there on are computed again. The session records the
    /// redaction with the event that `by` makes of an [`EventRedact`]. Redacting an event again changes nothing.
    /// Backups still contain the text.
    ///
    /// ```
    /// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
    /// use hud_store::log::{EventName, Expected, Log, Redact, state_of};
    /// use hud_store::memory::MemoryLog;
    ///
    /// let mut log = MemoryLog::new();
    /// let session = SessionId::new("ses_01")?;
    /// let note = NoteAdd { id: "n1".into(), content: "the key is hunter2".into() };
    /// let event = NewEvent::now(1, Actor::Agent, note);
    /// let name = EventName::Id(event.id);
    /// log.append(&session, Expected::Any, &[event])?;
    ///
    /// log.redact(&name, None, &mut |happened| NewEvent::now(1, Actor::User, happened))?;
    /// assert!(state_of(&log, &session)?.notes.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LogError::NoEvent`], [`LogError::Corrupt`] if the checksum of the event does not match, [`LogError::Denied`]
    /// where only some may redact, and the errors of the storage. The log is then unchanged.
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError>;
}

/// The name of an event, which is the same in each log that has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EventName {
    /// By its id.
    Id(EventId),
    /// By its session and its version there.
    Version(SessionId, u64),
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Version(session, version) => write!(f, "{session}:{version}"),
        }
    }
}

/// The result of a redaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    /// True if the event still had its text.
    pub changed: bool,
    /// The seqs of other events that contain one of its texts, such as a state that a compaction recorded or that a
    /// session was restored to, or a note that another session inherited. They were not changed.
    pub also_in: Vec<u64>,
    /// True if the storage still holds the text until it is overwritten. In a file this is so because somebody was
    /// reading, and another redaction when nobody reads removes it. A server overwrites it at a time of its choice.
    pub lingers: bool,
}

/// The event that replaces a redacted event; `None` if the event is one already.
pub fn stand_in(record: &Record) -> Option<HudEvent> {
    let redacted = HudEvent::from(EventRedacted {
        kind: record.kind.clone(),
        call: kept_call(record),
    });
    (record.kind != redacted.kind()).then_some(redacted)
}

/// The call of an event that keeps an output.
fn kept_call(record: &Record) -> Option<String> {
    let payload: Value = serde_json::from_str(&record.payload).ok()?;
    let call = payload.get("call").filter(|_| record.kind == KEEP)?;
    call.as_str().map(ToOwned::to_owned)
}

/// The kind of the events that keep outputs.
const KEEP: &str = "output.keep";

/// The minimum number of characters of a text that is looked for in other events. Shorter texts are in many events by
/// chance.
const TELLING: usize = 8;

/// The number of characters of a longer text that are looked for, because a state holds only the beginnings of long
/// texts.
const BEGINNING: usize = 256;

/// The texts of an event, to be found in other events.
#[derive(Debug, Clone)]
pub struct Texts {
    /// The beginnings of its texts.
    plain: Vec<String>,
    /// The same texts as this program escapes them in JSON.
    escaped: Vec<String>,
}

impl Texts {
    /// The texts in the payload of an event.
    pub fn of(record: &Record) -> Self {
        let mut texts = Self {
            plain: Vec::new(),
            escaped: Vec::new(),
        };
        each_text(record, &mut |text| {
            texts.add(text);
            false
        });
        texts
    }

    /// Adds a text, such as the one that the event names by its hash.
    pub fn add(&mut self, text: &str) {
        if text.chars().count() < TELLING {
            return;
        }
        let plain: String = text.chars().take(BEGINNING).collect();
        let json = Value::from(plain.as_str()).to_string();
        let escaped = json.get(1..json.len() - 1).map(str::to_owned);
        self.escaped.extend(escaped);
        self.plain.push(plain);
    }

    /// The texts as this program escapes them in JSON. An event whose payload has none of them can still contain a
    /// text if another program escaped more of it.
    pub fn written(&self) -> &[String] {
        &self.escaped
    }

    /// True if another event contains one of the texts.
    pub fn are_in(&self, record: &Record) -> bool {
        let payload = &record.payload;
        if self.escaped.iter().any(|text| payload.contains(text)) {
            return true;
        }
        // Another program may have escaped more of it.
        payload.contains('\\')
            && each_text(record, &mut |text| {
                self.plain.iter().any(|plain| text.contains(plain))
            })
    }
}

/// Passes each text of a payload to `is_found` until it returns true.
fn each_text(record: &Record, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
    fn gather(value: &Value, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
        match value {
            Value::String(text) => is_found(text),
            Value::Array(values) => values.iter().any(|value| gather(value, is_found)),
            Value::Object(fields) => fields.values().any(|value| gather(value, is_found)),
            _ => false,
        }
    }
    serde_json::from_str(&record.payload).is_ok_and(|payload| gather(&payload, is_found))
}

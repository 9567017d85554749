//! Taking out what an event said.

use std::fmt;

use serde_json::Value;

use super::record::Record;
use super::{Log, LogError};
use crate::event::{EventId, EventRedact, EventRedacted, HudEvent, NewEvent, SessionId};

/// A log out of which one can take what an event said.
pub trait Redact: Log {
    /// Takes out what an event said, for good, with all that the log derived from it. The
    /// event stays in its place, as [`EventRedacted`]; what seals it is made anew from there on; and the session
    /// records it with what `by` makes of an [`EventRedact`]. To redact it again changes nothing. A backup has
    /// the words still.
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
    /// [`LogError::NoEvent`], [`LogError::Corrupt`] if what seals the event does not hold, [`LogError::Denied`]
    /// where only some may redact, and what the storage behind it reports. The log is then as it was before.
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError>;
}

/// What an event is called in each log that has it.
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

/// What a redaction did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    /// Whether the event still had its words.
    pub changed: bool,
    /// The events, by seq, that say one of its texts as well: a state that a compaction recorded or
    /// that a session went on from, a note that was taken over by another session. They were not
    /// changed.
    pub also_in: Vec<u64>,
    /// Whether the words still wait in the storage to be written over. In a file that is because somebody was
    /// reading: to redact again when nobody is takes them away. A server writes over them in its own time.
    pub lingers: bool,
}

/// The event that takes the place of one that is redacted; `None` if it is one already.
pub fn stand_in(record: &Record) -> Option<HudEvent> {
    let redacted = HudEvent::from(EventRedacted {
        kind: record.kind.clone(),
        call: kept_call(record),
    });
    (record.kind != redacted.kind()).then_some(redacted)
}

/// The call of an event that kept its output.
fn kept_call(record: &Record) -> Option<String> {
    let payload: Value = serde_json::from_str(&record.payload).ok()?;
    let call = payload.get("call").filter(|_| record.kind == KEEP)?;
    call.as_str().map(ToOwned::to_owned)
}

/// The kind of events that keep outputs.
const KEEP: &str = "output.keep";

/// How many characters a text has that is taken for the same wherever it is: shorter ones are in many
/// events by chance.
const TELLING: usize = 8;

/// How many characters of a longer text are looked for: a state has only the beginnings of long texts.
const BEGINNING: usize = 256;

/// What an event says, to be found in others.
#[derive(Debug, Clone)]
pub struct Texts {
    /// The beginnings of its texts.
    plain: Vec<String>,
    /// The same as this program writes them in JSON.
    escaped: Vec<String>,
}

impl Texts {
    /// What an event says itself.
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

    /// Adds what it names by its hash.
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

    /// The texts as this program writes them in JSON. An event that has none of them in its payload says one only
    /// where another program escaped more of it.
    pub fn written(&self) -> &[String] {
        &self.escaped
    }

    /// Whether another event says one of them.
    pub fn are_in(&self, record: &Record) -> bool {
        let payload = &record.payload;
        if self.escaped.iter().any(|text| payload.contains(text)) {
            return true;
        }
        // Others may have escaped more of it.
        payload.contains('\\')
            && each_text(record, &mut |text| {
                self.plain.iter().any(|plain| text.contains(plain))
            })
    }
}

/// Gives each text of a payload, until one is found.
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

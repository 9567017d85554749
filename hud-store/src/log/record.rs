//! The form in which every log stores an event, for authors of other logs.
//!
//! A log checks and encodes appended events with [`Record::encode`], stores the fields together with the event's
//! position, and decodes them with [`Record::decode`]. A second event of the same id is a duplicate if its record
//! equals the stored one and its session is the same. The text in [`Record::content`] is stored once, under its hash,
//! for [`Log::content`](super::Log::content). [`Expected::check`](super::Expected::check) compares the expected
//! version of an append with the session's version. `conformance::check` (feature `conformance`) tests the promises
//! of a log.
//!
//! ```
//! use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
//! use hud_store::log::record::Record;
//! use hud_store::section::Sections;
//!
//! let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
//! let new = NewEvent::now(1, Actor::Agent, note);
//! let record = Record::encode(&new, &Sections::new())?;
//! assert_eq!(record.payload, r#"{"id":"n1","content":"tests need redis"}"#);
//!
//! let (seq, session, version) = (7, SessionId::new("ses_01")?, 1);
//! let event = record.decode(seq, &session, version)?;
//! assert_eq!((event.seq, event.id, event.event), (7, new.id, new.event));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::LogError;
use crate::event::{
    Actor, Content, EventId, HudEvent, NewEvent, SessionId, StoredEvent, depth_fault, is_same,
    name_fault,
};
use crate::jsonl::Line;
use crate::section::Sections;

/// The maximum number of bytes of a payload as JSON: 16 MiB. A payload is read whole, and a few hundred events are
/// held in memory at a time.
pub const MAX_PAYLOAD: usize = 16 * 1024 * 1024;

/// The stored fields of an event, apart from its position.
///
/// Two events with the same record are the same. White space between the parts of a payload is ignored, because tools
/// between an export and an import may change it.
#[derive(Debug, Clone)]
pub struct Record {
    /// See [`NewEvent::id`].
    pub id: EventId,
    /// See [`NewEvent::turn`]. Signed, because databases have signed integers; never negative in an encoded record.
    pub turn: i64,
    /// See [`NewEvent::at`]: microseconds since 1970.
    pub at: i64,
    /// The name of the actor: not empty, without control characters, of a bounded length.
    pub actor: String,
    /// See [`NewEvent::cause`].
    pub cause: Option<EventId>,
    /// The dotted name, with the same restrictions as the actor's name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// The payload as JSON, at most [`MAX_PAYLOAD`] bytes. Store it as text. It may contain values that the JSON
    /// types of some databases refuse, such as `\u0000` and numbers of any size.
    pub payload: String,
    /// The content that the payload names by its hash, to be stored together with the event, with its text if the
    /// text is known; `None` if the record was read.
    pub content: Option<Content>,
}

/// The kind of event that records the origin of a session. Its payload is an [`Origin`](crate::state::Origin), and
/// the newest counts for [`SessionInfo`](super::SessionInfo).
pub const START: &str = "session.start";

/// The kind of event that ends a deleted session. A session whose last event is of this kind is not listed.
pub const DELETE: &str = "session.delete";

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        // Without `..`, so that the compiler reports a new field here.
        let Self {
            id,
            turn,
            at,
            actor,
            cause,
            kind,
            v,
            payload,
            // The payload contains its hash.
            content: _,
        } = self;
        (id, turn, at, actor, cause, kind, v)
            == (
                &other.id,
                &other.turn,
                &other.at,
                &other.actor,
                &other.cause,
                &other.kind,
                &other.v,
            )
            && is_same(payload, &other.payload)
    }
}

impl Eq for Record {}

impl Record {
    /// Encodes an event for a log with those sections.
    ///
    /// # Errors
    /// [`LogError::Invalid`] if the event can't be stored without loss.
    pub fn encode(new: &NewEvent, sections: &Sections) -> Result<Self, LogError> {
        let invalid = |reason| LogError::Invalid { id: new.id, reason };
        let encoded = new.event.encode().map_err(|e| invalid(e.to_string()))?;
        let record = Self {
            id: new.id,
            turn: i64::try_from(new.turn)
                .map_err(|_| invalid(format!("turn {} is above {}", new.turn, i64::MAX)))?,
            at: new.at.as_microsecond(),
            actor: new.actor.as_str().to_owned(),
            cause: new.cause,
            kind: encoded.kind,
            v: encoded.v,
            payload: encoded.payload,
            content: new.event.content().cloned(),
        };
        let is_foreign = matches!(new.event, HudEvent::Other { .. });
        match record.fault(is_foreign, sections) {
            None => Ok(record),
            Some(reason) => Err(invalid(reason)),
        }
    }

    /// The session and the record of an event on a line. The payload is copied byte for byte.
    ///
    /// # Errors
    /// The reason why the line is not an event for a log with those sections.
    pub fn of_line(line: Line, sections: &Sections) -> Result<(SessionId, Self), String> {
        let turn = line.turn;
        let mut record = Self {
            id: line.id,
            turn: i64::try_from(turn).map_err(|_| format!("turn {turn} is above {}", i64::MAX))?,
            at: line.at.as_microsecond(),
            actor: line.actor.as_str().to_owned(),
            cause: line.cause,
            kind: line.kind,
            v: line.v,
            payload: Box::<str>::from(line.payload).into(),
            content: None,
        };
        record.content = brought(&record, line.content)?;
        match record.fault(true, sections) {
            None => Ok((line.session, record)),
            Some(reason) => Err(reason),
        }
    }

    /// The content that the payload names by its hash, without its text; `None` if it names none.
    pub fn named(&self) -> Option<Content> {
        named(&self.kind, self.v, &self.payload)
    }

    /// The reason why the record can't be stored without loss, if there is one. A payload from elsewhere may not
    /// match its kind, or may be nested too deeply to be parsed again. Once stored, it would make the whole session
    /// unreadable.
    fn fault(&self, is_foreign: bool, sections: &Sections) -> Option<String> {
        if let Some(fault) = name_fault(&self.actor) {
            return Some(format!("its actor's name {fault}"));
        }
        if let Some(fault) = name_fault(&self.kind) {
            return Some(format!("its kind {fault}"));
        }
        if self.payload.len() > MAX_PAYLOAD {
            return Some(format!(
                "its payload has {} bytes, and at most {MAX_PAYLOAD} are kept: record where the \
                 rest is",
                self.payload.len()
            ));
        }
        let content = self.content.as_ref().and_then(Content::text);
        if let Some(text) = content
            && text.len() > MAX_PAYLOAD
        {
            return Some(format!(
                "what it keeps has {} bytes, and at most {MAX_PAYLOAD} are kept",
                text.len()
            ));
        }
        if !is_foreign {
            return None;
        }
        depth_fault(&self.payload).or_else(|| {
            let decoded = HudEvent::decode(&self.kind, self.v, &self.payload);
            let misfit = || sections.misfit(&self.kind, self.v, &self.payload);
            let error = decoded.err().or_else(misfit);
            error.map(|error| error.to_string())
        })
    }

    /// The line of the event at its position. The payload is the stored bytes, without the text that it names by a
    /// hash.
    ///
    /// # Errors
    /// The reason why it is not valid, for [`LogError::Corrupt`].
    pub fn line(self, seq: u64, session: &SessionId, version: u64) -> Result<Line, String> {
        let (turn, at) = self.moment()?;
        Ok(Line {
            seq,
            session: session.clone(),
            version,
            id: self.id,
            turn,
            at,
            actor: Actor::from(self.actor),
            cause: self.cause,
            kind: self.kind,
            v: self.v,
            payload: RawValue::from_string(self.payload).map_err(|e| e.to_string())?,
            content: None,
        })
    }

    /// The turn and the time.
    fn moment(&self) -> Result<(u64, Timestamp), String> {
        let turn = u64::try_from(self.turn).map_err(|_| "its turn is negative".to_owned())?;
        let at = Timestamp::from_microsecond(self.at).map_err(|e| e.to_string())?;
        Ok((turn, at))
    }

    /// The event at its position.
    ///
    /// # Errors
    /// The reason why it is not valid, for [`LogError::Corrupt`].
    pub fn decode(
        self,
        seq: u64,
        session: &SessionId,
        version: u64,
    ) -> Result<StoredEvent, String> {
        let (turn, at) = self.moment()?;
        Ok(StoredEvent {
            seq,
            session: session.clone(),
            version,
            id: self.id,
            turn,
            at,
            actor: Actor::from(self.actor),
            cause: self.cause,
            event: HudEvent::decode(&self.kind, self.v, &self.payload)
                .map_err(|e| e.to_string())?,
        })
    }
}

/// The content that a payload names by its hash and does not contain as text.
pub(crate) fn named(kind: &str, v: u32, payload: &str) -> Option<Content> {
    let event = HudEvent::decode(kind, v, payload).ok()?;
    let content = event.content().cloned();
    content.filter(|content| content.text().is_none())
}

/// The content that the payload of a record names by its hash, with the text of the line.
fn brought(record: &Record, text: Option<String>) -> Result<Option<Content>, String> {
    let event = HudEvent::decode(&record.kind, record.v, &record.payload);
    let named = event.ok().and_then(|event| event.content().cloned());
    let text = text.map(Content::from);
    match (named, text) {
        // A text that the payload contains is stored with it already.
        (named, None) => Ok(named.filter(|content| content.text().is_none())),
        (Some(named), Some(text)) if named == text => Ok(Some(text)),
        _ => Err("its `content` is not what its payload names by a hash".to_owned()),
    }
}

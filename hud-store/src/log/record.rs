//! An event in the form in which every log stores it, for whoever writes another log.
//!
//! A log checks and encodes what is appended with [`Record::encode`], stores the fields beside the
//! event's place, and gives it back with [`Record::decode`]. A second event of the same id is a
//! duplicate where its record equals the stored one and its session is the same. The text in
//! [`Record::content`] is kept once, under its hash, for [`Log::content`](super::Log::content).
//! [`Expected::check`](super::Expected::check) holds the demand of an append against the version, and
//! `conformance::check` (feature `conformance`) holds the log against its promises.
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

/// How many bytes a payload may have as JSON: 16 MiB. A log is read whole, and held in memory a few
/// hundred events at a time.
pub const MAX_PAYLOAD: usize = 16 * 1024 * 1024;

/// What is stored of an event, apart from its place.
///
/// Two events with the same record are the same. White space between the parts of a payload does not
/// count: tools that people put between an export and an import change it.
#[derive(Debug, Clone)]
pub struct Record {
    /// See [`NewEvent::id`].
    pub id: EventId,
    /// See [`NewEvent::turn`]. Signed, as the integers of databases are; never negative in a record that
    /// was encoded.
    pub turn: i64,
    /// See [`NewEvent::at`]: microseconds since 1970.
    pub at: i64,
    /// The name of who made it happen: not empty, without control characters, of a bounded length.
    pub actor: String,
    /// See [`NewEvent::cause`].
    pub cause: Option<EventId>,
    /// The dotted name; the same holds for it as for the actor's.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// The payload as JSON, at most [`MAX_PAYLOAD`] bytes. It may hold what some databases refuse in
    /// their own types for JSON, such as `\u0000` and numbers of any size: store it as text.
    pub payload: String,
    /// What the payload names by its hash, with its text where that came along, to be kept beside the
    /// event; `None` where the record was read.
    pub content: Option<Content>,
}

/// The kind of event by which a log knows where a session comes from: its payload is an
/// [`Origin`](crate::state::Origin), and the newest counts for [`SessionInfo`](super::SessionInfo).
pub const START: &str = "session.start";

/// The kind of event with which a session ends that was deleted. A session whose last event is of
/// this kind is not listed.
pub const DELETE: &str = "session.delete";

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        // Without `..`: a new field must not be forgotten here.
        let Self {
            id,
            turn,
            at,
            actor,
            cause,
            kind,
            v,
            payload,
            // The payload has its hash.
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
    /// [`LogError::Invalid`], if it could not come back as it is.
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

    /// The session and the record of an event on a line, its payload byte for byte as it is there.
    ///
    /// # Errors
    /// Why it is no event, for a log with those sections.
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

    /// What the payload names by its hash, without its text; `None` if it names nothing.
    pub fn named(&self) -> Option<Content> {
        named(&self.kind, self.v, &self.payload)
    }

    /// Why it can't be stored so that it comes back, if it can't. A payload that is not of our own
    /// making may not be what its kind says, or nested too deeply to be read again: once stored, it
    /// would make the whole session unreadable.
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

    /// The line of the event at its place, its payload as it is stored and without the text that it names
    /// by a hash.
    ///
    /// # Errors
    /// Why it can't be one, as a reason for [`LogError::Corrupt`].
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

    /// The event at its place.
    ///
    /// # Errors
    /// Why it can't be one, as a reason for [`LogError::Corrupt`].
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

/// What a payload names by its hash, which is not written out in it.
pub(crate) fn named(kind: &str, v: u32, payload: &str) -> Option<Content> {
    let event = HudEvent::decode(kind, v, payload).ok()?;
    let content = event.content().cloned();
    content.filter(|content| content.text().is_none())
}

/// What the payload of a record names by its hash, with the text that came with it.
fn brought(record: &Record, text: Option<String>) -> Result<Option<Content>, String> {
    let event = HudEvent::decode(&record.kind, record.v, &record.payload);
    let named = event.ok().and_then(|event| event.content().cloned());
    let text = text.map(Content::from);
    match (named, text) {
        // One that is written out in the payload is there already.
        (named, None) => Ok(named.filter(|content| content.text().is_none())),
        (Some(named), Some(text)) if named == text => Ok(Some(text)),
        _ => Err("its `content` is not what its payload names by a hash".to_owned()),
    }
}

//! An event in the form in which every log stores it.

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
/// Also the event's *content*: two events with the same record are the same. White space between the
/// parts of a payload is no content: tools that people put between an export and an import change it.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) id: EventId,
    /// SQLite's integers are signed.
    pub(crate) turn: i64,
    /// Microseconds since 1970.
    pub(crate) at: i64,
    pub(crate) actor: String,
    pub(crate) cause: Option<EventId>,
    pub(crate) kind: String,
    pub(crate) v: u32,
    pub(crate) payload: String,
    /// What the payload names by its hash, to be kept beside it; `None` in a record that was read.
    pub(crate) content: Option<Content>,
}

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
    /// Encodes an event, if it can come back as it is, for a log with those sections.
    pub(crate) fn encode(new: &NewEvent, sections: &Sections) -> Result<Self, LogError> {
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

    #[cfg(feature = "sqlite")]
    /// The record of an event on a line, its payload as it is there, or why it is no event.
    pub(crate) fn of_line(line: Line, sections: &Sections) -> Result<(SessionId, Self), String> {
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
        record.content = named(&record, line.content)?;
        match record.fault(true, sections) {
            None => Ok((line.session, record)),
            Some(reason) => Err(reason),
        }
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

    /// The line of the event at its place, its payload as it is stored, or why it can't be one.
    pub(crate) fn line(self, seq: u64, session: &SessionId, version: u64) -> Result<Line, String> {
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

    /// The event at its place, or why it can't be one.
    pub(crate) fn decode(
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

/// What the payload of a record names by its hash, with the text that came with it.
#[cfg(feature = "sqlite")]
fn named(record: &Record, text: Option<String>) -> Result<Option<Content>, String> {
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

//! An event in the form in which every log stores it.

use jiff::Timestamp;

use super::LogError;
use crate::event::{Actor, EventId, HudEvent, NewEvent, SessionId, StoredEvent, name_fault};

/// How many bytes a payload may have as JSON: 16 MiB. A log is read whole, and held in memory a few
/// hundred events at a time.
pub const MAX_PAYLOAD: usize = 16 * 1024 * 1024;

/// What is stored of an event, apart from its place.
///
/// Also the event's *content*: two events with the same record are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

impl Record {
    /// Encodes an event, if it can come back as it is.
    pub(crate) fn encode(new: &NewEvent) -> Result<Self, LogError> {
        let invalid = |reason| LogError::Invalid { id: new.id, reason };
        let turn = i64::try_from(new.turn)
            .map_err(|_| invalid(format!("turn {} is above {}", new.turn, i64::MAX)))?;
        if let Some(fault) = name_fault(new.actor.as_str()) {
            return Err(invalid(format!("its actor's name {fault}")));
        }
        if let Some(fault) = name_fault(new.event.kind()) {
            return Err(invalid(format!("its kind {fault}")));
        }
        let encoded = new.event.encode().map_err(|e| invalid(e.to_string()))?;
        if encoded.payload.len() > MAX_PAYLOAD {
            return Err(invalid(format!(
                "its payload has {} bytes, and at most {MAX_PAYLOAD} are kept: record where the \
                 rest is",
                encoded.payload.len()
            )));
        }
        if let HudEvent::Unknown { .. } = new.event {
            // Not so unknown under this name, or nested too deeply to be parsed again: once
            // stored, it would make the whole session unreadable.
            HudEvent::decode(&encoded.kind, encoded.v, &encoded.payload)
                .map_err(|e| invalid(e.to_string()))?;
        }
        Ok(Self {
            id: new.id,
            turn,
            at: new.at.as_microsecond(),
            actor: new.actor.as_str().to_owned(),
            cause: new.cause,
            kind: encoded.kind,
            v: encoded.v,
            payload: encoded.payload,
        })
    }

    /// The event at its place, or why it can't be one.
    pub(crate) fn decode(
        self,
        seq: u64,
        session: &SessionId,
        version: u64,
    ) -> Result<StoredEvent, String> {
        Ok(StoredEvent {
            seq,
            session: session.clone(),
            version,
            id: self.id,
            turn: u64::try_from(self.turn).map_err(|_| "its turn is negative".to_owned())?,
            at: Timestamp::from_microsecond(self.at).map_err(|e| e.to_string())?,
            actor: Actor::from(self.actor),
            cause: self.cause,
            event: HudEvent::decode(&self.kind, self.v, &self.payload)
                .map_err(|e| e.to_string())?,
        })
    }
}

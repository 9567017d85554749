//! Events as JSON Lines, which any tool can read and which can recover the events of a damaged file.
//!
//! Each line is an object with all fields of an event: `session`, `id`, `turn`, `at`, `actor`, `cause`, `kind`, `v`,
//! `payload`. `seq` and `version` are for the reader; an import assigns new ones. A payload consists of the bytes in
//! the log, including fields that this program does not know. If a payload names a text by its hash, `content` holds
//! the text as long as the log keeps it.

use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::event::{Actor, Content, ContentHash, EventId, SessionId, StoredEvent};
use crate::log::record::{MAX_PAYLOAD, Record, named};
use crate::log::{Log, LogError};
use crate::section::Sections;

/// An event as a line of JSON Lines.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The event's seq in the log that it comes from.
    #[serde(default)]
    pub seq: u64,
    /// The session.
    pub session: SessionId,
    /// The event's version in the session.
    #[serde(default)]
    pub version: u64,
    /// See [`NewEvent::id`](crate::event::NewEvent::id).
    pub id: EventId,
    /// See [`NewEvent::turn`](crate::event::NewEvent::turn).
    pub turn: u64,
    /// See [`NewEvent::at`](crate::event::NewEvent::at).
    pub at: Timestamp,
    /// See [`NewEvent::actor`](crate::event::NewEvent::actor).
    pub actor: Actor,
    /// See [`NewEvent::cause`](crate::event::NewEvent::cause).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<EventId>,
    /// The dotted name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// The payload.
    pub payload: Box<RawValue>,
    /// The text that the payload names by its hash, if the log still keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Line {
    /// The line of an event.
    ///
    /// # Errors
    /// If serde can't serialize the payload. No payload of this crate is of that sort.
    pub fn of(event: &StoredEvent) -> Result<Self, io::Error> {
        let encoded = event
            .event
            .encode()
            .map_err(|e| io::Error::from(e.source))?;
        Ok(Self {
            seq: event.seq,
            session: event.session.clone(),
            version: event.version,
            id: event.id,
            turn: event.turn,
            at: event.at,
            actor: event.actor.clone(),
            cause: event.cause,
            kind: encoded.kind,
            v: encoded.v,
            payload: RawValue::from_string(encoded.payload)?,
            content: event
                .event
                .content()
                .and_then(Content::text)
                .map(str::to_owned),
        })
    }

    /// Sets `content` to the text that the payload names by its hash, if it names one. `text` looks it up.
    ///
    /// # Errors
    /// The errors of `text`.
    pub fn fill<E>(
        &mut self,
        text: impl FnOnce(&ContentHash) -> Result<Option<String>, E>,
    ) -> Result<(), E> {
        let named = named(&self.kind, self.v, self.payload.get());
        self.content = match named {
            Some(content) => text(&content.hash)?,
            None => None,
        };
        Ok(())
    }
}

/// The error of an export that ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The lines can't be written.
    #[error("can't write the events: {0}")]
    Output(#[from] io::Error),
}

/// Writes the events of a session, or of all sessions in the order of the log. Returns the number of events.
///
/// # Errors
/// [`ExportError`]. The events before a damaged event are then written already.
pub fn export<L: Log + ?Sized>(
    log: &L,
    session: Option<&SessionId>,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let (mut written, mut outcome) = (0, Ok(()));
    let read = log.lines(session, &mut |line| {
        outcome = write(&line, out);
        if outcome.is_err() {
            return ControlFlow::Break(());
        }
        written += 1;
        ControlFlow::Continue(())
    });
    outcome?;
    read?;
    Ok(written)
}

fn write(line: &Line, out: &mut dyn Write) -> Result<(), io::Error> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// The error of an import.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A line is no event.
    #[error("line {line} is no event ({reason}): mend it or take it out; nothing was imported")]
    Line {
        /// The line number, from 1.
        line: u64,
        /// The reason.
        reason: String,
    },
    /// The log refuses the event of a line.
    #[error("line {line}: {source}; nothing was imported")]
    Refused {
        /// The line number, from 1.
        line: u64,
        /// The error of the log.
        source: LogError,
    },
    /// The log can't be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The lines can't be read.
    #[error("can't read the events: {0}")]
    Input(#[from] io::Error),
}

/// The maximum number of bytes of a line: a payload or a content of the maximum length, and the rest of an event.
const MAX_LINE: u64 = 2 * MAX_PAYLOAD as u64 + 64 * 1024;

/// Reads lines one by one and passes their events to `put`, for a log with those sections. Empty lines are skipped.
/// At most one line is held in memory.
///
/// # Errors
/// [`ImportError`] with the number of the line that is not an event or that `put` refuses.
pub fn read(
    input: &mut dyn BufRead,
    sections: &Sections,
    put: &mut dyn FnMut(&SessionId, &Record) -> Result<(), LogError>,
) -> Result<(), ImportError> {
    let (mut text, mut line) = (Vec::new(), 0);
    loop {
        text.clear();
        line += 1;
        // At most `MAX_LINE` bytes of a line are held in memory.
        if (&mut *input).take(MAX_LINE).read_until(b'\n', &mut text)? == 0 {
            return Ok(());
        }
        if text.len() as u64 == MAX_LINE {
            let reason = format!("it has {MAX_LINE} bytes or more");
            return Err(ImportError::Line { line, reason });
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let parsed: Line = serde_json::from_slice(&text).map_err(|e| ImportError::Line {
            line,
            reason: e.to_string(),
        })?;
        let (session, record) = Record::of_line(parsed, sections)
            .map_err(|reason| ImportError::Line { line, reason })?;
        put(&session, &record).map_err(|source| ImportError::Refused { line, source })?;
    }
}

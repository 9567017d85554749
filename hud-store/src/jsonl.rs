//! Events as JSON lines: a form that any tool reads, and a way out of a damaged file.
//!
//! One object on a line, with all that makes an event: `session`, `id`, `turn`, `at`, `actor`,
//! `cause`, `kind`, `v`, `payload`. `seq` and `version` are for the reader; an import gives the events
//! places of its own. Payloads are the bytes that are in the log, also where they say more than this
//! program knows. What a payload names by its hash is beside it, in `content`, as long as the log keeps it.

use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::event::{Actor, Content, ContentHash, EventId, SessionId, StoredEvent};
use crate::log::record::{MAX_PAYLOAD, Record, named};
use crate::log::{Log, LogError};
use crate::section::Sections;

/// An event on a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its place in the log that it comes from.
    #[serde(default)]
    pub seq: u64,
    /// The session.
    pub session: SessionId,
    /// Its place in the session.
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
    /// The text that the payload names by its hash, where the log still keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Line {
    /// The line of an event.
    ///
    /// # Errors
    /// When serde can't write the payload; no payload of ours is of that sort.
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

    /// Puts the text beside the payload that it names by its hash, if it names one: what `text` finds.
    ///
    /// # Errors
    /// What `text` reports.
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

/// Why an export ended early.
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

/// Writes the events of a session, or of all in the order of the log. Says how many.
///
/// # Errors
/// [`ExportError`]. What comes before a damaged event has been written then.
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

/// Why lines are not taken in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A line is no event.
    #[error("line {line} is no event ({reason}): mend it or take it out; nothing was imported")]
    Line {
        /// Which line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// An event on a line is not taken by the log.
    #[error("line {line}: {source}; nothing was imported")]
    Refused {
        /// Which line, from 1.
        line: u64,
        /// What the log says.
        source: LogError,
    },
    /// The log can't be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The lines can't be read.
    #[error("can't read the events: {0}")]
    Input(#[from] io::Error),
}

/// How many bytes a line may have: a payload or a content as long as may be, and the rest of an event.
const MAX_LINE: u64 = 2 * MAX_PAYLOAD as u64 + 64 * 1024;

/// Reads lines one by one and hands their events to `put`, for a log with those sections. Empty lines
/// are passed over. One line at most is held in memory.
///
/// # Errors
/// [`ImportError`] with the number of the line that is no event or that `put` refuses.
pub fn read(
    input: &mut dyn BufRead,
    sections: &Sections,
    put: &mut dyn FnMut(&SessionId, &Record) -> Result<(), LogError>,
) -> Result<(), ImportError> {
    let (mut text, mut line) = (Vec::new(), 0);
    loop {
        text.clear();
        line += 1;
        // No more than that is held, whatever is on a line.
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

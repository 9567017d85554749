//! aider's chat history. It is markdown; the beginning of a line shows who wrote it.
//!
//! | line | observation |
//! | --- | --- |
//! | `# aider chat started at …` | the beginning of a conversation |
//! | `#### …` | the user's message, unless it is a command to aider |
//! | `> Tokens: …` | the tokens of a call of the model |
//! | `> Applied edit to …` | an edit |
//! | other lines with `> ` | none |
//! | the others | the agent's text |
//!
//! A model call begins with the first line of the agent's text, and with the first one after a user
//! message, a `> Tokens: …` line or an edit.

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::observation::{Observation, Usage};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::Aider;
use crate::Client;
use crate::placed::{Messages, Place, Placed};
use crate::transcript::{Entry, LONGEST, Summary, TranscriptError};

/// The prefix of the line that begins a conversation.
const STARTED: &str = "# aider chat started at ";

pub(super) fn is_history(beginning: &[u8]) -> bool {
    beginning.trim_ascii_start().starts_with(STARTED.as_bytes())
}

/// Reads a conversation by its number, counted from 1.
pub(super) fn read(
    number: u64,
    path: &Path,
    file: &mut dyn BufRead,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<Summary, TranscriptError> {
    let place = Place::new();
    let mut reader = Reader {
        messages: Messages::new(&place, sink),
        said: Text::default(),
        asked: Text::default(),
        is_answering: false,
        edits: 0,
    };
    reader.messages.conversation(path, number);
    let mut file = BufReader::new(Placed::new(file, &place));
    let (mut line, mut count) = (String::new(), 0);
    while !reader.messages.is_over() {
        line.clear();
        place.bound();
        let read = file.read_line(&mut line);
        let read = read.map_err(|source| TranscriptError::Read {
            path: path.to_owned(),
            source,
        })?;
        if read == 0 {
            break;
        }
        let started = line.strip_prefix(STARTED);
        count += u64::from(started.is_some());
        if count != number {
            continue;
        }
        match started {
            Some(at) => reader.messages.at = time(at.trim()),
            None => reader.line(line.trim_end_matches(['\n', '\r'])),
        }
    }
    reader.flush();
    let path = path.to_owned();
    if !reader.messages.is_over() {
        if count < number {
            return Err(TranscriptError::NoConversation {
                path,
                number,
                count,
            });
        }
        if !reader.messages.has_conversation() {
            let client = Aider.name();
            return Err(TranscriptError::Unread { path, client });
        }
    }
    Ok(Summary {
        conversations: count,
        mended: place.mended(),
        ..reader.messages.summary
    })
}

/// Parses the time at which a conversation begins. It is local and names no time zone, so it is taken as
/// UTC.
fn time(text: &str) -> Option<jiff::Timestamp> {
    let civil: DateTime = text.parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

struct Reader<'r> {
    messages: Messages<'r>,
    /// The agent's text and the user's message that were read and not yet reported.
    said: Text,
    asked: Text,
    /// True while the model writes.
    is_answering: bool,
    edits: u64,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        self.messages.summary.lines += 1;
        if let Some(asked) = line.strip_prefix("####") {
            self.flush_said();
            self.is_answering = false;
            self.asked.add(asked.trim(), self.messages.summary.lines);
        } else if let Some(note) = line.strip_prefix("> ") {
            self.note(note.trim_end());
        } else if self.is_answering || !line.trim().is_empty() {
            self.flush_asked();
            if !std::mem::replace(&mut self.is_answering, true) {
                self.messages.push(Observation::ModelCall);
            }
            self.said.add(line, self.messages.summary.lines);
        }
    }

    /// Handles a line that aider itself wrote.
    fn note(&mut self, note: &str) {
        self.flush_asked();
        if let Some(path) = note.strip_prefix("Applied edit to ") {
            self.flush_said();
            self.is_answering = false;
            self.edits += 1;
            let call = format!("edit {}", self.edits);
            self.messages.push(Observation::ToolCall {
                call: call.clone(),
                actions: Action::edit(path).into(),
            });
            self.messages
                .push(Observation::result(call, note.to_owned(), false, None));
        } else if let Some(counts) = note.strip_prefix("Tokens: ") {
            self.flush_said();
            self.is_answering = false;
            let usage = usage(counts);
            self.messages.push(Observation::Usage {
                usage,
                model: None,
                window: None,
                provider: None,
            });
        }
    }

    fn flush(&mut self) {
        self.flush_asked();
        self.flush_said();
    }

    fn flush_said(&mut self) {
        let said = std::mem::take(&mut self.said);
        self.messages.held = said.place;
        self.messages.said(&said.text);
        self.messages.held = None;
    }

    fn flush_asked(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        let message = match asked.text.strip_prefix('/') {
            // Only these commands carry a message for the model.
            Some(command) => match command.split_once(' ') {
                Some(("ask" | "code" | "architect", message)) => message,
                _ => "",
            },
            None if asked.text == "<blank>" => "",
            None => &asked.text,
        };
        self.messages.held = asked.place;
        self.messages.user(message);
        self.messages.held = None;
    }
}

/// The lines of a message.
#[derive(Default)]
struct Text {
    text: String,
    /// The line number of the first one.
    place: Option<u64>,
}

impl Text {
    /// Adds a line, unless the text already has [`LONGEST`] bytes.
    fn add(&mut self, line: &str, place: u64) {
        if (self.text.len() as u64) < LONGEST {
            if self.place.is_some() {
                self.text.push('\n');
            }
            self.text.push_str(line);
        }
        self.place.get_or_insert(place);
    }
}

/// Parses the counts of a report such as `12k sent, 3k cache write, 1.5k cache hit, 412 received.`
fn usage(counts: &str) -> Usage {
    let mut usage = Usage::default();
    let (mut sent, counts) = (0, counts.split(". ").next().unwrap_or(counts));
    for part in counts.split(", ") {
        let Some((count, kind)) = part.trim_end_matches('.').split_once(' ') else {
            continue;
        };
        let count = tokens(count).unwrap_or(0);
        match kind {
            "sent" => sent = count,
            "cache write" => usage.cache_write = count,
            "cache hit" => usage.cache_read = count,
            "received" => usage.output = count,
            _ => {}
        }
    }
    // The tokens that were sent include those that were read from the cache and written to it.
    usage.input = sent.saturating_sub(usage.cache_read.saturating_add(usage.cache_write));
    usage
}

/// Parses a number of tokens. Thousands have one digit after the point: `1.5k`.
fn tokens(count: &str) -> Option<u64> {
    let Some(thousands) = count.strip_suffix('k') else {
        return count.replace(',', "").parse().ok();
    };
    let (whole, tenths) = thousands.split_once('.').unwrap_or((thousands, "0"));
    let (whole, tenths): (u64, u64) = (whole.parse().ok()?, tenths.parse().ok()?);
    whole
        .checked_mul(1_000)?
        .checked_add(tenths.checked_mul(100)?)
}

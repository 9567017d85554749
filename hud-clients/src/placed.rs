//! A document that is read as a stream, one message at a time. It counts the bytes that are read and
//! limits the length of a message.

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::marked::typed;
use hud_observe::observation::Observation;
use jiff::Timestamp;
use serde_json::Value;

use super::Client;
use crate::lenient::Lenient;
use crate::transcript::{Entry, LONGEST, Summary};

/// The byte offset that was read, the byte offset up to which reading is allowed, and the number of
/// repaired lines.
#[derive(Debug)]
pub(crate) struct Place {
    bytes: Cell<u64>,
    end: Cell<u64>,
    mended: Cell<u64>,
}

impl Place {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: Cell::new(0),
            end: Cell::new(u64::MAX),
            mended: Cell::new(0),
        }
    }

    /// Limits the length of the next message.
    pub(crate) fn bound(&self) {
        self.end.set(self.bytes().saturating_add(LONGEST));
    }

    /// Removes the limit, because the rest is skipped and may have any length.
    pub(crate) fn unbound(&self) {
        self.end.set(u64::MAX);
    }

    /// The number of bytes that were read.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// The number of lines that were repaired.
    pub(crate) const fn mended(&self) -> u64 {
        self.mended.get()
    }
}

/// A reader that counts its bytes and fails past the limit of its [`Place`]. Its output is
/// [repaired](Lenient).
pub(crate) struct Placed<'p, R> {
    repaired: Lenient<BufReader<Counted<'p, R>>>,
    place: &'p Place,
}

impl<'p, R: Read> Placed<'p, R> {
    pub(crate) fn new(inner: R, place: &'p Place) -> Self {
        let counted = Counted { inner, place };
        Self {
            repaired: Lenient::of_lines(BufReader::new(counted)),
            place,
        }
    }
}

impl<R: Read> Read for Placed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        // The repaired reader returns a few bytes at a time.
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.repaired.read(rest) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if filled == 0 => return Err(error),
                // The next read returns the error again.
                Err(_) => break,
            }
        }
        self.place.mended.set(self.repaired.repaired_lines());
        Ok(filled)
    }
}

/// A reader that counts the bytes that it returns.
struct Counted<'p, R> {
    inner: R,
    place: &'p Place,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.place.bytes();
        if bytes > self.place.end.get() {
            return Err(io::Error::other(format!(
                "a message before byte {bytes} is longer than {LONGEST} bytes, and no session has \
                 such messages: remove it, then read again"
            )));
        }
        let read = self.inner.read(buffer)?;
        self.place.bytes.set(bytes + read as u64);
        Ok(read)
    }
}

/// Reports the observations of a document's messages in order, until the sink wants no more.
pub(crate) struct Messages<'r> {
    place: &'r Place,
    sink: &'r mut dyn FnMut(Entry) -> ControlFlow<()>,
    outcome: ControlFlow<()>,
    /// True once an observation of the conversation was reported.
    has_conversation: bool,
    /// The number of the message that the entries belong to, if it is not the last counted one.
    pub(crate) held: Option<u64>,
    /// The time of the current message, if it has one.
    pub(crate) at: Option<Timestamp>,
    pub(crate) summary: Summary,
}

impl<'r> Messages<'r> {
    pub(crate) fn new(place: &'r Place, sink: &'r mut dyn FnMut(Entry) -> ControlFlow<()>) -> Self {
        Self {
            place,
            sink,
            outcome: ControlFlow::Continue(()),
            has_conversation: false,
            held: None,
            at: None,
            summary: Summary::default(),
        }
    }

    /// True if the sink wants no more.
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.is_break()
    }

    /// True if an observation of the conversation was reported.
    pub(crate) const fn has_conversation(&self) -> bool {
        self.has_conversation
    }

    /// Counts a message of an unknown role.
    pub(crate) fn unknown(&mut self, role: &str) {
        self.passed_over(format!("role {role}"));
    }

    /// Counts a part of an unknown type.
    pub(crate) fn passed_over(&mut self, kind: String) {
        *self.summary.unknown.entry(kind).or_default() += 1;
    }

    /// Names a conversation of a file with several, by its number from 1. The first one has the file's name.
    pub(crate) fn conversation(&mut self, path: &Path, number: u64) {
        if number > 1 {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{number}");
            self.push(Observation::Session { name });
        }
    }

    /// Reports the part of a text that the user typed.
    pub(crate) fn user(&mut self, text: &str) {
        let text = typed(text);
        if !text.trim().is_empty() {
            self.push(Observation::User {
                text: text.to_owned(),
            });
        }
    }

    /// Reports a text of the agent.
    pub(crate) fn said(&mut self, text: &str) {
        if let Some(said) = Observation::said(text) {
            self.push(said);
        }
    }

    /// Reports a call of a client's tool.
    pub(crate) fn call(&mut self, client: &dyn Client, call: &str, tool: &str, input: &Value) {
        if let Some(arguments) = Observation::arguments(input.clone()) {
            self.push(arguments);
        }
        self.push(Observation::ToolCall {
            call: call.to_owned(),
            actions: client.actions(tool, input).into(),
        });
    }

    /// Returns the number of the message that entries belong to.
    const fn place(&self) -> u64 {
        match self.held {
            Some(place) => place,
            None => self.summary.lines,
        }
    }

    /// Returns the key of the next entry.
    pub(crate) fn key(&self) -> String {
        format!("message {}", self.place())
    }

    /// Reports an observation of the current message.
    pub(crate) fn push(&mut self, observation: Observation) {
        if self.is_over() {
            return;
        }
        self.summary.entries += 1;
        self.has_conversation |= !matches!(
            observation,
            Observation::Session { .. }
                | Observation::Directory { .. }
                | Observation::Model { .. }
                | Observation::Usage { .. }
        );
        let (place, key) = (self.place(), self.key());
        self.outcome = (self.sink)(Entry {
            place,
            key,
            at: self.at,
            bytes: self.place.bytes(),
            observation,
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    /// A reader that returns a text in pieces of a fixed length.
    struct Pieces<'t>(&'t [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (piece, rest) = self.0.split_at(count);
            buffer[..count].copy_from_slice(piece);
            self.0 = rest;
            Ok(count)
        }
    }

    #[test]
    fn what_is_no_character_is_replaced_wherever_the_pieces_end() {
        for (text, read, mended) in [
            (&b"{\"a\":\"\\ud83d\"}"[..], "{\"a\":\"\\ufffd\"}", 1),
            (
                b"\"\\ud83d\\ude00 \\\\ud83d\"",
                "\"\\ud83d\\ude00 \\\\ud83d\"",
                0,
            ),
            (
                b"\"caf\xE9 \xE2\x82\xAC\"\n\"\xFF\"\n",
                "\"caf\u{FFFD} \u{20AC}\"\n\"\u{FFFD}\"\n",
                2,
            ),
            (b"\"\xE2\x82", "\"\u{FFFD}", 1),
            (b"\"\\u00e9 \\ud8", "\"\\u00e9 \\\\ud8", 1),
            (
                b"{\"torn\": \"\\ud83d\n\"\\ud83d\"",
                "{\"torn\": \"\\ufffd\n\"\\ufffd\"",
                2,
            ),
            (
                b"{\"torn\": [\"a\n[\"b\"]\n",
                "{\"torn\": [\"a\n[\"b\"]\n",
                0,
            ),
            (b"plain", "plain", 0),
            (b"", "", 0),
        ] {
            for length in [1, 2, 3, 5, 7, 64] {
                let place = Place::new();
                let mut found = String::new();
                Placed::new(Pieces(text, length), &place)
                    .read_to_string(&mut found)
                    .unwrap();
                assert_eq!((&*found, place.mended()), (read, mended), "{length}");
                assert_eq!(place.bytes(), text.len() as u64);
            }
        }
    }
}

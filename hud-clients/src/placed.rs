//! A document that is read as a stream, a message at a time: how far it was read, and that no message is too
//! long.

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;

use hud_observe::marked::typed;
use hud_observe::observation::Observation;
use jiff::Timestamp;
use serde_json::Value;

use super::Client;
use crate::lenient::Lenient;
use crate::transcript::{Entry, LONGEST, Summary};

/// The place up to which the document was read, the place that it may be read to, and the number of repaired lines.
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

    /// The next message ends within what a message may have.
    pub(crate) fn bound(&self) {
        self.end.set(self.bytes().saturating_add(LONGEST));
    }

    /// What follows is passed over, and may be of any length.
    pub(crate) fn unbound(&self) {
        self.end.set(u64::MAX);
    }

    /// How much was read, in bytes.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// The number of lines that were repaired.
    pub(crate) const fn mended(&self) -> u64 {
        self.mended.get()
    }
}

/// A reader that keeps its place, and fails beyond where it may read. What it gives is [repaired](Lenient).
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
        // It gives a few bytes at a time.
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.repaired.read(rest) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if filled == 0 => return Err(error),
                // It comes again.
                Err(_) => break,
            }
        }
        self.place.mended.set(self.repaired.repaired_lines());
        Ok(filled)
    }
}

/// A reader that counts what it gives.
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

/// What the messages of a document say, one after the other, until whoever takes it in wants no more.
pub(crate) struct Messages<'r> {
    place: &'r Place,
    sink: &'r mut dyn FnMut(Entry) -> ControlFlow<()>,
    outcome: ControlFlow<()>,
    /// True once something was said or done.
    has_conversation: bool,
    /// The place of what is given now, if it is not the message that was counted last.
    pub(crate) held: Option<u64>,
    /// When the message was written that is being read, if it says so.
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

    /// Whether no more is wanted.
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.is_break()
    }

    /// True if something was said or done.
    pub(crate) const fn has_conversation(&self) -> bool {
        self.has_conversation
    }

    /// Counts a message of a role that nothing is known of.
    pub(crate) fn unknown(&mut self, role: &str) {
        self.passed_over(format!("role {role}"));
    }

    /// Counts a part of a kind that nothing is known of.
    pub(crate) fn passed_over(&mut self, kind: String) {
        *self.summary.unknown.entry(kind).or_default() += 1;
    }

    /// Gives the part of a text that the user typed.
    pub(crate) fn user(&mut self, text: &str) {
        let text = typed(text);
        if !text.trim().is_empty() {
            self.push(Observation::User {
                text: text.to_owned(),
            });
        }
    }

    /// Gives a text of the agent.
    pub(crate) fn said(&mut self, text: &str) {
        if let Some(said) = Observation::said(text) {
            self.push(said);
        }
    }

    /// Gives the call of a client's tool.
    pub(crate) fn call(&mut self, client: &dyn Client, call: &str, tool: &str, input: &Value) {
        if let Some(arguments) = Observation::arguments(input.clone()) {
            self.push(arguments);
        }
        self.push(Observation::ToolCall {
            call: call.to_owned(),
            actions: client.actions(tool, input).into(),
        });
    }

    /// The place of what is given now.
    const fn place(&self) -> u64 {
        match self.held {
            Some(place) => place,
            None => self.summary.lines,
        }
    }

    /// The key of what is given now.
    pub(crate) fn key(&self) -> String {
        format!("message {}", self.place())
    }

    /// Gives something that the message says which was counted last.
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

    /// Gives a text in pieces of a length.
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

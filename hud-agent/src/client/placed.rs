//! A document that is read as a stream, a message at a time: how far it was read, and that no message is too
//! long.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use jiff::Timestamp;
use memchr::{memchr, memchr_iter};

use crate::observation::Observation;
use crate::transcript::{Entry, LONGEST, Summary, escape};

/// How far the document was read, how far it may be, and how many of its lines have what is no character.
#[derive(Debug)]
pub(in crate::client) struct Place {
    bytes: Cell<u64>,
    end: Cell<u64>,
    mended: Cell<u64>,
}

impl Place {
    pub(in crate::client) const fn new() -> Self {
        Self {
            bytes: Cell::new(0),
            end: Cell::new(u64::MAX),
            mended: Cell::new(0),
        }
    }

    /// The next message ends within what a message may have.
    pub(in crate::client) fn bound(&self) {
        self.end.set(self.bytes().saturating_add(LONGEST));
    }

    /// What follows is passed over, and may be of any length.
    pub(in crate::client) fn unbound(&self) {
        self.end.set(u64::MAX);
    }

    /// How much was read, in bytes.
    pub(in crate::client) const fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// The lines on which U+FFFD takes the place of what is no character.
    pub(in crate::client) const fn mended(&self) -> u64 {
        self.mended.get()
    }
}

/// How much is read at once.
const CHUNK: usize = 8 * 1024;

/// The longest thing that is looked at as a whole: a pair of escapes.
const PAIR: usize = 12;

/// A reader that keeps its place, and fails beyond where it may read. It gives U+FFFD for bytes that are no UTF-8
/// and for halves of surrogate pairs, which clients write when they cut a text within an emoji.
pub(in crate::client) struct Placed<'p, R> {
    inner: R,
    place: &'p Place,
    /// Bytes that were read and may be the beginning of something.
    raw: Vec<u8>,
    /// Bytes to be given, and how many of them were.
    ready: Vec<u8>,
    given: usize,
    /// The line that is being read, and the last one with what is no character.
    line: u64,
    last_mended: Option<u64>,
}

impl<'p, R: Read> Placed<'p, R> {
    pub(in crate::client) fn new(inner: R, place: &'p Place) -> Self {
        Self {
            inner,
            place,
            raw: Vec::new(),
            ready: Vec::new(),
            given: 0,
            line: 0,
            last_mended: None,
        }
    }

    /// Reads on; whether there was anything.
    fn fill(&mut self) -> io::Result<bool> {
        let known = self.raw.len();
        self.raw.resize(known + CHUNK, 0);
        let (_, room) = self.raw.split_at_mut(known);
        let read = self.inner.read(room);
        self.raw.truncate(known + *read.as_ref().unwrap_or(&0));
        let read = read?;
        self.place.bytes.set(self.place.bytes() + read as u64);
        self.ready.clear();
        self.given = 0;
        let raw = std::mem::take(&mut self.raw);
        let taken = self.take(&raw, read == 0);
        self.raw
            .extend_from_slice(raw.get(taken..).unwrap_or_default());
        Ok(read > 0 || !self.ready.is_empty())
    }

    /// Takes in what is complete of the bytes; gives how many that are.
    fn take(&mut self, raw: &[u8], is_end: bool) -> usize {
        let mut at = 0;
        while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
            let escape = memchr(b'\\', rest);
            let (plain, _) = rest.split_at(escape.unwrap_or(rest.len()));
            if plain.is_empty() {
                if rest.len() < PAIR && !is_end {
                    break;
                }
                at += self.escaped(rest);
                continue;
            }
            let (text, bad) = match std::str::from_utf8(plain) {
                Ok(text) => (text.as_bytes(), None),
                Err(error) => {
                    let (valid, bad) = plain.split_at(error.valid_up_to());
                    let is_whole = error.error_len().is_some() || escape.is_some() || is_end;
                    let length = error.error_len().unwrap_or(bad.len());
                    (valid, Some(is_whole.then_some(length)))
                }
            };
            self.line += memchr_iter(b'\n', text).count() as u64;
            self.ready.extend_from_slice(text);
            at += text.len();
            match bad {
                None => {}
                Some(Some(length)) => {
                    self.ready.extend_from_slice("\u{FFFD}".as_bytes());
                    self.mended();
                    at += length;
                }
                // The rest of a character is still to come.
                Some(None) => break,
            }
        }
        at
    }

    /// Takes in an escape; gives how long it is.
    fn escaped(&mut self, rest: &[u8]) -> usize {
        let behind = rest.get(6..).unwrap_or_default();
        let length = match escape(rest) {
            Some(0xD800..=0xDBFF) if matches!(escape(behind), Some(0xDC00..=0xDFFF)) => PAIR,
            Some(0xD800..=0xDFFF) => {
                self.ready.extend_from_slice(b"\\ufffd");
                self.mended();
                return 6;
            }
            // The next byte is escaped: it begins no escape itself.
            _ if rest.get(1).is_some_and(u8::is_ascii) => 2,
            _ => 1,
        };
        self.ready
            .extend_from_slice(rest.get(..length).unwrap_or(rest));
        length
    }

    fn mended(&mut self) {
        if self.last_mended != Some(self.line) {
            self.last_mended = Some(self.line);
            self.place.mended.set(self.place.mended() + 1);
        }
    }
}

impl<R: Read> Read for Placed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.place.bytes();
        if bytes > self.place.end.get() {
            return Err(io::Error::other(format!(
                "a message before byte {bytes} is longer than {LONGEST} bytes, and no session has \
                 such messages: remove it, then read again"
            )));
        }
        while self.given == self.ready.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let ready = self.ready.get(self.given..).unwrap_or_default();
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.given += count;
        Ok(count)
    }
}

/// What the messages of a document say, one after the other, until whoever takes it in wants no more.
pub(in crate::client) struct Messages<'r> {
    place: &'r Place,
    sink: &'r mut dyn FnMut(Entry) -> ControlFlow<()>,
    outcome: ControlFlow<()>,
    /// When the message was written that is being read, if it says so.
    pub(in crate::client) at: Option<Timestamp>,
    pub(in crate::client) summary: Summary,
}

impl<'r> Messages<'r> {
    pub(in crate::client) fn new(
        place: &'r Place,
        sink: &'r mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Self {
        Self {
            place,
            sink,
            outcome: ControlFlow::Continue(()),
            at: None,
            summary: Summary::default(),
        }
    }

    /// Whether no more is wanted.
    pub(in crate::client) fn is_over(&self) -> bool {
        self.outcome.is_break()
    }

    /// Counts a message of a role that nothing is known of.
    pub(in crate::client) fn unknown(&mut self, role: &str) {
        let role = format!("role {role}");
        *self.summary.unknown.entry(role).or_default() += 1;
    }

    /// Gives something that the message says which was counted last.
    pub(in crate::client) fn push(&mut self, observation: Observation) {
        if self.is_over() {
            return;
        }
        let place = self.summary.lines;
        self.summary.entries += 1;
        self.outcome = (self.sink)(Entry {
            place,
            key: format!("message {place}"),
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
            (b"\"\\u00e9 \\ud8", "\"\\u00e9 \\ud8", 0),
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

//! A document that is read as a stream, a message at a time: how far it was read, and that no message is too
//! long.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use jiff::Timestamp;

use crate::observation::Observation;
use crate::transcript::{Entry, LONGEST, Summary};

/// How far the document was read, and how far it may be.
#[derive(Debug)]
pub(in crate::client) struct Place {
    bytes: Cell<u64>,
    end: Cell<u64>,
}

impl Place {
    pub(in crate::client) const fn new() -> Self {
        Self {
            bytes: Cell::new(0),
            end: Cell::new(u64::MAX),
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
}

/// A reader that keeps its place, and fails beyond where it may read.
pub(in crate::client) struct Placed<'p, R> {
    pub(in crate::client) inner: R,
    pub(in crate::client) place: &'p Place,
}

impl<R: Read> Read for Placed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.place.bytes.get();
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

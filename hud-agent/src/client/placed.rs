//! A document that is read as a stream, a message at a time: how far it was read, and that no message is too
//! long.

use std::cell::Cell;
use std::io::{self, Read};

use crate::transcript::LONGEST;

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

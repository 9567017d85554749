//! The document as a stream: the messages of its `history`, one at a time, and nothing of the
//! rest. Trajectories repeat whole conversations in other places.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::transcript::LONGEST;
use crate::transcript::content::Content;

/// The keys with which a trajectory can begin.
pub(super) const KEYS: &[&str] = &[
    "environment",
    "trajectory",
    "history",
    "info",
    "replay_config",
];

/// How far the document was read, and how far it may be.
#[derive(Debug)]
pub(super) struct Place {
    bytes: Cell<u64>,
    end: Cell<u64>,
}

impl Place {
    pub(super) const fn new() -> Self {
        Self {
            bytes: Cell::new(0),
            end: Cell::new(u64::MAX),
        }
    }

    /// How much was read, in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes.get()
    }
}

/// A reader that keeps its place, and fails beyond where it may read.
pub(super) struct Placed<'p, R> {
    pub(super) inner: R,
    pub(super) place: &'p Place,
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

/// A message of the history.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) role: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) content: Content<'a>,
    pub(super) is_demo: Option<bool>,
    #[serde(borrow)]
    pub(super) thought: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) action: Option<Cow<'a, str>>,
    pub(super) tool_calls: Option<Vec<Call>>,
    pub(super) tool_call_ids: Option<Vec<String>>,
}

#[derive(Deserialize)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) function: Function,
}

#[derive(Deserialize)]
pub(super) struct Function {
    pub(super) name: String,
    /// As the model wrote them: JSON, unless it made a mistake.
    pub(super) arguments: String,
}

/// A document: each message of its `history` goes to `sink`, until that says `false`. It is read
/// to whether it has a `history`.
pub(super) struct Document<'d> {
    pub(super) place: &'d Place,
    pub(super) sink: &'d mut dyn FnMut(Message<'_>) -> bool,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a SWE-agent trajectory")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "history" {
                map.next_value_seed(History(&mut self))?;
                found = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// The `history` array.
struct History<'h, 'd>(&'h mut Document<'d>);

impl<'de> DeserializeSeed<'de> for History<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for History<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        let Document { place, sink } = self.0;
        loop {
            place.end.set(place.bytes() + LONGEST);
            let Some(message) = messages.next_element()? else {
                break;
            };
            if !sink(message) {
                return Err(A::Error::custom("the sink wants no more"));
            }
        }
        // What follows is passed over, and takes no memory however long it is.
        place.end.set(u64::MAX);
        Ok(())
    }
}

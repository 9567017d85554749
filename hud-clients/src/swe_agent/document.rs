//! The document as a stream. It reads the messages of its `history`, one at a time, and skips the rest.
//! Trajectories repeat whole conversations in other places.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::chat::Call;
use crate::placed::Place;
use crate::transcript::content::{Content, Text};

/// The keys that a trajectory may begin with.
pub(super) const KEYS: &[&str] = &[
    "environment",
    "trajectory",
    "history",
    "info",
    "replay_config",
];

/// A message of the history.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) role: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) content: Content<'a>,
    pub(super) is_demo: Option<bool>,
    #[serde(borrow)]
    pub(super) thought: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) action: Option<Text<'a>>,
    pub(super) tool_calls: Option<Vec<Call>>,
    pub(super) tool_call_ids: Option<Vec<String>>,
}

/// A document. It passes each message of its `history` to `sink`, until that returns `false`. Its value
/// is true if it has a `history`.
pub(super) struct Document<'d> {
    pub(super) place: &'d Place,
    pub(super) sink: &'d mut dyn FnMut(Option<Message<'_>>) -> bool,
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
            place.bound();
            let Some(message) = messages.next_element::<Value>()? else {
                break;
            };
            // A message that cannot be read is passed as `None`.
            let message = Message::deserialize(&message).ok();
            if !sink(message) {
                return Err(A::Error::custom("the sink wants no more"));
            }
        }
        // The rest is skipped and needs no memory, however long it is.
        place.unbound();
        Ok(())
    }
}

//! The document as a stream: the messages of one of its conversations, one at a time, and nothing of the rest.

use std::fmt;
use std::io::Read;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::message::Message;
use crate::client::placed::Place;

/// What a list of messages is called in what has one.
pub(super) const LISTS: &[&str] = &["messages", "traj"];

/// What takes a message, and says whether it wants more.
type Sink<'d> = dyn FnMut(Message<'_>) -> bool + 'd;

/// A document, of which the messages of one conversation go to a sink.
pub(super) struct Document<'d> {
    /// The conversation, from 1 on.
    number: u64,
    place: &'d Place,
    sink: &'d mut Sink<'d>,
    /// How many conversations were begun.
    count: u64,
    /// Whether the last of them is one of messages that nothing is around.
    is_bare: bool,
    /// Whether anything was read of the value that is being read.
    is_begun: bool,
}

impl<'d> Document<'d> {
    pub(super) fn new(number: u64, place: &'d Place, sink: &'d mut Sink<'d>) -> Self {
        Self {
            number,
            place,
            sink,
            count: 0,
            is_bare: false,
            is_begun: false,
        }
    }

    /// Reads all of it; gives how many conversations it has.
    pub(super) fn read(mut self, file: impl Read) -> serde_json::Result<u64> {
        let mut document = serde_json::Deserializer::from_reader(file);
        let mut is_first = true;
        loop {
            self.is_begun = false;
            match Values::within(&mut self, false).deserialize(&mut document) {
                Ok(()) => is_first = false,
                // There is nothing behind the last value.
                Err(error) if error.is_eof() && !self.is_begun && !is_first => {
                    return Ok(self.count);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// A conversation begins; gives whether it is the one that is wanted.
    fn begins(&mut self, is_bare: bool) -> bool {
        if !(is_bare && self.is_bare) {
            self.count += 1;
        }
        self.is_bare = is_bare;
        self.count == self.number
    }
}

/// A value: a message, something that has messages, or a list of them.
struct Values<'v, 'd> {
    document: &'v mut Document<'d>,
    /// Whether it is a message of the conversation that is wanted.
    is_wanted: bool,
}

impl Values<'_, '_> {
    /// The next one of a list.
    const fn within<'v, 'd>(document: &'v mut Document<'d>, is_wanted: bool) -> Values<'v, 'd> {
        Values {
            document,
            is_wanted,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.document.place.bound();
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("messages of a chat")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Self {
            document,
            is_wanted,
        } = self;
        document.is_begun = true;
        document.is_bare = false;
        while values
            .next_element_seed(Values::within(document, is_wanted))?
            .is_some()
        {}
        document.is_bare = false;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self {
            document,
            is_wanted,
        } = self;
        document.is_begun = true;
        let mut message = Message::default();
        let mut is_message = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "role" => {
                    message.role = map.next_value::<String>()?.into();
                    is_message = true;
                }
                "content" => message.content = map.next_value()?,
                "tool_calls" => message.tool_calls = map.next_value()?,
                "function_call" => message.function_call = map.next_value()?,
                "tool_call_id" => message.tool_call_id = map.next_value()?,
                list if LISTS.contains(&list) && !is_wanted => {
                    if document.begins(false) {
                        map.next_value_seed(Values::within(document, true))?;
                    } else {
                        document.place.unbound();
                        map.next_value::<IgnoredAny>()?;
                        document.place.bound();
                    }
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if is_message && (is_wanted || document.begins(true)) && !(document.sink)(message) {
            return Err(A::Error::custom("the sink wants no more"));
        }
        Ok(())
    }
}

/// The keys of the first object of a document that begins so, as far as they are in it.
pub(in crate::client) fn first_keys(beginning: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let mut document = serde_json::Deserializer::from_slice(beginning);
    // It ends in the middle of something.
    let _cut_short = Keys(&mut keys).deserialize(&mut document);
    keys
}

/// The first object, in whatever lists.
struct Keys<'k>(&'k mut Vec<String>);

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        values.next_element_seed(self).map(drop)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            self.0.push(key);
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

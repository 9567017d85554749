//! The document as a stream. It reads the messages of one conversation, one at a time, and skips the
//! rest.

use std::fmt;
use std::io::{BufRead, Read};

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::message::Message;
use crate::placed::Place;
use crate::recorded::{BEGINNINGS, continues};
use crate::transcript::{BYTE_ORDER_MARK, LONGEST, Summary, whole};

/// The keys that hold a list of messages.
pub(super) const LISTS: &[&str] = &["messages", "traj"];

/// Receives a message and returns whether it wants more.
type Sink<'d> = dyn FnMut(Message) -> bool + 'd;

/// A document. It passes the messages of one conversation to a sink.
pub(super) struct Document<'d> {
    /// The number of the conversation, counted from 1.
    number: u64,
    place: &'d Place,
    sink: &'d mut Sink<'d>,
    /// The number of conversations that have begun.
    count: u64,
    /// True if the last conversation consists of messages without an enclosing object.
    is_bare: bool,
    /// True if anything was read of the current value.
    is_begun: bool,
    /// True if a message was read.
    has_message: bool,
    /// True if the sink wants no more.
    is_over: bool,
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
            has_message: false,
            is_over: false,
        }
    }

    /// Reads as much of the document as can be read. Returns the number of its conversations and the
    /// summary of what is damaged. Fails if none of it can be read.
    pub(super) fn read(self, mut file: impl BufRead) -> serde_json::Result<(u64, Summary)> {
        let mut first = Vec::new();
        let start = loop {
            let start = file
                .fill_buf()
                .map_err(serde_json::Error::io)?
                .first()
                .copied();
            match start {
                Some(byte) if byte.is_ascii_whitespace() => file.consume(1),
                start => break start,
            }
        };
        if start == Some(b'{') {
            let mut line = file.by_ref().take(LONGEST);
            line.read_until(b'\n', &mut first)
                .map_err(serde_json::Error::io)?;
            // A longer text is not a line; it is read message by message.
            if (first.len() as u64) < LONGEST && is_line(&first) {
                return self.lines(first, file);
            }
        }
        self.whole(first.chain(file))
    }

    /// Reads a document of one value, or of several values that are not one per line.
    fn whole(mut self, file: impl Read) -> serde_json::Result<(u64, Summary)> {
        let mut document = serde_json::Deserializer::from_reader(file);
        let mut is_first = true;
        let mut summary = Summary::default();
        loop {
            self.is_begun = false;
            match Values::within(&mut self, false).deserialize(&mut document) {
                Ok(()) => is_first = false,
                // Nothing follows the last value.
                Err(error) if error.is_eof() && !self.is_begun && !is_first => {
                    return Ok((self.count, summary));
                }
                Err(error) if self.has_message && !error.is_io() => {
                    summary.damage(error.line() as u64);
                    return Ok((self.count, summary));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads a value on each line.
    fn lines(
        mut self,
        first: Vec<u8>,
        mut file: impl BufRead,
    ) -> serde_json::Result<(u64, Summary)> {
        let mut summary = Summary::default();
        let (mut line, mut number) = (first, 0);
        while !line.is_empty() && !self.is_over {
            number += 1;
            let is_whole = line.ends_with(b"\n");
            let text = line.trim_ascii();
            let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            if !self.line(text) && !self.is_over {
                match is_whole {
                    true => summary.damage(number),
                    false => summary.truncated = Some(number),
                }
            }
            line.clear();
            self.place.bound();
            file.read_until(b'\n', &mut line)
                .map_err(serde_json::Error::io)?;
        }
        Ok((self.count, summary))
    }

    /// Reads the values of a line. Returns true if the line contains nothing else.
    fn line(&mut self, text: &[u8]) -> bool {
        if text.is_empty() {
            return true;
        }
        let mut value = |text: &[u8]| {
            let mut value = serde_json::Deserializer::from_slice(text);
            Values::within(self, false).deserialize(&mut value).is_ok()
        };
        if serde_json::from_slice::<IgnoredAny>(text).is_ok() {
            return value(text);
        }
        let (values, mut is_damaged) = whole::records(text, BEGINNINGS);
        for found in &values {
            is_damaged |= !value(found);
        }
        // If the line is cut off, its complete messages are read.
        if values.is_empty() {
            value(text);
        }
        !is_damaged
    }

    fn take(&mut self, message: Message) {
        self.has_message = true;
        self.is_over = !(self.sink)(message);
    }

    /// Reads the messages of a list that is not within a message.
    fn list(&mut self, list: &Value) {
        let list = list
            .as_array()
            .filter(|list| list.iter().any(Value::is_object));
        let Some(list) = list else { return };
        if !self.begins(false) {
            return;
        }
        for message in list {
            if !self.is_over {
                self.take(Message::of(message));
            }
        }
    }

    /// Begins a conversation. Returns true if it is the requested one.
    fn begins(&mut self, is_bare: bool) -> bool {
        if !(is_bare && self.is_bare) {
            self.count += 1;
        }
        self.is_bare = is_bare;
        self.count == self.number
    }
}

/// A value: a message, an object that has messages, or a list of these.
struct Values<'v, 'd> {
    document: &'v mut Document<'d>,
    /// True if the value is a message of the requested conversation.
    is_wanted: bool,
}

impl Values<'_, '_> {
    /// The seed for the next value of a list.
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
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                list if LISTS.contains(&list) && !is_wanted => {
                    if document.begins(false) {
                        map.next_value_seed(Values::within(document, true))?;
                    } else {
                        document.place.unbound();
                        map.next_value::<IgnoredAny>()?;
                        document.place.bound();
                    }
                }
                // The state of a graph.
                "values" if !is_wanted => {
                    map.next_value_seed(Values::within(document, false))?;
                }
                key if Message::has(key) => message.set(key, map.next_value()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        // Between messages, an object without a role is a message that cannot be read.
        let is_among = || document.is_bare && document.count == document.number;
        let is_message = !message.role.is_empty() || message.is_item();
        let is_taken = match is_message {
            true => is_wanted || document.begins(true),
            false => is_wanted || (!message.content.is_null() && is_among()),
        };
        if is_taken {
            document.take(message);
        } else {
            // The input that a model was sent, and its output.
            for list in [&message.arguments, &message.output] {
                document.list(list);
            }
        }
        match document.is_over {
            true => Err(A::Error::custom("the sink wants no more")),
            false => Ok(()),
        }
    }
}

/// True if a first line is a complete value, or the beginning of one that is cut off. The first line of
/// a document that is written on several lines ends where JSON can continue.
fn is_line(line: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => true,
        _ => !continues(line) && memchr::memmem::find(line, b"\"role\"").is_some(),
    }
}

/// The number of lines that are examined to recognise a file whose first line is damaged.
const FIRST: usize = 3;

/// True if `is` accepts the keys of the first object, or those of an object on one of the following
/// lines.
pub(crate) fn any_of_first(beginning: &[u8], is: impl Fn(&[String]) -> bool) -> bool {
    let mut lines = beginning.split(|byte| *byte == b'\n').take(FIRST).skip(1);
    is(&first_keys(beginning)) || lines.any(|line| line.starts_with(b"{") && is(&first_keys(line)))
}

/// Returns the keys of the first object of a document, as far as this beginning contains them.
pub(crate) fn first_keys(beginning: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let mut document = serde_json::Deserializer::from_slice(beginning);
    // The beginning ends in the middle of a value.
    let _cut_short = Keys(&mut keys).deserialize(&mut document);
    keys
}

/// Collects the keys of the first object, at any depth of lists.
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

//! The document as a stream: the messages of one of its conversations, one at a time, and nothing of the rest.

use std::fmt;
use std::io::{BufRead, Read};

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::message::Message;
use crate::placed::Place;
use crate::transcript::{BYTE_ORDER_MARK, LONGEST, Summary, whole};

/// What a list of messages is called in what has one.
pub(super) const LISTS: &[&str] = &["messages", "traj"];

/// What takes a message, and says whether it wants more.
type Sink<'d> = dyn FnMut(Message) -> bool + 'd;

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
    /// Whether a message was read.
    has_message: bool,
    /// Whether the sink wants no more.
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

    /// Reads what can be read of it; gives how many conversations it has, and what of it is damaged. It fails where
    /// none of it can be read.
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
            // A longer one is no line, and is read message by message.
            if (first.len() as u64) < LONGEST && is_line(&first) {
                return self.lines(first, file);
            }
        }
        self.whole(first.chain(file))
    }

    /// Reads a document of a value, or of several without lines of their own.
    fn whole(mut self, file: impl Read) -> serde_json::Result<(u64, Summary)> {
        let mut document = serde_json::Deserializer::from_reader(file);
        let mut is_first = true;
        let mut summary = Summary::default();
        loop {
            self.is_begun = false;
            match Values::within(&mut self, false).deserialize(&mut document) {
                Ok(()) => is_first = false,
                // There is nothing behind the last value.
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

    /// Takes in the values of a line; whether there is nothing else on it.
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
        let (values, mut is_damaged) = whole::records(text, &["{\""]);
        for found in &values {
            is_damaged |= !value(found);
        }
        // Of one that is cut off, the messages that are whole.
        if values.is_empty() {
            value(text);
        }
        !is_damaged
    }

    fn take(&mut self, message: Message) {
        self.has_message = true;
        self.is_over = !(self.sink)(message);
    }

    /// Takes the messages of a list outside of messages.
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
        // Among messages, one without a role is one that cannot be read.
        let is_among = || document.is_bare && document.count == document.number;
        let is_message = !message.role.is_empty() || message.is_item();
        let is_taken = match is_message {
            true => is_wanted || document.begins(true),
            false => is_wanted || (!message.content.is_null() && is_among()),
        };
        if is_taken {
            document.take(message);
        } else {
            // What a model was sent, and what it answered.
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

/// True if a first line is a value of its own, or the beginning of one that is cut off. One of a document that is
/// written on several lines ends where it can go on.
fn is_line(line: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => true,
        _ => {
            let can_go_on = line.trim_ascii_end().ends_with(b"{")
                || line.trim_ascii_end().ends_with(b"[")
                || line.trim_ascii_end().ends_with(b",");
            !can_go_on && memchr::memmem::find(line, b"\"role\"").is_some()
        }
    }
}

/// How many lines are looked at to recognise a file of which the first one is damaged.
const FIRST: usize = 3;

/// True if the keys of the first object are such, or those of an object on one of the lines behind it.
pub(crate) fn any_of_first(beginning: &[u8], is: impl Fn(&[String]) -> bool) -> bool {
    let mut lines = beginning.split(|byte| *byte == b'\n').take(FIRST).skip(1);
    is(&first_keys(beginning)) || lines.any(|line| line.starts_with(b"{") && is(&first_keys(line)))
}

/// The keys of the first object of a document that begins so, as far as they are in it.
pub(crate) fn first_keys(beginning: &[u8]) -> Vec<String> {
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

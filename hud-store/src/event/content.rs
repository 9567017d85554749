//! What an event names by its hash, and a log keeps once beside its events.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::events::Words;
use super::{Clip, HudEvent};
use crate::section::OutputEvent;

/// The hash of a text: BLAKE3, 256 bits. Two texts of the same hash are the same text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of a text.
    pub fn of(text: &str) -> Self {
        Self(*blake3::hash(text.as_bytes()).as_bytes())
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash with those bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is no hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 hexadecimal digits")]
pub struct HashError;

impl FromStr for ContentHash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(HashError);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let value = |digit: &u8| char::from(*digit).to_digit(16);
            let [high, low] = pair else {
                return Err(HashError);
            };
            let (Some(high), Some(low)) = (value(high), value(low)) else {
                return Err(HashError);
            };
            *byte = u8::try_from(16 * high + low).map_err(|_| HashError)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A text by its hash. An event that is appended has the text, and a log keeps it once, whatever names
/// it; an event that is read has the hash, by which [`Log::content`](crate::log::Log::content) gives the
/// text for as long as it is kept.
///
/// ```
/// use hud_store::event::Content;
///
/// let content = Content::from("fn main() {}\n");
/// assert_eq!((content.chars, content.rows, content.text()), (13, 1, Some("fn main() {}\n")));
/// let read: Content = serde_json::from_str(&serde_json::to_string(&content)?)?;
/// assert_eq!((read.hash, read.text()), (content.hash, None));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!from))]
#[serde(from = "Form")]
pub struct Content {
    /// Its hash.
    pub hash: ContentHash,
    /// How many characters it has.
    pub chars: u64,
    /// How many lines it has.
    pub rows: u64,
    #[serde(skip)]
    text: Option<String>,
}

/// How a content is written: by its hash, or, in events of older programs, as the text itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Named {
        hash: ContentHash,
        chars: u64,
        rows: u64,
    },
    Text(String),
}

impl From<Form> for Content {
    fn from(form: Form) -> Self {
        match form {
            Form::Named { hash, chars, rows } => Self {
                hash,
                chars,
                rows,
                text: None,
            },
            Form::Text(text) => text.into(),
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self {
            hash: ContentHash::of(&text),
            chars: text.chars().count() as u64,
            rows: text.lines().count() as u64,
            text: Some(text),
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// The same text, whether it is at hand or not.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        (self.hash, self.chars, self.rows) == (other.hash, other.chars, other.rows)
    }
}

impl Eq for Content {}

impl PartialOrd for Content {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Content {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.hash, self.chars, self.rows).cmp(&(other.hash, other.chars, other.rows))
    }
}

impl Clip for Content {}

impl Words for Content {
    fn words(&self) -> Option<&str> {
        self.text()
    }
}

impl Content {
    /// The text, where it is at hand.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl HudEvent {
    /// What the event names by its hash.
    pub const fn content(&self) -> Option<&Content> {
        match self {
            Self::Output(OutputEvent::Keep(keep)) => Some(&keep.content),
            _ => None,
        }
    }

    /// Puts the text at hand that the event names by its hash; `None` takes it away.
    pub fn set_text(&mut self, text: Option<String>) {
        if let Self::Output(OutputEvent::Keep(keep)) = self {
            keep.content.text = text;
        }
    }
}

/// Its digits.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for ContentHash {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContentHash".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_is_written_and_nothing_else_is_one() {
        let hash = ContentHash::of("redis");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for wrong in ["", "zz", &"é".repeat(32), &"g".repeat(64), &"0".repeat(63)] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(HashError), "{wrong}");
        }
    }

    #[test]
    fn the_text_of_an_event_of_an_older_program_is_named_by_its_hash() {
        let payload = r#"{"call":"c1","tool":"Read","content":"fn main() {}\n"}"#;
        let event = HudEvent::decode("output.keep", 1, payload).unwrap();
        let content = event.content().unwrap();
        assert_eq!(*content, Content::from("fn main() {}\n"));
        assert_eq!(content.text(), Some("fn main() {}\n"));
        let encoded = event.encode().unwrap();
        assert_eq!(encoded.v, 2);
        assert!(!encoded.payload.contains("main"), "{}", encoded.payload);
    }
}

//! JSON as text: what a program doesn't know it can't take apart and put together again without loss.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// How deep a payload may be nested. What reads it takes it apart by recursion.
const MAX_DEPTH: usize = 127;

/// A JSON value, byte for byte as it was written.
///
/// ```
/// use hud_store::event::Json;
///
/// let large = Json::parse("[18446744073709551616, 1e400]")?;
/// assert_eq!(large.as_str(), "[18446744073709551616, 1e400]");
/// assert!(Json::parse("[1").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

impl Json {
    /// The value in a text. White space around it is left out.
    ///
    /// # Errors
    /// When the text is not one JSON value.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let raw: &RawValue = serde_json::from_str(text)?;
        Ok(Self(raw.get().into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.get().into()))
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

/// Why the text of a payload can't be kept, if it can't: it is nested too deeply to be read again.
pub(crate) fn depth_fault(payload: &str) -> Option<String> {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in structure(payload) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (deepest > MAX_DEPTH)
        .then(|| format!("its payload is nested {deepest} deep, and at most {MAX_DEPTH} are read"))
}

/// Whether two texts are the same JSON but for the white space between its parts.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one == other || parts(one).eq(parts(other))
}

/// The bytes of a JSON text that are not white space between its parts.
fn parts(text: &str) -> impl Iterator<Item = u8> {
    bytes(text).filter_map(|(byte, is_text)| {
        let is_space = !is_text && byte.is_ascii_whitespace();
        (!is_space).then_some(byte)
    })
}

/// The bytes of a JSON text that are in no string.
fn structure(text: &str) -> impl Iterator<Item = u8> {
    bytes(text).filter_map(|(byte, is_text)| (!is_text).then_some(byte))
}

/// The bytes of a JSON text, and whether each is in a string.
fn bytes(text: &str) -> impl Iterator<Item = (u8, bool)> {
    let (mut in_string, mut is_escaped) = (false, false);
    text.bytes().map(move |byte| {
        let was_in_string = in_string;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ => {}
        }
        (byte, was_in_string)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_counts_in_strings_only() {
        for (one, other, same) in [
            (r#"{"a":[1,2]}"#, "{ \"a\" : [1,\t2] }", true),
            (r#"{"a":"x y"}"#, r#"{"a":"xy"}"#, false),
            (r#"{"a\" ":1}"#, r#"{"a\"":1}"#, false),
            ("1.0", "1", false),
        ] {
            assert_eq!(is_same(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn depth_is_that_of_brackets_outside_of_strings() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(depth_fault(&nested(127)), None);
        assert!(depth_fault(&nested(128)).is_some());
        assert_eq!(depth_fault(&format!("{:?}", nested(500))), None);
        assert_eq!(depth_fault(&"[],".repeat(500)), None);
    }
}

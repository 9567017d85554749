//! The windows of models, by their names.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::pattern::fits;

/// How many tokens a window may have.
const LEAST: u64 = 1_000;
const MOST: u64 = 1_000_000_000;

/// How a client asks for the largest window of a model.
const LARGEST: &str = "[1m]";

/// The windows of models, in tokens, by patterns for their names.
///
/// ```
/// use hud_derive::settings::Models;
///
/// let models = Models::default();
/// assert_eq!(models.window("claude-sonnet-4-5-20250929", 90_000), Some(200_000));
/// assert_eq!(models.window("claude-sonnet-4-5-20250929", 300_000), Some(1_000_000));
/// assert_eq!(models.window("a-model-of-my-own", 90_000), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Models(BTreeMap<String, Sizes>);

impl Default for Models {
    fn default() -> Self {
        let known: [(&str, &[u64]); 5] = [
            ("*claude*", &[200_000, 1_000_000]),
            ("*gemini*", &[1_048_576]),
            ("*gpt-4.1*", &[1_047_576]),
            ("*gpt-4o*", &[128_000]),
            ("*gpt-5*", &[400_000]),
        ];
        let known = known.map(|(pattern, sizes)| (pattern.to_owned(), Sizes(sizes.to_vec())));
        Self(known.into())
    }
}

impl Models {
    /// The window of a model in tokens; `None` where no pattern fits. A use above the window means that
    /// the client has the larger one.
    pub fn window(&self, model: &str, used: u64) -> Option<u64> {
        let model = model.to_lowercase();
        let fitting = self.0.iter().filter(|(pattern, _)| fits(pattern, &model));
        let (_, Sizes(sizes)) = fitting.max_by_key(|(pattern, _)| pattern.len())?;
        let first = sizes.iter().find(|size| used <= **size);
        let first = first.filter(|_| !model.contains(LARGEST));
        first.or(sizes.last()).copied()
    }
}

/// The sizes that a window can have, the smallest first; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sizes(Vec<u64>);

impl Serialize for Sizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [size] => size.serialize(serializer),
            sizes => sizes.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Sizes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizesVisitor)
    }
}

struct SizesVisitor;

impl<'de> Visitor<'de> for SizesVisitor {
    type Value = Sizes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a number of tokens from {LEAST} to {MOST}, or a list of such numbers"
        )
    }

    fn visit_u64<E: de::Error>(self, size: u64) -> Result<Sizes, E> {
        match (LEAST..=MOST).contains(&size) {
            true => Ok(Sizes(vec![size])),
            false => Err(E::invalid_value(Unexpected::Unsigned(size), &self)),
        }
    }

    fn visit_i64<E: de::Error>(self, size: i64) -> Result<Sizes, E> {
        match u64::try_from(size) {
            Ok(size) => self.visit_u64(size),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(size), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sizes, A::Error> {
        let mut sizes = Vec::new();
        while let Some(size) = list.next_element::<u64>()? {
            sizes.extend(self::SizesVisitor.visit_u64::<A::Error>(size)?.0);
        }
        if sizes.is_empty() {
            return Err(de::Error::invalid_length(0, &self));
        }
        sizes.sort_unstable();
        Ok(Sizes(sizes))
    }
}

impl JsonSchema for Sizes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sizes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let size = json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST });
        json_schema!({ "anyOf": [size, { "type": "array", "items": size, "minItems": 1 }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_counts() {
        let models: Models =
            serde_json::from_str(r#"{ "*": 8000, "*gpt*": [64000, 32000], "my-gpt": 16000 }"#)
                .unwrap();
        assert_eq!(models.window("my-gpt", 0), Some(16_000));
        assert_eq!(models.window("gpt-9", 40_000), Some(64_000));
        assert_eq!(models.window("gpt-9[1m]", 0), Some(64_000));
        assert_eq!(models.window("llama", 90_000), Some(8_000));
    }
}

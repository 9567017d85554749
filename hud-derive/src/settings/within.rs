//! Whole numbers that have bounds.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Unexpected, Visitor};
use serde::{Deserializer, Serialize, Serializer, de};

/// Serialization and schema of a whole number from `LEAST` to `MOST`, for `#[serde(with)]`.
#[derive(Clone, Copy, Debug)]
pub struct Within<const LEAST: i64, const MOST: i64>;

impl<const LEAST: i64, const MOST: i64> Within<LEAST, MOST> {
    /// Writes the number.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<T: Serialize, S: Serializer>(
        number: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number.serialize(serializer)
    }

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// It is no whole number, or not within the bounds.
    pub fn deserialize<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_i64(Number::<T, LEAST, MOST>(PhantomData))
    }

    /// Reads a number that can be absent, and is present.
    ///
    /// # Errors
    ///
    /// As [`deserialize`](Self::deserialize).
    pub fn some<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Self::deserialize(deserializer).map(Some)
    }
}

struct Number<T, const LEAST: i64, const MOST: i64>(PhantomData<T>);

impl<T: TryFrom<i64>, const LEAST: i64, const MOST: i64> Visitor<'_> for Number<T, LEAST, MOST> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        let is_within = (LEAST..=MOST).contains(&number);
        let value = T::try_from(number).ok().filter(|_| is_within);
        value.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }
}

impl<const LEAST: i64, const MOST: i64> JsonSchema for Within<LEAST, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("From{LEAST}To{MOST}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

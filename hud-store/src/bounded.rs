//! Lists from untrusted input, of which only a bounded number of items is held in memory.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{IgnoredAny, SeqAccess, Visitor};

/// Deserializes the first `MOST` items of a list and skips the rest. An item of two bytes of JSON takes many more in
/// memory, and no caller needs the whole of a list that long.
pub(crate) fn first<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct First<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for First<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut kept = Vec::new();
            while kept.len() < MOST {
                match items.next_element()? {
                    Some(item) => kept.push(item),
                    None => return Ok(kept),
                }
            }
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(kept)
        }
    }

    deserializer.deserialize_seq(First::<T, MOST>(PhantomData))
}

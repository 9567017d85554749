//! Short names for members.

use std::collections::{BTreeMap, BTreeSet};

use crate::node::Value;

/// A table of the member names of a value, with a short name for each, in both directions.
///
/// A short name has the first letters of the words of the long name, and more of them to be unique.
/// No short name is the long name of another member, so a value with short names is unambiguous.
///
/// Short names save characters but few tokens, because a common word is one token.
///
/// ```
/// use hud_core::data::{ShortKeys, json};
///
/// let value = json::from_str(r#"{"active_files":["a.rs"],"task":{"text":"Tidy"}}"#)?;
/// let keys = ShortKeys::of(&value);
/// let short = keys.shorten(&value);
/// assert_eq!(json::to_string(&short)?, r#"{"af":["a.rs"],"t":{"te":"Tidy"}}"#);
/// assert_eq!(keys.lengthen(&short), value);
/// # Ok::<(), hud_core::data::DataError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortKeys {
    short: BTreeMap<String, String>,
    long: BTreeMap<String, String>,
}

impl ShortKeys {
    /// The table for all names in a value, in order of occurrence.
    pub fn of(value: &Value) -> Self {
        let mut names = Vec::new();
        collect(value, &mut names);
        let taken: BTreeSet<&str> = names.iter().copied().collect();
        let mut keys = Self::default();
        for name in names {
            if keys.short.contains_key(name) {
                continue;
            }
            let is_free = |short: &String| {
                short.len() < name.len()
                    && !taken.contains(short.as_str())
                    && !keys.long.contains_key(short)
            };
            if let Some(short) = shorter(name).find(is_free) {
                keys.long.insert(short.clone(), name.to_owned());
                keys.short.insert(name.to_owned(), short);
            }
        }
        keys
    }

    /// The table from short to long names, as [`legend`](Self::legend) returns it. Members that are
    /// not strings are ignored.
    pub fn from_legend(legend: &Value) -> Self {
        let mut keys = Self::default();
        if let Value::Object(members) = legend {
            for (short, long) in members {
                if let Value::Text(long) = long {
                    keys.long.insert(short.clone(), long.clone());
                    keys.short.insert(long.clone(), short.clone());
                }
            }
        }
        keys
    }

    /// The table as an object from short names to long ones.
    pub fn legend(&self) -> Value {
        let members = self.long.iter();
        Value::Object(
            members
                .map(|(short, long)| (short.clone(), Value::Text(long.clone())))
                .collect(),
        )
    }

    /// A value with short names. Names that are not in the table are unchanged.
    pub fn shorten(&self, value: &Value) -> Value {
        renamed(value, &self.short)
    }

    /// A value with its long names. It is the opposite of [`shorten`](Self::shorten).
    pub fn lengthen(&self, value: &Value) -> Value {
        renamed(value, &self.long)
    }
}

fn collect<'v>(value: &'v Value, names: &mut Vec<&'v str>) {
    match value {
        Value::List(values) => values.iter().for_each(|value| collect(value, names)),
        Value::Object(members) => {
            for (name, value) in members {
                names.push(name);
                collect(value, names);
            }
        }
        _ => {}
    }
}

/// Abbreviations of increasing length, with the first letters of each word.
fn shorter(name: &str) -> impl Iterator<Item = String> {
    let words: Vec<Vec<char>> = name.split('_').map(|word| word.chars().collect()).collect();
    let longest = words.iter().map(Vec::len).max().unwrap_or(0);
    (1..longest).map(move |letters| {
        words
            .iter()
            .flat_map(|word| word.iter().take(letters))
            .collect()
    })
}

fn renamed(value: &Value, names: &BTreeMap<String, String>) -> Value {
    match value {
        Value::List(values) => {
            Value::List(values.iter().map(|value| renamed(value, names)).collect())
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let name = names.get(name).unwrap_or(name);
                (name.clone(), renamed(value, names))
            });
            Value::Object(members.collect())
        }
        value => value.clone(),
    }
}

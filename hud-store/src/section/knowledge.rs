//! What an agent knows, by path: `people.Bob.trust`. It decides what to remember and how to order it.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Happened, Item, Pace, Relation, Section, Taking};
use crate::event::Clip;

/// How many values are kept that were set by themselves.
pub const KNOWLEDGE_CAP: usize = 500;

/// How many bytes all values have together at most, as JSON.
pub const KNOWLEDGE_BYTES: usize = 256 * 1024;

/// How many keys a path has at most.
pub const PATH_DEPTH: usize = 16;

/// What a value is worth where nothing else is said, in per cent.
pub const USUAL_WEIGHT: u8 = 50;

crate::events! {@built_in
    /// What happens to knowledge.
    pub enum KnowledgeEvent {
        /// the agent writes down what is at a path.
        "knowledge.set" 1 Set(
            /// Sets the value at a path, with all that is below it.
            KnowledgeSet {
                /// Where: see [`KnowledgePath`].
                path: String,
                /// What is there from now on.
                value: Value,
                /// What it is worth, from 0 to 100; absent to leave that as it is.
                #[serde(skip_serializing_if = "Option::is_none")]
                w: Option<u8>,
            }
        ) item path words [path],
        /// the agent forgets what is at a path.
        "knowledge.delete" 1 Delete(
            /// Deletes the value at a path, with all that is below it.
            KnowledgeDelete {
                /// Where: see [`KnowledgePath`].
                path: String,
            }
        ) item path,
        /// the agent adds to a list.
        "knowledge.append" 1 Append(
            /// Adds a value to the list at a path; what is no list becomes one.
            KnowledgeAppend {
                /// Where: see [`KnowledgePath`].
                path: String,
                /// What is added.
                value: Value,
            }
        ) item path words [path],
    }
}

/// A value that is too long is the beginning of its JSON, as a text.
impl Clip for Value {
    fn is_long(&self) -> bool {
        self.to_string().is_long()
    }

    fn clipped(&self) -> Self {
        match self.to_string() {
            text if text.is_long() => Self::String(text.clipped()),
            _ => self.clone(),
        }
    }
}

/// A path in what is known: keys with dots between them. A dot of a key's own has a `\` before it, and so has
/// a `\`. In a list, a key is the number of an item, from 0.
///
/// ```
/// use hud_store::section::KnowledgePath;
///
/// let path: KnowledgePath = r"files.main\.rs.0".parse()?;
/// assert_eq!(path.keys(), ["files", "main.rs", "0"]);
/// assert_eq!(path.to_string(), r"files.main\.rs.0");
/// assert!("a..b".parse::<KnowledgePath>().is_err());
/// # Ok::<(), hud_store::section::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "String", try_from = "String")]
pub struct KnowledgePath(Vec<String>);

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// A key has nothing in it.
    #[error("a key of the path `{0}` is empty: write keys with dots between them, as `people.Bob`")]
    Empty(String),
    /// It has too many keys.
    #[error("a path has at most {PATH_DEPTH} keys, and this one has {0}")]
    Deep(usize),
}

impl KnowledgePath {
    /// Its keys; at least one.
    pub fn keys(&self) -> &[String] {
        &self.0
    }

    /// What is left of another path behind this one.
    fn rest<'o>(&self, other: &'o Self) -> Option<&'o [String]> {
        other.0.strip_prefix(self.0.as_slice())
    }
}

impl std::str::FromStr for KnowledgePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut keys = vec![String::new()];
        let mut chars = text.trim().chars();
        while let Some(c) = chars.next() {
            let c = match c {
                '.' => {
                    keys.push(String::new());
                    continue;
                }
                '\\' => chars.next().unwrap_or('\\'),
                c => c,
            };
            if let Some(key) = keys.last_mut() {
                key.push(c);
            }
        }
        if keys.iter().any(|key| key.trim().is_empty()) {
            return Err(PathError::Empty(text.chars().take(80).collect()));
        }
        match keys.len() > PATH_DEPTH {
            true => Err(PathError::Deep(keys.len())),
            false => Ok(Self(keys)),
        }
    }
}

impl fmt::Display for KnowledgePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, key) in self.0.iter().enumerate() {
            let key = key.replace('\\', r"\\").replace('.', r"\.");
            let dot = if at > 0 { "." } else { "" };
            write!(f, "{dot}{key}")?;
        }
        Ok(())
    }
}

impl From<KnowledgePath> for String {
    fn from(path: KnowledgePath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for KnowledgePath {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        text.parse()
    }
}

/// A value that was set by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Known {
    /// Where it is.
    pub path: KnowledgePath,
    /// What is there.
    pub value: Value,
    /// What it is worth, from 0 to 100.
    pub w: u8,
    /// The turn in which it was last written.
    pub turn: u64,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// What an agent knows: values by their paths, none of which is below another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Knowledge {
    /// By path.
    values: Vec<Known>,
}

impl Knowledge {
    /// The values, by path.
    pub fn values(&self) -> &[Known] {
        &self.values
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All of it as one object.
    pub fn to_json(&self) -> Value {
        let mut root = Value::Object(Map::new());
        for known in &self.values {
            put(&mut root, known.path.keys(), known.value.clone());
        }
        root
    }

    /// What is at a path: a value, a part of one, or an object of several. `None` where nothing is.
    pub fn get(&self, path: &KnowledgePath) -> Option<Value> {
        let mut found = self.to_json();
        for key in path.keys() {
            found = inner(&mut found, key)?.take();
        }
        Some(found)
    }

    /// The values in the order in which they should leave: what is worth least first, of that the oldest.
    pub fn by_worth(&self) -> Vec<&Known> {
        let mut values: Vec<&Known> = self.values.iter().collect();
        values.sort_by_key(|known| (known.w, known.turn, known.updated_at));
        values
    }

    /// Sets what is at a path. Gives whether it could: an index behind the end of a list names nothing, and
    /// neither does a key in a text.
    pub fn set(
        &mut self,
        path: &KnowledgePath,
        value: Value,
        w: Option<u8>,
        turn: u64,
        at: Timestamp,
    ) -> bool {
        let (value, own) = weighed(value);
        let w = w.or(own).map(|w| w.min(100));
        let above = self
            .values
            .iter_mut()
            .find(|known| known.path.rest(path).is_some());
        if let Some(known) = above {
            let rest = known.path.rest(path).unwrap_or_default();
            let is_set = put(&mut known.value, rest, value);
            if is_set {
                known.w = w.unwrap_or(known.w);
                (known.turn, known.updated_at) = (turn, at);
            }
            return is_set;
        }
        self.values.retain(|known| path.rest(&known.path).is_none());
        let known = Known {
            path: path.clone(),
            value,
            w: w.unwrap_or(USUAL_WEIGHT),
            turn,
            updated_at: at,
        };
        let place = self.values.partition_point(|other| other.path < known.path);
        self.values.insert(place, known);
        self.make_room();
        true
    }

    /// Deletes what is at a path. Gives whether there was anything.
    pub fn delete(&mut self, path: &KnowledgePath) -> bool {
        let count = self.values.len();
        self.values.retain(|known| path.rest(&known.path).is_none());
        if self.values.len() < count {
            return true;
        }
        let above = self.values.iter_mut().find_map(|known| {
            let rest = known.path.rest(path)?.to_vec();
            Some((known, rest))
        });
        above.is_some_and(|(known, rest)| take(&mut known.value, &rest))
    }

    /// Adds to the list at a path. Gives whether it could: to several values nothing is added.
    pub fn append(&mut self, path: &KnowledgePath, value: Value, turn: u64, at: Timestamp) -> bool {
        let below = |known: &Known| path.rest(&known.path).is_some_and(|rest| !rest.is_empty());
        if self.values.iter().any(below) {
            return false;
        }
        let list = match self.get(path) {
            Some(Value::Array(mut list)) => {
                list.push(value);
                list
            }
            Some(one) => vec![one, value],
            None => vec![value],
        };
        self.set(path, Value::Array(list), None, turn, at)
    }

    /// Drops what is worth least while there is more than a state holds.
    fn make_room(&mut self) {
        let size = |known: &Known| known.value.to_string().len() + known.path.to_string().len();
        let mut bytes: usize = self.values.iter().map(size).sum();
        while self.values.len() > KNOWLEDGE_CAP
            || (bytes > KNOWLEDGE_BYTES && self.values.len() > 1)
        {
            let least = self.by_worth().first().map(|known| known.path.clone());
            let Some(least) = least else { return };
            self.values.retain(|known| {
                let leaves = known.path == least;
                bytes -= if leaves { size(known) } else { 0 };
                !leaves
            });
        }
    }
}

/// A value that is written as `{"v": .., "w": 0.9}`, and its weight in per cent.
fn weighed(value: Value) -> (Value, Option<u8>) {
    let Value::Object(fields) = &value else {
        return (value, None);
    };
    let weight = fields.get("w").and_then(Value::as_f64);
    match (fields.get("v"), weight) {
        (Some(inner), Some(weight)) if fields.len() == 2 => (inner.clone(), Some(percent(weight))),
        _ => (value, None),
    }
}

/// A weight from 0 to 1 in per cent.
///
/// ```
/// assert_eq!([0.9, 7.0, -1.0, f64::NAN].map(hud_store::section::percent), [90, 100, 0, 0]);
/// ```
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 100"
)]
pub fn percent(weight: f64) -> u8 {
    match weight.is_nan() {
        true => 0,
        false => (weight.clamp(0.0, 1.0) * 100.0).round() as u8,
    }
}

/// What a key names in a value: a field, or an item of a list.
fn inner<'v>(value: &'v mut Value, key: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(fields) => fields.get_mut(key),
        Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// Puts a value where keys lead, and makes what is not there yet. Gives whether it could.
fn put(at: &mut Value, keys: &[String], value: Value) -> bool {
    let Some((key, rest)) = keys.split_first() else {
        *at = value;
        return true;
    };
    match at {
        Value::Object(fields) => {
            if !rest.is_empty() || fields.contains_key(key) {
                let inner = fields.entry(key.clone());
                return put(
                    inner.or_insert_with(|| Value::Object(Map::new())),
                    rest,
                    value,
                );
            }
            fields.insert(key.clone(), value);
            true
        }
        Value::Array(items) => match key.parse::<usize>() {
            Ok(index) if index < items.len() => put(&mut items[index], rest, value),
            Ok(index) if index == items.len() && rest.is_empty() => {
                items.push(value);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Takes away what keys lead to.
fn take(at: &mut Value, keys: &[String]) -> bool {
    match keys {
        [] => false,
        [key] => match at {
            Value::Object(fields) => fields.remove(key).is_some(),
            Value::Array(items) => match key.parse::<usize>() {
                Ok(index) if index < items.len() => {
                    items.remove(index);
                    true
                }
                _ => false,
            },
            _ => false,
        },
        [key, rest @ ..] => inner(at, key).is_some_and(|inner| take(inner, rest)),
    }
}

impl Section for Knowledge {
    const NAME: &'static str = "knowledge";
    const PACE: Pace = Pace::Steady;
    type Event = KnowledgeEvent;

    /// What names no path, or a place that cannot be, changes nothing.
    fn apply(&mut self, event: &KnowledgeEvent, when: &Happened<'_>) {
        match event {
            KnowledgeEvent::Set(e) => {
                if let Ok(path) = e.path.parse() {
                    self.set(&path, e.value.clone(), e.w, when.turn, when.at);
                }
            }
            KnowledgeEvent::Delete(e) => {
                if let Ok(path) = e.path.parse() {
                    self.delete(&path);
                }
            }
            KnowledgeEvent::Append(e) => {
                if let Ok(path) = e.path.parse() {
                    self.append(&path, e.value.clone(), when.turn, when.at);
                }
            }
        }
    }

    fn items(&self) -> Vec<Item> {
        self.values
            .iter()
            .map(|known| Item::named(known.path.to_string(), text(&known.value)))
            .collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<KnowledgeEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let is_free = |known: &&Known| own.get(&known.path).is_none();
        self.values
            .iter()
            .filter(is_free)
            .map(|known| {
                let set = KnowledgeSet {
                    path: known.path.to_string(),
                    value: known.value.clone(),
                    w: Some(known.w),
                };
                set.into()
            })
            .collect()
    }

    fn restore(&mut self, then: Self) {
        *self = Self::default();
        for known in then.values {
            self.set(
                &known.path,
                known.value,
                Some(known.w),
                known.turn,
                known.updated_at,
            );
        }
    }
}

/// A value in words: a text as it is, anything else as JSON.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn path(text: &str) -> KnowledgePath {
        text.parse().unwrap()
    }

    fn set(knowledge: &mut Knowledge, at: &str, value: Value) -> bool {
        knowledge.set(&path(at), value, None, 1, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn values_are_set_and_read_by_path_within_objects_and_lists() {
        let mut known = Knowledge::default();
        assert!(set(&mut known, "people.Bob", json!({ "trust": 0.8 })));
        assert!(set(&mut known, "people.Bob.notes", json!(["kind"])));
        assert!(set(&mut known, "people.Bob.notes.1", json!("quick")));
        assert!(!set(&mut known, "people.Bob.notes.7", json!("far")));
        assert!(!set(&mut known, "people.Bob.trust.deep", json!(1)));
        assert!(set(&mut known, r"files.main\.rs", json!(1)));
        assert_eq!(
            known.to_json(),
            json!({
                "people": { "Bob": { "trust": 0.8, "notes": ["kind", "quick"] } },
                "files": { "main.rs": 1 },
            })
        );
        assert_eq!(known.get(&path("people.Bob.notes.0")), Some(json!("kind")));
        assert_eq!(known.get(&path("people.Eve")), None);
        assert!(known.delete(&path("people.Bob.notes.0")));
        assert!(!known.delete(&path("people.Bob.notes.9")));
        assert_eq!(known.get(&path("people.Bob.notes")), Some(json!(["quick"])));
        assert!(set(&mut known, "people", json!("gone")));
        assert_eq!(known.values().len(), 2, "what was below it is gone");
    }

    #[test]
    fn a_list_is_appended_to_and_what_is_none_becomes_one() {
        let mut known = Knowledge::default();
        let mut append = |at: &str, value| known.append(&path(at), value, 1, Timestamp::UNIX_EPOCH);
        assert!(append("goals", json!("one")));
        assert!(append("goals", json!("two")));
        assert!(append("deep.list", json!(1)));
        assert!(!append("deep", json!(1)));
        assert!(set(&mut known, "mood", json!("calm")));
        assert!(known.append(&path("mood"), json!("busy"), 1, Timestamp::UNIX_EPOCH));
        assert_eq!(
            known.to_json(),
            json!({ "goals": ["one", "two"], "deep": { "list": [1] }, "mood": ["calm", "busy"] })
        );
    }

    #[test]
    fn a_value_may_say_its_weight_and_the_lightest_and_oldest_leaves_first() {
        let mut known = Knowledge::default();
        set(&mut known, "a", json!({ "v": 0.8, "w": 0.9 }));
        set(&mut known, "b", json!(1));
        known.set(&path("c"), json!(1), Some(50), 0, Timestamp::UNIX_EPOCH);
        assert_eq!(known.get(&path("a")), Some(json!(0.8)));
        let order: Vec<_> = known
            .by_worth()
            .iter()
            .map(|known| known.path.to_string())
            .collect();
        assert_eq!(order, ["c", "b", "a"]);
        for n in 0..KNOWLEDGE_CAP {
            set(&mut known, &format!("n{n}"), json!(n));
        }
        assert_eq!(known.values().len(), KNOWLEDGE_CAP);
        assert_eq!(known.get(&path("a")), Some(json!(0.8)));
        assert_eq!(known.get(&path("c")), None);
    }

    proptest! {
        #[test]
        fn a_path_is_read_as_it_is_written(keys in proptest::collection::vec("[a-z.\\\\ €]{0,3}[a-z]", 1..PATH_DEPTH)) {
            let keys: Vec<String> = keys.into_iter().map(|key| key.trim().to_owned()).collect();
            let path = KnowledgePath(keys);
            prop_assert_eq!(path.to_string().parse(), Ok(path));
        }
    }
}

//! What is read of the JSON that clients write.

use hud_observe::reported::time_in;
use jiff::Timestamp;
use serde_json::Value;

/// A text field.
pub(super) fn text(value: &Value, pointer: &str) -> Option<String> {
    Some(value.pointer(pointer)?.as_str()?.to_owned())
}

/// The time in a field: milliseconds since 1970, or a time as in RFC 3339.
pub(super) fn time(value: &Value, pointer: &str) -> Option<Timestamp> {
    time_in(value.pointer(pointer)?)
}

/// What is found first, from the end on, in the lines of a text that have a word and are JSON.
pub(super) fn newest<T>(text: &str, word: &str, find: impl Fn(&Value) -> Option<T>) -> Option<T> {
    let mut lines = text.lines().rev().filter(|line| line.contains(word));
    lines.find_map(|line| find(&serde_json::from_str(line).ok()?))
}

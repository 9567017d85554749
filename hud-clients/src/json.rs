//! Access to the JSON that clients write.

use hud_observe::reported::time_in;
use jiff::Timestamp;
use serde_json::Value;

/// Returns the string at a pointer.
pub(super) fn text(value: &Value, pointer: &str) -> Option<String> {
    Some(value.pointer(pointer)?.as_str()?.to_owned())
}

/// Returns the parts of a content, which is a list or a single part.
pub(super) fn parts(content: &Value) -> &[Value] {
    match content {
        Value::Array(parts) => parts,
        Value::Null => &[],
        part => std::slice::from_ref(part),
    }
}

/// Returns the time at a pointer: milliseconds since 1970, or a time in RFC 3339 form.
pub(super) fn time(value: &Value, pointer: &str) -> Option<Timestamp> {
    time_in(value.pointer(pointer)?)
}

/// Returns the first result of `find`, from the last line up, in the lines of a text that contain a word
/// and are JSON.
pub(super) fn newest<T>(text: &str, word: &str, find: impl Fn(&Value) -> Option<T>) -> Option<T> {
    let mut lines = text.lines().rev().filter(|line| line.contains(word));
    lines.find_map(|line| find(&serde_json::from_str(line).ok()?))
}

//! What the agent reads of an answer.

use std::borrow::Cow;

use hud_components::text;
use serde_json::Value;

/// An answer without what nobody sees in its texts: see [`hud_components::text::visible()`]. A key is a
/// name that the agent has to say again, so there it is shown, as `\u{200b}`.
pub(super) fn visible(answer: Value) -> Value {
    match answer {
        Value::String(text) => match text::visible(&text) {
            Cow::Borrowed(_) => Value::String(text),
            Cow::Owned(shown) => Value::String(shown),
        },
        Value::Array(all) => all.into_iter().map(visible).collect(),
        Value::Object(all) => {
            let entry = |(key, value)| (repeated(key), visible(value));
            Value::Object(all.into_iter().map(entry).collect())
        }
        answer => answer,
    }
}

/// A text with names in it that the agent has to know again: what nobody sees is shown, as `\u{200b}`.
pub(super) fn repeated(text: impl ToString) -> String {
    let text = text.to_string();
    if text::visible(&text) == text {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let mut bytes = [0; 4];
        let alone: &str = c.encode_utf8(&mut bytes);
        match text::visible(alone) == alone {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

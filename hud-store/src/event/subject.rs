//! What an event is about, and what it says in words.

use std::borrow::Cow;

use serde_json::Value;

use super::HudEvent;

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject<'e> {
    /// The name of the section.
    pub section: &'static str,
    /// The item in it: its id, a file's path, a block's name, the content of what is remembered.
    /// `None` where the section is one thing.
    pub item: Option<Cow<'e, str>>,
}

impl HudEvent {
    /// What somebody might look for later: the words of tasks, decisions, notes, steps, errors,
    /// blockers, summaries, memory and kept outputs, and every text of a kind that is not built in.
    /// `None` for what has none.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        let words = match self {
            Self::Other { payload, .. } => {
                let payload = serde_json::from_str(payload.as_str()).ok()?;
                let mut texts = Vec::new();
                gather(payload, &mut texts);
                Cow::from(texts.join("\n"))
            }
            built_in => built_in.built_in_words(),
        };
        (!words.trim().is_empty()).then_some(words)
    }
}

/// The texts of a value, in their order.
fn gather(value: Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.into_iter().for_each(|item| gather(item, texts)),
        Value::Object(fields) => fields.into_values().for_each(|value| gather(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

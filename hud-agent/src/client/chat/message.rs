//! A message of a chat.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::transcript::content::Content;

#[derive(Debug, Default)]
pub(super) struct Message<'a> {
    pub(super) role: Cow<'a, str>,
    pub(super) content: Content<'a>,
    pub(super) tool_calls: Option<Vec<Call>>,
    /// How there was one call before there were several.
    pub(super) function_call: Option<Function>,
    pub(super) tool_call_id: Option<String>,
}

/// A call of a tool.
#[derive(Debug, Deserialize)]
pub(in crate::client) struct Call {
    pub(in crate::client) id: String,
    pub(in crate::client) function: Function,
}

/// What is called.
#[derive(Debug, Deserialize)]
pub(in crate::client) struct Function {
    pub(in crate::client) name: String,
    pub(in crate::client) arguments: Arguments,
}

/// Arguments as the model wrote them: JSON in a text, which stays as it is where it is none.
#[derive(Debug)]
pub(in crate::client) struct Arguments(pub(in crate::client) Value);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Self(match value {
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            value => value,
        }))
    }
}

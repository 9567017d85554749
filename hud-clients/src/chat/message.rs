//! A message of a chat.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::printed::printed;

/// A message, which needs only its role, or an item of the Responses API. A field of an unexpected type
/// counts as missing.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// Empty if the message has none.
    pub(super) role: String,
    /// The type of an item.
    pub(super) kind: Option<String>,
    pub(super) content: Value,
    pub(super) tool_calls: Value,
    /// The single call of the older form, before messages had several.
    pub(super) function_call: Value,
    pub(super) tool_call_id: Value,
    pub(super) status: Value,
    /// The id of the call that the item is, or whose result it is.
    pub(super) call_id: Value,
    pub(super) name: Value,
    pub(super) arguments: Value,
    pub(super) output: Value,
}

impl Message {
    /// True if messages have a field of this name.
    pub(super) fn has(key: &str) -> bool {
        const FIELDS: [&str; 15] = [
            "role",
            "type",
            "content",
            "tool_calls",
            "function_call",
            "tool_call_id",
            "status",
            "call_id",
            "name",
            "arguments",
            "input",
            "action",
            "output",
            "kwargs",
            "data",
        ];
        FIELDS.contains(&key)
    }

    /// Sets a field.
    pub(super) fn set(&mut self, key: &str, value: Value) {
        match key {
            "role" => {
                self.role = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
            }
            "type" => {
                self.kind = value.as_str().map(str::to_owned);
                // LangChain has a type in place of a role.
                if let (Some(role), true) =
                    (self.kind.as_deref().and_then(role), self.role.is_empty())
                {
                    role.clone_into(&mut self.role);
                }
            }
            "content" => self.content = value,
            "tool_calls" => self.tool_calls = value,
            "function_call" => self.function_call = value,
            "tool_call_id" => self.tool_call_id = value,
            "status" => self.status = value,
            "call_id" => self.call_id = value,
            "name" => self.name = value,
            "arguments" | "input" | "action" => self.arguments = value,
            "output" => self.output = value,
            // A serialized LangChain message.
            "kwargs" | "data" => {
                if let Value::Object(fields) = value {
                    for (key, value) in fields {
                        self.set(&key, value);
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the message that an object contains.
    pub(super) fn of(object: &Value) -> Self {
        let mut message = Self::default();
        for (key, value) in object.as_object().into_iter().flatten() {
            message.set(key, value.clone());
        }
        message
    }

    /// True if it is an item of the Responses API and not a message.
    pub(super) fn is_item(&self) -> bool {
        let kind = self.kind.as_deref().unwrap_or_default();
        self.role.is_empty()
            && (kind == "reasoning" || kind.ends_with("_call") || kind.ends_with("_call_output"))
    }
}

/// Returns the role of a LangChain message from its type.
fn role(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "human" | "HumanMessage" | "HumanMessageChunk" => "user",
        "ai" | "AIMessage" | "AIMessageChunk" => "assistant",
        "tool" | "ToolMessage" | "ToolMessageChunk" => "tool",
        "function" | "FunctionMessage" => "function",
        "system" | "SystemMessage" => "system",
        _ => return None,
    })
}

/// A part of a message.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    Text(String),
    Call {
        id: Option<String>,
        name: String,
        input: Value,
    },
    Result {
        call: Option<String>,
        content: String,
        is_error: bool,
    },
    /// A part of which nothing is reported, such as reasoning or an image.
    Silent,
    /// A part of another type.
    Unknown(String),
}

impl Message {
    /// Returns the parts of its content, and the calls in other fields of the message.
    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = match &self.content {
            Value::String(text) => vec![Part::Text(text.clone())],
            Value::Array(blocks) => blocks.iter().map(part).collect(),
            block @ Value::Object(_) => vec![part(block)],
            _ => Vec::new(),
        };
        let within: Vec<String> = { parts.iter() }
            .filter_map(|part| match part {
                Part::Call { id, .. } => id.clone(),
                _ => None,
            })
            .collect();
        let beside = self.tool_calls.as_array().into_iter().flatten();
        parts.extend(beside.filter_map(|call| {
            let id = call["id"].as_str().map(str::to_owned);
            // LangChain repeats the calls of the blocks.
            let is_again = id.as_ref().is_some_and(|id| within.contains(id));
            let called = || called(id.clone(), &call["function"]).or_else(|| called(id, call));
            (!is_again).then(called)?
        }));
        parts.extend(called(None, &self.function_call));
        parts
    }

    /// The text of its content.
    pub(super) fn text(&self) -> String {
        printed(&self.content)
    }
}

/// Returns the call of an object that has a name and arguments.
fn called(id: Option<String>, function: &Value) -> Option<Part> {
    let arguments = function.get("arguments").unwrap_or(&function["args"]);
    Some(Part::Call {
        id,
        name: function["name"].as_str()?.to_owned(),
        input: Arguments::of(arguments.clone()).0,
    })
}

/// Returns the part for a block of content, under any of the names that model APIs and programs that
/// store their messages use.
fn part(block: &Value) -> Part {
    let first = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| block.get(*name));
        values.find(|value| !value.is_null())
    };
    let word = |names: &[&str]| Some(first(names)?.as_str()?.to_owned());
    let text = || block.as_str().or_else(|| block["text"].as_str());
    match block["type"].as_str().unwrap_or("text") {
        "text" | "input_text" | "output_text" => match text() {
            Some(text) => Part::Text(text.to_owned()),
            None => Part::Silent,
        },
        "tool_use" | "tool-call" | "server_tool_use" | "mcp_tool_use" => {
            match word(&["name", "toolName"]) {
                Some(name) => Part::Call {
                    id: word(&["id", "toolCallId", "tool_use_id"]),
                    name,
                    input: Arguments::of(first(&["input", "args"]).cloned().unwrap_or_default()).0,
                },
                None => Part::Unknown("tool_use without a name".to_owned()),
            }
        }
        kind if kind == "tool-result" || kind.ends_with("tool_result") => Part::Result {
            call: word(&["tool_use_id", "toolCallId", "id"]),
            content: first(&["content", "output", "result"]).map_or_else(String::new, printed),
            is_error: block["is_error"] == true || block["isError"] == true,
        },
        "thinking" | "redacted_thinking" | "reasoning" | "image" | "image_url" | "input_image"
        | "document" | "file" | "input_file" | "refusal" | "input_audio" => Part::Silent,
        kind => Part::Unknown(format!("content block {kind}")),
    }
}

/// A call of a tool.
#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) function: Function,
}

/// The called function.
#[derive(Debug, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
}

/// Arguments as the model wrote them: JSON in a string. A string that is not JSON stays a string.
#[derive(Debug)]
pub(crate) struct Arguments(pub(crate) Value);

impl Arguments {
    pub(super) fn of(value: Value) -> Self {
        Self(match value {
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            value => value,
        })
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::of)
    }
}

//! A line of the log: its fields, and the fallbacks for a malformed line.

use std::borrow::Cow;

use hud_observe::reported::time_in;
use serde::Deserialize;
use serde_json::Value;

use super::branch::Link;
use crate::transcript::content::{Content, Structured, Text};

/// The types of lines that contain nothing that the agent or its user did.
const SILENT: &[&str] = &[
    "progress",
    "file-history-snapshot",
    "summary",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "cost-state",
    "custom-title",
    "last-prompt",
    "tools-used",
];

/// The types of lines that are read.
const READ: &[&str] = &[
    "user",
    "assistant",
    "system",
    "attachment",
    "queue-operation",
];

/// The types of lines that form the conversation. One that cannot be read is damage.
const NEEDED: &[&str] = &["user", "assistant", "system"];

/// The possible beginnings of a line. After another line that is cut off, only its beginning shows where
/// a line starts.
pub(super) const BEGINNINGS: &[&str] = &[
    "{\"parentUuid\":",
    "{\"logicalParentUuid\":",
    "{\"isSidechain\":",
    "{\"sessionId\":",
    "{\"type\":\"user\"",
    "{\"type\":\"assistant\"",
    "{\"type\":\"system\"",
    "{\"type\":\"attachment\"",
    "{\"type\":\"summary\"",
    "{\"type\":\"progress\"",
    "{\"type\":\"queue-operation\"",
    "{\"type\":\"file-history-snapshot\"",
    "{\"type\":\"last-prompt\"",
    "{\"type\":\"mode\"",
];

/// A line of a type that is read. Fields that only some types have are optional; the reader of such a
/// type checks for them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) subtype: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) uuid: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) parent_uuid: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) logical_parent_uuid: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) timestamp: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) session_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) cwd: Option<Text<'a>>,
    pub(super) is_sidechain: Option<bool>,
    pub(super) is_meta: Option<bool>,
    pub(super) is_compact_summary: Option<bool>,
    pub(super) compact_metadata: Option<CompactMetadata>,
    pub(super) origin: Option<Origin>,
    #[serde(borrow)]
    pub(super) version: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) prompt_source: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) tool_denial_kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Message<'a>>,
    #[serde(borrow)]
    pub(super) tool_use_result: Option<Structured<'a>>,
    pub(super) attachment: Option<Attachment>,
    // Lines of other types also have fields of these names, with any value.
    pub(super) operation: Option<Value>,
    pub(super) content: Option<Value>,
    pub(super) reason: Option<Value>,
}

/// Content that a client gives a model in addition to messages. The only kind that matters is the text
/// that the user typed while the agent worked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attachment {
    #[serde(rename = "type", default)]
    kind: Value,
    #[serde(default)]
    prompt: Value,
    #[serde(default)]
    command_mode: Value,
    #[serde(default)]
    origin: Value,
    #[serde(default)]
    is_meta: Value,
}

impl Attachment {
    /// Returns the text that the user typed.
    pub(super) fn queued(&self) -> Option<String> {
        let is_unsaid_or = |value: Option<&Value>, said: &str| {
            value.is_none_or(|value| value.is_null() || value == said)
        };
        let is_users = self.kind == "queued_command"
            && self.is_meta != true
            && is_unsaid_or(Some(&self.command_mode), "prompt")
            && (self.origin.is_null() || is_unsaid_or(self.origin.get("kind"), "human"));
        match &self.prompt {
            _ if !is_users => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(blocks) => {
                let texts = blocks
                    .iter()
                    .filter_map(|block| block.get("text")?.as_str());
                Some(texts.collect::<Vec<_>>().join("\n"))
            }
            _ => None,
        }
    }
}

/// The origin of a message that the client sent.
#[derive(Deserialize)]
pub(super) struct Origin {
    pub(super) kind: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompactMetadata {
    pub(super) trigger: Option<String>,
    pub(super) pre_tokens: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) model: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) content: Option<Content<'a>>,
    pub(super) usage: Option<TokenUsage>,
}

/// The token usage. The provider writes `null` for a count that it does not have.
#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct TokenUsage {
    pub(super) input_tokens: Option<u64>,
    pub(super) cache_creation_input_tokens: Option<u64>,
    pub(super) cache_creation: Option<CacheCreation>,
    pub(super) cache_read_input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

/// The part of the cache write that is kept for an hour.
#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct CacheCreation {
    pub(super) ephemeral_1h_input_tokens: Option<u64>,
}

/// The result of parsing a line.
pub(super) enum Parsed<'a> {
    /// A line to read.
    Line(Box<Line<'a>>),
    /// A line that is passed over.
    Other(Other),
}

/// A line that is passed over. Other lines may still follow it.
pub(super) struct Other {
    /// Its type, if that is unknown.
    pub(super) unknown: Option<String>,
    pub(super) link: Option<Link>,
}

pub(super) fn parse(line: &[u8]) -> serde_json::Result<Parsed<'_>> {
    // If the whole line is not UTF-8, only the parts that are read have to be.
    let read = match std::str::from_utf8(line) {
        Ok(line) => serde_json::from_str::<Line<'_>>(line),
        Err(_) => serde_json::from_slice::<Line<'_>>(line),
    };
    let error = match read {
        Ok(line) if READ.contains(&&*line.kind) => return Ok(Parsed::Line(Box::new(line))),
        Ok(line) => return Ok(passed_over(Link::of(&line), line.kind.into_owned())),
        Err(error) => error,
    };
    if !error.is_data() {
        return Err(error);
    }
    // Lines that are not read may have any fields.
    match serde_json::from_slice::<Head>(line) {
        Ok(Head { kind }) if !NEEDED.contains(&&*kind) => Ok(passed_over(None, kind)),
        // If the line is cut short or worse, that error is more useful than the one about a field.
        Err(head) if !head.is_data() => Err(head),
        _ => Err(error),
    }
}

/// The only field that is read of a line that is passed over.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
}

fn passed_over(link: Option<Link>, kind: String) -> Parsed<'static> {
    let is_known = |kind: &str| SILENT.contains(&kind) || READ.contains(&kind);
    let unknown = Some(kind).filter(|kind| !is_known(kind));
    Parsed::Other(Other { unknown, link })
}

/// Returns a line whose fields have the expected types. The last of several fields with one name is
/// kept, fractions become integers, and fields of other types are removed. Returns `None` if the text is
/// not a JSON object.
pub(super) fn fitted(line: &[u8]) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(line).ok()?;
    let line = value.as_object_mut()?;
    if let Some(at) = line.get("timestamp").and_then(time_in) {
        line.insert("timestamp".to_owned(), at.to_string().into());
    }
    for name in [
        "subtype",
        "uuid",
        "parentUuid",
        "logicalParentUuid",
        "timestamp",
        "sessionId",
        "cwd",
        "version",
        "promptSource",
        "toolDenialKind",
    ] {
        keep(line, name, Value::is_string);
    }
    for name in ["isSidechain", "isMeta", "isCompactSummary"] {
        keep(line, name, Value::is_boolean);
    }
    for name in ["origin", "compactMetadata", "message", "attachment"] {
        keep(line, name, Value::is_object);
    }
    if let Some(Value::Object(origin)) = line.get_mut("origin") {
        keep(origin, "kind", Value::is_string);
    }
    if let Some(Value::Object(compacted)) = line.get_mut("compactMetadata") {
        keep(compacted, "trigger", Value::is_string);
        count(compacted, "preTokens");
    }
    if let Some(Value::Object(message)) = line.get_mut("message") {
        keep(message, "id", Value::is_string);
        keep(message, "model", Value::is_string);
        keep(message, "usage", Value::is_object);
        fit_content(message);
        if let Some(Value::Object(usage)) = message.get_mut("usage") {
            for name in [
                "input_tokens",
                "cache_creation_input_tokens",
                "cache_read_input_tokens",
                "output_tokens",
            ] {
                count(usage, name);
            }
            keep(usage, "cache_creation", Value::is_object);
            if let Some(Value::Object(created)) = usage.get_mut("cache_creation") {
                count(created, "ephemeral_1h_input_tokens");
            }
        }
    }
    serde_json::to_vec(&value).ok()
}

type Fields = serde_json::Map<String, Value>;

/// Removes a field of another type.
fn keep(fields: &mut Fields, name: &str, is: fn(&Value) -> bool) {
    if fields.get(name).is_some_and(|value| !is(value)) {
        fields.remove(name);
    }
}

/// Makes a field an integer, or removes it.
fn count(fields: &mut Fields, name: &str) {
    let whole = fields.get(name).and_then(|value| {
        let fraction = || value.as_f64().filter(|count| (0.0..1e15).contains(count));
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is within what a u64 can be"
        )]
        let of = |fraction: f64| fraction as u64;
        value.as_u64().or_else(|| fraction().map(of))
    });
    match whole {
        Some(whole) => drop(fields.insert(name.to_owned(), whole.into())),
        None => drop(fields.remove(name)),
    }
}

/// Fits the blocks of a message, and the blocks within a result.
fn fit_content(fields: &mut Fields) {
    keep(fields, "content", |content| {
        content.is_string() || content.is_array() || content.is_object()
    });
    let Some(Value::Array(blocks)) = fields.get_mut("content") else {
        return;
    };
    blocks.retain(Value::is_object);
    for block in blocks.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["type", "text", "id", "name", "tool_use_id"] {
            keep(block, name, Value::is_string);
        }
        keep(block, "is_error", Value::is_boolean);
        fit_content(block);
    }
}

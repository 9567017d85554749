//! A SWE-agent trajectory: one JSON document, whose `history` holds the conversation.
//!
//! Newer versions write tool calls with arguments, older ones only the command line that the
//! agent typed. There are no times, no usage for each call, and no exit codes: a failure is what
//! the environment's own words say is one.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::content::Content;
use super::{Counting, Entry, Record, Summary, TranscriptError};
use crate::derive::ToolCall;

/// The keys with which a trajectory can begin.
pub(super) const KEYS: &[&str] = &[
    "environment",
    "trajectory",
    "history",
    "info",
    "replay_config",
];

/// Words of the environment that say that an action failed.
const FAILURES: &[&str] = &[
    "Your proposed edit has introduced new syntax error(s)",
    "Your edit was not applied",
    "No replacement was performed",
    "Traceback (most recent call last)",
    "command not found",
    "No such file or directory",
    "Usage: ",
];

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Content<'a>,
    #[serde(default)]
    is_demo: bool,
    #[serde(borrow)]
    action: Option<Cow<'a, str>>,
    tool_calls: Option<Vec<Call>>,
    tool_call_ids: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

pub(super) fn read<E: From<TranscriptError>>(
    path: &Path,
    file: impl Read,
    sink: &mut dyn FnMut(Entry) -> Result<(), E>,
) -> Result<Summary, E> {
    let bytes = Cell::new(0);
    let mut outcome = Ok(());
    let mut reader = Reader {
        bytes: &bytes,
        sink,
        outcome: &mut outcome,
        summary: Summary::default(),
        calls: Vec::new(),
        asked: false,
        open_file: None,
        directory: None,
    };
    let file = std::io::BufReader::new(Counting {
        inner: file,
        bytes: &bytes,
    });
    let mut document = serde_json::Deserializer::from_reader(file);
    let read = Document(&mut reader)
        .deserialize(&mut document)
        .and_then(|found| document.end().map(|()| found));
    let summary = reader.summary;
    outcome?;
    match read {
        Ok(true) => Ok(summary),
        Ok(false) => Err(TranscriptError::Foreign {
            path: path.to_owned(),
            found: "JSON without a `history`",
        }
        .into()),
        Err(source) => Err(TranscriptError::Document {
            path: path.to_owned(),
            source,
        }
        .into()),
    }
}

struct Reader<'r, E> {
    bytes: &'r Cell<u64>,
    sink: &'r mut dyn FnMut(Entry) -> Result<(), E>,
    outcome: &'r mut Result<(), E>,
    summary: Summary,
    /// Calls that wait for their result.
    calls: Vec<String>,
    /// Whether the task was told.
    asked: bool,
    /// What the last prompt of the environment said.
    open_file: Option<String>,
    directory: Option<String>,
}

impl<E> Reader<'_, E> {
    fn message(&mut self, message: Message<'_>) {
        self.summary.lines += 1;
        if message.is_demo {
            return;
        }
        let content = message.content.text();
        match &*message.role {
            "assistant" => {
                self.push(Record::ModelCall);
                self.calls.clear();
                match message.tool_calls {
                    Some(calls) if !calls.is_empty() => {
                        for Call { id, function } in calls {
                            let arguments = serde_json::from_str(&function.arguments);
                            self.call(id, function.name, arguments.unwrap_or_default());
                        }
                    }
                    _ => {
                        if let Some(action) = message.action.as_deref() {
                            let (name, input) = command(action.trim());
                            let id = format!("action {}", self.summary.lines);
                            self.call(id, name, input);
                        }
                    }
                }
            }
            "user" | "tool" if self.asked => self.results(&content, message.tool_call_ids),
            "user" => {
                self.asked = true;
                let text = issue(self.prompt(&content)).to_owned();
                self.push(Record::User { text });
            }
            _ => {}
        }
    }

    fn call(&mut self, id: String, name: String, mut input: Value) {
        // Paths become absolute, so that a file has one name whatever directory the agent is in.
        for key in ["path", "filename", "file_name"] {
            if matches!(name.as_str(), "open" | "create" | "str_replace_editor")
                && let Some(Value::String(path)) = input.get_mut(key)
            {
                *path = self.absolute(path);
            }
        }
        self.calls.push(id.clone());
        let open_file = self.open_file.clone();
        self.push(Record::ToolCall(ToolCall {
            id,
            name,
            input,
            open_file,
        }));
    }

    fn results(&mut self, content: &str, calls: Option<Vec<String>>) {
        let observation = self.prompt(content).to_owned();
        let is_error = FAILURES.iter().any(|failure| observation.contains(failure));
        let calls = calls.unwrap_or_else(|| std::mem::take(&mut self.calls));
        for call in calls {
            self.push(Record::ToolResult {
                call,
                content: observation.clone(),
                is_error,
                task: None,
            });
        }
    }

    /// Reads the environment's prompt at the end of a text, and gives the text before it.
    fn prompt<'t>(&mut self, text: &'t str) -> &'t str {
        let Some((before, prompt)) = text.rsplit_once("(Open file: ") else {
            return text;
        };
        if let Some((file, rest)) = prompt.split_once(")\n(Current directory: ") {
            self.open_file = (file != "n/a").then(|| file.to_owned());
            self.directory = rest
                .split_once(')')
                .map(|(directory, _)| directory.to_owned());
        }
        before.trim_end()
    }

    fn absolute(&self, path: &str) -> String {
        match &self.directory {
            Some(directory) if !path.starts_with('/') => {
                let path = path.trim_start_matches("./");
                format!("{}/{path}", directory.trim_end_matches('/'))
            }
            _ => path.to_owned(),
        }
    }

    fn push(&mut self, record: Record) {
        if self.outcome.is_err() {
            return;
        }
        let place = self.summary.lines;
        *self.outcome = (self.sink)(Entry {
            place,
            key: format!("message {place}"),
            at: None,
            bytes: self.bytes.get(),
            record,
        });
    }
}

/// The issue in the template's text, or the whole text.
fn issue(text: &str) -> &str {
    text.split_once("ISSUE:\n")
        .and_then(|(_, rest)| rest.split_once("\nINSTRUCTIONS:"))
        .map_or(text, |(issue, _)| issue)
        .trim()
}

/// A command line that the agent typed, as a call of a tool.
fn command(action: &str) -> (String, Value) {
    let (name, rest) = action.split_once([' ', '\n']).unwrap_or((action, ""));
    let first = || {
        let rest = rest.trim();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        quoted.map_or_else(
            || rest.split_whitespace().next().unwrap_or_default(),
            |(path, _)| path,
        )
    };
    let input = match name {
        "open" => json!({ "path": first() }),
        "create" => json!({ "filename": first() }),
        "edit" | "insert" => json!({ "text": rest }),
        "find_file" | "search_dir" | "search_file" => json!({ "query": rest.trim() }),
        "goto" | "scroll_down" | "scroll_up" | "set_cursors" | "submit" | "exit" => json!({}),
        _ => return ("bash".to_owned(), json!({ "command": action })),
    };
    (name.to_owned(), input)
}

/// The document: gives the messages of its `history` to the reader, and tells whether it has one.
struct Document<'d, 'r, E>(&'d mut Reader<'r, E>);

impl<'de, E> DeserializeSeed<'de> for Document<'_, '_, E> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, E> Visitor<'de> for Document<'_, '_, E> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a SWE-agent trajectory")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "history" {
                map.next_value_seed(History(self.0))?;
                found = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// The `history` array.
struct History<'d, 'r, E>(&'d mut Reader<'r, E>);

impl<'de, E> DeserializeSeed<'de> for History<'_, '_, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, E> Visitor<'de> for History<'_, '_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        while let Some(message) = messages.next_element()? {
            self.0.message(message);
            if self.0.outcome.is_err() {
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

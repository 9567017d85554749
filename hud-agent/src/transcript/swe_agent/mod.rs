//! A SWE-agent trajectory: one JSON document, whose `history` holds the conversation.
//!
//! Newer versions write tool calls with arguments, older ones only the command line that the
//! agent typed. There are no times, no usage for each call, and no exit codes.
//!
//! Which file is open is read from the prompt at the end of each observation. A trajectory has a
//! `state` as well, but older versions took it before the action and newer ones after it.

mod action;
mod document;
mod failure;

use std::io::{BufReader, Read};
use std::path::Path;

use serde::de::DeserializeSeed;
use serde_json::Value;

pub(super) use self::document::KEYS;
use self::document::{Call, Document, Message, Place, Placed};
use super::{Entry, Record, Summary, TranscriptError};
use crate::derive::ToolCall;

pub(super) fn read<E: From<TranscriptError>>(
    path: &Path,
    file: impl Read,
    sink: &mut dyn FnMut(Entry) -> Result<(), E>,
) -> Result<Summary, E> {
    let place = Place::new();
    let mut reader = Reader {
        place: &place,
        sink,
        outcome: Ok(()),
        summary: Summary::default(),
        calls: Vec::new(),
        asked: false,
        open_file: None,
        directory: None,
    };
    let mut document = serde_json::Deserializer::from_reader(BufReader::new(Placed {
        inner: file,
        place: &place,
    }));
    let read = Document {
        place: &place,
        sink: &mut |message| {
            reader.message(message);
            reader.outcome.is_ok()
        },
    }
    .deserialize(&mut document)
    .and_then(|found| document.end().map(|()| found));
    reader.outcome?;
    match read {
        Ok(true) => Ok(reader.summary),
        Ok(false) => Err(TranscriptError::Foreign {
            path: path.to_owned(),
            found: "JSON without a `history`",
        })?,
        Err(error) if error.is_io() => Err(TranscriptError::Read {
            path: path.to_owned(),
            source: error.into(),
        })?,
        Err(source) => Err(TranscriptError::Document {
            path: path.to_owned(),
            source,
        })?,
    }
}

struct Reader<'r, E> {
    place: &'r Place,
    sink: &'r mut dyn FnMut(Entry) -> Result<(), E>,
    outcome: Result<(), E>,
    summary: Summary,
    /// Calls that wait for their result, with their tools.
    calls: Vec<(String, String)>,
    /// Whether the task was told.
    asked: bool,
    /// What the last prompt of the environment said.
    open_file: Option<String>,
    directory: Option<String>,
}

impl<E> Reader<'_, E> {
    fn message(&mut self, message: Message<'_>) {
        self.summary.lines += 1;
        if message.is_demo == Some(true) {
            return;
        }
        let content = message.content.text();
        match &*message.role {
            "assistant" => self.assistant(message),
            "user" | "tool" if self.asked => self.results(&content, message.tool_call_ids),
            "user" => {
                self.asked = true;
                let text = issue(self.prompt(&content)).to_owned();
                self.push(Record::User { text });
            }
            "system" => {}
            role => {
                let role = format!("role {role}");
                *self.summary.unknown.entry(role).or_default() += 1;
            }
        }
    }

    fn assistant(&mut self, message: Message<'_>) {
        self.push(Record::ModelCall);
        self.calls.clear();
        match message.tool_calls {
            Some(calls) if !calls.is_empty() => {
                for Call { id, function } in calls {
                    self.call(id, function.name, action::arguments(function.arguments));
                }
            }
            _ => {
                if let Some(action) = message.action.as_deref() {
                    let (name, input) = action::call(action.trim());
                    let id = format!("action {}", self.summary.lines);
                    self.call(id, name, input);
                }
            }
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
        self.calls.push((id.clone(), name.clone()));
        let open_file = self.open_file.clone();
        self.push(Record::ToolCall(ToolCall {
            id,
            name,
            input,
            open_file,
        }));
    }

    /// An observation is the result of the calls that it names, else of all that wait for one.
    fn results(&mut self, content: &str, named: Option<Vec<String>>) {
        let observation = self.prompt(content).to_owned();
        let calls = match named {
            Some(named) => named.into_iter().map(|id| self.waiting(id)).collect(),
            None => std::mem::take(&mut self.calls),
        };
        for (call, tool) in calls {
            self.push(Record::ToolResult {
                is_error: failure::says_failure(&tool, &observation),
                call,
                content: observation.clone(),
                not_run: None,
                task: None,
            });
        }
    }

    /// A call that waits no longer, with its tool if it was known.
    fn waiting(&mut self, id: String) -> (String, String) {
        match self.calls.iter().position(|(call, _)| *call == id) {
            Some(index) => self.calls.swap_remove(index),
            None => (id, String::new()),
        }
    }

    /// Reads the environment's prompt at the end of a text, and gives the text before it.
    fn prompt<'t>(&mut self, text: &'t str) -> &'t str {
        let prompt = text.rsplit_once("(Open file: ").and_then(|(before, rest)| {
            let (file, rest) = rest.split_once(")\n(Current directory: ")?;
            let (directory, _) = rest.split_once(')')?;
            Some((before, file, directory))
        });
        let Some((before, file, directory)) = prompt else {
            return text;
        };
        self.open_file = (file != "n/a").then(|| file.to_owned());
        self.directory = Some(directory.to_owned());
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
        self.summary.records += 1;
        self.outcome = (self.sink)(Entry {
            place,
            key: format!("message {place}"),
            at: None,
            bytes: self.place.bytes(),
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

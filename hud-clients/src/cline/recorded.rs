//! Cline's conversations as recordings: the messages of its SDK, and the `api_conversation_history.json`
//! of a task.
//!
//! | part of a message | observation |
//! | --- | --- |
//! | `text` of the user | the user's message, without Cline's elements around it |
//! | `text` of the assistant | a model call, and the agent's text |
//! | `tool_use`, an element with the name of a tool in a text (older) | a call of a tool |
//! | `tool_result`, a text that begins with `[tool for '…'] Result:` (older) | its result |
//! | `metrics` | the tokens of a model call |
//! | `thinking`, images, files | none |

use std::path::Path;

use hud_observe::observation::{NotRun, Observation};
use serde_json::{Map, Value};

use super::conversation::usage;
use super::{Cline, TOOLS, outcome};
use crate::json::{parts, time};
use crate::placed::Messages;
use crate::recorded::{Field, Records};
use hud_observe::marked::typed;

/// True if a file with this beginning is a conversation of Cline. Only Cline writes these elements and
/// keys.
pub(super) fn is_conversation(keys: &[String], beginning: &[u8]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let contains = |text: &str| memchr::memmem::find(beginning, text.as_bytes()).is_some();
    let is_of_sdk = has("messages") && has("sessionId") && has("agent");
    let is_of_task = has("role")
        && has("content")
        && (contains("\"<task>\\n") || contains("\"<user_input mode="))
        && contains("<environment_details>");
    is_of_sdk || is_of_task
}

/// The name of the conversation file in the folder of a task.
pub(super) const OF_TASK: &str = "api_conversation_history.json";

/// The beginning of the result of a call that the user declined.
const DENIED: &str = "The user denied this operation";

/// The messages of a conversation.
pub(super) struct Reader {
    /// The name of the task, which is the name of its folder.
    task: Option<String>,
    /// The ids and tools of the calls that wait for their results.
    calls: Vec<(String, String)>,
    /// The number of calls that were found in texts.
    in_texts: u64,
}

impl Records for Reader {
    fn field(&self, key: &str) -> Field {
        match key {
            "sessionId" => Field::Value,
            "messages" => Field::Records,
            _ => Field::Other,
        }
    }

    fn value(&mut self, session: &Value, messages: &mut Messages<'_>) {
        if let Some(name) = session.as_str() {
            self.task = None;
            let name = name.to_owned();
            messages.push(Observation::Session { name });
        }
    }

    fn record(&mut self, message: &Value, messages: &mut Messages<'_>) {
        if let Some(name) = self.task.take() {
            messages.push(Observation::Session { name });
        }
        messages.at = time(message, "/ts");
        let parts = parts(&message["content"]);
        match message["role"].as_str().unwrap_or_default() {
            "user" => self.user(parts, messages),
            "assistant" => {
                messages.push(Observation::ModelCall);
                self.assistant(parts, messages);
                if let Some(usage) = usage(message) {
                    messages.push(usage);
                }
            }
            role => messages.unknown(role),
        }
    }
}

impl Reader {
    /// Returns a reader for the conversation in a file or folder.
    pub(super) fn of(path: &Path) -> Self {
        let folder = match path.ends_with(OF_TASK) {
            true => path.parent(),
            false => path.is_dir().then_some(path),
        };
        let name = folder.and_then(Path::file_name);
        Self {
            task: name.map(|name| name.to_string_lossy().into_owned()),
            calls: Vec::new(),
            in_texts: 0,
        }
    }

    fn user(&mut self, parts: &[Value], messages: &mut Messages<'_>) {
        let mut asked = Vec::new();
        // The text after the head of a result is its output.
        let mut is_output = false;
        for part in parts {
            match part["type"].as_str().unwrap_or("text") {
                "text" => {
                    let text = part.as_str().or_else(|| part["text"].as_str());
                    let text = text.unwrap_or_default();
                    if let Some(output) = self.result_in(text) {
                        is_output = output.trim().is_empty();
                        if !is_output {
                            self.result(0, &Value::from(output), messages);
                        }
                    } else if std::mem::take(&mut is_output) {
                        self.result(0, &Value::from(text), messages);
                    } else {
                        asked.push(own(text));
                    }
                }
                "tool_result" => {
                    let named = part["tool_use_id"].as_str();
                    let at = self
                        .calls
                        .iter()
                        .position(|(call, _)| Some(&**call) == named);
                    if let Some(at) = at {
                        self.result(at, &part["content"], messages);
                    }
                }
                "image" | "file" | "document" => {}
                kind => messages.passed_over(format!("content block {kind}")),
            }
        }
        messages.user(asked.join("\n").trim());
    }

    fn assistant(&mut self, parts: &[Value], messages: &mut Messages<'_>) {
        for part in parts {
            match part["type"].as_str().unwrap_or("text") {
                "text" => {
                    let text = part.as_str().or_else(|| part["text"].as_str());
                    let (said, called) = call_in(text.unwrap_or_default());
                    messages.said(said);
                    if let Some((tool, input)) = called {
                        self.in_texts += 1;
                        let call = format!("call {}", self.in_texts);
                        self.call(call, tool, &input, messages);
                    }
                }
                "tool_use" => match (part["id"].as_str(), part["name"].as_str()) {
                    (Some(call), Some(tool)) => {
                        self.call(call.to_owned(), tool, &part["input"], messages);
                    }
                    _ => messages.passed_over("tool_use without a name".to_owned()),
                },
                "thinking" | "redacted_thinking" | "reasoning" | "image" => {}
                kind => messages.passed_over(format!("content block {kind}")),
            }
        }
    }

    fn call(&mut self, call: String, tool: &str, input: &Value, messages: &mut Messages<'_>) {
        messages.call(&Cline, &call, tool, input);
        self.calls.push((call, tool.to_owned()));
    }

    /// Returns the output after the head of a result, if the text has the result of the oldest call that
    /// waits.
    fn result_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (_, tool) = self.calls.first()?;
        let (head, output) = text.split_once(" Result:")?;
        let of_tool = head.strip_prefix('[')?.strip_prefix(&**tool)?;
        let ends = of_tool.is_empty() || of_tool.starts_with([']', ' ']);
        (ends && head.ends_with(']')).then(|| output.trim_start_matches('\n'))
    }

    /// Handles the result of a call, given its index among the calls that wait.
    fn result(&mut self, at: usize, output: &Value, messages: &mut Messages<'_>) {
        if at >= self.calls.len() {
            return;
        }
        let (call, tool) = self.calls.remove(at);
        // Cline's SDK serializes a result that is an object.
        let object = output
            .as_str()
            .filter(|text| text.starts_with(['{', '[']))
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        let outcome = outcome(&tool, object.as_ref().unwrap_or(output));
        let is_denied = outcome.content.starts_with(DENIED);
        let denied = || is_denied.then_some(NotRun::Declined { said: None });
        let not_run = outcome.not_run.or_else(denied);
        let is_error = outcome.is_error || is_denied;
        messages.push(Observation::result(
            call,
            outcome.content,
            is_error,
            not_run,
        ));
    }
}

/// The part of a text that the user wrote.
fn own(text: &str) -> &str {
    const ELEMENTS: [&str; 5] = ["task", "feedback", "answer", "user_message", "user_input"];

    let text = typed(text).trim();
    let inside = ELEMENTS.iter().find_map(|name| {
        let (_, rest) = text.split_once(&format!("<{name}"))?;
        let (head, rest) = rest.split_once('>')?;
        let (inside, _) = rest.split_once(&format!("</{name}>"))?;
        (head.is_empty() || head.starts_with(' ')).then_some(inside.trim())
    });
    inside.unwrap_or(text)
}

/// Returns the text before a tool call that the model wrote as an element, and that call.
fn call_in(text: &str) -> (&str, Option<(&'static str, Value)>) {
    let found = TOOLS.iter().find_map(|tool| {
        let at = text.find(&format!("<{}>", tool.name))?;
        let (before, element) = text.split_at_checked(at)?;
        let inside = element.strip_prefix(&format!("<{}>", tool.name))?;
        let (inside, _) = inside.rsplit_once(&format!("</{}>", tool.name))?;
        Some((before, tool.name, inside))
    });
    match found {
        Some((before, tool, inside)) => (before, Some((tool, arguments(inside)))),
        None => (text, None),
    }
}

/// Parses the arguments within an element. Each argument is an element.
fn arguments(inside: &str) -> Value {
    let mut arguments = Map::new();
    let mut rest = inside;
    while let Some((_, element)) = rest.split_once('<')
        && let Some((name, element)) = element.split_once('>')
        && let Some((value, after)) = element.split_once(&format!("</{name}>"))
    {
        arguments.insert(name.to_owned(), value.trim().into());
        rest = after;
    }
    arguments.into()
}

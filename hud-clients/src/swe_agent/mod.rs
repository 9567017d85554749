//! SWE-agent. Its sessions are read only from its trajectories: one JSON document whose `history` has
//! the conversation.
//!
//! Newer versions record tool calls with arguments. Older ones record only the command line that the
//! agent typed. There are no times, no usage for each call, and no exit codes.
//!
//! The open file is read from the prompt at the end of each observation. A trajectory also has a
//! `state`, but older versions recorded it before the action and newer ones after it.
//!
//! | tool | action |
//! | --- | --- |
//! | `open` | read |
//! | `create` | write |
//! | `edit`, `insert` | edit the open file; other if none is open |
//! | `str_replace_editor` | read (`view`), write (`create`), edit |
//! | `bash`, and any command line that is none of these | run |
//! | `find_file`, `search_dir`, `search_file`, `goto`, `scroll_down`, `scroll_up`, `set_cursors` | look |
//! | `submit`, `exit` | other |

mod call;
mod document;
mod failure;

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::observation::Observation;
use serde::de::DeserializeSeed;
use serde_json::Value;

use self::document::{Document, KEYS, Message};
use super::chat::Call;
use super::placed::{Messages, Place, Placed};
use super::{Client, Tool, texts, tools};
use crate::transcript::{Entry, Summary, TranscriptError};

/// SWE-agent.
#[derive(Debug)]
pub struct SweAgent;

const TOOLS: &[Tool] = &[
    Tool::reads("open", &["path"]),
    Tool::writes("create", &["filename"]),
    Tool::other("edit"),
    Tool::other("insert"),
    Tool::by("str_replace_editor", tools::editor),
    Tool::runs("bash", &["command"]),
    Tool::looks("find_file"),
    Tool::looks("search_dir"),
    Tool::looks("search_file"),
    Tool::looks("goto"),
    Tool::looks("scroll_down"),
    Tool::looks("scroll_up"),
    Tool::looks("set_cursors"),
    Tool::other("submit"),
    Tool::other("exit"),
];

/// Returns the actions of a call while a file is open.
fn actions(tool: &str, input: &Value, open_file: Option<&str>) -> Vec<Action> {
    match (tool, open_file) {
        ("edit" | "insert", Some(path)) => texts::tell(vec![Action::edit(path)], input),
        _ => SweAgent.actions(tool, input),
    }
}

impl Client for SweAgent {
    fn name(&self) -> &'static str {
        "swe-agent"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    /// Decides by the first key, which only trajectories begin with.
    fn recognises(&self, beginning: &[u8]) -> bool {
        let object = beginning.trim_ascii_start().strip_prefix(b"{");
        let key = object.unwrap_or_default().trim_ascii_start();
        let key = key.strip_prefix(b"\"").unwrap_or_default();
        KEYS.iter().any(|known| {
            key.strip_prefix(known.as_bytes())
                .is_some_and(|rest| rest.starts_with(b"\""))
        })
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        let place = Place::new();
        let mut reader = Reader {
            messages: Messages::new(&place, sink),
            calls: Vec::new(),
            asked: false,
            open_file: None,
            directory: None,
        };
        let mut document =
            serde_json::Deserializer::from_reader(BufReader::new(Placed::new(file, &place)));
        let read = Document {
            place: &place,
            sink: &mut |message| {
                match message {
                    Some(message) => reader.message(message),
                    None => reader.damaged(),
                }
                !reader.messages.is_over()
            },
        }
        .deserialize(&mut document)
        .and_then(|found| document.end().map(|()| found));
        if reader.messages.is_over() {
            return Ok(reader.messages.summary);
        }
        reader.messages.summary.mended = place.mended();
        match read {
            Ok(true)
                if reader.messages.summary.entries == 0 && reader.messages.summary.lines > 0 =>
            {
                Err(TranscriptError::Foreign {
                    path: path.to_owned(),
                    found: "a trajectory of whose messages none can be read",
                })
            }
            Ok(true) => Ok(reader.messages.summary),
            // The messages before the damage are kept.
            Err(error) if !error.is_io() && reader.messages.summary.entries > 0 => {
                reader.messages.summary.damage(error.line() as u64);
                Ok(reader.messages.summary)
            }
            Ok(false) => Err(TranscriptError::Foreign {
                path: path.to_owned(),
                found: "JSON without a `history`",
            }),
            Err(error) if error.is_io() => Err(TranscriptError::Read {
                path: path.to_owned(),
                source: error.into(),
            }),
            Err(source) => Err(TranscriptError::Document {
                path: path.to_owned(),
                source,
            }),
        }
    }
}

struct Reader<'r> {
    messages: Messages<'r>,
    /// The calls that wait for their results, with their tools.
    calls: Vec<(String, String)>,
    /// True if the task was read.
    asked: bool,
    /// The open file of the environment's last prompt.
    open_file: Option<String>,
    directory: Option<String>,
}

impl Reader<'_> {
    fn damaged(&mut self) {
        self.messages.summary.lines += 1;
        let kind = "message of another shape".to_owned();
        *self.messages.summary.unknown.entry(kind).or_default() += 1;
    }

    fn message(&mut self, message: Message<'_>) {
        self.messages.summary.lines += 1;
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
                self.messages.push(Observation::User { text });
            }
            "system" => {}
            role => self.messages.unknown(role),
        }
    }

    fn assistant(&mut self, message: Message<'_>) {
        self.messages.push(Observation::ModelCall);
        // The field `thought` contains the message's text before the command.
        if let Some(said) = message.thought.as_deref().and_then(Observation::said) {
            self.messages.push(said);
        }
        self.calls.clear();
        match message.tool_calls {
            Some(calls) if !calls.is_empty() => {
                for Call { id, function } in calls {
                    self.call(id, function.name, function.arguments.0);
                }
            }
            _ => {
                if let Some(action) = message.action.as_deref() {
                    let (name, input) = call::call(action.trim());
                    let id = format!("action {}", self.messages.summary.lines);
                    self.call(id, name, input);
                }
            }
        }
    }

    fn call(&mut self, id: String, name: String, mut input: Value) {
        // Paths become absolute, so that a file has one name in every directory.
        for key in ["path", "filename", "file_name"] {
            if matches!(name.as_str(), "open" | "create" | "str_replace_editor")
                && let Some(Value::String(path)) = input.get_mut(key)
            {
                *path = self.absolute(path);
            }
        }
        self.calls.push((id.clone(), name.clone()));
        let actions = actions(&name, &input, self.open_file.as_deref()).into();
        if let Some(arguments) = Observation::arguments(input) {
            self.messages.push(arguments);
        }
        self.messages
            .push(Observation::ToolCall { call: id, actions });
    }

    /// Reports an observation as the result of the calls that it names, or else of all that wait.
    fn results(&mut self, content: &str, named: Option<Vec<String>>) {
        let observation = self.prompt(content).to_owned();
        let calls = match named {
            Some(named) => named.into_iter().map(|id| self.waiting(id)).collect(),
            None => std::mem::take(&mut self.calls),
        };
        for (call, tool) in calls {
            let is_error = failure::says_failure(&tool, &observation);
            self.messages.push(Observation::result(
                call,
                observation.clone(),
                is_error,
                None,
            ));
        }
    }

    /// Removes a call from those that wait. Returns it with its tool, if that is known.
    fn waiting(&mut self, id: String) -> (String, String) {
        match self.calls.iter().position(|(call, _)| *call == id) {
            Some(index) => self.calls.swap_remove(index),
            None => (id, String::new()),
        }
    }

    /// Parses the environment's prompt at the end of a text. Returns the text before it.
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
}

/// Returns the issue in the template's text, or the whole text.
fn issue(text: &str) -> &str {
    text.split_once("ISSUE:\n")
        .and_then(|(_, rest)| rest.split_once("\nINSTRUCTIONS:"))
        .map_or(text, |(issue, _)| issue)
        .trim()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{assert_tools, edits, looks, other, reads, runs, writes};

    #[test]
    fn each_tool_is_an_action() {
        let editor = |command: &str| json!({ "command": command, "path": "a" });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("open", json!({ "path": "a" }), vec![reads("a")]),
            ("create", json!({ "filename": "a" }), vec![writes("a")]),
            ("edit", json!({ "text": "x" }), vec![other("edit", None)]),
            (
                "insert",
                json!({ "text": "x" }),
                vec![other("insert", None)],
            ),
            ("str_replace_editor", editor("view"), vec![reads("a")]),
            ("str_replace_editor", editor("create"), vec![writes("a")]),
            ("str_replace_editor", editor("undo_edit"), vec![edits("a")]),
            ("bash", json!({ "command": "make" }), vec![runs("make")]),
            ("submit", json!({}), vec![other("submit", None)]),
            ("exit", json!({}), vec![other("exit", None)]),
        ];
        for tool in [
            "find_file",
            "search_dir",
            "search_file",
            "goto",
            "scroll_down",
            "scroll_up",
            "set_cursors",
        ] {
            tried.push((tool, json!({ "query": "q" }), vec![looks(tool, Some("q"))]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&SweAgent, &tried);
        assert_eq!(actions("edit", &json!({}), Some("a")), [edits("a")]);
    }
}

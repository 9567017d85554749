//! Chats: conversations as messages with a `role`, as chat completion APIs take them and as benchmarks,
//! proxies and data sets store them. They do not depend on one client.
//!
//! | file | conversations |
//! | --- | --- |
//! | a list of messages, or a message on each line | one |
//! | an object with `messages` or `traj`, which is a list of messages | one |
//! | an object with `values`, as LangGraph keeps the state of a thread, or with `input` or `output`, as the Responses API has them | one |
//! | a list of such objects, or one on each line | one for each object; each is replayed alone |
//!
//! | role | observation |
//! | --- | --- |
//! | `user` | the user's message without the text that its client put around it; its blocks `tool_result` are results |
//! | `assistant` | a model call, its text, and its `tool_calls` (or `function_call`, or blocks `tool_use`) |
//! | `tool`, `function` | a tool's result |
//! | `system`, `developer` | none: it is sent to the model in every turn |
//!
//! Messages of LangChain have a `type` in place of a role. Items of the Responses API are messages,
//! calls and results. A model call begins with the first item that the model wrote after a result or the
//! user's message.
//!
//! The author of the agent defines its tools. A tool that has the name and arguments of a known client's
//! tool gets that tool's action. The action of any other tool is inferred from its name and arguments.
//! Only the beginning of a result marks it as a failure.

mod document;
mod message;

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::marked::typed;
use hud_observe::observation::{NotRun, Observation};
use serde_json::Value;

use self::document::Document;
pub(crate) use self::document::any_of_first;
pub(crate) use self::document::first_keys;
pub(crate) use self::message::Call;
use self::message::{Arguments, Message, Part};
use super::placed::{Messages, Place, Placed};
use super::printed;
use super::{Client, Tool, tools};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Messages of a chat.
#[derive(Debug)]
pub struct Chat;

impl Client for Chat {
    fn name(&self) -> &'static str {
        "chat"
    }

    fn tools(&self) -> &'static [Tool] {
        &[]
    }

    /// The author of the agent defines the tool.
    fn actions(&self, tool: &str, input: &Value) -> Vec<Action> {
        super::actions(tool, input)
    }

    /// Decides by the keys of the first object: those of a message, or of an object that has messages.
    fn recognises(&self, beginning: &[u8]) -> bool {
        let has_messages = memchr::memmem::find(beginning, b"\"messages\"").is_some();
        let is_chat = |keys: &[String]| {
            let has = |name: &str| keys.iter().any(|key| key == name);
            let is_message = has("role") && ["content", "tool_calls"].into_iter().any(has);
            let is_of_langchain = (has("type") && has("content") && has("additional_kwargs"))
                || (has("lc") && has("kwargs"));
            let is_of_langgraph = has("values") && has_messages;
            let is_item = has("type") && has("call_id");
            let is_response = has("object") && has("output");
            is_message
                || is_of_langchain
                || is_of_langgraph
                || is_item
                || is_response
                || document::LISTS.iter().any(|list| has(list))
        };
        any_of_first(beginning, is_chat)
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        self.read_conversation(1, path, file, sink)
    }

    fn read_conversation(
        &self,
        number: u64,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        let place = Place::new();
        let mut reader = Reader {
            messages: Messages::new(&place, sink),
            calls: Vec::new(),
            is_answering: false,
        };
        reader.messages.conversation(path, number);
        let file = BufReader::new(Placed::new(file, &place));
        let mut take = |message: Message| {
            reader.message(message);
            !reader.messages.is_over()
        };
        let read = Document::new(number, &place, &mut take).read(file);
        if reader.messages.is_over() {
            return Ok(reader.messages.summary);
        }
        let path = path.to_owned();
        let (count, damaged) = match read {
            Ok(read) => read,
            Err(error) if error.is_io() => {
                return Err(TranscriptError::Read {
                    path,
                    source: error.into(),
                });
            }
            Err(source) => return Err(TranscriptError::Document { path, source }),
        };
        match count {
            0 => Err(TranscriptError::Foreign {
                path,
                found: "JSON without a message",
            }),
            count if count < number => Err(TranscriptError::NoConversation {
                path,
                number,
                count,
            }),
            _ if !reader.messages.has_conversation() => Err(TranscriptError::Foreign {
                path,
                found: "JSON of whose messages none can be read",
            }),
            count => Ok(Summary {
                conversations: count,
                mended: place.mended(),
                damaged: damaged.damaged,
                first_damaged: damaged.first_damaged,
                truncated: damaged.truncated,
                ..reader.messages.summary
            }),
        }
    }
}

struct Reader<'r> {
    messages: Messages<'r>,
    /// The ids and tools of the calls that wait for their result, oldest first.
    calls: Vec<(String, String)>,
    /// True while the model writes its items.
    is_answering: bool,
}

impl Reader<'_> {
    fn message(&mut self, message: Message) {
        self.messages.summary.lines += 1;
        if message.is_item() {
            return self.item(message);
        }
        match &*message.role {
            "user" | "human" => self.user(&message),
            "assistant" => self.assistant(&message),
            "tool" | "function" => {
                self.is_answering = false;
                let call = message.tool_call_id.as_str();
                // A result in a separate block names its call.
                match &message.parts()[..] {
                    parts if parts.iter().any(|part| matches!(part, Part::Result { .. })) => {
                        self.parts(message.parts());
                    }
                    _ => self.result(call, message.text(), message.status == "error"),
                }
            }
            "system" | "developer" => {}
            "" => self
                .messages
                .passed_over("message without a role".to_owned()),
            role => self.messages.unknown(role),
        }
    }

    /// Handles an item of the Responses API.
    fn item(&mut self, item: Message) {
        let kind = item.kind.as_deref().unwrap_or_default();
        let call = item.call_id.as_str();
        if kind.ends_with("_output") {
            self.is_answering = false;
            return self.result(
                call,
                printed::printed(&item.output),
                item.status == "incomplete",
            );
        }
        self.answer();
        if let Some(tool) = kind.strip_suffix("_call") {
            // A call of a tool of the provider has no name.
            let tool = item.name.as_str().unwrap_or(tool).to_owned();
            self.call(
                call.map(str::to_owned),
                tool,
                Arguments::of(item.arguments).0,
            );
        }
    }

    /// Begins a model call, unless one has already begun.
    fn answer(&mut self) {
        if !std::mem::replace(&mut self.is_answering, true) {
            self.messages.push(Observation::ModelCall);
            self.calls.clear();
        }
    }

    fn user(&mut self, message: &Message) {
        self.is_answering = false;
        let texts = self.parts(message.parts());
        let texts: Vec<&str> = texts.iter().map(|text| typed(text)).collect();
        let text = texts.join("\n");
        if !text.trim().is_empty() {
            self.messages.push(Observation::User { text });
        }
    }

    fn assistant(&mut self, message: &Message) {
        // A message that is an item may be one of several in a model call.
        self.is_answering &= message.kind.as_deref() == Some("message");
        self.answer();
        // Its text is reported before its calls, in whatever order the message has them.
        let (texts, rest): (Vec<Part>, Vec<Part>) = message
            .parts()
            .into_iter()
            .partition(|part| matches!(part, Part::Text(_)));
        let texts = self.parts(texts);
        self.messages.said(&texts.join("\n"));
        self.parts(rest);
    }

    /// Handles the parts of a message. Returns its texts.
    fn parts(&mut self, parts: Vec<Part>) -> Vec<String> {
        let mut texts = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => texts.push(text),
                Part::Call { id, name, input } => self.call(id, name, input),
                Part::Result {
                    call,
                    content,
                    is_error,
                } => self.result(call.as_deref(), content, is_error),
                Part::Silent => {}
                Part::Unknown(kind) => self.messages.passed_over(kind),
            }
        }
        texts
    }

    fn call(&mut self, id: Option<String>, name: String, input: Value) {
        let lines = self.messages.summary.lines;
        let id = id.unwrap_or_else(|| match self.calls.len() {
            0 => format!("call {lines}"),
            number => format!("call {lines}.{number}"),
        });
        self.messages.call(&Chat, &id, &name, &input);
        self.calls.push((id, name));
    }

    /// Handles the result of a call. If it names no call, it belongs to the oldest one that waits.
    fn result(&mut self, call: Option<&str>, content: String, is_error: bool) {
        let named = call.and_then(|call| self.calls.iter().position(|(id, _)| id == call));
        let at = named.or_else(|| (call.is_none() && !self.calls.is_empty()).then_some(0));
        let Some(at) = at else { return };
        let (call, tool) = self.calls.remove(at);
        let is_missing = tools::is_missing(&tool, &content);
        let is_error = is_error || says_failure(&content);
        let not_run = is_missing.then_some(NotRun::NoSuchTool);
        self.messages
            .push(Observation::result(call, content, is_error, not_run));
    }
}

/// True if a result reports a failure: by its first word, or as an object that contains only an error.
fn says_failure(content: &str) -> bool {
    let content = content.trim_start();
    let begins = |word: &str| {
        content
            .get(..word.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    let is_error_alone = || {
        let object = serde_json::from_str::<Value>(content).unwrap_or_default();
        let fields = object.as_object().into_iter().flatten();
        let mut said = fields.filter(|(_, value)| !value.is_null());
        let is_alone =
            matches!((said.next(), said.next()), (Some((key, _)), None) if key == "error");
        is_alone || printed::says_failed(&object)
    };
    begins("error:") || begins("error ") || (content.starts_with('{') && is_error_alone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_a_failure_where_it_begins_so() {
        for (content, failed) in [
            ("Error: user not found", true),
            ("error: no such file", true),
            (r#"{"error": "not found"}"#, true),
            (r#"{"error": null, "flights": []}"#, false),
            (r#"{"error": "late", "flights": []}"#, false),
            (r#"{"success": false, "reason": "late"}"#, true),
            (r#"{"success": true}"#, false),
            ("Errors were not found", false),
            ("[]", false),
            ("", false),
        ] {
            assert_eq!(says_failure(content), failed, "{content}");
        }
    }
}

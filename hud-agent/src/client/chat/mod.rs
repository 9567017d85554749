//! Chats: conversations as messages with a `role`, as the APIs for chat completions take them and as
//! benchmarks, proxies and data sets keep them. Whoever ran the agent, there is no client of its own.
//!
//! | file | conversations |
//! | --- | --- |
//! | a list of messages, or a message on each line | one |
//! | an object with `messages` or `traj`, which is a list of messages | one |
//! | a list of such objects, or one on each line | as many; each is replayed by itself |
//!
//! | role | observation |
//! | --- | --- |
//! | `user` | what the user says |
//! | `assistant` | a call of the model, what it says, and its `tool_calls` (or `function_call`) |
//! | `tool`, `function` | a tool's result |
//! | `system`, `developer` | none: it is before the agent in every turn |
//!
//! A tool is of whoever wrote the agent. It does what a tool of that name and those arguments does of a known
//! client, else it is another. Nothing marks a result as a failure but its first word.

mod document;
mod message;

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use self::document::Document;
pub(in crate::client) use self::document::first_keys;
pub(in crate::client) use self::message::Call;
use self::message::Message;
use super::placed::{Messages, Place, Placed};
use super::{Client, Tool};
use crate::observation::Observation;
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

    /// By the keys of the first object: those of a message, or of what has messages.
    fn recognises(&self, beginning: &[u8]) -> bool {
        let keys = first_keys(beginning);
        let has = |name: &str| keys.iter().any(|key| key == name);
        let is_message = has("role") && ["content", "tool_calls"].into_iter().any(has);
        is_message || document::LISTS.iter().any(|list| has(list))
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
        };
        if number > 1 {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{number}");
            reader.messages.push(Observation::Session { name });
        }
        let file = BufReader::new(Placed {
            inner: file,
            place: &place,
        });
        let mut take = |message: Message<'_>| {
            reader.message(message);
            !reader.messages.is_over()
        };
        let read = Document::new(number, &place, &mut take).read(file);
        if reader.messages.is_over() {
            return Ok(reader.messages.summary);
        }
        let path = path.to_owned();
        match read {
            Ok(count) if (number..).contains(&count) => Ok(Summary {
                conversations: count,
                ..reader.messages.summary
            }),
            Ok(0) => Err(TranscriptError::Foreign {
                path,
                found: "JSON without a message",
            }),
            Ok(count) => Err(TranscriptError::NoConversation {
                path,
                number,
                count,
            }),
            Err(error) if error.is_io() => Err(TranscriptError::Read {
                path,
                source: error.into(),
            }),
            Err(source) => Err(TranscriptError::Document { path, source }),
        }
    }
}

struct Reader<'r> {
    messages: Messages<'r>,
    /// The names of calls that wait for their result, the one first that was made first.
    calls: Vec<String>,
}

impl Reader<'_> {
    fn message(&mut self, message: Message<'_>) {
        self.messages.summary.lines += 1;
        match &*message.role {
            "user" => {
                let text = message.content.text();
                self.messages.push(Observation::User { text });
            }
            "assistant" => self.assistant(message),
            "tool" | "function" => {
                let content = message.content.text();
                self.result(message.tool_call_id.as_deref(), content);
            }
            "system" | "developer" => {}
            role => self.messages.unknown(role),
        }
    }

    fn assistant(&mut self, message: Message<'_>) {
        self.messages.push(Observation::ModelCall);
        if let Some(said) = Observation::said(&message.content.text()) {
            self.messages.push(said);
        }
        self.calls.clear();
        let older = message.function_call.map(|function| Call {
            id: format!("call {}", self.messages.summary.lines),
            function,
        });
        for Call { id, function } in message.tool_calls.into_iter().flatten().chain(older) {
            self.calls.push(id.clone());
            let actions = super::actions(&function.name, &function.arguments.0);
            if let Some(arguments) = Observation::arguments(function.arguments.0) {
                self.messages.push(arguments);
            }
            self.messages.push(Observation::ToolCall {
                call: id,
                actions: actions.into(),
            });
        }
    }

    /// The result of a call; of the first that waits for one where it does not say of which.
    fn result(&mut self, call: Option<&str>, content: String) {
        let named = call.and_then(|call| self.calls.iter().position(|waiting| waiting == call));
        let at = named.or_else(|| (call.is_none() && !self.calls.is_empty()).then_some(0));
        let Some(at) = at else { return };
        let call = self.calls.remove(at);
        let is_error = says_failure(&content);
        self.messages
            .push(Observation::result(call, content, is_error));
    }
}

/// Whether a result says that the call failed: by its first word, or as an object that has nothing but an
/// error.
fn says_failure(content: &str) -> bool {
    let content = content.trim_start();
    let begins = |word: &str| {
        content
            .get(..word.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    let is_error_alone = || {
        let object = serde_json::from_str::<serde_json::Map<String, Value>>(content);
        object.is_ok_and(|object| {
            let mut said = object.iter().filter(|(_, value)| !value.is_null());
            matches!((said.next(), said.next()), (Some((key, _)), None) if key == "error")
        })
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
            ("Errors were not found", false),
            ("[]", false),
            ("", false),
        ] {
            assert_eq!(says_failure(content), failed, "{content}");
        }
    }
}

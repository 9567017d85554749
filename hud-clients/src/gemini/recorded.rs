//! Gemini CLI's chats and checkpoints as recordings.
//!
//! | file | contents |
//! | --- | --- |
//! | `chats/session-*.jsonl` | the session, then a message or a change to the whole conversation on each line; a message may be on several lines |
//! | `chats/session-*.json` (older) | an object with the session and its `messages` |
//! | `checkpoint-*.json`, `checkpoints/*.json` | the model's conversation: a list, or an object with a `history` |
//!
//! | part | observation |
//! | --- | --- |
//! | a message of the user | the user's message |
//! | a message of the model, a content of the role `model` | a model call, the agent's text, tokens |
//! | `toolCalls`, `functionCall` | a call of a tool |
//! | its `result`, `functionResponse` | the result |
//! | `$set` that replaces the messages | a compaction, if the first message is another one |
//! | `$rewindTo` | the user's return to an earlier message |
//! | `info`, `warning`, `error` | none |

use std::collections::HashSet;

use hud_observe::observation::{NotRun, Observation};
use serde_json::Value;

use super::chat::SETUP;
use super::{Gemini, outcome, tokens, typed};
use crate::json::{parts, text, time};
use crate::placed::Messages;
use crate::printed::printed;
use crate::recorded::{Field, Records};

/// True if an object with these keys begins a chat or a checkpoint.
pub(super) fn is_chat(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_session = has("sessionId") && has("projectHash");
    let is_content = has("role") && has("parts") && !has("metadata") && !has("content");
    let is_checkpoint =
        has("history") && (has("clientHistory") || has("toolCall") || has("authType"));
    is_session || is_content || is_checkpoint || has("$set")
}

/// The messages of a chat, or the contents of a checkpoint.
#[derive(Default)]
pub(super) struct Reader {
    /// The last message. The next line may repeat it with more content.
    held: Option<(u64, Value)>,
    /// The ids of the messages, with the entry keys of the user's messages.
    known: Vec<(String, Option<String>)>,
    /// The calls that were reported, and the calls whose results were reported.
    called: HashSet<String>,
    ended: HashSet<String>,
    /// The calls in contents that wait for their results, oldest first: the id, or else a number, and the tool.
    calls: Vec<(String, String)>,
    contents: u64,
}

impl Records for Reader {
    fn is_record(&self, value: &Value) -> bool {
        ["id", "sessionId", "$set", "$rewindTo", "role"]
            .iter()
            .any(|key| value.get(key).is_some())
    }

    fn field(&self, key: &str) -> Field {
        match key {
            "sessionId" => Field::Value,
            "messages" | "history" => Field::Records,
            _ => Field::Other,
        }
    }

    fn value(&mut self, session: &Value, messages: &mut Messages<'_>) {
        if let Some(name) = session.as_str() {
            let name = name.to_owned();
            messages.push(Observation::Session { name });
        }
    }

    fn record(&mut self, record: &Value, messages: &mut Messages<'_>) {
        if record["role"].is_string() {
            return self.content(record, messages);
        }
        if record["type"].is_string() {
            match &mut self.held {
                // The line number stays that of its first line, because more lines of it may follow.
                Some((_, held)) if held["id"].is_string() && held["id"] == record["id"] => {
                    *held = record.clone();
                }
                _ => {
                    self.flush(messages);
                    self.held = Some((messages.summary.lines, record.clone()));
                }
            }
            return;
        }
        self.flush(messages);
        if record.get("projectHash").is_some() {
            self.value(&record["sessionId"], messages);
        }
        if let Some(id) = record["$rewindTo"].as_str() {
            let at = self.known.iter().position(|(known, _)| known == id);
            self.leave(at.unwrap_or(0), messages);
        }
        if let Some(set) = record.pointer("/$set/messages").and_then(Value::as_array) {
            self.replace(set, messages);
        }
    }

    fn end(&mut self, messages: &mut Messages<'_>) {
        self.flush(messages);
    }
}

impl Reader {
    /// Removes the messages from an index on from the conversation.
    fn leave(&mut self, from: usize, messages: &mut Messages<'_>) {
        let left = self.known.split_off(from.min(self.known.len()));
        if let Some(key) = left.into_iter().find_map(|(_, key)| key) {
            messages.push(Observation::Rewind { key });
        }
    }

    /// Replaces the messages of the conversation. It was compressed if its first message, after the
    /// client's own, was removed and another was added. If a turn is undone, the last messages are
    /// removed and none is added.
    fn replace(&mut self, set: &[Value], messages: &mut Messages<'_>) {
        let ids: Vec<&str> = set
            .iter()
            .filter_map(|message| message["id"].as_str())
            .collect();
        let is_there = |id: &str| ids.contains(&id);
        let has_left = self.known.get(1).is_some_and(|(first, _)| !is_there(first));
        let is_known = |id: &str| self.known.iter().any(|(known, _)| known == id);
        if has_left && ids.iter().any(|id| !is_known(id)) {
            messages.push(Observation::CompactionEnds {
                summary: None,
                boundary: None,
            });
            self.known = ids.iter().map(|id| ((*id).to_owned(), None)).collect();
            return;
        }
        let kept = self.known.iter().take_while(|(id, _)| is_there(id)).count();
        self.leave(kept, messages);
        for message in set {
            self.message(message, messages);
        }
    }

    fn flush(&mut self, messages: &mut Messages<'_>) {
        if let Some((place, message)) = self.held.take() {
            messages.held = Some(place);
            self.message(&message, messages);
            messages.held = None;
        }
    }

    /// Handles a message. A part of it may have been handled before.
    fn message(&mut self, message: &Value, messages: &mut Messages<'_>) {
        let id = text(message, "/id").unwrap_or_else(|| messages.key());
        let is_new = !self.known.iter().any(|(known, _)| *known == id);
        let is_users = message["type"] == "user";
        if is_new {
            self.known.push((id, is_users.then(|| messages.key())));
        }
        messages.at = time(message, "/timestamp");
        let parts = parts(&message["content"]);
        match message["type"].as_str().unwrap_or_default() {
            "user" if is_new => user(parts, messages),
            "gemini" => {
                if is_new {
                    messages.push(Observation::ModelCall);
                    messages.said(&texts(parts));
                }
                for call in message["toolCalls"].as_array().into_iter().flatten() {
                    self.call(call, messages);
                }
                if is_new && let Some(tokens) = tokens(message) {
                    messages.push(tokens);
                }
            }
            "user" | "info" | "warning" | "error" => {}
            kind => messages.passed_over(format!("message {kind}")),
        }
    }

    /// Handles a call, and its result once it exists.
    fn call(&mut self, call: &Value, messages: &mut Messages<'_>) {
        let (Some(id), Some(tool)) = (text(call, "/id"), text(call, "/name")) else {
            return messages.passed_over("tool without a name".to_owned());
        };
        if self.called.insert(id.clone()) {
            messages.call(&Gemini, &id, &tool, &call["args"]);
        }
        let status = call["status"].as_str().unwrap_or_default();
        let has_ended = matches!(status, "success" | "error" | "cancelled");
        if has_ended && self.ended.insert(id.clone()) {
            let shown = call["resultDisplay"].as_str().unwrap_or_default();
            let response = call.pointer("/result/0/functionResponse/response");
            let response = response.unwrap_or(&call["result"]);
            let result = result(id, &tool, response, shown, status);
            messages.push(result);
        }
    }

    /// Handles a content of a checkpoint.
    fn content(&mut self, content: &Value, messages: &mut Messages<'_>) {
        let parts = parts(&content["parts"]);
        match content["role"].as_str().unwrap_or_default() {
            "model" => {
                messages.push(Observation::ModelCall);
                messages.said(&texts(parts));
            }
            "user" | "function" => user(parts, messages),
            role => return messages.unknown(role),
        }
        for part in parts {
            if let Some(call) = part.get("functionCall") {
                self.contents += 1;
                let id = text(call, "/id").unwrap_or_else(|| format!("call {}", self.contents));
                let tool = text(call, "/name").unwrap_or_default();
                messages.call(&Gemini, &id, &tool, &call["args"]);
                self.calls.push((id, tool));
            }
            if let Some(response) = part.get("functionResponse") {
                let tool = text(response, "/name").unwrap_or_default();
                // A response without an id belongs to the oldest call of the same tool.
                let named = text(response, "/id");
                let is_it = |(id, called): &(String, String)| match &named {
                    Some(named) => id == named,
                    None => *called == tool,
                };
                if let Some(at) = self.calls.iter().position(is_it) {
                    let (id, _) = self.calls.remove(at);
                    messages.push(result(id, &tool, &response["response"], "", ""));
                }
            }
        }
    }
}

/// Returns the texts of parts, without thoughts.
fn texts(parts: &[Value]) -> String {
    let said = parts.iter().filter(|part| part["thought"] != true);
    let texts: Vec<&str> = said
        .filter_map(|part| part.as_str().or_else(|| part["text"].as_str()))
        .collect();
    texts.join("\n")
}

/// Reports the text that the user typed. A command to the client, and the message with which it sets up
/// a conversation, are skipped.
fn user(parts: &[Value], messages: &mut Messages<'_>) {
    let text = texts(parts);
    let begin = text.trim_start();
    if !begin.starts_with(['/', '?']) && !begin.starts_with(SETUP) {
        messages.user(typed(&text));
    }
}

fn result(call: String, tool: &str, response: &Value, shown: &str, status: &str) -> Observation {
    let error = response.get("error").filter(|error| !error.is_null());
    let said = printed(error.or_else(|| response.get("output")).unwrap_or(response));
    let has_failed = error.is_some() || status == "error";
    let outcome = outcome(tool, said, has_failed, shown);
    let is_cancelled = status == "cancelled";
    let cancelled = || is_cancelled.then_some(NotRun::Cancelled);
    let not_run = outcome.not_run.or_else(cancelled);
    let is_error = outcome.is_error || is_cancelled;
    Observation::result(call, outcome.content, is_error, not_run)
}

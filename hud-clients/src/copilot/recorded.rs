//! Copilot CLI's events.
//!
//! | event | observation |
//! | --- | --- |
//! | `session.start`, `session.resume` | the session and its directory |
//! | `session.model_change` | another model |
//! | `user.message` | the user's message, unless it names another source |
//! | `assistant.message` | a model call, and the agent's text |
//! | `assistant.usage` | the tokens of a model call |
//! | `tool.execution_start`, `tool.execution_complete` | a call of a tool, and its result |
//! | `session.compaction_start`, `session.compaction_complete` | a compaction, and its summary |
//! | `session.snapshot_rewind` | the user's return to an earlier message |
//! | other events of Copilot CLI | none |
//!
//! Events that name a parent tool call come from a sub-agent.

use std::collections::HashMap;

use hud_observe::observation::{NotRun, Observation, Usage};
use serde_json::Value;

use super::Copilot;
use crate::json::{text, time};
use crate::placed::Messages;
use crate::printed::with_exit_code;
use crate::recorded::Records;
use crate::tools;

/// True if an object with these keys is an event.
pub(super) fn is_event(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    ["type", "data", "id", "timestamp", "parentId"]
        .into_iter()
        .all(has)
}

/// The families of events. Other events come from another client, or from a later version.
const FAMILIES: &[&str] = &[
    "abort",
    "assistant",
    "auto_mode_switch",
    "capabilities",
    "command",
    "commands",
    "elicitation",
    "exit_plan_mode",
    "external_tool",
    "factory",
    "hook",
    "mcp",
    "mcp_app",
    "model",
    "pending_messages",
    "permission",
    "sampling",
    "session",
    "session_limits_exhausted",
    "skill",
    "subagent",
    "system",
    "tool",
    "tool_search",
    "ui",
    "user",
    "user_input",
];

/// The events of a session.
#[derive(Default)]
pub(super) struct Reader {
    /// The id of the last message of the model. A long message has several events.
    message: Option<String>,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
    /// The event ids of the user's messages, with the keys of their entries.
    asked: Vec<(String, String)>,
}

impl Records for Reader {
    fn is_record(&self, value: &Value) -> bool {
        value["type"].is_string() && value["data"].is_object()
    }

    fn record(&mut self, event: &Value, messages: &mut Messages<'_>) {
        let data = &event["data"];
        messages.at = time(event, "/timestamp");
        if data["parentToolCallId"].is_string() {
            messages.summary.sidechain += 1;
            return;
        }
        let kind = event["type"].as_str().unwrap_or_default();
        match kind {
            "session.start" | "session.resume" => {
                if let Some(name) = text(data, "/sessionId") {
                    messages.push(Observation::Session { name });
                }
                if let Some(path) = text(data, "/context/cwd") {
                    messages.push(Observation::Directory { path });
                }
            }
            "session.model_change" => {
                if let Some(model) = text(data, "/newModel") {
                    messages.push(Observation::Model {
                        model,
                        window: None,
                    });
                }
            }
            "user.message" => self.user(event, messages),
            "assistant.message" => self.assistant(data, messages),
            "assistant.usage" => messages.push(usage(data)),
            "tool.execution_start" => self.call(data, messages),
            "tool.execution_complete" => self.result(data, messages),
            "session.compaction_start" => messages.push(Observation::CompactionBegins {
                trigger: text(data, "/trigger"),
                tokens_before: data["currentTokens"].as_u64(),
            }),
            "session.compaction_complete" if data["success"] == true => {
                messages.push(Observation::CompactionEnds {
                    summary: text(data, "/summaryContent"),
                    boundary: None,
                });
            }
            "session.snapshot_rewind" => self.rewind(data, messages),
            _ => {
                let family = kind.split('.').next().unwrap_or(kind);
                if !FAMILIES.contains(&family) {
                    messages.passed_over(kind.to_owned());
                }
            }
        }
    }
}

impl Reader {
    fn user(&mut self, event: &Value, messages: &mut Messages<'_>) {
        let data = &event["data"];
        let is_users = data["source"]
            .as_str()
            .is_none_or(|source| source == "user");
        if !is_users || data["isAutopilotContinuation"] == true {
            return;
        }
        if let Some(id) = text(event, "/id") {
            self.asked.push((id, messages.key()));
        }
        messages.user(data["content"].as_str().unwrap_or_default());
    }

    fn assistant(&mut self, data: &Value, messages: &mut Messages<'_>) {
        let message = text(data, "/messageId");
        if message.is_none() || self.message != message {
            messages.push(Observation::ModelCall);
        }
        self.message = message;
        messages.said(data["content"].as_str().unwrap_or_default());
    }

    fn call(&mut self, data: &Value, messages: &mut Messages<'_>) {
        let (Some(call), Some(tool)) = (data["toolCallId"].as_str(), data["toolName"].as_str())
        else {
            return messages.passed_over("tool without a name".to_owned());
        };
        self.tools.insert(call.to_owned(), tool.to_owned());
        messages.call(&Copilot, call, tool, &data["arguments"]);
    }

    fn result(&mut self, data: &Value, messages: &mut Messages<'_>) {
        let Some(call) = text(data, "/toolCallId") else {
            return;
        };
        let tool = self.tools.remove(&call).unwrap_or_default();
        let said = |pointer: &str| data.pointer(pointer).and_then(Value::as_str);
        let has_failed = data["success"] == false;
        let content = match has_failed {
            true => said("/error/message").or_else(|| said("/result/content")),
            false => said("/result/content"),
        };
        let (printed, status) = without_status(content.unwrap_or_default());
        let exit_code = data
            .pointer("/shellExecution/exitCode")
            .and_then(Value::as_i64);
        let exit_code = exit_code.or_else(|| status?.rsplit_once("exit code ")?.1.parse().ok());
        let not_run = match said("/error/code") {
            Some("rejected") => Some(NotRun::Declined { said: None }),
            Some("denied") => Some(NotRun::Refused),
            _ if tools::is_missing(&tool, printed) => Some(NotRun::NoSuchTool),
            _ if status.is_some_and(|status| status.contains("is still running")) => {
                Some(NotRun::Unfinished)
            }
            _ => None,
        };
        let is_error = has_failed || exit_code.is_some_and(|code| code != 0);
        let content = with_exit_code(printed.to_owned(), exit_code);
        messages.push(Observation::result(call, content, is_error, not_run));
    }

    /// Handles the user's return to the point before an event.
    fn rewind(&mut self, data: &Value, messages: &mut Messages<'_>) {
        let event = data["upToEventId"].as_str().unwrap_or_default();
        if let Some(at) = self.asked.iter().position(|(id, _)| id == event)
            && let Some((_, key)) = self.asked.drain(at..).next()
        {
            messages.push(Observation::Rewind { key });
        }
    }
}

/// Returns the output of a command without Copilot CLI's status line, and that status.
fn without_status(content: &str) -> (&str, Option<&str>) {
    let (rest, last) = content.rsplit_once('\n').unwrap_or(("", content));
    let status = last
        .strip_prefix("<shellId: ")
        .or_else(|| last.strip_prefix("<command with "));
    match status.and_then(|status| status.strip_suffix('>')) {
        Some(status) => (rest, Some(status)),
        None => (content, None),
    }
}

fn usage(data: &Value) -> Observation {
    let count = |key: &str| data[key].as_u64().unwrap_or(0);
    let (read, written) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    Observation::Usage {
        usage: Usage {
            // The input tokens include those that were read from the cache and written to it.
            input: count("inputTokens").saturating_sub(read.saturating_add(written)),
            cache_write: written,
            cache_write_hour: 0,
            cache_read: read,
            output: count("outputTokens"),
        },
        model: text(data, "/model"),
        window: None,
        provider: None,
    }
}

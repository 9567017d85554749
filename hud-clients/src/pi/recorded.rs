//! pi's session file. It is a tree of entries, each of which names its parent.
//!
//! | entry | observation |
//! | --- | --- |
//! | `session` | the session and its directory |
//! | `message` of the user | the user's message |
//! | `message` of the assistant | a model call, the agent's text, calls of tools, and tokens |
//! | `message` of a tool's result | the result |
//! | `message` of a command that the user ran | none |
//! | `compaction` | a compaction, and its summary |
//! | an entry whose parent is an earlier one | the user's return to an earlier message |
//! | `model_change` | another model |
//! | `branch_summary`, `custom`, `custom_message`, `label`, `session_info`, `thinking_level_change` | none |

use std::collections::HashMap;

use hud_observe::observation::{NotRun, Observation, Usage};
use serde_json::Value;

use super::Pi;
use crate::json::{text, time};
use crate::placed::Messages;
use crate::printed::printed;
use crate::recorded::Records;
use crate::tools;

/// True if an object with these keys is a session's first line, or one of its entries.
pub(super) fn is_entry(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_session = has("cwd") && has("id") && !has("payload");
    let is_entry = has("id") && has("parentId") && !has("data") && !has("uuid");
    has("type") && has("timestamp") && (is_session || is_entry)
}

/// The entries of a session.
#[derive(Default)]
pub(super) struct Reader {
    /// The ids of the entries of the branch, with the entry keys of the user's messages.
    branch: Vec<(String, Option<String>)>,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
}

impl Records for Reader {
    fn is_record(&self, value: &Value) -> bool {
        value["type"].is_string() && value["timestamp"].is_string()
    }

    fn record(&mut self, entry: &Value, messages: &mut Messages<'_>) {
        messages.at = time(entry, "/timestamp");
        self.follow(entry, messages);
        match entry["type"].as_str().unwrap_or_default() {
            "session" => {
                if let Some(name) = text(entry, "/id") {
                    messages.push(Observation::Session { name });
                }
                if let Some(path) = text(entry, "/cwd") {
                    messages.push(Observation::Directory { path });
                }
            }
            "message" => self.message(&entry["message"], messages),
            "compaction" => {
                messages.push(Observation::CompactionBegins {
                    trigger: None,
                    tokens_before: entry["tokensBefore"].as_u64(),
                });
                messages.push(Observation::CompactionEnds {
                    summary: text(entry, "/summary"),
                    boundary: None,
                });
            }
            "model_change" => {
                if let Some(model) = text(entry, "/modelId") {
                    messages.push(Observation::Model {
                        model,
                        window: None,
                    });
                }
            }
            "branch_summary"
            | "custom"
            | "custom_message"
            | "label"
            | "session_info"
            | "thinking_level_change" => {}
            kind => messages.passed_over(kind.to_owned()),
        }
    }
}

impl Reader {
    /// Adds an entry to the branch. If its parent is an earlier entry, the later entries are removed
    /// from the branch.
    fn follow(&mut self, entry: &Value, messages: &mut Messages<'_>) {
        let Some(id) = text(entry, "/id").filter(|_| entry["type"] != "session") else {
            return;
        };
        // Entries have no parents in the first version of the format.
        if let Some(parent) = entry.get("parentId") {
            let parent = parent.as_str();
            let at = self
                .branch
                .iter()
                .rposition(|(id, _)| Some(&**id) == parent);
            let kept = at.map_or(0, |at| at + 1);
            // If the parent is not in the file, the branch stays.
            if at.is_some() || parent.is_none() {
                let left = self.branch.split_off(kept);
                if let Some(key) = left.into_iter().find_map(|(_, key)| key) {
                    messages.push(Observation::Rewind { key });
                }
            }
        }
        let is_users = entry.pointer("/message/role") == Some(&Value::from("user"));
        self.branch.push((id, is_users.then(|| messages.key())));
    }

    fn message(&mut self, message: &Value, messages: &mut Messages<'_>) {
        match message["role"].as_str().unwrap_or_default() {
            "user" => messages.user(&printed(&message["content"])),
            "assistant" => self.assistant(message, messages),
            "toolResult" => self.result(message, messages),
            "bashExecution" | "custom" | "branchSummary" | "compactionSummary" => {}
            // The name of this role in the second version of the format.
            "hookMessage" => {}
            role => messages.unknown(role),
        }
    }

    fn assistant(&mut self, message: &Value, messages: &mut Messages<'_>) {
        messages.push(Observation::ModelCall);
        for part in message["content"].as_array().into_iter().flatten() {
            match part["type"].as_str().unwrap_or_default() {
                "text" => messages.said(part["text"].as_str().unwrap_or_default()),
                "toolCall" => {
                    let (Some(call), Some(tool)) = (part["id"].as_str(), part["name"].as_str())
                    else {
                        messages.passed_over("tool without a name".to_owned());
                        continue;
                    };
                    self.tools.insert(call.to_owned(), tool.to_owned());
                    messages.call(&Pi, call, tool, &part["arguments"]);
                }
                "thinking" | "image" => {}
                kind => messages.passed_over(format!("content block {kind}")),
            }
        }
        let count = |key: &str| message["usage"][key].as_u64().unwrap_or(0);
        let usage = Usage {
            input: count("input"),
            cache_write: count("cacheWrite"),
            cache_write_hour: 0,
            cache_read: count("cacheRead"),
            output: count("output"),
        };
        // A call that failed used no tokens.
        if usage.total() > 0 {
            messages.push(Observation::Usage {
                usage,
                model: text(message, "/model"),
                window: None,
                provider: text(message, "/provider"),
            });
        }
    }

    fn result(&mut self, message: &Value, messages: &mut Messages<'_>) {
        let Some(call) = text(message, "/toolCallId") else {
            return;
        };
        let tool = self.tools.remove(&call).unwrap_or_default();
        let content = printed(&message["content"]);
        let not_run = tools::is_missing(&tool, &content).then_some(NotRun::NoSuchTool);
        let is_error = message["isError"] == true;
        messages.push(Observation::result(call, content, is_error, not_run));
    }
}

//! mini-swe-agent's trajectories.
//!
//! | message | observation |
//! | --- | --- |
//! | the first `user` | the user's task |
//! | `assistant`, a response of the Responses API | a model call, the agent's text, and a call of the tool for each of its `actions` |
//! | `tool`, a later `user`, `function_call_output` | the result of the call that it names, or else of the oldest that waits |
//! | `system`, `exit` | none |

use hud_observe::observation::{Observation, Usage};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::MiniSweAgent;
use crate::json::text;
use crate::placed::Messages;
use crate::printed::{printed, with_exit_code};
use crate::recorded::{Field, Records};

/// True if a document with this beginning is a trajectory.
pub(super) fn is_trajectory(keys: &[String], beginning: &[u8]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let contains = |text: &str| memchr::memmem::find(beginning, text.as_bytes()).is_some();
    let is_mini = || {
        [
            "\"exit_status\"",
            "\"mini_version\"",
            "\"model_stats\"",
            "\"mini-swe-agent-1",
        ]
        .into_iter()
        .any(contains)
    };
    let is_other = has("history") || has("trajectory");
    (has("info") || has("trajectory_format")) && !is_other && is_mini()
}

/// The messages of a trajectory.
#[derive(Default)]
pub(super) struct Reader {
    is_asked: bool,
    /// The calls that wait for their results.
    calls: Vec<String>,
    called: u64,
}

impl Records for Reader {
    fn field(&self, key: &str) -> Field {
        match key {
            "messages" => Field::Records,
            _ => Field::Other,
        }
    }

    fn record(&mut self, message: &Value, messages: &mut Messages<'_>) {
        let extra = &message["extra"];
        messages.at = extra["timestamp"].as_f64().and_then(at);
        let role = message["role"].as_str();
        let kind = message["type"].as_str();
        match role.or(kind).or(message["object"].as_str()) {
            Some("assistant" | "response") => self.answer(message, messages),
            Some("user") if !self.is_asked => {
                self.is_asked = true;
                messages.user(task(&printed(&message["content"])));
            }
            Some("user" | "tool" | "function_call_output") => self.result(message, messages),
            Some("system" | "exit") => {}
            Some(role) => messages.unknown(role),
            None => messages.passed_over("message without a role".to_owned()),
        }
    }
}

impl Reader {
    fn answer(&mut self, message: &Value, messages: &mut Messages<'_>) {
        messages.push(Observation::ModelCall);
        let said = match message["output"].as_array() {
            Some(items) => {
                let said = items.iter().filter(|item| item["type"] == "message");
                let texts: Vec<String> = said.map(|item| printed(&item["content"])).collect();
                texts.join("\n")
            }
            None => printed(&message["content"]),
        };
        messages.said(&said);
        self.calls.clear();
        match message.pointer("/extra/actions").and_then(Value::as_array) {
            Some(actions) => {
                for action in actions {
                    // Before version 2, an action was only the command.
                    let command = action.as_str().or_else(|| action["command"].as_str());
                    let call = text(action, "/tool_call_id");
                    self.call(call, command.unwrap_or_default(), messages);
                }
            }
            None => {
                if let Some(command) = command_in(&said) {
                    self.call(None, command, messages);
                }
            }
        }
        let usage = message
            .pointer("/extra/response/usage")
            .or(message.get("usage"));
        if let Some(usage) = usage.filter(|usage| usage.is_object()) {
            messages.push(used(usage, message));
        }
    }

    fn call(&mut self, call: Option<String>, command: &str, messages: &mut Messages<'_>) {
        self.called += 1;
        let call = call.unwrap_or_else(|| format!("action {}", self.called));
        messages.call(&MiniSweAgent, &call, "bash", &json!({ "command": command }));
        self.calls.push(call);
    }

    fn result(&mut self, message: &Value, messages: &mut Messages<'_>) {
        let named = text(message, "/tool_call_id").or_else(|| text(message, "/call_id"));
        let at = match &named {
            Some(named) => self.calls.iter().position(|call| call == named),
            None => (!self.calls.is_empty()).then_some(0),
        };
        // A message that belongs to no call comes from the environment, because the model's answer had
        // another form.
        let Some(at) = at else { return };
        let call = self.calls.remove(at);
        let said = printed(message.get("content").unwrap_or(&message["output"]));
        let tagged = |name: &str| {
            let (_, rest) = said.split_once(&format!("<{name}>"))?;
            let (inside, _) = rest.rsplit_once(&format!("</{name}>"))?;
            Some(inside.trim_start_matches('\n').to_owned())
        };
        let raw = text(message, "/extra/raw_output");
        let code = message.pointer("/extra/returncode").and_then(Value::as_i64);
        let code = code.or_else(|| tagged("returncode")?.trim().parse().ok());
        let output = raw.or_else(|| tagged("output")).unwrap_or(said);
        let content = with_exit_code(output, code);
        let is_error = code.is_some_and(|code| code != 0);
        messages.push(Observation::result(call, content, is_error, None));
    }
}

/// Returns the time from seconds since 1970.
fn at(seconds: f64) -> Option<Timestamp> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a time that is out of range is none"
    )]
    let milliseconds = (seconds * 1000.0) as i64;
    Timestamp::from_millisecond(milliseconds).ok()
}

/// Returns the task in the text of the template, or the whole text.
fn task(text: &str) -> &str {
    const AROUND: [(&str, &str); 2] = [
        ("<pr_description>", "</pr_description>"),
        (
            "Please solve this issue:",
            "\n\nYou can execute bash commands",
        ),
    ];

    let inside = AROUND.into_iter().find_map(|(begin, end)| {
        let (_, rest) = text.split_once(begin)?;
        Some(rest.split_once(end)?.0)
    });
    inside.unwrap_or(text).trim()
}

/// Returns the command in the code block of a text.
fn command_in(text: &str) -> Option<&str> {
    let blocks = ["```mswea_bash_command\n", "```bash\n"];
    let (_, rest) = blocks
        .into_iter()
        .find_map(|begin| text.split_once(begin))?;
    Some(rest.split_once("\n```")?.0.trim())
}

/// Returns the tokens of a model call, as the chat or the responses API counts them.
fn used(usage: &Value, message: &Value) -> Observation {
    let count = |pointers: [&str; 2]| {
        let mut counts = pointers
            .into_iter()
            .filter_map(|pointer| usage.pointer(pointer)?.as_u64());
        counts.next().unwrap_or(0)
    };
    let cache_read = count([
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
    ]);
    Observation::Usage {
        usage: Usage {
            // The input tokens include those that were read from the cache.
            input: count(["/prompt_tokens", "/input_tokens"]).saturating_sub(cache_read),
            cache_write: 0,
            cache_write_hour: 0,
            cache_read,
            output: count(["/completion_tokens", "/output_tokens"]),
        },
        model: text(message, "/extra/response/model").or_else(|| text(message, "/model")),
        window: None,
        provider: None,
    }
}

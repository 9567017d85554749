//! Codex's rollout as a recording. Each line is an envelope with a payload. Before version 0.32, each
//! line was the payload.
//!
//! | line | observation |
//! | --- | --- |
//! | `session_meta` | the session and its directory |
//! | `turn_context` | another directory, another model |
//! | `event_msg` `user_message` | the user's message |
//! | `event_msg` `token_count` | the tokens of a model call |
//! | `event_msg` `thread_rolled_back` | the user's return to an earlier message |
//! | `event_msg` `item_completed` | the end of a command or of a server's tool, for its result |
//! | `response_item` `message` of the assistant | the agent's text |
//! | `response_item` `function_call`, `custom_tool_call`, `local_shell_call`, `web_search_call` | a call of a tool |
//! | `response_item` `function_call_output`, `custom_tool_call_output` | its result |
//! | `compacted` | a compaction, and its summary |
//! | other lines | none |
//!
//! A model call begins with the first item that the model wrote after a result, a token count, or the
//! user's message.

use std::collections::HashMap;

use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation};
use serde_json::{Value, json};

use super::rollout::{BEGIN_PATCH, refusal, rejection, used};
use super::{Codex, without_head};
use crate::json::{text, time};
use crate::placed::Messages;
use crate::printed::{printed, says_failed, with_exit_code};
use crate::recorded::Records;
use crate::{Client, tools};

/// True if an object with these keys is a line of a rollout, or the first line of an older rollout.
pub(super) fn is_rollout(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_envelope = has("type") && has("payload");
    let is_older = has("id") && has("instructions") && !has("type");
    has("timestamp") && (is_envelope || is_older)
}

/// The lines of a rollout.
#[derive(Default)]
pub(super) struct Reader {
    /// True if lines are envelopes. Then the user's messages are events; the user items also contain
    /// Codex's own texts.
    is_enveloped: bool,
    /// True while the model writes its items.
    is_answering: bool,
    is_named: bool,
    directory: Option<String>,
    model: Option<String>,
    /// The tokens of the last count. The rollout may repeat a count.
    counted: Option<u64>,
    /// The keys of the user's messages.
    asked: Vec<String>,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
    /// The calls that ended before their results, with their exit codes. The boolean is true if the call
    /// failed.
    ended: HashMap<String, (Option<i64>, bool)>,
}

impl Records for Reader {
    fn is_record(&self, value: &Value) -> bool {
        value["type"].is_string()
    }

    fn record(&mut self, line: &Value, messages: &mut Messages<'_>) {
        let Some(payload) = line.get("payload") else {
            // The line is an older one; the first of these is the session.
            match line["type"].is_string() {
                true => self.item(line, messages),
                false => self.session(line, messages),
            }
            return;
        };
        self.is_enveloped = true;
        messages.at = time(line, "/timestamp");
        match line["type"].as_str().unwrap_or_default() {
            "session_meta" => self.session(payload, messages),
            "turn_context" => self.context(payload, messages),
            "event_msg" => self.event(payload, messages),
            "response_item" => self.item(payload, messages),
            "compacted" => {
                self.is_answering = false;
                messages.push(Observation::CompactionBegins {
                    trigger: None,
                    tokens_before: None,
                });
                let message = text(payload, "/message").unwrap_or_default();
                let summary = super::summary_of(&message);
                messages.push(Observation::CompactionEnds {
                    summary: (!summary.is_empty()).then(|| summary.to_owned()),
                    boundary: None,
                });
            }
            "inter_agent_communication" | "world_state" | "ghost_snapshot" => {}
            kind => messages.passed_over(kind.to_owned()),
        }
    }
}

impl Reader {
    /// Handles the session. The rollout of a fork also contains the session of its original, which
    /// follows its own.
    fn session(&mut self, session: &Value, messages: &mut Messages<'_>) {
        if let Some(name) = text(session, "/id").filter(|_| !self.is_named) {
            self.is_named = true;
            messages.push(Observation::Session { name });
            self.context(session, messages);
        }
    }

    fn context(&mut self, context: &Value, messages: &mut Messages<'_>) {
        let path = text(context, "/cwd").filter(|path| self.directory.as_ref() != Some(path));
        if let Some(path) = path {
            self.directory = Some(path.clone());
            messages.push(Observation::Directory { path });
        }
        let model = text(context, "/model").filter(|model| self.model.as_ref() != Some(model));
        if let Some(model) = model {
            self.model = Some(model.clone());
            messages.push(Observation::Model {
                model,
                window: None,
            });
        }
    }

    fn event(&mut self, event: &Value, messages: &mut Messages<'_>) {
        match event["type"].as_str().unwrap_or_default() {
            "user_message" => self.user(event["message"].as_str().unwrap_or_default(), messages),
            "token_count" => {
                self.is_answering = false;
                let total = event.pointer("/info/total_token_usage/total_tokens");
                let total = total.and_then(Value::as_u64);
                if total.is_none() || total != self.counted {
                    self.counted = total;
                    if let Some(used) = used(&event["info"]) {
                        messages.push(used);
                    }
                }
            }
            "thread_rolled_back" => {
                let turns = event["num_turns"]
                    .as_u64()
                    .and_then(|turns| usize::try_from(turns).ok());
                let kept = self.asked.len().saturating_sub(turns.unwrap_or(1));
                let mut left = self.asked.drain(kept..);
                if let Some(key) = left.next() {
                    messages.push(Observation::Rewind { key });
                }
            }
            "item_completed" => {
                let item = &event["item"];
                if let Some(call) = text(item, "/id") {
                    let has_failed = item["status"] == "failed";
                    self.ended
                        .insert(call, (item["exit_code"].as_i64(), has_failed));
                }
            }
            // The other events repeat items, or are for the terminal.
            _ => {}
        }
    }

    fn user(&mut self, text: &str, messages: &mut Messages<'_>) {
        self.is_answering = false;
        self.asked.push(messages.key());
        messages.user(text);
    }

    /// Handles an item of a request to the model, or of its response.
    fn item(&mut self, item: &Value, messages: &mut Messages<'_>) {
        let kind = item["type"].as_str().unwrap_or_default();
        let is_answer = match kind {
            "message" => item["role"] == "assistant",
            "reasoning"
            | "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "image_generation_call"
            | "tool_search_call" => true,
            _ => false,
        };
        if is_answer && !std::mem::replace(&mut self.is_answering, true) {
            messages.push(Observation::ModelCall);
        }
        match kind {
            "message" => self.message(item, messages),
            "function_call" => {
                let input = item["arguments"].as_str().unwrap_or_default();
                let input = serde_json::from_str(input).unwrap_or_else(|_| json!(input));
                self.call(item, &called(item), &input, messages);
            }
            "custom_tool_call" => {
                let input = json!({ "input": item["input"] });
                self.call(item, &called(item), &input, messages);
            }
            "local_shell_call" => self.call(item, "local_shell", &item["action"], messages),
            "web_search_call" => self.call(item, "web_search", &item["action"], messages),
            "image_generation_call" => self.call(item, "image_generation", &Value::Null, messages),
            "tool_search_call" => self.call(item, "tool_search", &item["arguments"], messages),
            "function_call_output" | "custom_tool_call_output" => self.result(item, messages),
            "reasoning" | "compaction" | "compaction_summary" | "ghost_snapshot"
            | "tool_search_output" | "agent_message" => {}
            // A line of an older rollout, which has a `record_type`.
            "" => {}
            kind => messages.passed_over(format!("item {kind}")),
        }
    }

    fn message(&mut self, message: &Value, messages: &mut Messages<'_>) {
        let text = printed(&message["content"]);
        match message["role"].as_str() {
            Some("assistant") => messages.said(&text),
            Some("user") if !self.is_enveloped => self.user(&text, messages),
            _ => {}
        }
    }

    fn call(&mut self, item: &Value, tool: &str, input: &Value, messages: &mut Messages<'_>) {
        let named = text(item, "/call_id").or_else(|| text(item, "/id"));
        let call = named.unwrap_or_else(|| messages.key());
        let actions = Codex.actions(tool, input);
        let patch = match &actions[..] {
            [Action::Run { command }] => patch_in(command),
            _ => None,
        };
        match patch {
            Some(patch) => messages.call(&Codex, &call, "apply_patch", &json!({ "input": patch })),
            None => messages.call(&Codex, &call, tool, input),
        }
        self.tools.insert(call, tool.to_owned());
    }

    fn result(&mut self, item: &Value, messages: &mut Messages<'_>) {
        self.is_answering = false;
        let call = text(item, "/call_id").unwrap_or_default();
        let Some(tool) = self.tools.remove(&call) else {
            return;
        };
        let (ended, has_failed) = self.ended.remove(&call).unwrap_or_default();
        let printed = output(&item["output"]);
        let (content, exit_code) = match without_head(&tool, &printed.text) {
            (_, None) => without_process(&printed.text),
            found => found,
        };
        let exit_code = ended.or(exit_code).or(printed.exit_code);
        let (content, is_refused, not_run) = match (rejection(content), refusal(content)) {
            (Some((reason, not_run)), _) => (reason, true, Some(not_run)),
            (None, Some((reason, not_run))) => (reason.to_owned(), true, not_run),
            (None, None) => {
                let is_missing =
                    content.starts_with("unsupported call: ") || tools::is_missing(&tool, content);
                let not_run = is_missing.then_some(NotRun::NoSuchTool);
                (content.to_owned(), is_missing, not_run)
            }
        };
        let is_error = is_refused
            || has_failed
            || printed.has_failed
            || exit_code.is_some_and(|code| code != 0);
        let content = with_exit_code(content, exit_code);
        messages.push(Observation::result(call, content, is_error, not_run));
    }
}

/// Returns the name of the called tool as hooks have it.
fn called(item: &Value) -> String {
    let name = item["name"].as_str().unwrap_or_default();
    match item["namespace"].as_str() {
        Some(server) if server.starts_with("mcp__") => {
            format!("{}__{name}", server.trim_end_matches("__"))
        }
        Some(namespace) => format!("{namespace}{name}"),
        None => name.to_owned(),
    }
}

/// Returns the patch that a command line passes to `apply_patch`.
fn patch_in(command: &str) -> Option<&str> {
    let at = command.find(BEGIN_PATCH)?;
    let (before, patch) = command.split_at_checked(at)?;
    before.contains("apply_patch").then_some(patch)
}

/// The output of a call.
#[derive(Default)]
struct Output {
    text: String,
    exit_code: Option<i64>,
    has_failed: bool,
}

/// Parses the output of a call: a string, blocks of content, or an object that older versions serialized
/// into the string.
fn output(output: &Value) -> Output {
    let text = output.as_str().unwrap_or_default();
    let object: Value = match text.starts_with("{\"output\":") {
        true => serde_json::from_str(text).unwrap_or_default(),
        false => Value::Null,
    };
    match object["output"].as_str() {
        Some(text) => Output {
            text: text.to_owned(),
            exit_code: object
                .pointer("/metadata/exit_code")
                .and_then(Value::as_i64),
            has_failed: false,
        },
        None => Output {
            text: printed(output),
            exit_code: None,
            has_failed: says_failed(output),
        },
    }
}

/// Returns a result without the lines in which Codex describes the process, and the exit code in them.
fn without_process(text: &str) -> (&str, Option<i64>) {
    const BEGINNINGS: [&str; 3] = ["Chunk ID: ", "Wall time: ", "Exit code: "];
    const EXITED: [&str; 2] = ["Process exited with code ", "Exit code: "];

    let begins = BEGINNINGS.iter().any(|begin| text.starts_with(begin));
    let parts = text.split_once("\nOutput:").filter(|_| begins);
    let Some((head, printed)) = parts else {
        return (text, None);
    };
    let mut codes = head.lines().filter_map(|line| {
        let code = EXITED.iter().find_map(|exited| line.strip_prefix(exited))?;
        code.trim().parse().ok()
    });
    (printed.strip_prefix('\n').unwrap_or(printed), codes.next())
}

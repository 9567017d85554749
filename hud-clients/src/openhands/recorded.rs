//! OpenHands' events: a list, an object with a `history`, or an event on each line.
//!
//! | event of the SDK | before version 1 | observation |
//! | --- | --- | --- |
//! | `MessageEvent` | `message` | the user's message, or a model call and the agent's text |
//! | `ActionEvent` | another `action` | a model call, the agent's text, and a call of a tool |
//! | `ObservationEvent`, `AgentErrorEvent`, `UserRejectObservation` | `observation` | the result of a call |
//! | `Condensation` | `condensation` | a compaction, and its summary |
//! | other events | other events | none |
//!
//! Actions of the same model response have the same response id.

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;

use hud_observe::observation::{NotRun, Observation};
use serde_json::Value;

use super::OpenHands;
use crate::json::{text, time};
use crate::placed::Messages;
use crate::printed::{printed, with_exit_code};
use crate::recorded::{Field, Joined, Records, json_in, separated};

/// True if an object with these keys is an event, or has a history of events.
pub(super) fn is_event(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_event = [
        "kind",
        "action",
        "observation",
        "system_prompt",
        "llm_message",
    ]
    .into_iter()
    .any(has);
    (has("id") && has("source") && has("timestamp") && is_event)
        || (has("instance_id") && has("history"))
}

/// Returns the events in files, as one list.
pub(super) fn stored(events: Vec<PathBuf>) -> Box<dyn Read> {
    let events = separated(events.into_iter().map(|event| json_in(&event)));
    let (begin, end) = ("[".to_owned(), "]".to_owned());
    Box::new(Joined::of(
        std::iter::once(begin)
            .chain(events)
            .chain(std::iter::once(end)),
    ))
}

/// The events of a session.
#[derive(Default)]
pub(super) struct Reader {
    /// The model response to which the last action belongs.
    answer: Option<String>,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
}

impl Records for Reader {
    fn is_record(&self, value: &Value) -> bool {
        value["source"].is_string()
    }

    fn field(&self, key: &str) -> Field {
        match key {
            "history" => Field::Records,
            _ => Field::Other,
        }
    }

    fn record(&mut self, event: &Value, messages: &mut Messages<'_>) {
        messages.at = time(event, "/timestamp");
        match event["kind"].as_str() {
            Some("MessageEvent") => {
                let message = &event["llm_message"];
                let answer = text(event, "/llm_response_id");
                self.message(event, &printed(&message["content"]), answer, messages);
            }
            Some("ActionEvent") => self.action(event, messages),
            Some("ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation") => {
                self.result(event, messages);
            }
            Some("Condensation") => condensed(text(event, "/summary"), messages),
            // The other events are not for the model.
            Some(kind) if kind.ends_with("Event") || kind.ends_with("Request") => {}
            Some(kind) => messages.passed_over(kind.to_owned()),
            None if event["action"].is_string() => self.older_action(event, messages),
            None if event["observation"].is_string() => self.older_result(event, messages),
            None => messages.passed_over("event of another shape".to_owned()),
        }
    }
}

fn condensed(summary: Option<String>, messages: &mut Messages<'_>) {
    messages.push(Observation::CompactionBegins {
        trigger: None,
        tokens_before: None,
    });
    messages.push(Observation::CompactionEnds {
        summary,
        boundary: None,
    });
}

impl Reader {
    /// Reports a model call, unless `answer` is the response of the last one. `answer` is the response
    /// id, if the event has one.
    fn answer(&mut self, answer: Option<String>, messages: &mut Messages<'_>) {
        if answer.is_none() || self.answer != answer {
            messages.push(Observation::ModelCall);
        }
        self.answer = answer;
    }

    fn message(
        &mut self,
        event: &Value,
        said: &str,
        answer: Option<String>,
        messages: &mut Messages<'_>,
    ) {
        match event["source"].as_str() {
            Some("user") => messages.user(said),
            Some("agent") => {
                self.answer(answer, messages);
                messages.said(said);
            }
            _ => {}
        }
    }

    fn action(&mut self, event: &Value, messages: &mut Messages<'_>) {
        self.answer(text(event, "/llm_response_id"), messages);
        messages.said(&printed(&event["thought"]));
        let call = text(event, "/tool_call_id").unwrap_or_else(|| messages.key());
        let tool = text(event, "/tool_name").unwrap_or_default();
        // If the arguments were invalid, the event has no action.
        let written = || {
            let arguments = event.pointer("/tool_call/arguments")?.as_str()?;
            serde_json::from_str(arguments).ok()
        };
        let input = match &event["action"] {
            Value::Null => written().unwrap_or_default(),
            action => action.clone(),
        };
        self.call(call, tool, &input, messages);
    }

    fn call(&mut self, call: String, tool: String, input: &Value, messages: &mut Messages<'_>) {
        messages.call(&OpenHands, &call, &tool, input);
        if tool == "finish" {
            messages.said(input["message"].as_str().unwrap_or_default());
        }
        self.tools.insert(call, tool);
    }

    fn result(&mut self, event: &Value, messages: &mut Messages<'_>) {
        let Some(call) = text(event, "/tool_call_id") else {
            return;
        };
        let Some(tool) = self.tools.remove(&call) else {
            return;
        };
        let observation = &event["observation"];
        let (content, is_error, not_run) = match event["kind"].as_str() {
            Some("AgentErrorEvent") => {
                let error = text(event, "/error").unwrap_or_default();
                let is_missing = crate::tools::is_missing(&tool, &error);
                let not_run = match is_missing {
                    true => NotRun::NoSuchTool,
                    false => NotRun::Refused,
                };
                (error, true, Some(not_run))
            }
            Some("UserRejectObservation") => {
                let said = text(event, "/rejection_reason");
                let not_run = match event["rejection_source"] == "hook" {
                    true => NotRun::Refused,
                    false => NotRun::Declined { said: said.clone() },
                };
                (said.unwrap_or_default(), true, Some(not_run))
            }
            _ => {
                let code = observation["exit_code"].as_i64();
                let content = printed(&observation["content"]);
                let has_failed = observation["is_error"] == true;
                // A command that is still running has no exit code yet.
                let goes_on = code == Some(-1);
                let code = code.filter(|_| !goes_on);
                (
                    with_exit_code(content, code),
                    has_failed || code.is_some_and(|code| code != 0),
                    goes_on.then_some(NotRun::Unfinished),
                )
            }
        };
        messages.push(Observation::result(call, content, is_error, not_run));
    }

    /// Handles an action of a trajectory.
    fn older_action(&mut self, event: &Value, messages: &mut Messages<'_>) {
        let args = &event["args"];
        let action = event["action"].as_str().unwrap_or_default();
        let response = text(event, "/tool_call_metadata/model_response/id");
        match action {
            "message" => {
                let said = text(args, "/content").unwrap_or_default();
                self.message(event, &said, response, messages);
            }
            "condensation" => condensed(text(args, "/summary"), messages),
            "system" | "change_agent_state" | "null" | "recall" | "condensation_request" => {}
            _ if event["source"] == "agent" => {
                self.answer(response, messages);
                messages.said(args["thought"].as_str().unwrap_or_default());
                let call = event["id"].as_u64().map(|id| format!("event {id}"));
                let call = call.unwrap_or_else(|| messages.key());
                match (action, args["name"].as_str()) {
                    // A call of an MCP server's tool.
                    ("call_tool_mcp" | "mcp", Some(tool)) => {
                        self.call(call, tool.to_owned(), &args["arguments"], messages);
                    }
                    _ => self.call(call, action.to_owned(), args, messages),
                }
            }
            _ => {}
        }
    }

    /// Handles an observation of a trajectory. It names the action that caused it.
    fn older_result(&mut self, event: &Value, messages: &mut Messages<'_>) {
        let Some(call) = event["cause"].as_u64().map(|id| format!("event {id}")) else {
            return;
        };
        if self.tools.remove(&call).is_none() {
            return;
        }
        let content = text(event, "/content").unwrap_or_default();
        let code = event
            .pointer("/extras/metadata/exit_code")
            .or(event.pointer("/extras/exit_code"));
        let code = code.and_then(Value::as_i64);
        let goes_on = code == Some(-1);
        let code = code.filter(|_| !goes_on);
        let not_run = match event["observation"].as_str() {
            Some("user_rejected") => Some(NotRun::Declined { said: None }),
            _ => goes_on.then_some(NotRun::Unfinished),
        };
        let is_error = matches!(
            event["observation"].as_str(),
            Some("error" | "user_rejected")
        ) || code.is_some_and(|code| code != 0);
        messages.push(Observation::result(
            call,
            with_exit_code(content, code),
            is_error,
            not_run,
        ));
    }
}

//! Facts that Codex writes into its transcript (the rollout) and that its events do not contain: the
//! agent's texts, the exit codes of commands, the calls for which no hook runs, the summary of a
//! compaction, and the context use.
//!
//! The format is internal to Codex, so anything that is not found counts as unknown. A `rollout`
//! argument of type `&str` contains the complete lines at the end of a rollout.

use std::collections::HashMap;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::change::Change;
use hud_observe::observation::{NotRun, Observation, Usage};
use hud_observe::patch;
use hud_observe::reported::Reported;
use hud_observe::window::Window;
use serde_json::Value;

use super::{Codex, refused};
use crate::command_hook::is_whole_hud;
use crate::host::has_since;
use crate::json::{newest, time};
use crate::printed::printed;
use crate::{Client, Found, Host, is_hud};

/// A command that has ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) exit_code: Option<i64>,
    /// The whole output. For a command that ran for a while, a hook has only the last piece.
    pub(super) output: Option<String>,
}

/// Returns the end of a command, given the id of its call.
pub(super) fn ended(rollout: &str, call: &str) -> Option<Ended> {
    if call.is_empty() {
        return None;
    }
    newest(rollout, call, |line| {
        let item = line.pointer("/payload/item")?;
        (item["id"] == call && item["exit_code"].is_i64()).then(|| Ended {
            exit_code: item["exit_code"].as_i64(),
            output: item["aggregated_output"].as_str().map(ToOwned::to_owned),
        })
    })
}

/// Returns the calls for which Codex runs no hook, the latest last: patches that failed or were given to
/// the shell, commands that it refused, and failed tool calls of MCP servers.
pub(super) fn unhooked(rollout: &str) -> Vec<Found> {
    /// The number of calls that are returned. Earlier ones were imported by an earlier event.
    const LATEST: usize = 8;

    let mut patches = HashMap::new();
    let mut found = Vec::new();
    let is_wanted = |line: &&str| {
        line.contains("custom_tool_call")
            || line.contains("\"McpToolCall\"") && line.contains("\"failed\"")
            || line.contains("\"FileChange\"")
            || line.contains("\"function_call_output\"")
                && (line.contains(NOT_STARTED) || line.contains(BAD_PATCH))
    };
    let lines = rollout.lines().filter(is_wanted);
    for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let payload = &line["payload"];
        let text = |key: &str| payload[key].as_str().map(ToOwned::to_owned);
        let result = match payload["type"].as_str() {
            Some("custom_tool_call") if payload["name"] == "apply_patch" => {
                if let Some(call) = text("call_id") {
                    patches.insert(call, text("input").unwrap_or_default());
                }
                None
            }
            Some("custom_tool_call_output") => text("call_id").and_then(|call| {
                let patch = patches.remove(&call)?;
                let results = patch_refused(&call, &patch, &text("output")?)?;
                Some((call, results))
            }),
            Some("function_call_output") => text("call_id").and_then(|call| {
                let (command, output) = (command_of(rollout, &call)?, text("output")?);
                let results = match command.find(BEGIN_PATCH) {
                    Some(begin) => patch_refused(&call, command.get(begin..)?, &output)?,
                    None => vec![command_refused(&call, command, &output)?],
                };
                Some((call, results))
            }),
            Some("item_completed") => unhooked_item(rollout, &payload["item"]),
            _ => None,
        };
        found.extend(result.map(|(name, observations)| Found {
            name,
            at: time(&line, "/timestamp"),
            observations,
        }));
    }
    found.drain(..found.len().saturating_sub(LATEST));
    found
}

/// The beginning of a result that reports a patch that does not apply, and the first line of a patch.
const BAD_PATCH: &str = "apply_patch verification failed: ";
pub(super) const BEGIN_PATCH: &str = "*** Begin Patch";

/// The beginning of a result that reports a command that was not started.
const NOT_STARTED: &str = "exec_command failed";

/// Returns the command line of a shell call, given its id.
fn command_of(rollout: &str, call: &str) -> Option<String> {
    newest(rollout, call, |line| {
        let payload = &line["payload"];
        let is_it = payload["type"] == "function_call"
            && payload["call_id"] == call
            && payload["name"] == "exec_command";
        let arguments = payload["arguments"].as_str().filter(|_| is_it)?;
        let arguments: Value = serde_json::from_str(arguments).ok()?;
        Some(arguments["cmd"].as_str()?.to_owned())
    })
}

/// Returns the failed edits of a patch that was not applied, given the output of its call.
fn patch_refused(call: &str, patch: &str, output: &str) -> Option<Vec<Observation>> {
    let (reason, not_run) = refusal(output)?;
    Some(refused(call, patch, reason, not_run.as_ref()))
}

/// Returns the reason why a patch was not applied, and the [`NotRun`] if the user or a rule refused it.
pub(super) fn refusal(output: &str) -> Option<(&str, Option<NotRun>)> {
    const BEGINNINGS: [(&str, Option<NotRun>); 3] = [
        (BAD_PATCH, None),
        (
            "patch rejected by user",
            Some(NotRun::Declined { said: None }),
        ),
        ("patch rejected: ", Some(NotRun::Refused)),
    ];
    BEGINNINGS
        .into_iter()
        .find_map(|(beginning, why)| Some((output.strip_prefix(beginning)?, why)))
}

/// Returns the result of a command that was not started because the user or a rule refused it.
fn command_refused(call: &str, command: String, output: &str) -> Option<Observation> {
    let (reason, not_run) = rejection(output)?;
    Some(Observation::ToolResult {
        call: call.to_owned(),
        actions: Action::Run { command }.into(),
        content: reason,
        is_error: true,
        not_run: Some(not_run),
        task: None,
        change: None,
    })
}

/// Returns the reason why a command was not started, and the [`NotRun`] for the user or the rule that
/// refused it.
pub(super) fn rejection(output: &str) -> Option<(String, NotRun)> {
    let (_, reason) = output
        .strip_prefix(NOT_STARTED)?
        .split_once("Rejected(\\\"")?;
    let (reason, _) = reason.rsplit_once("\\\")")?;
    let reason = reason.replace("\\\\", "\\").replace("\\\"", "\"");
    let not_run = match reason.ends_with("rejected by user") {
        true => NotRun::Declined { said: None },
        false => NotRun::Refused,
    };
    Some((reason, not_run))
}

/// Returns the observation of an item that no hook reports, with the id of its call.
fn unhooked_item(rollout: &str, item: &Value) -> Option<(String, Vec<Observation>)> {
    let call = item["id"].as_str()?.to_owned();
    let (actions, content, is_error) = match item["type"].as_str()? {
        "McpToolCall" if item["status"] == "failed" => {
            let (server, tool) = (item["server"].as_str()?, item["tool"].as_str()?);
            // The agent has already read the errors of our own tool.
            if is_hud(&format!("mcp__{server}__{tool}")) {
                return None;
            }
            let known = Codex.tools().iter().any(|known| known.name == tool);
            let name = match known {
                true => tool.to_owned(),
                false => format!("mcp__{server}__{tool}"),
            };
            let said = item.pointer("/error/message").unwrap_or(&item["result"]);
            let actions = Codex.actions(&name, &item["arguments"]);
            (actions, printed(said), true)
        }
        // A hook runs for a change that is a separate call and succeeds.
        "FileChange" if item["status"] != "completed" || command_of(rollout, &call).is_some() => {
            let changes = item["changes"].as_object()?;
            let actions = changes
                .iter()
                .filter_map(|(path, change)| changed(path, change));
            (
                actions.collect(),
                printed(item),
                item["status"] != "completed",
            )
        }
        _ => return None,
    };
    let result = Observation::ToolResult {
        call: call.clone(),
        actions: actions.into(),
        content,
        is_error,
        not_run: None,
        task: None,
        change: None,
    };
    Some((call, vec![result]))
}

/// Returns the action of a file change.
fn changed(path: &str, change: &Value) -> Option<Action> {
    let text = |key: &str| change[key].as_str().unwrap_or_default();
    Some(
        match (change["type"].as_str()?, change["move_path"].as_str()) {
            ("add", _) => Action::Write {
                path: path.to_owned(),
                change: Change {
                    created: true,
                    ..Change::of(path, "", text("content"))
                },
            },
            ("delete", _) => Action::Delete {
                path: path.to_owned(),
            },
            ("update", Some(to)) => Action::Move {
                from: path.to_owned(),
                to: to.to_owned(),
            },
            ("update", None) => {
                let (removed, added) = patch::blocks(text("unified_diff"));
                Action::Edit {
                    path: path.to_owned(),
                    change: Change::of(path, &removed, &added),
                }
            }
            _ => return None,
        },
    )
}

/// Returns the agent's texts in a line that is a message of the model. An event repeats the message.
pub(super) fn said(line: &str) -> Vec<Found> {
    if !line.contains("\"output_text\"") {
        return Vec::new();
    }
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let (message, at) = (&line["payload"], time(&line, "/timestamp"));
    let is_said = line["type"] == "response_item"
        && message["type"] == "message"
        && message["role"] == "assistant";
    let parts = message["content"].as_array().filter(|_| is_said);
    let texts = parts.into_iter().flatten().filter_map(|part| {
        let text = (part["type"] == "output_text").then(|| part["text"].as_str())?;
        Found::said(text?, at)
    });
    texts.collect()
}

/// Returns the summary of the last compaction.
pub(super) fn summary(rollout: &str) -> Option<String> {
    newest(rollout, "compacted", |line| {
        let is_compaction = line["type"] == "compacted";
        is_compaction.then(|| Some(line.pointer("/payload/message")?.as_str()?.to_owned()))
    })?
}

/// True if the conversation contains a whole HUD since the last compaction.
pub(super) fn has_hud(host: &dyn Host, rollout: &Path) -> bool {
    let is_it = |line: &str| {
        if !line.contains("<hud note=") {
            return false;
        }
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        let message = &line["payload"];
        let mut parts = message["content"].as_array().into_iter().flatten();
        line["type"] == "response_item"
            && message["role"] == "developer"
            && parts.any(|part| part["text"].as_str().is_some_and(is_whole_hud))
    };
    // Within a text, the quotation marks would be escaped.
    let begins = |line: &str| line.contains("\"type\":\"compacted\"");
    has_since(host, rollout, begins, is_it)
}

/// Returns the token usage of the last model call since the last compaction.
pub(super) fn usage(rollout: &str) -> Option<Reported> {
    newest(rollout, "", |line| {
        if line["type"] == "compacted" {
            // The content before it is no longer in the context.
            return Some(None);
        }
        let is_event = line["type"] == "event_msg";
        let observation = used(line.pointer("/payload/info").filter(|_| is_event)?)?;
        Some(Some(Reported {
            at: time(line, "/timestamp"),
            observation,
        }))
    })?
}

/// Returns the token usage of the last model call from a token count.
pub(super) fn used(info: &Value) -> Option<Observation> {
    let usage = info.get("last_token_usage")?;
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let cache_read = count("cached_input_tokens");
    let window = info.get("model_context_window").and_then(Value::as_u64);
    Some(Observation::Usage {
        usage: Usage {
            // The input tokens include those that were read from the cache.
            input: count("input_tokens").saturating_sub(cache_read),
            cache_write: 0,
            cache_write_hour: 0,
            cache_read,
            output: count("output_tokens"),
        },
        model: None,
        window: window.map(Window::of),
        provider: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::edits;

    #[test]
    fn a_command_is_found_by_its_call() {
        let item = |id: &str, code: i64| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"item_completed","item":{{"type":"CommandExecution","id":"{id}","exit_code":{code}}}}}}}"#
            )
        };
        let text = [
            "half a line, call_1",
            &item("call_1", 3),
            &item("call_2", 0),
            r#"{"payload":"call_1"}"#,
            "",
        ];
        let text = text.join("\n");
        let exit_code = |call: &str| ended(&text, call).and_then(|ended| ended.exit_code);
        assert_eq!(exit_code("call_1"), Some(3));
        assert_eq!(exit_code("call_2"), Some(0));
        assert_eq!(exit_code("call_3"), None);
        assert_eq!(exit_code(""), None);
    }

    #[test]
    fn the_last_usage_is_found_if_nothing_was_compacted_since() {
        let used = |lines: &[&str]| match usage(&lines.join("\n"))?.observation {
            Observation::Usage { usage, window, .. } => {
                Some((usage, window.map(|window| window.context)))
            }
            _ => None,
        };
        let said = r#"{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":5},"model_context_window":9500}}}"#;
        let compacted = r#"{"type":"compacted","payload":{"message":"half"}}"#;
        let usage = Usage {
            input: 40,
            cache_write: 0,
            cache_write_hour: 0,
            cache_read: 60,
            output: 5,
        };
        assert_eq!(used(&[compacted, said, "{"]), Some((usage, Some(9_500))));
        assert_eq!(used(&[said, compacted]), None);
    }

    #[test]
    fn a_patch_that_did_not_fit_is_found_and_none_that_a_tool_speaks_of() {
        let line = |kind: &str, call: &str, name: &str, more: &str| {
            format!(
                r#"{{"type":"response_item","payload":{{"type":"{kind}","call_id":"{call}","name":"{name}",{more}}}}}"#
            )
        };
        let output = |call: &str, said: &str| {
            let said = format!(r#""output":"{said}""#);
            line("custom_tool_call_output", call, "", &said)
        };
        let patch = |call: &str, file: &str| {
            let input = format!(r#""input":"*** Update File: {file}""#);
            line("custom_tool_call", call, "apply_patch", &input)
        };
        let failed = "apply_patch verification failed: no such lines";
        let text = [
            patch("a", "a.rs"),
            output("a", failed),
            patch("b", "b.rs"),
            output("b", "Exit code: 0"),
            line("custom_tool_call", "c", "another", r#""input":"""#),
            output("c", failed),
            output("d", failed),
        ];
        let bad = Found {
            name: "a".to_owned(),
            at: None,
            observations: vec![Observation::ToolResult {
                call: "a a.rs".to_owned(),
                actions: edits("a.rs").into(),
                content: "no such lines".to_owned(),
                is_error: true,
                not_run: None,
                task: None,
                change: None,
            }],
        };
        assert_eq!(unhooked(&text.join("\n")), [bad]);
    }

    #[test]
    fn calls_without_a_hook_are_found() {
        let output = |call: &str, said: &str| json!({ "payload": { "type": "function_call_output", "call_id": call, "output": said } });
        let command = |call: &str, line: &str| {
            let arguments = json!({ "cmd": line }).to_string();
            json!({ "payload": { "type": "function_call", "call_id": call, "name": "exec_command",
                                 "arguments": arguments } })
        };
        let item = |item: Value| json!({ "payload": { "type": "item_completed", "item": item } });
        let refused = |why: &str| {
            format!("exec_command failed: CreateProcess {{ message: \"Rejected(\\\"{why}\\\")\" }}")
        };
        let patched =
            "apply_patch <<'E'\n*** Begin Patch\n*** Update File: b.rs\n@@\n-x\n*** End Patch\nE";
        let created = json!({ "/p/h.rs": { "type": "add", "content": "fn h() {}" } });
        let change = |call: &str, status: &str| {
            item(
                json!({ "type": "FileChange", "id": call, "changes": created, "status": status,
                         "stdout": "", "stderr": "said" }),
            )
        };
        let server = |call: &str, server: &str, status: &str| {
            item(
                json!({ "type": "McpToolCall", "id": call, "server": server, "tool": "get", "arguments": {},
                         "status": status, "result": { "content": [{ "type": "text", "text": "no key" }] } }),
            )
        };
        let lines = [
            command("a", "rm x"),
            output("a", &refused("rejected by user")),
            command("b", "rm -rf y"),
            output("b", &refused("use a safer approach")),
            command("c", patched),
            output("c", "apply_patch verification failed: no such lines"),
            command("d", "apply_patch <<'E'"),
            change("d", "completed"),
            change("e", "failed"),
            change("f", "completed"),
            server("g", "kit", "failed"),
            server("h", "kit", "completed"),
            // A command's own output.
            command("i", "cat log"),
            output("i", "Output:\nexec_command failed: x"),
        ];
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let found = unhooked(&text.join("\n"));
        let found: Vec<_> = { found.iter().flat_map(|found| &found.observations) }
            .map(|observation| match observation {
                Observation::ToolResult {
                    actions,
                    content,
                    is_error,
                    not_run,
                    ..
                } => (
                    actions.iter().map(Action::label).collect::<String>(),
                    content.as_str(),
                    *is_error,
                    not_run.clone(),
                ),
                other => unreachable!("{other:?}"),
            })
            .collect();
        let declined = Some(NotRun::Declined { said: None });
        let expected = [
            ("Bash rm x", "rejected by user", true, declined),
            (
                "Bash rm -rf y",
                "use a safer approach",
                true,
                Some(NotRun::Refused),
            ),
            ("Edit b.rs", "no such lines", true, None),
            ("Edit /p/h.rs", "said", false, None),
            ("Edit /p/h.rs", "said", true, None),
            ("mcp__kit__get", "no key", true, None),
        ];
        let expected =
            expected.map(|(label, said, failed, why)| (label.to_owned(), said, failed, why));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_last_summary_is_found() {
        let said =
            r#"{"message":{"content":"{\"type\":\"compacted\",\"payload\":{\"message\":\"x\"}}"}}"#;
        let compacted = r#"{"type":"compacted","payload":{"message":"half"}}"#;
        let found = summary(&[compacted, said, "{"].join("\n"));
        assert_eq!(found.as_deref(), Some("half"));
        assert_eq!(summary(said), None);
    }
}

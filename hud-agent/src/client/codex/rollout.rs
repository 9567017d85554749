//! What Codex writes into its transcript, the rollout, and does not say in its events: what the agent
//! says, whether a command failed, which patches it refused, what a compaction kept, and how full the
//! context is. The format is
//! Codex's own affair: what is not found is not known. Texts are the whole lines at the end of a rollout.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::refused;
use crate::client::command_hook::is_whole_hud;
use crate::client::host::has_since;
use crate::client::json::{newest, time};
use crate::client::{Found, Host};
use crate::context::Window;
use crate::observation::{Observation, Usage};
use crate::reported::Reported;

/// The exit code of a command by its call.
pub(super) fn exit_code(rollout: &str, call: &str) -> Option<i64> {
    if call.is_empty() {
        return None;
    }
    newest(rollout, call, |line| {
        let item = line.pointer("/payload/item")?;
        (item["id"] == call).then(|| item["exit_code"].as_i64())?
    })
}

/// The patches that Codex did not apply, the latest last: no hook runs for them. What says so is the
/// result of the call of its own tool, behind which no program ran.
pub(super) fn bad_patches(rollout: &str) -> Vec<Found> {
    /// What Codex begins such a result with.
    const REFUSED: &str = "apply_patch verification failed: ";
    /// How many are looked at: the others were taken in long ago.
    const LATEST: usize = 8;

    let mut patches = HashMap::new();
    let mut bad = Vec::new();
    let lines = rollout
        .lines()
        .filter(|line| line.contains("custom_tool_call"));
    for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let payload = &line["payload"];
        let text = |key: &str| payload[key].as_str().map(ToOwned::to_owned);
        let Some(call) = text("call_id") else {
            continue;
        };
        match payload["type"].as_str() {
            Some("custom_tool_call") if payload["name"] == "apply_patch" => {
                patches.insert(call, text("input").unwrap_or_default());
            }
            Some("custom_tool_call_output") => {
                let said = text("output").unwrap_or_default();
                if let Some(patch) = patches.remove(&call)
                    && let Some(reason) = said.strip_prefix(REFUSED)
                {
                    bad.push(Found {
                        at: time(&line, "/timestamp"),
                        observations: refused(&call, &patch, reason),
                        name: call,
                    });
                }
            }
            _ => {}
        }
    }
    bad.drain(..bad.len().saturating_sub(LATEST));
    bad
}

/// What the agent says in a line: one of the model's messages, of which there is a copy in an event.
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

/// What the last compaction kept.
pub(super) fn summary(rollout: &str) -> Option<String> {
    newest(rollout, "compacted", |line| {
        let is_compaction = line["type"] == "compacted";
        is_compaction.then(|| Some(line.pointer("/payload/message")?.as_str()?.to_owned()))
    })?
}

/// True if a whole HUD is in the conversation since the last compaction.
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
    // In a text the quotation marks would be escaped.
    let begins = |line: &str| line.contains("\"type\":\"compacted\"");
    has_since(host, rollout, begins, is_it)
}

/// The token usage of the last call of the model since the last compaction.
pub(super) fn usage(rollout: &str) -> Option<Reported> {
    newest(rollout, "", |line| {
        if line["type"] == "compacted" {
            // What is before it is no longer in the context.
            return Some(None);
        }
        let info = line.pointer("/payload/info")?;
        let usage = info
            .get("last_token_usage")
            .filter(|_| line["type"] == "event_msg")?;
        let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
        let cache_read = count("cached_input_tokens");
        let window = info.get("model_context_window").and_then(Value::as_u64);
        let observation = Observation::Usage {
            usage: Usage {
                // What was read from the cache was sent, too.
                input: count("input_tokens").saturating_sub(cache_read),
                cache_write: 0,
                cache_write_hour: 0,
                cache_read,
                output: count("output_tokens"),
            },
            model: None,
            window: window.map(Window::of),
            provider: None,
        };
        Some(Some(Reported {
            at: time(line, "/timestamp"),
            observation,
        }))
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::tests::edits;

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
        assert_eq!(exit_code(&text, "call_1"), Some(3));
        assert_eq!(exit_code(&text, "call_2"), Some(0));
        assert_eq!(exit_code(&text, "call_3"), None);
        assert_eq!(exit_code(&text, ""), None);
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
        assert_eq!(bad_patches(&text.join("\n")), [bad]);
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

//! goose's records of its sessions.
//!
//! | file | contents |
//! | --- | --- |
//! | lines | the session (`working_dir`), then a message on each line |
//! | an object with `conversation` | a session as goose exports it |
//!
//! | part of a message | observation |
//! | --- | --- |
//! | `text` of the user | the user's message |
//! | `text` of the assistant | the agent's text, after a model call |
//! | `toolRequest` | a call of a tool |
//! | `toolResponse` | its result, of which only the part for the assistant is read |
//! | `text` that the user does not see | the summary of a compaction |
//! | `thinking`, images, confirmations, notices | none |

use std::collections::HashMap;

use hud_observe::observation::Observation;
use jiff::Timestamp;
use serde_json::Value;

use super::{Goose, not_run, response};
use crate::chat::any_of_first;
use crate::json::text;
use crate::placed::Messages;
use crate::recorded::Records;

/// True if a file begins like one of goose's records: with a session, or with a message that has the
/// time at which it was `created`.
pub(super) fn is_session(beginning: &[u8]) -> bool {
    any_of_first(beginning, |keys| {
        let has = |name: &str| keys.iter().any(|key| key == name);
        let of_session = ["conversation", "description", "message_count", "name"];
        (has("working_dir") && of_session.into_iter().any(has))
            || (has("role") && has("created") && has("content"))
    })
}

#[derive(Default)]
pub(super) struct Reader {
    /// The id of the message that the last model call wrote.
    model_call: Option<String>,
    /// True if the last message is the summary of a compaction.
    is_compacted: bool,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
}

impl Records for Reader {
    fn record(&mut self, record: &Value, messages: &mut Messages<'_>) {
        if record.get("role").is_some() {
            return self.message(record, messages);
        }
        if let Some(name) = text(record, "/id") {
            messages.push(Observation::Session { name });
        }
        if let Some(path) = text(record, "/working_dir") {
            messages.push(Observation::Directory { path });
        }
        for message in record["conversation"].as_array().into_iter().flatten() {
            messages.summary.lines += 1;
            self.message(message, messages);
        }
    }

    fn is_record(&self, value: &Value) -> bool {
        let is_message = value.get("role").is_some() && value.get("content").is_some();
        is_message || value.get("working_dir").is_some()
    }

    fn is_whole(&self) -> bool {
        true
    }
}

impl Reader {
    fn message(&mut self, message: &Value, messages: &mut Messages<'_>) {
        messages.at = created(&message["created"]);
        let parts: &[Value] = match &message["content"] {
            Value::Array(parts) => parts,
            // A single part without a list around it.
            part => std::slice::from_ref(part),
        };
        let is_hidden = message.pointer("/metadata/userVisible") == Some(&Value::Bool(false));
        match message["role"].as_str().unwrap_or_default() {
            "user" | "assistant" if is_hidden => return self.kept(parts, messages),
            "user" => self.model_call = None,
            "assistant" => {
                // A message that was written in pieces belongs to one model call.
                let name = text(message, "/id");
                if name.is_none() || self.model_call != name {
                    messages.push(Observation::ModelCall);
                }
                self.model_call = name;
            }
            role => return messages.unknown(role),
        }
        self.is_compacted = false;
        let is_user = message["role"] == "user";
        for part in parts {
            self.part(part, is_user, messages);
        }
    }

    fn part(&mut self, part: &Value, is_user: bool, messages: &mut Messages<'_>) {
        let said = part.as_str().or_else(|| part["text"].as_str());
        match part["type"].as_str().unwrap_or("text") {
            "text" => match (said, is_user) {
                (Some(said), true) => messages.user(said),
                (Some(said), false) => messages.said(said),
                (None, _) => {}
            },
            "toolRequest" | "frontendToolRequest" => self.call(part, messages),
            "toolResponse" => self.result(part, messages),
            "image"
            | "thinking"
            | "redactedThinking"
            | "reasoning"
            | "toolConfirmationRequest"
            | "actionRequired"
            | "systemNotification"
            | "contextLengthExceeded"
            | "summarizationRequested" => {}
            kind => messages.passed_over(format!("content block {kind}")),
        }
    }

    /// Handles the summary with which the model continues and which the user does not see.
    fn kept(&mut self, parts: &[Value], messages: &mut Messages<'_>) {
        let said: Vec<&str> = parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect();
        // goose's instructions to the model follow the summary.
        if !said.is_empty() && !std::mem::replace(&mut self.is_compacted, true) {
            messages.push(Observation::CompactionEnds {
                summary: Some(said.join("\n")),
                boundary: None,
            });
        }
    }

    fn call(&mut self, part: &Value, messages: &mut Messages<'_>) {
        let call = part.pointer("/toolCall/value").unwrap_or(&part["toolCall"]);
        let (Some(id), Some(tool)) = (part["id"].as_str(), call["name"].as_str()) else {
            // The part names no tool, because the model wrote a call that could not be parsed.
            return;
        };
        self.tools.insert(id.to_owned(), tool.to_owned());
        messages.call(&Goose, id, tool, &call["arguments"]);
    }

    fn result(&mut self, part: &Value, messages: &mut Messages<'_>) {
        let Some(id) = part["id"].as_str() else {
            return;
        };
        let (content, is_error) = response(&part["toolResult"]);
        let tool = self.tools.remove(id).unwrap_or_default();
        let not_run = not_run(&tool, &content, is_error);
        messages.push(Observation::result(id, content, is_error, not_run));
    }
}

/// Returns the time from seconds since 1970, or, in newer records, from milliseconds.
fn created(value: &Value) -> Option<Timestamp> {
    const MILLISECONDS: i64 = 100_000_000_000;
    let at = value.as_i64()?;
    match at.abs() < MILLISECONDS {
        true => Timestamp::from_second(at).ok(),
        false => Timestamp::from_millisecond(at).ok(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::ops::ControlFlow;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::recorded;
    use crate::transcript::{Entry, Summary};

    fn observed(text: &str) -> (Vec<Observation>, Summary) {
        let mut all = Vec::new();
        let mut sink = |entry: Entry| {
            all.push(entry.observation);
            ControlFlow::Continue(())
        };
        let summary = recorded::read(
            &Goose,
            Path::new("a.jsonl"),
            &mut text.as_bytes(),
            &mut Reader::default(),
            &mut sink,
        );
        (all, summary.unwrap())
    }

    fn session() -> Vec<Value> {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let printed = |text: &str, who: &str| json!({ "type": "text", "text": text, "annotations": { "audience": [who] } });
        vec![
            json!({ "working_dir": "/p", "description": "Mend", "message_count": 5, "total_tokens": 9 }),
            json!({ "role": "user", "created": 1_700_000_000, "content": [text("Mend it")] }),
            json!({ "id": "m1", "role": "assistant", "created": 1_700_000_001, "content": [text("I run it."),
                { "type": "toolRequest", "id": "t1", "toolCall": { "status": "success",
                  "value": { "name": "developer__shell", "arguments": { "command": "make" } } } }] }),
            json!({ "role": "user", "created": 1_700_000_002_000_i64, "content": [
                { "type": "toolResponse", "id": "t1", "toolResult": { "status": "success", "value": { "isError": true,
                  "content": [printed("no rule", "assistant"), printed("NO RULE", "user")] } } }] }),
            json!({ "id": "m2", "role": "assistant", "created": 1_700_000_003, "content": [text("Done.")] }),
            json!({ "id": "m2", "role": "assistant", "created": 1_700_000_003, "content": [{ "type": "thinking", "thinking": "x" }] }),
            json!({ "role": "user", "created": 1_700_000_004, "content": [text("## Goal\nmend")],
                "metadata": { "userVisible": false, "agentVisible": true } }),
        ]
    }

    #[test]
    fn lines_and_an_export_say_the_same() {
        let lines: String = session().iter().map(|line| format!("{line}\n")).collect();
        assert!(is_session(lines.as_bytes()));
        let mut export = session();
        let mut whole = export.remove(0);
        whole["conversation"] = Value::Array(export);
        let export = serde_json::to_string_pretty(&whole).unwrap();
        assert!(is_session(export.as_bytes()));
        let (of_lines, summary) = observed(&lines);
        assert_eq!(of_lines, observed(&export).0);
        assert_eq!(summary.lines, 7);
        let turns = of_lines
            .iter()
            .filter(|one| **one == Observation::ModelCall);
        assert_eq!(turns.count(), 2);
        let result = of_lines.iter().find_map(|one| match one {
            Observation::ToolResult {
                content, is_error, ..
            } => Some((content.as_str(), *is_error)),
            _ => None,
        });
        assert_eq!(result, Some(("no rule", true)));
        let kept = of_lines.last().unwrap();
        assert!(
            matches!(kept, Observation::CompactionEnds { summary: Some(said), .. } if said.starts_with("## Goal"))
        );
    }

    #[test]
    fn a_line_that_is_cut_short_is_passed_over_and_so_is_a_damaged_one() {
        let lines: String = session().iter().map(|line| format!("{line}\n")).collect();
        let cut = lines.trim_end().trim_end_matches('}');
        assert_eq!(observed(cut).1.truncated, Some(7));
        let damaged = lines.replace("\"role\":\"assistant\"", "\"role\":]");
        let (all, summary) = observed(&damaged);
        assert_eq!((summary.damaged, summary.first_damaged), (3, Some(3)));
        assert!(matches!(&all[1], Observation::User { text } if text == "Mend it"));
        let joined = lines.replace("}\n{", "}{");
        assert_eq!(observed(&joined).0, observed(&lines).0);
    }

    #[test]
    fn a_record_of_another_client_is_none_of_gooses() {
        for other in [
            r#"{"role":"user","content":"hi"}"#,
            r#"{"type":"user","message":{"content":"hi"}}"#,
            r#"{"history":[]}"#,
            "",
        ] {
            assert!(!is_session(other.as_bytes()), "{other}");
        }
    }
}

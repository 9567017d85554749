//! goose's records of its sessions.
//!
//! | file | what it is |
//! | --- | --- |
//! | lines | what the session is (`working_dir`), then a message on each line |
//! | an object with `conversation` | a session as goose exports it |
//!
//! | part of a message | observation |
//! | --- | --- |
//! | `text` of the user | what the user says |
//! | `text` of the assistant | what the agent says, behind a call of the model |
//! | `toolRequest` | a call of a tool |
//! | `toolResponse` | its result: what of it is for the assistant |
//! | `text` that the user does not see | what a compaction kept |
//! | `thinking`, images, confirmations, notices | none |

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::marked::typed;
use hud_observe::observation::{Actions, Observation};
use jiff::Timestamp;
use serde_json::Value;

use super::{Goose, not_run, response};
use crate::Client;
use crate::chat::{any_of_first, is_line};
use crate::json::text;
use crate::placed::{Messages, Place, Placed};
use crate::transcript::{BYTE_ORDER_MARK, Entry, LONGEST, Summary, TranscriptError, whole};

/// Whether a file begins as one of goose's records: with what a session is, or with a message that has the
/// time at which it was `created`.
pub(super) fn is_session(beginning: &[u8]) -> bool {
    any_of_first(beginning, |keys| {
        let has = |name: &str| keys.iter().any(|key| key == name);
        let of_session = ["conversation", "description", "message_count", "name"];
        (has("working_dir") && of_session.into_iter().any(has))
            || (has("role") && has("created") && has("content"))
    })
}

pub(super) fn read(
    path: &Path,
    file: &mut dyn BufRead,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<Summary, TranscriptError> {
    let place = Place::new();
    let mut reader = Reader {
        messages: Messages::new(&place, sink),
        model_call: None,
        is_compacted: false,
        tools: HashMap::new(),
    };
    let mut file = BufReader::new(Placed::new(file, &place));
    let failed = |source| TranscriptError::Read {
        path: path.to_owned(),
        source,
    };
    place.bound();
    let mut first = Vec::new();
    let mut line = file.by_ref().take(LONGEST);
    line.read_until(b'\n', &mut first).map_err(failed)?;
    match is_line(&first) {
        true => reader.lines(first, &mut file, &place).map_err(failed)?,
        false => {
            let export = serde_json::from_reader::<_, Value>(first.chain(file));
            match export {
                Ok(export) => reader.value(&export),
                Err(error) if error.is_io() => return Err(failed(error.into())),
                Err(source) => {
                    return Err(TranscriptError::Document {
                        path: path.to_owned(),
                        source,
                    });
                }
            }
        }
    }
    reader.messages.summary.mended = place.mended();
    Ok(reader.messages.summary)
}

/// How a record begins, whatever its first field is.
const BEGINNINGS: &[&str] = &["{\""];

struct Reader<'r> {
    messages: Messages<'r>,
    /// The name of the message that the last call of the model wrote.
    model_call: Option<String>,
    /// Whether the last message is what a compaction kept.
    is_compacted: bool,
    /// The tools of the calls that wait for their results.
    tools: HashMap<String, String>,
}

impl Reader<'_> {
    /// Reads a record on each line.
    fn lines(
        &mut self,
        first: Vec<u8>,
        file: &mut impl BufRead,
        place: &Place,
    ) -> std::io::Result<()> {
        let (mut line, mut number) = (first, 0);
        while !line.is_empty() && !self.messages.is_over() {
            number += 1;
            let is_whole = line.ends_with(b"\n");
            let text = line.trim_ascii();
            let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            match serde_json::from_slice::<Value>(text) {
                _ if text.is_empty() => {}
                Ok(value) => self.value(&value),
                Err(_) => {
                    let (records, is_damaged) = whole::records(text, BEGINNINGS);
                    let values = records.iter().filter_map(|record| {
                        let value: Value = serde_json::from_slice(record).ok()?;
                        let is_message =
                            value.get("role").is_some() && value.get("content").is_some();
                        (is_message || value.get("working_dir").is_some()).then_some(value)
                    });
                    let values: Vec<Value> = values.collect();
                    values.iter().for_each(|value| self.value(value));
                    match is_whole || !values.is_empty() {
                        true if is_damaged => self.messages.summary.damage(number),
                        false => self.messages.summary.truncated = Some(number),
                        true => {}
                    }
                }
            }
            line.clear();
            place.bound();
            file.read_until(b'\n', &mut line)?;
        }
        Ok(())
    }

    /// What the session is, with its conversation or without, or a message.
    fn value(&mut self, value: &Value) {
        if value.get("role").is_some() {
            self.message(value);
            return;
        }
        self.messages.summary.lines += 1;
        if let Some(name) = text(value, "/id") {
            self.messages.push(Observation::Session { name });
        }
        if let Some(path) = text(value, "/working_dir") {
            self.messages.push(Observation::Directory { path });
        }
        for message in value["conversation"].as_array().into_iter().flatten() {
            self.message(message);
        }
    }

    fn message(&mut self, message: &Value) {
        self.messages.summary.lines += 1;
        self.messages.at = created(&message["created"]);
        let parts: &[Value] = match &message["content"] {
            Value::Array(parts) => parts,
            // One part without a list around it.
            part => std::slice::from_ref(part),
        };
        let is_hidden = message.pointer("/metadata/userVisible") == Some(&Value::Bool(false));
        match message["role"].as_str().unwrap_or_default() {
            "user" | "assistant" if is_hidden => return self.kept(parts),
            "user" => self.model_call = None,
            "assistant" => {
                // A message that was written piece by piece is of one call.
                let name = text(message, "/id");
                if name.is_none() || self.model_call != name {
                    self.messages.push(Observation::ModelCall);
                }
                self.model_call = name;
            }
            role => return self.messages.unknown(role),
        }
        self.is_compacted = false;
        let is_user = message["role"] == "user";
        for part in parts {
            self.part(part, is_user);
        }
    }

    fn part(&mut self, part: &Value, is_user: bool) {
        let said = part.as_str().or_else(|| part["text"].as_str());
        match part["type"].as_str().unwrap_or("text") {
            "text" => {
                let Some(said) = said else { return };
                let said = match is_user {
                    true => Some(typed(said))
                        .filter(|said| !said.trim().is_empty())
                        .map(|said| Observation::User {
                            text: said.to_owned(),
                        }),
                    false => Observation::said(said),
                };
                said.into_iter().for_each(|said| self.messages.push(said));
            }
            "toolRequest" | "frontendToolRequest" => self.call(part),
            "toolResponse" => self.result(part),
            "image"
            | "thinking"
            | "redactedThinking"
            | "reasoning"
            | "toolConfirmationRequest"
            | "actionRequired"
            | "systemNotification"
            | "contextLengthExceeded"
            | "summarizationRequested" => {}
            kind => {
                let kind = format!("content block {kind}");
                *self.messages.summary.unknown.entry(kind).or_default() += 1;
            }
        }
    }

    /// What the model goes on with in the place of the conversation, which the user does not see.
    fn kept(&mut self, parts: &[Value]) {
        let said: Vec<&str> = parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect();
        // Behind the summary is what goose tells the model of it.
        if !said.is_empty() && !std::mem::replace(&mut self.is_compacted, true) {
            self.messages.push(Observation::CompactionEnds {
                summary: Some(said.join("\n")),
                boundary: None,
            });
        }
    }

    fn call(&mut self, part: &Value) {
        let call = part.pointer("/toolCall/value").unwrap_or(&part["toolCall"]);
        let (Some(id), Some(tool)) = (part["id"].as_str(), call["name"].as_str()) else {
            // It names no tool: the model wrote a call that could not be read.
            return;
        };
        let input = &call["arguments"];
        if let Some(arguments) = Observation::arguments(input.clone()) {
            self.messages.push(arguments);
        }
        self.tools.insert(id.to_owned(), tool.to_owned());
        self.messages.push(Observation::ToolCall {
            call: id.to_owned(),
            actions: Goose.actions(tool, input).into(),
        });
    }

    fn result(&mut self, part: &Value) {
        let Some(id) = part["id"].as_str() else {
            return;
        };
        let (content, is_error) = response(&part["toolResult"]);
        let tool = self.tools.remove(id).unwrap_or_default();
        self.messages.push(Observation::ToolResult {
            call: id.to_owned(),
            actions: Actions::default(),
            not_run: not_run(&tool, &content, is_error),
            content,
            is_error,
            task: None,
            change: None,
        });
    }
}

/// Seconds since 1970, in newer records milliseconds.
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

    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn observed(text: &str) -> (Vec<Observation>, Summary) {
        let mut all = Vec::new();
        let mut sink = |entry: Entry| {
            all.push(entry.observation);
            ControlFlow::Continue(())
        };
        let summary = read(Path::new("a.jsonl"), &mut text.as_bytes(), &mut sink).unwrap();
        (all, summary)
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

//! Cline.

use hud_agent::session::Observation;
use hud_store::event::SessionId;
use serde_json::{Value, json};

use crate::tie::token;

use super::cline_files::Conversation;
use super::{Meaning, Show, content, is_hud, text, wrapped};

/// Cline's tools by the names that the others have.
const TOOLS: &[(&str, &str)] = &[
    ("read_file", "read_file"),
    ("write_to_file", "write_file"),
    ("replace_in_file", "replace"),
    ("editor", "replace"),
    ("execute_command", "bash"),
];

pub(super) fn read(event: &Value) -> Meaning {
    let (reports, show) = match event["hookName"].as_str().unwrap_or_default() {
        "prompt_submit" => {
            let said = text(event, "/userPromptSubmit/prompt");
            (
                said.map(|text| Observation::User { text })
                    .into_iter()
                    .collect(),
                Show::Nothing,
            )
        }
        "tool_call" => (Vec::new(), Show::Changes),
        "tool_result" => (result(event), Show::Changes),
        _ => (Vec::new(), Show::Nothing),
    };
    let conversation = Conversation::of(&session_name(event));
    Meaning {
        cause: None,
        is_fork: false,
        copied: None,
        session: session_name(event),
        directory: text(event, "/workspaceInfo/rootPath")
            .or_else(|| text(event, "/workspaceRoots/0"))
            .map(Into::into),
        reports,
        show,
        found: conversation
            .iter()
            .filter_map(Conversation::request)
            .collect(),
        usage: conversation.as_ref().and_then(Conversation::usage),
    }
}

fn result(event: &Value) -> Vec<Observation> {
    let result = &event["tool_result"];
    let tool = text(result, "/name").unwrap_or_default();
    if is_hud(&tool) {
        return Vec::new();
    }
    let output = &result["output"];
    // A tool that ran and failed says so in its output: the event calls that a success.
    let failure = (output["success"] == false).then(|| &output["error"]);
    let is_error =
        failure.is_some() || event.pointer("/postToolUse/success") == Some(&Value::Bool(false));
    let call = text(result, "/id").unwrap_or_default();
    // It reads several files at once, and runs several commands.
    let many = match tool.as_str() {
        "read_files" => Some(("read_file", "file_path")),
        "run_commands" => Some(("bash", "command")),
        _ => None,
    };
    if let (Some((tool, key)), Some(done)) = (many, result["output"].as_array()) {
        let one = |(index, done): (usize, &Value)| {
            // The answer may name a part of the file as well.
            let path = result.pointer(&format!("/input/files/{index}/path"));
            Observation::ToolResult {
                call: format!("{call} {index}"),
                tool: Some(tool.to_owned()),
                input: json!({ key: path.unwrap_or(&done["query"]) }),
                content: said(done),
                is_error: done["success"] == false,
                not_run: None,
            }
        };
        return done.iter().enumerate().map(one).collect();
    }
    let known = TOOLS.iter().find(|(name, _)| *name == tool);
    let mut input = result["input"].clone();
    if let Some(path) = text(&input, "/path") {
        input["file_path"] = path.into();
    }
    vec![Observation::ToolResult {
        call,
        tool: Some(known.map_or(tool.as_str(), |(_, name)| name).to_owned()),
        input,
        content: content(failure.filter(|error| error.is_string()).unwrap_or(output)),
        is_error,
        not_run: None,
    }]
}

/// What one of several commands said, without what is said of its process.
fn said(done: &Value) -> String {
    let said = content(&done["result"]);
    match said.split_once(']') {
        Some((head, rest)) if head.starts_with("[Command exited with code ") => {
            rest.trim_start().to_owned()
        }
        _ => said,
    }
}

/// Whether an event is a call of our tool, to which the session is added: several may run in one process
/// of Cline.
pub(super) fn is_call_of_hud(event: &Value) -> bool {
    event["hookName"] == "tool_call"
        && text(event, "/tool_call/name").is_some_and(|tool| is_hud(&tool))
}

pub(super) fn answer(event: &Value, hud: &str) -> Value {
    let mut answer = json!({ "cancel": false });
    if !hud.is_empty() {
        answer["contextModification"] = wrapped(hud).into();
    }
    if is_call_of_hud(event)
        && let Some(session) = session(event)
        && let Some(Value::Object(input)) = event.pointer("/tool_call/input")
    {
        let mut input = input.clone();
        input.insert("session".to_owned(), token(&session).into());
        answer["overrideInput"] = input.into();
    }
    answer
}

fn session(event: &Value) -> Option<SessionId> {
    SessionId::new(session_name(event)).ok()
}

fn session_name(event: &Value) -> String {
    text(event, "/sessionContext/rootSessionId")
        .or_else(|| text(event, "/taskId"))
        .unwrap_or_default()
}

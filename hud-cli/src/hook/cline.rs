//! Cline.

use hud_agent::session::Observation;
use serde_json::{Value, json};

use super::{Meaning, Show, content, is_hud, text, wrapped};

/// Cline's tools by the names that the others have.
const TOOLS: &[(&str, &str)] = &[
    ("read_file", "read_file"),
    ("write_to_file", "write_file"),
    ("replace_in_file", "replace"),
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
    Meaning {
        session: text(event, "/sessionContext/rootSessionId")
            .or_else(|| text(event, "/taskId"))
            .unwrap_or_default(),
        directory: text(event, "/workspaceInfo/rootPath")
            .or_else(|| text(event, "/workspaceRoots/0"))
            .map(Into::into),
        reports,
        transcript: None,
        show,
    }
}

fn result(event: &Value) -> Vec<Observation> {
    let result = &event["tool_result"];
    let tool = text(result, "/name").unwrap_or_default();
    if is_hud(&tool) {
        return Vec::new();
    }
    let is_error = event.pointer("/postToolUse/success") == Some(&Value::Bool(false));
    let call = text(result, "/id").unwrap_or_default();
    // It reads several files at once.
    if let Some(files) = result.pointer("/input/files").and_then(Value::as_array) {
        let read = files.iter().filter_map(|file| text(file, "/path"));
        return read
            .map(|path| Observation::ToolResult {
                call: call.clone(),
                tool: Some("read_file".to_owned()),
                input: json!({ "file_path": path }),
                content: String::new(),
                is_error,
            })
            .collect();
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
        content: content(&result["output"]),
        is_error,
    }]
}

pub(super) fn answer(_: &Value, hud: &str) -> Value {
    json!({ "cancel": false, "contextModification": wrapped(hud) })
}

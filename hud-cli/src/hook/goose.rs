//! goose. Nothing that a hook says reaches its model: the HUD goes through the file that
//! `GOOSE_MOIM_MESSAGE_FILE` names.

use hud_agent::session::Observation;
use serde_json::{Value, json};

use super::{Meaning, Show, content, is_hud, text};

pub(super) fn read(event: &Value) -> Meaning {
    let reports = match event["event"].as_str().unwrap_or_default() {
        "UserPromptSubmit" => {
            let said = text(event, "/message").map(|text| Observation::User { text });
            said.into_iter().chain([Observation::ModelCall]).collect()
        }
        "PostToolUse" => result(event, false),
        "PostToolUseFailure" => result(event, true),
        _ => Vec::new(),
    };
    Meaning {
        session: text(event, "/session_id").unwrap_or_default(),
        directory: text(event, "/working_dir").map(Into::into),
        reports,
        show: Show::Nothing,
        ..Meaning::default()
    }
}

fn result(event: &Value, is_error: bool) -> Vec<Observation> {
    let tool = text(event, "/tool_name").unwrap_or_default();
    if is_hud(&tool) {
        return Vec::new();
    }
    let mut input = event["tool_input"].clone();
    // Its tools by the names that others have: `developer__shell`.
    let name = tool.rsplit("__").next().unwrap_or(&tool);
    let is_view = input["command"] == "view";
    let known = match name {
        "shell" => Some("bash"),
        "text_editor" if is_view => Some("read_file"),
        "text_editor" | "edit" => Some("replace"),
        "write" => Some("write_file"),
        "read" => Some("read_file"),
        _ => None,
    };
    if let (Some("read_file" | "replace" | "write_file"), Some(path)) =
        (known, text(&input, "/path"))
    {
        input = json!({ "file_path": path });
    }
    let said = ["/tool_output", "/error"]
        .into_iter()
        .find_map(|pointer| event.pointer(pointer).filter(|said| !said.is_null()));
    vec![Observation::ToolResult {
        call: text(event, "/tool_call_id").unwrap_or_default(),
        tool: Some(known.unwrap_or(&tool).to_owned()),
        input,
        content: said.map(content).unwrap_or_default(),
        is_error,
        not_run: None,
    }]
}

/// It is never asked for, as nothing is shown.
pub(super) fn answer(_: &Value, _: &str) -> Value {
    json!({})
}

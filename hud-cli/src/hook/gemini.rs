//! Gemini CLI.

use hud_agent::session::Observation;
use serde_json::{Value, json};

use super::{Meaning, Show, chat, content, is_hud, text, wrapped};

/// Whether an event is Gemini's, by its name, or by the time that no other client puts into it.
pub(super) fn is_its(event: &Value) -> bool {
    let is_shared = |name: &str| matches!(name, "SessionStart" | "SessionEnd");
    event["hook_event_name"]
        .as_str()
        .is_some_and(|name| is_its_own(name) || is_shared(name) && event["timestamp"].is_string())
}

fn is_its_own(name: &str) -> bool {
    matches!(
        name,
        "BeforeAgent"
            | "AfterAgent"
            | "BeforeModel"
            | "AfterModel"
            | "BeforeTool"
            | "AfterTool"
            | "BeforeToolSelection"
            | "PreCompress"
    )
}

pub(super) fn read(event: &Value) -> Meaning {
    let (reports, show) = match event["hook_event_name"].as_str().unwrap_or_default() {
        "BeforeAgent" => {
            let said = text(event, "/prompt").map(|prompt| Observation::User {
                text: typed(&prompt).to_owned(),
            });
            (said.into_iter().collect(), besides(event))
        }
        "BeforeModel" if is_mixed(event) => (Vec::new(), Show::Nothing),
        "BeforeModel" => (Vec::new(), Show::Once),
        "AfterTool" => (result(event), besides(event)),
        // PreCompress comes before every call of the model, whether anything is compressed or not.
        _ => (Vec::new(), Show::Nothing),
    };
    Meaning {
        session: text(event, "/session_id").unwrap_or_default(),
        directory: text(event, "/cwd").map(Into::into),
        reports,
        show,
        ..Meaning::default()
    }
}

fn result(event: &Value) -> Vec<Observation> {
    let tool = text(event, "/tool_name").unwrap_or_default();
    if is_hud(&tool) {
        return Vec::new();
    }
    let response = &event["tool_response"];
    let error = response.get("error").filter(|error| !error.is_null());
    let said = &response["llmContent"];
    let is_failed = tool == "run_shell_command" && has_failed(&content(said));
    let content = match (error, &response["returnDisplay"]) {
        (Some(error), _) => content(error),
        // Without what is said of the process.
        (None, Value::String(shown)) if is_failed && !shown.is_empty() => shown.clone(),
        _ => content(said),
    };
    vec![Observation::ToolResult {
        call: String::new(),
        tool: Some(tool),
        input: event["tool_input"].clone(),
        content,
        is_error: error.is_some() || is_failed,
        not_run: None,
    }]
}

/// Whether a command failed, by what is said of its process behind what it said itself.
fn has_failed(said: &str) -> bool {
    let mut codes = said
        .lines()
        .rev()
        .filter_map(|line| line.strip_prefix("Exit Code: "));
    codes.next().is_some_and(|code| code.trim() != "0")
}

/// What the user typed of a prompt: not what hooks put in front of it, nor the files behind it.
fn typed(prompt: &str) -> &str {
    let typed = match prompt.split_once("\n--- Content from referenced files ---") {
        Some((typed, _)) => typed,
        None => prompt,
    };
    match typed.rsplit_once("</hook_context>") {
        Some((before, said)) if before.trim_start().starts_with("<hook_context>") => said.trim(),
        _ => typed,
    }
}

/// Whether the parts of a message would change places if a hook said something to the request.
fn is_mixed(event: &Value) -> bool {
    text(event, "/transcript_path").is_some_and(|file| chat::is_mixed(file.as_ref()))
}

/// What is shown beside a prompt or a tool's result, which keep it: what changed, where a request is not
/// to be touched.
fn besides(event: &Value) -> Show {
    match is_mixed(event) {
        true => Show::Changes,
        false => Show::Nothing,
    }
}

/// The request as it was, with the HUD behind it.
pub(super) fn answer(event: &Value, hud: &str) -> Value {
    let name = &event["hook_event_name"];
    if name != "BeforeModel" {
        return json!({
            "hookSpecificOutput": { "hookEventName": name, "additionalContext": wrapped(hud) }
        });
    }
    let mut request = event["llm_request"].clone();
    let message = json!({ "role": "user", "content": wrapped(hud) });
    match request.get_mut("messages").and_then(Value::as_array_mut) {
        Some(messages) => messages.push(message),
        None => request = json!({ "messages": [message] }),
    }
    json!({
        "hookSpecificOutput": { "hookEventName": "BeforeModel", "llm_request": request }
    })
}

//! The result of a call as Claude Code structures it. A hook has it as `tool_response`; the transcript
//! has it as `toolUseResult` beside the text that the model reads. Both are read here, so that a session
//! has the same state whether it comes from hooks or from its transcript.
//!
//! | structure | text |
//! | --- | --- |
//! | `stdout`, `stderr` (`Bash`, `PowerShell`) | both, without the client's remarks; none for an image |
//! | `persistedOutputPath` beside them | in a hook: the beginning and the end of that file; in a transcript: the beginning that is beside it |
//! | `backgroundTaskId` | the command is still running, and its outcome is not known |
//! | `file` (`Read`) | its lines with their numbers |
//! | `content`, a list of blocks (`Agent`, MCP) | their text |
//! | `status: async_launched` (`Agent`), `timeoutMs` (`Monitor`) | none: the text is the client's own |
//! | `success: false` | its `error` or `message`, and the call failed |
//! | `filenames` (`Glob`, `Grep`) | a line for each |
//! | `result` (`WebFetch`), `message` | that |

use hud_observe::observation::NotRun;
use serde_json::Value;

use crate::printed::{printed, says_failed, streams};
use crate::transcript::content::Structured;

/// The client's remark after the failure of a tool whose schema it had not sent.
const SCHEMA: &str = "\n\nThis tool's input schema was not in your prompt";

/// The outcome of a call, from its result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Response {
    /// The text that the tool printed.
    pub(super) text: String,
    pub(super) is_error: bool,
    pub(super) not_run: Option<NotRun>,
}

impl Response {
    /// Reads the result of a hook: a structure, or the text of a failure.
    pub(super) fn of_hook(tool: &str, response: &Value, is_error: bool) -> Self {
        let text = text(response);
        let is_error = is_error || says_failed(response);
        let not_run = match response["backgroundTaskId"].is_string() {
            true => Some(NotRun::Unfinished),
            false => missing(tool, &text, is_error),
        };
        Self {
            text,
            is_error,
            not_run,
        }
    }

    /// Reads the result of a transcript: the text that the model read, and the structure beside it if
    /// there is one.
    pub(super) fn of_record(
        tool: &str,
        read: String,
        is_error: bool,
        structured: Option<&Structured<'_>>,
    ) -> Self {
        let Some(structured) = structured else {
            return Self {
                not_run: missing(tool, &read, is_error),
                text: read,
                is_error,
            };
        };
        let text = match structured {
            Structured {
                is_launched: true, ..
            }
            | Structured { is_image: true, .. } => String::new(),
            Structured {
                has_failed: true,
                reason: Some(reason),
                ..
            } => reason.clone().into_owned(),
            Structured {
                streams: Some((stdout, stderr)),
                ..
            } => streams(stdout, stderr),
            Structured {
                blocks: Some(text), ..
            } => text.clone(),
            _ if is_error => match read.split_once(SCHEMA) {
                Some((error, _)) => error.to_owned(),
                None => read,
            },
            _ => read,
        };
        let is_error = is_error || structured.has_failed;
        let not_run = match structured.is_background {
            true => Some(NotRun::Unfinished),
            false => missing(tool, &text, is_error),
        };
        Self {
            text,
            is_error,
            not_run,
        }
    }
}

/// Returns [`NotRun::NoSuchTool`] for a call of an agent, a skill or a workflow that does not exist. A
/// missing tool is detected elsewhere, because the client runs no hook for it.
fn missing(tool: &str, said: &str, is_error: bool) -> Option<NotRun> {
    let said = said.strip_prefix("<tool_use_error>").unwrap_or(said);
    let is_named = |before: &str| said.starts_with(before) && said.contains(" not found");
    let is_missing = match tool {
        "Agent" | "Task" => is_named("Agent type "),
        "Skill" | "SlashCommand" => {
            said.starts_with("Unknown skill") || said.starts_with("Unknown slash command")
        }
        "Workflow" => is_named("Workflow "),
        _ => false,
    };
    (is_error && is_missing).then_some(NotRun::NoSuchTool)
}

/// The text of a structure.
fn text(response: &Value) -> String {
    let field = |name: &str| response.get(name).and_then(Value::as_str);
    let is_watched = || response["taskId"].is_string() && response["timeoutMs"].is_number();
    if response["isImage"] == true || response["status"] == "async_launched" || is_watched() {
        return String::new();
    }
    if response["success"] == false
        && let Some(reason) = field("error").or(field("message"))
    {
        return reason.to_owned();
    }
    if let Some(file) = response.get("file").filter(|file| file.is_object()) {
        return of_file(file);
    }
    if let Some(path) = field("filePath").filter(|_| response["structuredPatch"].is_array()) {
        return match field("type") {
            Some("create") => format!("File created successfully at: {path}"),
            _ => format!("The file {path} has been updated successfully."),
        };
    }
    if let Some(cell) = field("cell_id").filter(|_| response["notebook_path"].is_string()) {
        let source = field("new_source").unwrap_or_default();
        return match field("edit_mode") {
            Some("delete") => format!("Deleted cell {cell}"),
            Some("insert") => format!("Inserted cell {cell} with {source}"),
            _ => format!("Updated cell {cell} with {source}"),
        };
    }
    if let (Some(id), Some(subject), true) = (
        response.pointer("/task/id").and_then(super::number),
        response.pointer("/task/subject").and_then(Value::as_str),
        response.pointer("/task/status").is_none(),
    ) {
        return format!("Task #{id} created successfully: {subject}");
    }
    if let Some(tasks) = response["tasks"].as_array() {
        let line = |task: &Value| {
            let word = |name: &str| task[name].as_str().unwrap_or_default();
            format!("#{} [{}] {}", word("id"), word("status"), word("subject"))
        };
        return tasks.iter().map(line).collect::<Vec<_>>().join("\n");
    }
    if let Some(text) = ["content", "result", "message"].into_iter().find_map(field) {
        return text.to_owned();
    }
    match response["filenames"].as_array() {
        Some(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join("\n")
        }
        None => printed(response),
    }
}

/// Returns a file as the model reads it: each line with its number, or its cells.
fn of_file(file: &Value) -> String {
    if let Some(cells) = file["cells"].as_array() {
        let cell = |cell: &Value| {
            let word = |name: &str| cell[name].as_str().unwrap_or_default();
            let (id, source) = (word("cell_id"), word("source"));
            format!("<cell id=\"{id}\">{source}</cell id=\"{id}\">")
        };
        return cells.iter().map(cell).collect::<Vec<_>>().join("\n");
    }
    let content = file["content"].as_str().unwrap_or_default();
    if content.is_empty() {
        return String::new();
    }
    let first = file["startLine"].as_u64().unwrap_or(1);
    let numbered = content.split('\n').zip(first..);
    let lines = numbered.map(|(line, number)| format!("{number}\t{line}"));
    lines.collect::<Vec<_>>().join("\n")
}

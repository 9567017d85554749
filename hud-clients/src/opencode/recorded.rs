//! opencode's records of its sessions: the output of `opencode export`, and its stored messages.
//!
//! | part of a message | observation |
//! | --- | --- |
//! | `text` of the user, unless opencode wrote it | the user's message |
//! | `step-start` of the assistant | a model call |
//! | `text` of the assistant | the agent's text; in a message that is a `summary`, the summary of a compaction |
//! | `tool` | a call of a tool, and its result |
//! | `step-finish` | the tokens of a model call |
//! | `compaction` | the beginning of a compaction |
//! | `file`, `reasoning`, `snapshot`, `patch`, `agent`, `retry`, `subtask` | none |

use std::fs;
use std::io::Read;
use std::path::Path;

use hud_observe::observation::{NotRun, Observation, Usage};
use serde_json::Value;

use super::Opencode;
use crate::json::{text, time};
use crate::placed::Messages;
use crate::printed::with_exit_code;
use crate::recorded::{Field, Joined, Records, json_files, json_in, separated};

/// True if a file with these keys is an export, or a message with its parts.
pub(super) fn is_export(keys: &[String]) -> bool {
    let has = |name: &str| keys.iter().any(|key| key == name);
    has("info") && (has("parts") || has("messages")) && !has("trajectory_format")
}

/// The messages of an export.
#[derive(Default)]
pub(super) struct Reader;

impl Records for Reader {
    fn field(&self, key: &str) -> Field {
        match key {
            "info" => Field::Value,
            "messages" => Field::Records,
            _ => Field::Other,
        }
    }

    /// Handles the session.
    fn value(&mut self, session: &Value, messages: &mut Messages<'_>) {
        if let Some(name) = text(session, "/id") {
            messages.push(Observation::Session { name });
        }
        if let Some(path) = text(session, "/directory") {
            messages.push(Observation::Directory { path });
        }
    }

    fn record(&mut self, record: &Value, messages: &mut Messages<'_>) {
        let info = &record["info"];
        let parts = record["parts"].as_array().map_or(&[][..], Vec::as_slice);
        messages.at = time(info, "/time/created");
        match info["role"].as_str() {
            Some("user") => user(parts, messages),
            Some("assistant") if info["summary"] == true => summary(parts, messages),
            Some("assistant") => assistant(info, parts, messages),
            Some(role) => messages.unknown(role),
            None => messages.passed_over("message without a role".to_owned()),
        }
    }
}

/// Returns a stored session in the form of an export: the messages in a folder, each with its parts.
pub(super) fn stored(storage: &Path, folder: &Path) -> Box<dyn Read> {
    let session = folder.file_name().unwrap_or_default().to_owned();
    let session = format!("{}.json", session.to_string_lossy());
    let projects = fs::read_dir(storage.join("session")).into_iter().flatten();
    let mut sessions = projects
        .flatten()
        .map(|project| project.path().join(&session));
    let session = sessions.find(|path| path.is_file());
    let session = session.map_or_else(|| "null".to_owned(), |path| json_in(&path));
    let parts = storage.join("part");
    let messages = json_files(folder).into_iter().map(move |message| {
        let id = message.file_stem().unwrap_or_default();
        let files = json_files(&parts.join(id)).into_iter();
        let parts: String = separated(files.map(|part| json_in(&part))).collect();
        format!("{{\"info\":{},\"parts\":[{parts}]}}", json_in(&message))
    });
    let begin = std::iter::once(format!("{{\"info\":{session},\"messages\":["));
    let end = std::iter::once("]}".to_owned());
    Box::new(Joined::of(begin.chain(separated(messages)).chain(end)))
}

/// Returns the texts of the parts that the message's author wrote.
fn texts(parts: &[Value]) -> String {
    let own = parts.iter().filter(|part| {
        part["type"] == "text" && part["synthetic"] != true && part["ignored"] != true
    });
    let texts: Vec<&str> = own.filter_map(|part| part["text"].as_str()).collect();
    texts.join("\n")
}

fn user(parts: &[Value], messages: &mut Messages<'_>) {
    for part in parts.iter().filter(|part| part["type"] == "compaction") {
        let is_automatic = part["auto"] == true;
        messages.push(Observation::CompactionBegins {
            trigger: Some(if is_automatic { "auto" } else { "manual" }.to_owned()),
            tokens_before: None,
        });
    }
    messages.user(unquoted(&texts(parts)));
}

/// Returns a prompt without the pair of quotation marks that `opencode run "x y"` puts around it.
fn unquoted(text: &str) -> &str {
    let within = || text.strip_prefix('"')?.strip_suffix('"');
    let is_pair = |within: &&str| within.matches('"').count() == within.matches("\\\"").count();
    within().filter(is_pair).unwrap_or(text)
}

fn summary(parts: &[Value], messages: &mut Messages<'_>) {
    let summary = texts(parts);
    messages.push(Observation::CompactionEnds {
        summary: Some(summary).filter(|summary| !summary.is_empty()),
        boundary: None,
    });
}

fn assistant(info: &Value, parts: &[Value], messages: &mut Messages<'_>) {
    let is_step = |part: &Value| part["type"] == "step-start";
    if !parts.iter().any(is_step) {
        messages.push(Observation::ModelCall);
    }
    for part in parts {
        match part["type"].as_str().unwrap_or_default() {
            "step-start" => messages.push(Observation::ModelCall),
            "text" if part["synthetic"] != true => {
                messages.said(part["text"].as_str().unwrap_or_default());
            }
            "tool" => tool(part, messages),
            "step-finish" => messages.push(Observation::Usage {
                usage: usage(&part["tokens"]),
                model: text(info, "/modelID"),
                window: None,
                provider: text(info, "/providerID"),
            }),
            "text" | "file" | "reasoning" | "snapshot" | "patch" | "agent" | "retry"
            | "subtask" => {}
            kind => messages.passed_over(format!("part {kind}")),
        }
    }
}

fn usage(tokens: &Value) -> Usage {
    let count = |pointer: &str| tokens.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input: count("/input"),
        cache_write: count("/cache/write"),
        cache_write_hour: 0,
        cache_read: count("/cache/read"),
        output: count("/output").saturating_add(count("/reasoning")),
    }
}

/// Reports a call, and its result if it ended.
fn tool(part: &Value, messages: &mut Messages<'_>) {
    let (Some(call), Some(tool)) = (part["callID"].as_str(), part["tool"].as_str()) else {
        return messages.passed_over("tool without a name".to_owned());
    };
    let state = &part["state"];
    let said = messages.at;
    messages.at = time(state, "/time/start").or(said);
    messages.call(&Opencode, call, tool, &state["input"]);
    messages.at = time(state, "/time/end").or(said);
    let (content, is_error, not_run) = match state["status"].as_str() {
        Some("completed") => {
            let output = state["output"].as_str().unwrap_or_default();
            ended(
                tool,
                output,
                state.pointer("/metadata/exit").and_then(Value::as_i64),
            )
        }
        Some("error") => failed(tool, state["error"].as_str().unwrap_or_default()),
        _ => return,
    };
    messages.push(Observation::result(call, content, is_error, not_run));
}

/// Returns the outcome of a call that has an error in place of a result.
fn failed(tool: &str, error: &str) -> (String, bool, Option<NotRun>) {
    const DECLINED: &str = "The user rejected permission to use this specific tool call";
    const FEEDBACK: &str = " with the following feedback: ";
    const RULE: &str = "The user has specified a rule";

    let is_skill =
        || tool == "skill" && error.starts_with("Skill \"") && error.contains("not found");
    // The rules follow as JSON.
    let rule = error.split(" Here are some of the relevant rules ").next();
    let rule = rule.filter(|rule| rule.starts_with(RULE));
    let not_run = if error == format!("Unknown tool: {tool}")
        || error.starts_with("Unknown agent type: ")
        || is_skill()
    {
        Some(NotRun::NoSuchTool)
    } else if error.starts_with(DECLINED) {
        let said = error.split_once(FEEDBACK).map(|(_, said)| said.to_owned());
        Some(NotRun::Declined { said })
    } else if rule.is_some()
        || error.starts_with(&format!(
            "The {tool} tool was called with invalid arguments"
        ))
    {
        Some(NotRun::Refused)
    } else if error == "Tool execution aborted" {
        Some(NotRun::Cancelled)
    } else {
        None
    };
    (rule.unwrap_or(error).to_owned(), true, not_run)
}

/// Returns the outcome of a call that has a result. For a command, opencode's text around its output is
/// removed.
fn ended(tool: &str, output: &str, exit: Option<i64>) -> (String, bool, Option<NotRun>) {
    const ABOUT: (&str, &str) = ("<shell_metadata>\n", "</shell_metadata>");
    const TRUNCATED: &str = "...output truncated...\n\nFull output saved to: ";
    const MISSING: &str = "Model tried to call unavailable tool";

    let has_failed = exit.is_some_and(|code| code != 0);
    match tool {
        // The call named no tool, or its arguments do not match the tool.
        "invalid" => {
            let not_run = match output.contains(MISSING) {
                true => NotRun::NoSuchTool,
                false => NotRun::Refused,
            };
            return (output.to_owned(), true, Some(not_run));
        }
        "bash" | "shell" => {}
        _ => return (output.to_owned(), has_failed, None),
    }
    let about = output
        .trim_end()
        .strip_suffix(ABOUT.1)
        .and_then(|output| output.rsplit_once(ABOUT.0));
    let (printed, about) =
        about.map_or((output, ""), |(printed, about)| (printed.trim_end(), about));
    let printed = match printed
        .strip_prefix(TRUNCATED)
        .and_then(|rest| rest.split_once("\n\n"))
    {
        Some((_, rest)) => rest,
        None => printed,
    };
    let printed = match printed.trim() {
        "(no output)" => "",
        _ => printed,
    };
    let reason = about.trim().split(". ").next().unwrap_or_default();
    if reason.starts_with("User aborted") {
        return (printed.to_owned(), true, Some(NotRun::Cancelled));
    }
    if reason.starts_with("shell tool terminated command") {
        let content = if printed.is_empty() { reason } else { printed };
        return (content.to_owned(), true, None);
    }
    (with_exit_code(printed.to_owned(), exit), has_failed, None)
}

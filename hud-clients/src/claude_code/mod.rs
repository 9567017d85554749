//! Claude Code. Its events have a `hook_event_name`. The output of its hooks is kept, as are prompts and
//! tool calls.
//!
//! | tool | action |
//! | --- | --- |
//! | `Read`, `NotebookRead` (older) | read |
//! | `Write` | write |
//! | `Edit`, `MultiEdit` (older), `NotebookEdit` | edit |
//! | `Bash`, `PowerShell` | run |
//! | `TodoWrite` | set the plan |
//! | `TaskCreate` | add a step |
//! | `TaskUpdate` | update a step |
//! | `AskUserQuestion`, `EnterPlanMode`, `ExitPlanMode` | ask |
//! | `Agent`, `Task` (older), `SendMessage`, `ListAgents`, `Workflow`, `RemoteTrigger` | delegate |
//! | `Glob`, `Grep`, `LS` (older), `LSP`, `WebFetch`, `WebSearch`, `ToolSearch`, `TaskGet`, `TaskList`, `TaskOutput`, `BashOutput` (older), `ListMcpResourcesTool`, `ReadMcpResourceTool`, `ReadMcpResourceDirTool` and, of all three, the names without `Tool` (older), `CronList`, `ReadNotifications`, `Monitor` | look |
//! | `Skill`, `SlashCommand`, `TaskStop`, `KillShell` and `KillBash` (older), `Config`, `REPL`, `StructuredOutput`, `SendUserMessage`, `Brief`, `CronCreate`, `CronDelete`, `ScheduleWakeup`, `DeferredToolPlaceholder`, `PushNotification`, `EnterWorktree`, `ExitWorktree`, `RefreshMcpTools`, `ReportFindings`, `SendFeedback`, `Artifact`, `Projects`, `ClaudeDesign`, `ProposeSkills`, `ProposeGoal`, `ShowOnboardingRolePicker`, `OfferChromeSetup` | other |
//!
//! Claude Code runs no hook for a call that it does not carry out. It writes the call with its marks
//! into the transcript, and the call is read from there.

mod patch;
mod persisted;
mod response;
mod tools;
mod transcript;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::observation::{Observation, Usage};
use hud_observe::reported::Reported;
use serde_json::Value;

use self::response::Response;
use self::tools::TOOLS;
use super::command_hook::{self, Peculiar};
use super::json::{newest, text, time};
use super::{Client, Found, HookEvent, Host, Kept, Portion, Tool, home_in, host};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Claude Code.
#[derive(Debug)]
pub struct ClaudeCode;

/// Parses the number of a task from the client's text, such as `Task #3 created ..`.
fn task_number(said: &str) -> Option<String> {
    let (_, rest) = said.split_once('#')?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// Returns an id that is written as a string or as a number.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a summary without the text that the client puts around it and without its analysis.
fn summary_of(summary: &str) -> &str {
    const PREAMBLE: &str = "This session is being continued from a previous conversation";
    const END: &str = "\n\nIf you need specific details from before compaction";

    let summary = summary.trim();
    if let Some((_, said)) = summary.split_once("<summary>")
        && let Some(said) = said.strip_suffix("</summary>")
    {
        return said.trim();
    }
    if !summary.starts_with(PREAMBLE) {
        return summary;
    }
    let summary = summary.split_once(END).map_or(summary, |(said, _)| said);
    match summary.split_once("\nSummary:") {
        Some((_, rest)) => rest.trim(),
        None => summary
            .split_once("\n\n")
            .map_or(summary, |(_, rest)| rest.trim()),
    }
}

impl Client for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    /// Events of Codex and Gemini CLI have this field too, so those clients are asked first.
    fn owns(&self, event: &Value) -> bool {
        event["hook_event_name"]
            .as_str()
            .is_some_and(|name| !name.is_empty())
    }

    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let transcript = text(event, "/transcript_path");
        let path = transcript.as_deref().map(Path::new);
        let read = command_hook::read(event, &Reading { host, path });
        let is_of_agent = !command_hook::is_of_sub_agent(event);
        let is_again = command_hook::resumes(event) && path.is_some_and(|path| has_hud(host, path));
        HookEvent {
            shows: match is_again {
                true => Portion::Changes,
                false => read.shows,
            },
            copied: path.map(Path::to_owned),
            missed: path.filter(|_| is_of_agent).map(Path::to_owned),
            // The transcript contains it only after the hooks have ended.
            said: text(event, "/last_assistant_message")
                .filter(|_| is_of_agent)
                .and_then(|text| Found::said(&text, None)),
            // Around a compaction, the transcript may still report the old context use.
            usage: match read.shows {
                // A forked session's transcript has the readings of its original.
                _ if read.is_fork => None,
                Portion::Changes | Portion::Once => path.and_then(|path| usage(host, path)),
                Portion::Nothing if is_of_agent && command_hook::ends_turn(event) => {
                    path.and_then(|path| usage(host, path))
                }
                Portion::Nothing | Portion::Whole => None,
            },
            ..read
        }
    }

    fn answer(&self, event: &Value, hud: &str, _: &str) -> Value {
        command_hook::answer(event, hud)
    }

    /// Claude Code shows the first 2,000 UTF-16 units of a text that has more than 10,000.
    fn most_bytes(&self) -> Option<usize> {
        Some(10_000)
    }

    fn says_session(&self) -> bool {
        false
    }

    /// Returns the agent's texts, and the calls that were not carried out.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        let mut file = host.open(transcript)?;
        let length = file.seek(SeekFrom::End(0)).ok()?;
        let begin = length.saturating_sub(host::SOME);
        let entries = transcript::end(BufReader::new(file), begin).unwrap_or_default();
        Some(missed(entries, from))
    }

    fn call_key(&self) -> Option<&'static str> {
        Some("claudecode/toolUseId")
    }

    /// Returns the ids of the prompts and of the tool calls.
    fn copied_names(&self, beginning: &str) -> Vec<String> {
        let mut names = Vec::new();
        let lines = beginning.lines();
        for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            names.extend(text(&line, "/promptId"));
            let blocks = line.pointer("/message/content").and_then(Value::as_array);
            let blocks = blocks.into_iter().flatten();
            names.extend(blocks.filter_map(|block| text(block, "/tool_use_id")));
        }
        names
    }

    /// Model responses that were requested in the original session name it.
    fn original(&self, beginning: &str) -> Option<String> {
        let of_line = |line: &Value| {
            let asked = text(line, "/requestSessionId")?;
            (text(line, "/sessionId")? != asked).then_some(asked)
        };
        newest(beginning, "\"requestSessionId\"", of_line)
    }

    /// Accepts any object on the first line. Only reading the file shows if it is a session.
    fn recognises(&self, beginning: &[u8]) -> bool {
        beginning.trim_ascii_start().starts_with(b"{")
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let home = home_in(host, "CLAUDE_CONFIG_DIR", ".claude");
        let projects = home.map(|home| home.join("projects"));
        projects
            .map(|projects| Kept::new(projects, &["*", "*.jsonl"]))
            .into_iter()
            .collect()
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        transcript::read(path, file, sink)
    }
}

/// Returns the agent's texts after a byte offset, the calls that were not carried out and whose results
/// are after it, and the byte offset where the entries end.
fn missed(entries: Vec<Entry>, from: u64) -> (Vec<Found>, u64) {
    let mut calls = HashMap::new();
    let (mut missed, mut end) = (Vec::new(), from);
    for entry in entries {
        end = end.max(entry.bytes);
        match entry.observation {
            Observation::ToolCall { call, actions } => {
                calls.insert(call, actions);
            }
            Observation::ToolResult {
                call,
                content,
                is_error,
                not_run: Some(not_run),
                task,
                change,
                ..
            } if entry.bytes > from => {
                missed.extend(calls.remove(&call).map(|actions| Found {
                    name: call.clone(),
                    at: entry.at,
                    observations: vec![Observation::ToolResult {
                        call,
                        actions,
                        content,
                        is_error,
                        not_run: Some(not_run),
                        task,
                        change,
                    }],
                }));
            }
            Observation::Agent { text } if entry.bytes > from => {
                missed.extend(Found::said(&text, entry.at));
            }
            _ => {}
        }
    }
    (missed, end)
}

/// True if the conversation contains a whole HUD since the last compaction.
fn has_hud(host: &dyn Host, transcript: &Path) -> bool {
    let is_it = |line: &str| {
        if !line.contains("<hud note=") {
            return false;
        }
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        let kept = &line["attachment"];
        let texts = match &kept["content"] {
            Value::Array(texts) => &texts[..],
            text => std::slice::from_ref(text),
        };
        let mut texts = texts.iter().filter_map(Value::as_str);
        line["isSidechain"] != true
            && kept["type"] == "hook_additional_context"
            && texts.any(command_hook::is_whole_hud)
    };
    let begins = |line: &str| line.contains("\"isCompactSummary\":true");
    host::has_since(host, transcript, begins, is_it)
}

/// Returns the token usage of the last model call since the last compaction.
fn usage(host: &dyn Host, transcript: &Path) -> Option<Reported> {
    newest(&host::end(host, transcript)?, "", |line| {
        if line["isSidechain"] == true {
            return None;
        }
        if line["isCompactSummary"] == true {
            // The content before it is no longer in the context.
            return Some(None);
        }
        let usage = line
            .pointer("/message/usage")
            .filter(|_| line["type"] == "assistant")?;
        let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
        let observation = Observation::Usage {
            usage: Usage {
                input: count("input_tokens"),
                cache_write: count("cache_creation_input_tokens"),
                cache_write_hour: usage
                    .pointer("/cache_creation/ephemeral_1h_input_tokens")
                    .and_then(Value::as_u64)
                    .unwrap_or(0),
                cache_read: count("cache_read_input_tokens"),
                output: count("output_tokens"),
            },
            model: text(line, "/message/model"),
            window: None,
            provider: None,
        };
        Some(Some(Reported {
            at: time(line, "/timestamp"),
            observation,
        }))
    })?
}

/// An event's reading, with the files that belong to it.
struct Reading<'r> {
    host: &'r dyn Host,
    path: Option<&'r Path>,
}

impl Reading<'_> {
    /// Returns the subject of the task with a number. Only the event that created the task contains it.
    fn subject(&self, task: &str) -> Option<String> {
        newest(&host::end(self.host, self.path?)?, "\"task\"", |line| {
            let known = line.pointer("/toolUseResult/task")?;
            let is_it = number(&known["id"]).is_some_and(|id| id == task);
            is_it.then(|| text(known, "/subject"))?
        })
    }
}

impl Peculiar for Reading<'_> {
    fn results(&self, event: &Value, is_error: bool) -> Vec<Observation> {
        let tool = text(event, "/tool_name").unwrap_or_default();
        let said = command_hook::said(event);
        let mut actions = ClaudeCode.actions(&tool, &event["tool_input"]);
        for action in &mut actions {
            if let Action::UpdateStep {
                number,
                description,
                ..
            } = action
            {
                *description = self.subject(number);
            }
        }
        let mut response = Response::of_hook(&tool, said.unwrap_or(&Value::Null), is_error);
        if let Some(output) = said.and_then(|said| persisted::output(event, said, self.host)) {
            response.text = output;
        }
        let made = said.and_then(|said| number(said.pointer("/task/id")?));
        vec![Observation::ToolResult {
            call: text(event, "/tool_use_id").unwrap_or_default(),
            actions: actions.into(),
            content: response.text,
            is_error: response.is_error,
            not_run: response.not_run,
            task: made.or_else(|| task_number(said?.as_str()?)),
            change: said.and_then(|said| {
                let path = text(&event["tool_input"], "/file_path").unwrap_or_default();
                patch::change(
                    &path,
                    &said["structuredPatch"],
                    said["type"].as_str(),
                    false,
                )
            }),
        }]
    }

    /// The client writes it after the hooks have ended, so the transcript could only contain an older
    /// one.
    fn kept(&self, _: &Value) -> Option<String> {
        None
    }

    fn summary<'s>(&self, summary: &'s str) -> &'s str {
        summary_of(summary)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::Files;
    use hud_observe::action::Progress;

    #[test]
    fn a_summarys_preamble_is_left_out() {
        let begin = "This session is being continued from a previous conversation";
        let summary = format!("{begin} that ran out.\nAnalysis:\nhow\n\nSummary:\n1. The task");
        assert_eq!(summary_of(&summary), "1. The task");
        assert_eq!(summary_of(" plain "), "plain");
        assert_eq!(
            summary_of(&format!("{begin}.\n\nwhat it was")),
            "what it was"
        );
        let wrapped = "<analysis>how</analysis>\n<summary>\nwhat it was\n</summary>";
        assert_eq!(summary_of(wrapped), "what it was");
    }

    #[test]
    fn the_last_usage_is_found_if_nothing_was_compacted_since() {
        let used = |lines: &[&str]| {
            let host = Files::of("t", lines.join("\n"));
            match usage(&host, "t".as_ref())?.observation {
                Observation::Usage { usage, .. } => Some(usage),
                _ => None,
            }
        };
        let said = r#"{"type":"assistant","message":{"model":"claude","usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":12,"ephemeral_1h_input_tokens":8},"cache_read_input_tokens":30,"output_tokens":5}}}"#;
        let other =
            r#"{"type":"assistant","isSidechain":true,"message":{"usage":{"input_tokens":1}}}"#;
        let summary = r#"{"type":"user","isCompactSummary":true}"#;
        let usage = Usage {
            input: 10,
            cache_write: 20,
            cache_write_hour: 8,
            cache_read: 30,
            output: 5,
        };
        assert_eq!(used(&[summary, said, other, "{"]), Some(usage));
        assert_eq!(used(&[said, summary]), None);
    }

    #[test]
    fn a_task_is_moved_on_by_what_its_creation_said() {
        let created = json!({ "type": "user", "toolUseResult": { "task": { "id": "3", "subject": "test" } } });
        let host = Files::of("t", format!("{created}\n"));
        let event = |tool: &str, input: Value, response: Value| {
            json!({
                "hook_event_name": "PostToolUse", "session_id": "s", "transcript_path": "t",
                "tool_name": tool, "tool_input": input, "tool_response": response,
            })
        };
        let updated = event(
            "TaskUpdate",
            json!({ "taskId": "3", "status": "completed" }),
            json!({}),
        );
        let read = ClaudeCode.read(&updated, &host);
        let [Observation::ToolResult { actions, .. }] = &read.observations[..] else {
            unreachable!("{read:?}");
        };
        let step = Action::UpdateStep {
            number: "3".into(),
            description: Some("test".into()),
            progress: Some(Progress::Completed),
        };
        assert_eq!(actions, &step.into());

        let response = json!({ "task": { "id": "4", "subject": "see #7" } });
        let made = event("TaskCreate", json!({ "subject": "see #7" }), response);
        let read = ClaudeCode.read(&made, &host);
        assert!(matches!(
            &read.observations[..],
            [Observation::ToolResult { task: Some(task), .. }] if task == "4"
        ));
    }
}

//! Cline. Its events are recognised by `hookName`. The output of its hooks is kept beside each tool
//! call.
//!
//! | tool | action |
//! | --- | --- |
//! | `read_files`, `read_file` (older) | read each file |
//! | `write_to_file` (older) | write |
//! | `editor`, `replace_in_file` (older), `new_rule` (older) | edit |
//! | `apply_patch` | write, edit, delete, move, as the patch does with each file |
//! | `run_commands`, `execute_command` (older) | run each command |
//! | `ask_question`, `ask_followup_question`, `plan_mode_respond` (older) | ask |
//! | `spawn_agent`, `new_task`, `team_spawn_teammate`, `team_run_task`, `team_send_message`, `team_broadcast`, `team_task` | delegate |
//! | `search_codebase`, `fetch_web_content`, `search_files`, `list_files`, `list_code_definition_names`, `web_fetch`, `web_search`, `browser_action`, `access_mcp_resource`, `load_mcp_documentation`, `team_status`, `team_await_runs`, `team_list_runs`, `team_list_outcomes`, `team_read_mailbox` | look |
//! | `skills`, `use_skill`, `submit_and_exit`, `attempt_completion`, `use_mcp_tool`, `condense`, the other `team_` tools | other |
//!
//! The output of a tool that ran and failed contains the failure. A tool that did not run has only an
//! `error`. The user's messages and the context use are read from the conversation. The events of a
//! sub-agent have the name of its session and also name the agent that it works for. The events of a
//! teammate do not.

mod conversation;
mod recorded;

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation};
use serde_json::{Value, json};

use self::conversation::Conversation;
use super::json::{text, time};
use super::printed::{printed, says_failed, streams, with_exit_code};
use super::{
    Client, Found, HookEvent, Host, Kept, Portion, Step, Tool, first_keys, is_hud, tools, wrapped,
};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Cline.
#[derive(Debug)]
pub struct Cline;

const TOOLS: &[Tool] = &[
    Tool::by("read_files", read_files),
    Tool::reads("read_file", &["path", "file_path"]),
    Tool::writes("write_to_file", &["path"]),
    Tool::edits("editor", &["path"]),
    Tool::edits("replace_in_file", &["path"]),
    Tool::edits("new_rule", &["path"]),
    Tool::patches("apply_patch", &["input"]),
    Tool::by("run_commands", run_commands),
    Tool::runs("execute_command", &["command"]),
    Tool::asks("ask_question"),
    Tool::asks("ask_followup_question"),
    Tool::asks("plan_mode_respond"),
    Tool::delegates("spawn_agent"),
    Tool::delegates("new_task"),
    Tool::delegates("team_spawn_teammate"),
    Tool::delegates("team_run_task"),
    Tool::delegates("team_send_message"),
    Tool::delegates("team_broadcast"),
    Tool::delegates("team_task"),
    Tool::looks("search_codebase"),
    Tool::looks("fetch_web_content"),
    Tool::looks("search_files"),
    Tool::looks("list_files"),
    Tool::looks("list_code_definition_names"),
    Tool::looks("web_fetch"),
    Tool::looks("web_search"),
    Tool::looks("browser_action"),
    Tool::looks("access_mcp_resource"),
    Tool::looks("load_mcp_documentation"),
    Tool::looks("team_status"),
    Tool::looks("team_await_runs"),
    Tool::looks("team_list_runs"),
    Tool::looks("team_list_outcomes"),
    Tool::looks("team_read_mailbox"),
    Tool::other("skills"),
    Tool::other("use_skill"),
    Tool::other("submit_and_exit"),
    Tool::other("attempt_completion"),
    Tool::other("use_mcp_tool"),
    Tool::other("condense"),
    Tool::other("team_attach_outcome_fragment"),
    Tool::other("team_cancel_run"),
    Tool::other("team_cleanup"),
    Tool::other("team_create_outcome"),
    Tool::other("team_finalize_outcome"),
    Tool::other("team_mission_log"),
    Tool::other("team_review_outcome_fragment"),
    Tool::other("team_shutdown_teammate"),
];

/// Returns the entries of an argument, which is a list or a single value.
fn entries(given: &Value) -> &[Value] {
    match given {
        Value::Array(entries) => entries,
        Value::Null => &[],
        one => std::slice::from_ref(one),
    }
}

/// Returns the files that a call reads. Cline accepts several forms of the arguments.
fn read_files(input: &Value) -> Vec<Action> {
    let files = ["files", "file_paths"]
        .iter()
        .find_map(|key| input.get(key));
    let path = |file: &Value| {
        let named = ["path", "file_path", "filePath"];
        let path = named.iter().find_map(|key| tools::text(file, key));
        path.or_else(|| file.as_str().map(ToOwned::to_owned))
    };
    let paths = entries(files.unwrap_or(input)).iter().filter_map(path);
    paths.map(Action::read).collect()
}

/// Returns the commands that a call runs. Cline accepts several forms of the arguments.
fn run_commands(input: &Value) -> Vec<Action> {
    let commands = input.get("commands").unwrap_or(input);
    let command = |given: &Value| {
        let named = ["command", "cmd"];
        let program = named.iter().find_map(|key| tools::text(given, key));
        let program = program.or_else(|| given.as_str().map(ToOwned::to_owned))?;
        let arguments = given.get("args").and_then(tools::command);
        Some(match arguments {
            Some(arguments) => format!("{program} {arguments}"),
            None => program,
        })
    };
    let commands = entries(commands).iter().filter_map(command);
    commands.map(|command| Action::Run { command }).collect()
}

impl Client for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn owns(&self, event: &Value) -> bool {
        event.get("hookName").is_some()
    }

    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let is_of_sub_agent = event["parent_agent_id"].is_string();
        let (mut step, mut wants_answer) = (Step::Runs, false);
        let (mut observations, shows) = match event["hookName"].as_str().unwrap_or_default() {
            "prompt_submit" => {
                let said = text(event, "/userPromptSubmit/prompt");
                let said = said.map(|text| Observation::User { text });
                (said.into_iter().collect(), Portion::Nothing)
            }
            "tool_call" => {
                // The answer adds the session to a call of our own tool.
                wants_answer = text(event, "/tool_call/name").is_some_and(|tool| is_hud(&tool));
                (Vec::new(), Portion::Changes)
            }
            "tool_result" => (self.results(event), Portion::Changes),
            name => {
                match name {
                    _ if is_of_sub_agent => {}
                    "agent_start" => step = Step::Begins,
                    "session_shutdown" => step = Step::Ends,
                    _ => {}
                }
                (Vec::new(), Portion::Nothing)
            }
        };
        // The requests to a sub-agent are not the user's. It must not be shown the changes either,
        // because then the session's agent would never see them.
        let shows = match is_of_sub_agent {
            true => {
                observations.retain(|observed| matches!(observed, Observation::ToolResult { .. }));
                Portion::Nothing
            }
            false => shows,
        };
        let session = text(event, "/sessionContext/rootSessionId")
            .or_else(|| text(event, "/taskId"))
            .unwrap_or_default();
        let conversation = Conversation::of(host, &session);
        let usage = match shows {
            Portion::Changes | Portion::Once => conversation.as_ref().and_then(Conversation::usage),
            Portion::Nothing | Portion::Whole => None,
        };
        HookEvent {
            missed: Conversation::path(host, &session),
            said: text(event, "/turn/outputText")
                .filter(|_| !is_of_sub_agent)
                .and_then(|text| Found::said(&text, None)),
            session,
            directory: text(event, "/workspaceInfo/rootPath")
                .or_else(|| text(event, "/workspaceRoots/0"))
                .map(Into::into),
            observations,
            at: time(event, "/tool_result/endedAt").or_else(|| time(event, "/timestamp")),
            step,
            found: conversation
                .iter()
                .filter_map(Conversation::request)
                .collect(),
            usage,
            shows,
            wants_answer,
            is_of_sub_agent,
            ..HookEvent::default()
        }
    }

    /// Returns the agent's texts. Offsets count messages.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        Some(Conversation::open(host, transcript)?.said(from))
    }

    /// Adds the session to a call of our own tool, because one process of Cline may run several
    /// sessions.
    fn answer(&self, event: &Value, hud: &str, session: &str) -> Value {
        let mut answer = json!({ "cancel": false });
        if !hud.is_empty() {
            answer["contextModification"] = wrapped(hud).into();
        }
        if event["hookName"] == "tool_call"
            && text(event, "/tool_call/name").is_some_and(|tool| is_hud(&tool))
            && let Some(Value::Object(input)) = event.pointer("/tool_call/input")
        {
            let mut input = input.clone();
            input.insert("session".to_owned(), session.into());
            answer["overrideInput"] = input.into();
        }
        answer
    }

    /// Cline cuts the end of a text that has more than 50,000 UTF-16 units.
    fn most_bytes(&self) -> Option<usize> {
        Some(50_000)
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        recorded::is_conversation(&first_keys(beginning), beginning)
    }

    /// Opens the folder of an SDK session, or of a task.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        let session = folder.file_name()?.to_str()?;
        let messages = format!("{session}.messages.json");
        super::recorded::file_in(folder, &messages)
            .or_else(|| super::recorded::file_in(folder, recorded::OF_TASK))
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        conversation::sessions(host)
            .map(|sessions| Kept::new(sessions, &["*", "*.messages.json"]))
            .into_iter()
            .collect()
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        super::recorded::read(self, path, file, &mut recorded::Reader::of(path), sink)
    }
}

impl Cline {
    fn results(&self, event: &Value) -> Vec<Observation> {
        let result = &event["tool_result"];
        let tool = text(result, "/name").unwrap_or_default();
        if is_hud(&tool) {
            return Vec::new();
        }
        let (input, output) = (&result["input"], &result["output"]);
        let call = text(result, "/id").unwrap_or_default();
        let actions = self.actions(&tool, input);
        // These tools read several files or run several commands, and report each outcome.
        if matches!(tool.as_str(), "read_files" | "run_commands")
            && let Some(done) = output.as_array()
        {
            let one = |(index, done): (usize, &Value)| Observation::ToolResult {
                call: format!("{call} {index}"),
                actions: each(&tool, actions.get(index), done).into(),
                content: said(done),
                is_error: done["success"] == false,
                not_run: None,
                task: None,
                change: None,
            };
            return done.iter().enumerate().map(one).collect();
        }
        let outcome = outcome(&tool, output);
        let has_failed = event.pointer("/postToolUse/success") == Some(&Value::Bool(false));
        vec![Observation::ToolResult {
            call,
            actions: actions.into(),
            content: outcome.content,
            is_error: outcome.is_error || has_failed,
            not_run: outcome.not_run,
            task: None,
            change: None,
        }]
    }
}

/// The outcome of a call.
struct Outcome {
    content: String,
    is_error: bool,
    not_run: Option<NotRun>,
}

/// Returns the outcome of a call from its output. A tool that ran and failed has a field `success`.
fn outcome(tool: &str, output: &Value) -> Outcome {
    let reason = output["error"].as_str();
    let is_missing = reason.is_some_and(|said| tools::is_missing(tool, said));
    let is_of_client = output.get("success").is_none() && reason.is_some();
    let parts = output.as_array().filter(|parts| {
        let is_part = |part: &Value| part["success"].is_boolean();
        !parts.is_empty() && parts.iter().all(is_part)
    });
    let content = match (parts, reason) {
        (Some(parts), _) => parts.iter().map(said).collect::<Vec<_>>().join("\n"),
        (None, Some(reason)) if is_of_client => reason.to_owned(),
        (None, Some(_)) => said(output),
        (None, None) => printed(output),
    };
    let not_run = match is_missing {
        true => Some(NotRun::NoSuchTool),
        false => reason.filter(|_| is_of_client).and_then(not_run),
    };
    Outcome {
        content,
        is_error: not_run.is_some()
            || says_failed(output)
            || parts.is_some_and(|parts| parts.iter().all(says_failed)),
        not_run,
    }
}

/// Returns the reason why a call was not carried out, from the text that Cline returns in place of a
/// result.
fn not_run(reason: &str) -> Option<NotRun> {
    const REJECTED: &str = "This tool call was rejected by the user and not executed.";
    const NO_FAILURE: &str = "NOT a tool or system failure. Clarify with user before proceeding.";

    // The arguments do not match the tool.
    let is_wrong = || reason.starts_with('\u{2716}').then_some(NotRun::Refused);
    let is_declined = reason.starts_with(REJECTED) || reason.ends_with(NO_FAILURE);
    let declined = is_declined.then_some(NotRun::Declined { said: None });
    declined.or_else(is_wrong)
}

/// Returns the action of one of several results. The result names the command. For a file, the result
/// may also name a part of it, so the action comes from the input, which names only the file.
fn each(tool: &str, asked: Option<&Action>, done: &Value) -> Action {
    match (asked, tools::text(done, "query")) {
        (Some(read @ Action::Read { .. }), _) => read.clone(),
        (_, Some(path)) if tool == "read_files" => Action::read(path),
        (_, Some(command)) => Action::Run { command },
        (asked, None) => asked.cloned().unwrap_or_else(|| tools::other(tool, done)),
    }
}

/// Returns the text of one of several results, without Cline's remarks on its process. If it printed
/// nothing, it returns the reason of the failure.
fn said(done: &Value) -> String {
    const STDERR: &str = "\n[stderr]\n";
    const ON_BACKGROUND: &str = "\n[Command completed with background processes still running; ";

    let result = printed(&done["result"]);
    if result.is_empty()
        && says_failed(done)
        && let Some(reason) = done["error"].as_str()
    {
        return reason.to_owned();
    }
    let ended = result.split_once(']').and_then(|(head, rest)| {
        let code = head.strip_prefix("[Command exited with code ")?;
        Some((code.parse().ok(), rest))
    });
    let (code, text) = ended.unwrap_or((None, &result));
    let text = match text.rsplit_once(ON_BACKGROUND) {
        Some((text, mark)) if mark.trim_end().ends_with(']') && mark.lines().count() == 1 => text,
        _ => text,
    };
    let text = match text.split_once(STDERR) {
        Some((stdout, stderr)) => streams(stdout, stderr),
        None => text.trim_start().to_owned(),
    };
    with_exit_code(text, code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;
    use crate::tests::{
        asks, assert_tools, delegates, edits, looks, makes, other, reads, runs, writes,
    };

    #[test]
    fn each_tool_is_an_action() {
        let path = || json!({ "path": "a" });
        let patch = json!({ "input": "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch" });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            (
                "read_files",
                json!({ "files": [{ "path": "a" }, "b"] }),
                vec![reads("a"), reads("b")],
            ),
            (
                "read_files",
                json!({ "files": { "file_path": "a" } }),
                vec![reads("a")],
            ),
            (
                "read_files",
                json!({ "file_paths": ["a"] }),
                vec![reads("a")],
            ),
            ("read_file", path(), vec![reads("a")]),
            ("write_to_file", path(), vec![writes("a")]),
            ("editor", path(), vec![edits("a")]),
            ("replace_in_file", path(), vec![edits("a")]),
            ("new_rule", path(), vec![edits("a")]),
            ("apply_patch", patch, vec![makes("n")]),
            (
                "run_commands",
                json!({ "commands": ["make", { "command": "git", "args": ["status"] }] }),
                vec![runs("make"), runs("git status")],
            ),
            ("run_commands", json!({ "cmd": "make" }), vec![runs("make")]),
            (
                "execute_command",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
        ];
        for tool in ["ask_question", "ask_followup_question", "plan_mode_respond"] {
            tried.push((tool, json!({}), vec![asks(tool)]));
        }
        for tool in [
            "spawn_agent",
            "new_task",
            "team_spawn_teammate",
            "team_run_task",
            "team_send_message",
            "team_broadcast",
            "team_task",
        ] {
            tried.push((tool, json!({}), vec![delegates(tool, None)]));
        }
        for tool in [
            "search_codebase",
            "fetch_web_content",
            "search_files",
            "list_files",
            "list_code_definition_names",
            "web_fetch",
            "web_search",
            "browser_action",
            "access_mcp_resource",
            "load_mcp_documentation",
            "team_status",
            "team_await_runs",
            "team_list_runs",
            "team_list_outcomes",
            "team_read_mailbox",
        ] {
            tried.push((tool, json!({ "url": "u" }), vec![looks(tool, Some("u"))]));
        }
        for tool in [
            "skills",
            "use_skill",
            "submit_and_exit",
            "attempt_completion",
            "use_mcp_tool",
            "condense",
            "team_attach_outcome_fragment",
            "team_cancel_run",
            "team_cleanup",
            "team_create_outcome",
            "team_finalize_outcome",
            "team_mission_log",
            "team_review_outcome_fragment",
            "team_shutdown_teammate",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&Cline, &tried);
    }

    #[test]
    fn each_of_several_results_is_one_of_its_own() {
        let event = json!({ "hookName": "tool_result", "taskId": "t", "tool_result": {
            "id": "c", "name": "run_commands", "input": { "commands": ["make", "make test"] },
            "output": [
                { "query": "make", "result": "done", "success": true },
                { "query": "make test", "result": "[Command exited with code 2] no", "success": false },
            ],
        } });
        let read = Cline.read(&event, &Files::default());
        let results: Vec<_> = read
            .observations
            .iter()
            .map(|observed| match observed {
                Observation::ToolResult {
                    call,
                    actions,
                    content,
                    is_error,
                    ..
                } => (
                    call.as_str(),
                    actions.iter().map(Action::label).collect::<String>(),
                    content.as_str(),
                    *is_error,
                ),
                other => unreachable!("{other:?}"),
            })
            .collect();
        assert_eq!(
            results,
            [
                ("c 0", "Bash make".to_owned(), "done", false),
                ("c 1", "Bash make test".to_owned(), "no", true),
            ]
        );
    }
}

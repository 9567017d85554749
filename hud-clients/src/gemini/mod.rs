//! Gemini CLI. Its events are recognised by their names, or by a time that no other client puts into the
//! events that have the same names. Its hooks can add text to each request; the conversation does not
//! keep that text.
//!
//! | tool | action |
//! | --- | --- |
//! | `read_file` | read |
//! | `read_many_files` | read each file that is named; look if only patterns or folders are named |
//! | `write_file` | write |
//! | `replace` | edit |
//! | `run_shell_command` | run |
//! | `write_todos` | set the plan |
//! | `ask_user`, `enter_plan_mode`, `exit_plan_mode` | ask |
//! | `invoke_agent`, `codebase_investigator`, `cli_help`, `generalist`, `browser_agent` | delegate |
//! | `glob`, `grep_search`, `search_file_content` (older), `list_directory`, `google_web_search`, `web_fetch`, `get_internal_docs`, `list_mcp_resources`, `read_mcp_resource`, `list_background_processes`, `read_background_output`, `take_snapshot`, `tracker_get_task`, `tracker_list_tasks`, `tracker_visualize` | look |
//! | `activate_skill`, `save_memory`, `update_topic`, `complete_task`, `tracker_create_task`, `tracker_update_task`, `tracker_add_dependency` | other: the tracker has a graph of tasks, not a list of steps |
//!
//! A failed tool has an `error`. A failed command reports its exit code after its output, with a tag
//! around both. No event reports a compression or the agent's texts; they are read from the
//! conversation's file.

mod chat;
mod recorded;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation, Usage};
use hud_observe::reported::Reported;
use serde_json::{Value, json};

use super::chat::any_of_first;
use super::json::{newest, text, time};
use super::printed::printed;
use super::{
    Client, Found, HookEvent, Host, Kept, Portion, Step, Tool, host, is_hud, tools, wrapped,
};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Gemini CLI.
#[derive(Debug)]
pub struct Gemini;

const TOOLS: &[Tool] = &[
    Tool::reads("read_file", &["file_path", "absolute_path"]),
    Tool::by("read_many_files", read_many_files),
    Tool::writes("write_file", &["file_path"]),
    Tool::edits("replace", &["file_path"]),
    Tool::runs("run_shell_command", &["command"]),
    Tool::plans("write_todos", "todos", &["content", "description"]),
    Tool::asks("ask_user"),
    Tool::asks("enter_plan_mode"),
    Tool::asks("exit_plan_mode"),
    Tool::delegates("invoke_agent"),
    Tool::delegates("codebase_investigator"),
    Tool::delegates("cli_help"),
    Tool::delegates("generalist"),
    Tool::delegates("browser_agent"),
    Tool::looks("glob"),
    Tool::looks("grep_search"),
    Tool::looks("search_file_content"),
    Tool::looks("list_directory"),
    Tool::looks("google_web_search"),
    Tool::looks("web_fetch"),
    Tool::looks("get_internal_docs"),
    Tool::looks("list_mcp_resources"),
    Tool::looks("read_mcp_resource"),
    Tool::looks("list_background_processes"),
    Tool::looks("read_background_output"),
    Tool::looks("take_snapshot"),
    Tool::looks("tracker_get_task"),
    Tool::looks("tracker_list_tasks"),
    Tool::looks("tracker_visualize"),
    Tool::other("activate_skill"),
    Tool::other("save_memory"),
    Tool::other("update_topic"),
    Tool::other("complete_task"),
    Tool::other("tracker_create_task"),
    Tool::other("tracker_update_task"),
    Tool::other("tracker_add_dependency"),
];

/// Returns a read of each named file. If only folders or patterns are named, the files are not known,
/// and the action is a look.
fn read_many_files(input: &Value) -> Vec<Action> {
    let named = input["include"].as_array().into_iter().flatten();
    let is_file = |path: &&str| {
        let is_pattern = path.contains(['*', '?', '[', '{']);
        !is_pattern && !path.is_empty() && !path.ends_with('/')
    };
    let files: Vec<Action> = named
        .filter_map(Value::as_str)
        .filter(is_file)
        .map(Action::read)
        .collect();
    match files.is_empty() {
        true => vec![Action::Look {
            tool: "read_many_files".to_owned(),
            target: input["include"][0].as_str().map(ToOwned::to_owned),
        }],
        false => files,
    }
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

impl Client for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn owns(&self, event: &Value) -> bool {
        let is_shared = |name: &str| matches!(name, "SessionStart" | "SessionEnd");
        event["hook_event_name"].as_str().is_some_and(|name| {
            is_its_own(name) || is_shared(name) && event["timestamp"].is_string()
        })
    }

    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let transcript: Option<PathBuf> = text(event, "/transcript_path").map(Into::into);
        let file = transcript.as_deref();
        // True if a hook's output would reorder the parts of a message.
        let is_mixed = || file.is_some_and(|file| chat::is_mixed(host, file));
        // The part of the HUD that is added to a prompt or a tool's result, which the conversation
        // keeps: the changes, if the request must not be altered.
        let besides = || match is_mixed() {
            true => Portion::Changes,
            false => Portion::Nothing,
        };
        let is_of_sub_agent = is_of_sub_agent(event, || {
            file.is_some_and(|file| chat::has_setup(host, file))
        });
        let mut step = Step::Runs;
        let (observations, shows) = match event["hook_event_name"].as_str().unwrap_or_default() {
            "BeforeAgent" => {
                let said = text(event, "/prompt").map(|prompt| Observation::User {
                    text: typed(&prompt).to_owned(),
                });
                (said.into_iter().collect(), besides())
            }
            // A sub-agent must not get its parent's task.
            "BeforeModel" if is_of_sub_agent => (Vec::new(), Portion::Nothing),
            "BeforeModel" if is_mixed() => (Vec::new(), Portion::Nothing),
            "BeforeModel" => (Vec::new(), Portion::Once),
            "AfterTool" => (self.result(event), besides()),
            name => {
                match name {
                    "SessionStart" => step = Step::begins(event),
                    "SessionEnd" => step = Step::Ends,
                    // PreCompress precedes every model call, even if nothing is compressed.
                    _ => {}
                }
                (Vec::new(), Portion::Nothing)
            }
        };
        let usage = match shows {
            Portion::Changes | Portion::Once => file.and_then(|file| usage(host, file)),
            Portion::Nothing | Portion::Whole => None,
        };
        HookEvent {
            session: text(event, "/session_id").unwrap_or_default(),
            directory: text(event, "/cwd").map(Into::into),
            observations,
            at: time(event, "/timestamp"),
            step,
            usage,
            shows,
            is_of_hud: text(event, "/tool_name").is_some_and(|tool| is_hud(&tool)),
            missed: transcript.filter(|_| !is_of_sub_agent),
            is_of_sub_agent,
            ..HookEvent::default()
        }
    }

    /// For a model request, returns the request with the HUD after its messages.
    fn answer(&self, event: &Value, hud: &str, _: &str) -> Value {
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

    fn says_session(&self) -> bool {
        false
    }

    /// Returns the agent's texts, and the compression of the conversation, if there was one.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        Some(chat::behind(host, transcript, from))
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        any_of_first(beginning, recorded::is_chat)
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let home = host.variable("GEMINI_CLI_HOME").or_else(|| host.home());
        let projects = home.map(|home| home.join(".gemini/tmp"));
        projects
            .map(|projects| Kept::new(projects, &["*", "chats", "session-*"]))
            .into_iter()
            .collect()
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        super::recorded::read(self, path, file, &mut recorded::Reader::default(), sink)
    }
}

impl Gemini {
    fn result(&self, event: &Value) -> Vec<Observation> {
        let tool = text(event, "/tool_name").unwrap_or_default();
        if is_hud(&tool) {
            return Vec::new();
        }
        let response = &event["tool_response"];
        let error = response.get("error").filter(|error| !error.is_null());
        let said = match error {
            Some(error) => printed(error.get("message").unwrap_or(error)),
            None => printed(&response["llmContent"]),
        };
        let shown = response["returnDisplay"].as_str().unwrap_or_default();
        let outcome = outcome(&tool, said, error.is_some(), shown);
        vec![Observation::ToolResult {
            call: String::new(),
            actions: self.actions(&tool, &event["tool_input"]).into(),
            content: outcome.content,
            is_error: outcome.is_error,
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

/// Returns the outcome of a call from the text for the model and the text that the user sees.
fn outcome(tool: &str, said: String, has_failed: bool, shown: &str) -> Outcome {
    let said = match has_failed {
        true => of_server(said),
        false => unwrapped(said),
    };
    let process = (tool == "run_shell_command").then(|| process(&said, shown));
    let not_run = match &process {
        Some(process) if process.goes_on => Some(NotRun::Unfinished),
        Some(process) if process.was_cancelled => Some(NotRun::Cancelled),
        _ => tools::is_missing(tool, &said).then_some(NotRun::NoSuchTool),
    };
    let is_failed = process
        .as_ref()
        .is_some_and(|process| process.failure.is_some());
    let content = match process {
        Some(Process {
            output,
            failure: Some(failure),
            ..
        }) if output.trim().is_empty() => failure,
        Some(process) => process.output.to_owned(),
        None => said.clone(),
    };
    Outcome {
        content,
        is_error: has_failed || is_failed,
        not_run,
    }
}

/// True if a request comes from a sub-agent. Its events have the names of its parent's session and file.
/// The client begins the parent's conversation with its own message, but not that of a sub-agent.
/// `is_set_up` returns true if the session's conversation has that message.
fn is_of_sub_agent(event: &Value, is_set_up: impl FnOnce() -> bool) -> bool {
    let Some(messages) = event
        .pointer("/llm_request/messages")
        .and_then(Value::as_array)
    else {
        return false;
    };
    let mut texts = messages
        .iter()
        .filter_map(|message| message["content"].as_str());
    !messages.is_empty()
        && !texts.any(|text| text.trim_start().starts_with(chat::SETUP))
        && is_set_up()
}

/// Returns the token usage of the last model call since the last compression.
fn usage(host: &dyn Host, transcript: &Path) -> Option<Reported> {
    newest(&host::end(host, transcript)?, "", |line| {
        // This line replaces the conversation. The content before it is no longer in the context.
        if line.pointer("/$set/messages").is_some() {
            return Some(None);
        }
        let observation = tokens(line).filter(|_| line["type"] == "gemini")?;
        Some(Some(Reported {
            at: time(line, "/timestamp"),
            observation,
        }))
    })?
}

/// Returns the token usage of the model call that wrote a message.
fn tokens(message: &Value) -> Option<Observation> {
    let tokens = message.get("tokens").filter(|tokens| tokens.is_object())?;
    let count = |key: &str| tokens.get(key).and_then(Value::as_u64).unwrap_or(0);
    let cache_read = count("cached");
    Some(Observation::Usage {
        usage: Usage {
            // The input tokens include those that were read from the cache.
            input: count("input").saturating_sub(cache_read),
            cache_write: 0,
            cache_write_hour: 0,
            cache_read,
            output: count("output").saturating_add(count("thoughts")),
        },
        model: text(message, "/model"),
        window: None,
        provider: None,
    })
}

/// Returns a result without the tag that Gemini CLI puts around each part of a command's or a server's
/// output.
fn unwrapped(said: String) -> String {
    const BEGIN: &str = "<untrusted_context>\n";
    const END: &str = "\n</untrusted_context>";

    let inner = said
        .strip_prefix(BEGIN)
        .and_then(|said| said.trim_end().strip_suffix(END));
    match inner {
        Some(inner) => inner.replace(&format!("{END}\n{BEGIN}"), "\n"),
        None => said,
    }
}

/// Returns the text of a failed call of an MCP server's tool. Gemini CLI returns it as JSON in a
/// sentence.
fn of_server(said: String) -> String {
    let response = said
        .starts_with("MCP tool '")
        .then(|| said.split_once(" with response: "))
        .flatten();
    let parts = response.and_then(|(_, json)| serde_json::from_str::<Value>(json).ok());
    let texts = parts.as_ref().and_then(Value::as_array).map(|parts| {
        let responses = parts.iter().map(|part| {
            let response = part.pointer("/functionResponse/response");
            printed(response.unwrap_or(part))
        });
        responses.collect::<Vec<_>>().join("\n")
    });
    texts.filter(|text| !text.is_empty()).unwrap_or(said)
}

/// Gemini CLI's description of a process, and the output without it.
#[derive(Debug, PartialEq, Eq)]
struct Process<'s> {
    output: &'s str,
    /// The way in which it failed, if it did.
    failure: Option<String>,
    goes_on: bool,
    was_cancelled: bool,
}

/// The prefix of the output of a command that has ended.
const OUTPUT: &str = "Output: ";

/// The prefixes of the lines after the output that describe its process.
const ON_PROCESS: &[&str] = &[
    "Error: ",
    "Exit Code: ",
    "Signal: ",
    "Background PIDs: ",
    "Process Group PGID: ",
];

/// Parses Gemini CLI's description of a process around its output. `shown` is the output without it, as
/// the user sees it.
fn process<'s>(said: &'s str, shown: &str) -> Process<'s> {
    let (mut output, is_ended) = match said.strip_prefix(OUTPUT) {
        Some(output) => (output, true),
        None => (said, false),
    };
    // The output itself may end with such lines, before the client's.
    let is_whole = |output: &str| !shown.is_empty() && output == shown;
    let mut failure = said
        .starts_with("Command was automatically cancelled")
        .then(|| said.to_owned());
    while let Some((before, line)) = output.rsplit_once('\n')
        && is_ended
        && !is_whole(output)
        && ON_PROCESS.iter().any(|begin| line.starts_with(begin))
    {
        match line.split_once(": ") {
            Some(("Exit Code", code)) if code.trim() != "0" => {
                failure = Some(format!("Exit code {}", code.trim()));
            }
            Some(("Signal" | "Error", _)) => failure = Some(line.to_owned()),
            _ => {}
        }
        output = before;
    }
    Process {
        output: if is_ended && output == "(empty)" {
            ""
        } else {
            output
        },
        failure,
        goes_on: said.starts_with("Command moved to background (PID: "),
        was_cancelled: said.starts_with("Command was cancelled by user"),
    }
}

/// Returns the text of a prompt that the user typed, without the hooks' output before it and the files
/// after it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;
    use crate::tests::{asks, assert_tools, delegates, edits, looks, other, reads, runs, writes};
    use hud_observe::action::{PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let file = || json!({ "file_path": "/p/a" });
        let plan = Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".into(),
                progress: Some(Progress::Dropped),
            }],
        };
        let todos = json!({ "todos": [{ "description": "test", "status": "cancelled" }] });
        let many = json!({ "include": ["a.md", "docs/", "src/**/*.ts", "b.md"] });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("read_file", file(), vec![reads("/p/a")]),
            (
                "read_file",
                json!({ "absolute_path": "/p/a" }),
                vec![reads("/p/a")],
            ),
            ("read_many_files", many, vec![reads("a.md"), reads("b.md")]),
            (
                "read_many_files",
                json!({ "include": ["*.md"] }),
                vec![looks("read_many_files", Some("*.md"))],
            ),
            ("write_file", file(), vec![writes("/p/a")]),
            ("replace", file(), vec![edits("/p/a")]),
            (
                "run_shell_command",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
            ("write_todos", todos, vec![plan]),
        ];
        for tool in ["ask_user", "enter_plan_mode", "exit_plan_mode"] {
            tried.push((tool, json!({}), vec![asks(tool)]));
        }
        for tool in [
            "invoke_agent",
            "codebase_investigator",
            "cli_help",
            "generalist",
            "browser_agent",
        ] {
            tried.push((
                tool,
                json!({ "query": "x" }),
                vec![delegates(tool, Some("x"))],
            ));
        }
        for tool in [
            "glob",
            "grep_search",
            "search_file_content",
            "list_directory",
            "google_web_search",
            "web_fetch",
            "get_internal_docs",
            "list_mcp_resources",
            "read_mcp_resource",
            "list_background_processes",
            "read_background_output",
            "take_snapshot",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_visualize",
        ] {
            tried.push((
                tool,
                json!({ "pattern": "x" }),
                vec![looks(tool, Some("x"))],
            ));
        }
        for tool in [
            "activate_skill",
            "save_memory",
            "update_topic",
            "complete_task",
            "tracker_create_task",
            "tracker_update_task",
            "tracker_add_dependency",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&Gemini, &tried);
    }

    #[test]
    fn the_output_of_a_command_is_without_the_words_on_its_process() {
        let read = |said: &str, shown: &str| {
            let read = process(said, shown);
            (read.output.to_owned(), read.failure.is_some())
        };
        let output = |output: &str, failed: bool| (output.to_owned(), failed);
        let ended = "Output: [main 1a2b3c4] x\n 1 file changed\nProcess Group PGID: 7";
        assert_eq!(
            read(ended, ""),
            output("[main 1a2b3c4] x\n 1 file changed", false)
        );
        let failed = "Output: no rule\nExit Code: 2\nProcess Group PGID: 7";
        assert_eq!(read(failed, "no rule"), output("no rule", true));
        // A program's own output.
        let own = "Output: a\nExit Code: 2\nProcess Group PGID: 7";
        assert_eq!(
            read(own, "a\nExit Code: 2"),
            output("a\nExit Code: 2", false)
        );
        assert_eq!(
            read("Output: (empty)\nProcess Group PGID: 7", ""),
            output("", false)
        );
        assert_eq!(
            read("Output: (empty)\nSignal: 9\nProcess Group PGID: 7", ""),
            output("", true)
        );
        assert!(process("Command moved to background (PID: 7). Output hidden.", "").goes_on);
        assert!(process("Command was cancelled by user before it could", "").was_cancelled);
    }

    #[test]
    fn the_tag_around_an_output_is_none_of_it() {
        let unwrapped = |said: &str| unwrapped(said.to_owned());
        let (begin, end) = ("<untrusted_context>", "</untrusted_context>");
        assert_eq!(unwrapped(&format!("{begin}\na\n{end}")), "a");
        let two = format!("{begin}\na\n{end}\n{begin}\nb\n{end}");
        assert_eq!(unwrapped(&two), "a\nb");
        for own in ["a", &format!("{begin}\na"), &format!("a\n{end}")] {
            assert_eq!(unwrapped(own), own);
        }
    }

    #[test]
    fn the_error_of_a_server_is_its_text() {
        let of_server = |said: &str| of_server(said.to_owned());
        let said = "MCP tool 'get' reported tool error for function call: {\"name\":\"get\"} with response: ";
        let response = r#"[{"functionResponse":{"name":"get","response":{"content":[{"type":"text","text":"no such key"}],"isError":true}}}]"#;
        assert_eq!(of_server(&format!("{said}{response}")), "no such key");
        for other in [&format!("{said}[{{"), "no match with response: []"] {
            assert_eq!(of_server(other), *other);
        }
    }

    #[test]
    fn the_last_usage_is_found_if_nothing_was_compressed_since() {
        let used = |lines: &[&str]| {
            let host = Files::of("chat", lines.join("\n"));
            match usage(&host, "chat".as_ref())?.observation {
                Observation::Usage { usage, .. } => Some(usage),
                _ => None,
            }
        };
        let said = r#"{"type":"gemini","tokens":{"input":100,"output":5,"cached":40,"thoughts":3},"model":"gemini"}"#;
        let anew = r#"{"$set":{"messages":[]}}"#;
        let usage = Usage {
            input: 60,
            cache_write: 0,
            cache_write_hour: 0,
            cache_read: 40,
            output: 8,
        };
        assert_eq!(used(&[anew, said, "{"]), Some(usage));
        assert_eq!(used(&[said, anew]), None);
    }
}

//! goose. The output of its hooks does not reach its model, so the HUD goes through the file that
//! `GOOSE_MOIM_MESSAGE_FILE` names. Its events are recognised by `event`. It has no hook for a
//! compaction, nor for a call that the user declines. Its sessions are read from its records in
//! `transcript`.
//!
//! Tools have the name of their extension as a prefix: `developer__shell`.
//!
//! | tool | action |
//! | --- | --- |
//! | `text_editor` | read (`view`), write (`write`), edit |
//! | `read`, `read_image` | read |
//! | `write` | write |
//! | `edit` | edit |
//! | `shell` | run |
//! | `todo_write` | set the plan to the entries of its checklist |
//! | `delegate`, `create_task`, `execute_task`, `subagent` | delegate |
//! | `tree`, `analyze`, `todo_read`, `load`, `chatrecall`, `web_scrape`, `web_search`, `retrieve_memories`, `read_resource`, `list_resources`, `search_available_extensions`, `screen_capture`, `image_processor`, `list_windows` | look |
//! | `manage_extensions`, `remember_memory`, `final_output`, `execute_typescript`, `automation_script`, `computer_control`, `cache` | other |

mod transcript;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation};
use serde_json::{Value, json};

use super::json::text;
use super::printed::{printed, says_failed};
use super::{Client, HookEvent, Host, Kept, Step, Tool, home_in, is_hud, recorded, tools};
use crate::transcript::{Entry, Summary, TranscriptError};

/// goose.
#[derive(Debug)]
pub struct Goose;

const TOOLS: &[Tool] = &[
    Tool::by("text_editor", tools::editor),
    Tool::reads("read", &["path"]),
    Tool::reads("read_image", &["source", "path"]),
    Tool::writes("write", &["path"]),
    Tool::edits("edit", &["path"]),
    Tool::runs("shell", &["command"]),
    Tool::by("todo_write", todo_write),
    Tool::delegates("delegate"),
    Tool::delegates("create_task"),
    Tool::delegates("execute_task"),
    Tool::delegates("subagent"),
    Tool::looks("tree"),
    Tool::looks("analyze"),
    Tool::looks("todo_read"),
    Tool::looks("load"),
    Tool::looks("chatrecall"),
    Tool::looks("web_scrape"),
    Tool::looks("web_search"),
    Tool::looks("retrieve_memories"),
    Tool::looks("read_resource"),
    Tool::looks("list_resources"),
    Tool::looks("search_available_extensions"),
    Tool::looks("screen_capture"),
    Tool::looks("image_processor"),
    Tool::looks("list_windows"),
    Tool::other("manage_extensions"),
    Tool::other("remember_memory"),
    Tool::other("final_output"),
    Tool::other("execute_typescript"),
    Tool::other("automation_script"),
    Tool::other("computer_control"),
    Tool::other("cache"),
];

fn todo_write(input: &Value) -> Vec<Action> {
    tools::checklist(input["content"].as_str().unwrap_or_default())
}

impl Client for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn own_name<'t>(&self, tool: &'t str) -> &'t str {
        tool.rsplit("__").next().unwrap_or(tool)
    }

    fn session_key(&self) -> Option<&'static str> {
        Some("agent-session-id")
    }

    fn owns(&self, event: &Value) -> bool {
        event["event"].is_string()
    }

    fn read(&self, event: &Value, _: &dyn Host) -> HookEvent {
        let (observations, step) = match event["event"].as_str().unwrap_or_default() {
            "UserPromptSubmit" => {
                let said = text(event, "/message").map(|text| Observation::User { text });
                let observed = said.into_iter().chain([Observation::ModelCall]);
                (observed.collect(), Step::Runs)
            }
            "PostToolUse" => (self.result(event, false), Step::Runs),
            "PostToolUseFailure" => (self.result(event, true), Step::Runs),
            "SessionStart" => (Vec::new(), Step::begins(event)),
            "SessionEnd" => (Vec::new(), Step::Ends),
            _ => (Vec::new(), Step::Runs),
        };
        HookEvent {
            session: text(event, "/session_id").unwrap_or_default(),
            directory: text(event, "/working_dir").map(Into::into),
            observations,
            step,
            ..HookEvent::default()
        }
    }

    /// Never called, because goose's hooks show nothing.
    fn answer(&self, _: &Value, _: &str, _: &str) -> Value {
        json!({})
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        transcript::is_session(beginning)
    }

    fn database(&self, beginning: &[u8]) -> Option<&'static str> {
        let has = |text: &str| memchr::memmem::find(beginning, text.as_bytes()).is_some();
        (has("CREATE TABLE messages") && has("content_json")).then_some(
            "a database of goose: write a session with `goose session export --format json`",
        )
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let data = home_in(host, "XDG_DATA_HOME", ".local/share");
        data.map(|data| Kept::new(data.join("goose/sessions"), &["*.jsonl"]))
            .into_iter()
            .collect()
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        recorded::read(self, path, file, &mut transcript::Reader::default(), sink)
    }
}

impl Goose {
    fn result(&self, event: &Value, is_error: bool) -> Vec<Observation> {
        let tool = text(event, "/tool_name").unwrap_or_default();
        if is_hud(&tool) {
            return Vec::new();
        }
        let said = ["/tool_output", "/error"]
            .into_iter()
            .find_map(|pointer| event.pointer(pointer).filter(|said| !said.is_null()));
        let (content, has_failed) = said.map(response).unwrap_or_default();
        let is_error = is_error || has_failed;
        vec![Observation::ToolResult {
            call: text(event, "/tool_call_id").unwrap_or_default(),
            actions: self.actions(&tool, &event["tool_input"]).into(),
            not_run: not_run(&tool, &content, is_error),
            content,
            is_error,
            task: None,
            change: None,
        }]
    }
}

/// Returns [`NotRun::NoSuchTool`] for a call of a tool that goose does not have.
fn not_run(tool: &str, said: &str, is_error: bool) -> Option<NotRun> {
    (is_error && tools::is_missing(tool, said)).then_some(NotRun::NoSuchTool)
}

/// Returns the text of a result, and true if the call failed. Hooks and records have the text itself,
/// the tool's result, or that result within goose's description of the call.
fn response(result: &Value) -> (String, bool) {
    if let Some(error) = result.get("error").filter(|error| !error.is_null()) {
        return (printed(error), true);
    }
    let value = result.get("value").unwrap_or(result);
    let has_failed = result["status"] == "error"
        || says_failed(value)
        || value.get("structuredContent").is_some_and(says_failed);
    (printed(value.get("content").unwrap_or(value)), has_failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{assert_tools, delegates, edits, looks, other, reads, runs, writes};
    use hud_observe::action::{PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let step = |description: &str, progress| PlannedStep {
            description: description.to_owned(),
            progress: Some(progress),
        };
        let plan = Action::SetPlan {
            steps: vec![
                step("Design", Progress::Completed),
                step("Build", Progress::Pending),
                step("the parser", Progress::InProgress),
            ],
        };
        let list =
            json!({ "content": "# Plan\n- [x] Design\n- [ ] Build\n  * [-] the parser\nnotes" });
        let path = || json!({ "path": "a" });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            (
                "developer__text_editor",
                json!({ "command": "view", "path": "a" }),
                vec![reads("a")],
            ),
            (
                "text_editor",
                json!({ "command": "write", "path": "a" }),
                vec![writes("a")],
            ),
            (
                "text_editor",
                json!({ "command": "str_replace", "path": "a" }),
                vec![edits("a")],
            ),
            ("developer__read", path(), vec![reads("a")]),
            ("read_image", json!({ "source": "a" }), vec![reads("a")]),
            ("developer__write", path(), vec![writes("a")]),
            ("edit", path(), vec![edits("a")]),
            (
                "developer__shell",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
            ("todo__todo_write", list, vec![plan]),
            (
                "todo__todo_write",
                json!({ "content": "notes" }),
                vec![other("todo__todo_write", None)],
            ),
        ];
        for tool in ["delegate", "create_task", "execute_task", "subagent"] {
            tried.push((tool, json!({}), vec![delegates(tool, None)]));
        }
        for tool in [
            "tree",
            "analyze",
            "todo_read",
            "load",
            "chatrecall",
            "web_scrape",
            "web_search",
            "retrieve_memories",
            "read_resource",
            "list_resources",
            "search_available_extensions",
            "screen_capture",
            "image_processor",
            "list_windows",
        ] {
            tried.push((tool, path(), vec![looks(tool, Some("a"))]));
        }
        for tool in [
            "manage_extensions",
            "remember_memory",
            "final_output",
            "execute_typescript",
            "automation_script",
            "computer_control",
            "cache",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&Goose, &tried);
    }
}

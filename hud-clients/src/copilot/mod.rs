//! Copilot CLI. Its sessions are read from the events that it records in `events.jsonl` in the session's
//! folder.
//!
//! | tool | action |
//! | --- | --- |
//! | `view` | read |
//! | `create` | write |
//! | `edit` | edit |
//! | `str_replace_editor` | read (`view`), write (`create`), edit |
//! | `apply_patch` | write, edit, delete, move, as the patch does with each file |
//! | `bash`, `powershell` | run |
//! | `update_todo` | set the plan to the entries of its checklist |
//! | `ask_user`, `exit_plan_mode` | ask |
//! | `task`, `write_agent` | delegate |
//! | `grep`, `rg`, `glob`, `web_fetch`, `web_search`, `read_agent`, `list_agents`, `read_bash`, `list_bash`, `read_powershell`, `list_powershell`, `fetch_copilot_cli_documentation` | look |
//! | `write_bash`, `stop_bash`, `write_powershell`, `stop_powershell`, `report_intent`, `skill`, `sql`, `store_memory`, `task_complete` | other |

mod recorded;

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use hud_observe::action::Action;
use serde_json::Value;

use super::chat::any_of_first;
use super::recorded::file_in;
use super::{Client, Host, Kept, Tool, home_in, tools};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Copilot CLI.
#[derive(Debug)]
pub struct Copilot;

const TOOLS: &[Tool] = &[
    Tool::reads("view", &["path"]),
    Tool::writes("create", &["path"]),
    Tool::edits("edit", &["path"]),
    Tool::by("str_replace_editor", tools::editor),
    Tool::patches("apply_patch", &["input", "patch"]),
    Tool::runs("bash", &["command"]),
    Tool::runs("powershell", &["command"]),
    Tool::by("update_todo", update_todo),
    Tool::asks("ask_user"),
    Tool::asks("exit_plan_mode"),
    Tool::delegates("task"),
    Tool::delegates("write_agent"),
    Tool::looks("grep"),
    Tool::looks("rg"),
    Tool::looks("glob"),
    Tool::looks("web_fetch"),
    Tool::looks("web_search"),
    Tool::looks("read_agent"),
    Tool::looks("list_agents"),
    Tool::looks("read_bash"),
    Tool::looks("list_bash"),
    Tool::looks("read_powershell"),
    Tool::looks("list_powershell"),
    Tool::looks("fetch_copilot_cli_documentation"),
    Tool::other("write_bash"),
    Tool::other("stop_bash"),
    Tool::other("write_powershell"),
    Tool::other("stop_powershell"),
    Tool::other("report_intent"),
    Tool::other("skill"),
    Tool::other("sql"),
    Tool::other("store_memory"),
    Tool::other("task_complete"),
];

fn update_todo(input: &Value) -> Vec<Action> {
    tools::checklist(input["todos"].as_str().unwrap_or_default())
}

impl Client for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        any_of_first(beginning, recorded::is_event)
    }

    /// Opens the folder of a session.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        file_in(folder, "events.jsonl")
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let home = home_in(host, "COPILOT_HOME", ".copilot");
        let sessions = home.map(|home| home.join("session-state"));
        sessions
            .map(|sessions| Kept::new(sessions, &["*", "events.jsonl"]))
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{
        asks, assert_tools, delegates, edits, looks, makes, other, reads, runs, writes,
    };
    use hud_observe::action::{PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let path = || json!({ "path": "a" });
        let patch = "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch";
        let plan = Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".to_owned(),
                progress: Some(Progress::Completed),
            }],
        };
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("view", path(), vec![reads("a")]),
            ("create", path(), vec![writes("a")]),
            ("edit", path(), vec![edits("a")]),
            (
                "str_replace_editor",
                json!({ "command": "view", "path": "a" }),
                vec![reads("a")],
            ),
            ("apply_patch", json!({ "input": patch }), vec![makes("n")]),
            ("bash", json!({ "command": "make" }), vec![runs("make")]),
            (
                "powershell",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
            ("update_todo", json!({ "todos": "- [x] test" }), vec![plan]),
        ];
        for tool in ["ask_user", "exit_plan_mode"] {
            tried.push((tool, json!({}), vec![asks(tool)]));
        }
        for tool in ["task", "write_agent"] {
            tried.push((tool, json!({}), vec![delegates(tool, None)]));
        }
        let rest = TOOLS
            .iter()
            .map(|tool| tool.name)
            .skip_while(|name| *name != "grep");
        let is_other = |name: &str| name == "write_bash";
        let mut is_looked = true;
        for tool in rest {
            is_looked &= !is_other(tool);
            let action = match is_looked {
                true => looks(tool, None),
                false => other(tool, None),
            };
            tried.push((tool, json!({}), vec![action]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&Copilot, &tried);
    }
}

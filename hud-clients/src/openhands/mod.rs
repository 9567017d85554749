//! OpenHands. Its sessions are read from the events of its agent SDK, or from the trajectories of
//! versions before 1.
//!
//! | tool | action |
//! | --- | --- |
//! | `terminal`, `execute_bash` (older), `run` (before 1) | run |
//! | `file_editor`, `str_replace_editor` (older), `planning_file_editor` | read (`view`), write (`create`), edit |
//! | `read_file`, `read` (before 1) | read |
//! | `write_file`, `write` (before 1) | write |
//! | `edit` | edit |
//! | `apply_patch` | write, edit, delete, move, as the patch does with each file |
//! | `task_tracker`, `task_tracking` (before 1) | set the plan |
//! | `delegate`, `task` | delegate |
//! | `glob`, `grep`, `list_directory`, `vision_inspect`, `browse`, `browse_interactive`, `recall` (before 1) | look |
//! | `think`, `finish`, `invoke_skill`, `switch_llm`, `run_ipython` (before 1), `reject` (before 1) | other |

mod recorded;

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::chat::any_of_first;
use super::recorded::json_files;
use super::{Client, Host, Kept, Tool, tools};
use crate::transcript::{Entry, Summary, TranscriptError};

/// OpenHands.
#[derive(Debug)]
pub struct OpenHands;

const TOOLS: &[Tool] = &[
    Tool::runs("terminal", &["command"]),
    Tool::runs("execute_bash", &["command"]),
    Tool::runs("run", &["command"]),
    Tool::by("file_editor", tools::editor),
    Tool::by("str_replace_editor", tools::editor),
    Tool::by("planning_file_editor", tools::editor),
    Tool::reads("read_file", &["file_path", "path"]),
    Tool::reads("read", &["path"]),
    Tool::writes("write_file", &["file_path", "path"]),
    Tool::writes("write", &["path"]),
    Tool::edits("edit", &["file_path", "path"]),
    Tool::patches("apply_patch", &["patch"]),
    Tool::plans("task_tracker", "task_list", &["title"]),
    Tool::plans("task_tracking", "task_list", &["title"]),
    Tool::delegates("delegate"),
    Tool::delegates("task"),
    Tool::looks("glob"),
    Tool::looks("grep"),
    Tool::looks("list_directory"),
    Tool::looks("vision_inspect"),
    Tool::looks("browse"),
    Tool::looks("browse_interactive"),
    Tool::looks("recall"),
    Tool::other("think"),
    Tool::other("finish"),
    Tool::other("invoke_skill"),
    Tool::other("switch_llm"),
    Tool::other("run_ipython"),
    Tool::other("reject"),
];

impl Client for OpenHands {
    fn name(&self) -> &'static str {
        "openhands"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        any_of_first(beginning, recorded::is_event)
    }

    /// Opens the folder of a conversation, which contains a folder with a file for each event.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        let events = json_files(&folder.join("events"));
        (!events.is_empty()).then(|| Ok(recorded::stored(events)))
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let home = host.home();
        home.map(|home| Kept::new(home.join(".openhands/conversations"), &["*"]))
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
    use serde_json::{Value, json};

    use super::*;
    use crate::tests::{assert_tools, delegates, edits, looks, makes, other, reads, runs, writes};
    use hud_observe::action::{Action, PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let path = || json!({ "path": "a" });
        let patch = json!({ "patch": "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch" });
        let plan = || Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".to_owned(),
                progress: Some(Progress::InProgress),
            }],
        };
        let tasks = || json!({ "command": "plan", "task_list": [{ "title": "test", "status": "in_progress" }] });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("read_file", json!({ "file_path": "a" }), vec![reads("a")]),
            ("read", path(), vec![reads("a")]),
            ("write_file", json!({ "file_path": "a" }), vec![writes("a")]),
            ("write", path(), vec![writes("a")]),
            ("edit", path(), vec![edits("a")]),
            ("apply_patch", patch, vec![makes("n")]),
            ("task_tracker", tasks(), vec![plan()]),
            ("task_tracking", tasks(), vec![plan()]),
        ];
        for tool in ["terminal", "execute_bash", "run"] {
            tried.push((tool, json!({ "command": "make" }), vec![runs("make")]));
        }
        for tool in ["file_editor", "str_replace_editor", "planning_file_editor"] {
            let input = json!({ "command": "view", "path": "a" });
            tried.push((tool, input, vec![reads("a")]));
        }
        for tool in ["delegate", "task"] {
            tried.push((tool, json!({}), vec![delegates(tool, None)]));
        }
        for tool in [
            "glob",
            "grep",
            "list_directory",
            "vision_inspect",
            "browse",
            "browse_interactive",
            "recall",
        ] {
            tried.push((tool, path(), vec![looks(tool, Some("a"))]));
        }
        for tool in [
            "think",
            "finish",
            "invoke_skill",
            "switch_llm",
            "run_ipython",
            "reject",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&OpenHands, &tried);
    }
}

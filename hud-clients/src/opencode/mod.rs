//! opencode. Its plugin (`integrations/opencode/hud.js`) reports events through `hud bridge`. It reports
//! each tool call with opencode's own name and arguments, which are read here. Its exports are read in
//! `recorded`.
//!
//! | tool | action |
//! | --- | --- |
//! | `read` | read |
//! | `write` | write |
//! | `edit`, `multiedit` (older) | edit |
//! | `apply_patch`, `patch` (2.x) | write, edit, delete, move, as the patch does with each file |
//! | `bash`, `shell` (2.x) | run |
//! | `todowrite` | set the plan |
//! | `question`, `plan_enter`, `plan_exit` | ask |
//! | `task`, `subagent` (2.x) | delegate |
//! | `glob`, `grep`, `list`, `lsp`, `webfetch`, `websearch`, `codesearch`, `todoread` | look |
//! | `skill`, `invalid`, `batch`, `execute` (2.x) | other: the tools that they run are reported separately |
//!
//! A tool that throws is reported by the event of its part, and a command that fails by its exit code. A
//! compaction is reported by opencode's own event, with an unchanged summary.

mod recorded;

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::{Client, Host, Kept, Tool, first_keys, home_in};
use crate::transcript::{Entry, Summary, TranscriptError};

/// opencode.
#[derive(Debug)]
pub struct Opencode;

const TOOLS: &[Tool] = &[
    Tool::reads("read", &["filePath"]),
    Tool::writes("write", &["filePath"]),
    Tool::edits("edit", &["filePath"]),
    Tool::edits("multiedit", &["filePath"]),
    Tool::patches("apply_patch", &["patchText"]),
    Tool::patches("patch", &["patchText"]),
    Tool::runs("bash", &["command"]),
    Tool::runs("shell", &["command"]),
    Tool::plans("todowrite", "todos", &["content"]),
    Tool::looks("todoread"),
    Tool::asks("question"),
    Tool::asks("plan_enter"),
    Tool::asks("plan_exit"),
    Tool::delegates("task"),
    Tool::delegates("subagent"),
    Tool::looks("glob"),
    Tool::looks("grep"),
    Tool::looks("list"),
    Tool::looks("lsp"),
    Tool::looks("webfetch"),
    Tool::looks("websearch"),
    Tool::looks("codesearch"),
    Tool::other("skill"),
    Tool::other("invalid"),
    Tool::other("batch"),
    Tool::other("execute"),
];

impl Client for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        recorded::is_export(&first_keys(beginning))
    }

    fn database(&self, beginning: &[u8]) -> Option<&'static str> {
        let has = |text: &str| memchr::memmem::find(beginning, text.as_bytes()).is_some();
        (has("CREATE TABLE `workspace`") && has("CREATE TABLE `event_sequence`"))
            .then_some("a database of opencode: write a session with `opencode export SESSION`")
    }

    /// Opens the folder of a session's messages, `storage/message/ses_…`. Their parts are in other
    /// folders of the storage.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        let storage = folder
            .parent()
            .filter(|parent| parent.ends_with("message"))?;
        Some(Ok(recorded::stored(storage.parent()?, folder)))
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let data = home_in(host, "XDG_DATA_HOME", ".local/share");
        data.map(|data| Kept::new(data.join("opencode/storage/message"), &["ses_*"]))
            .into_iter()
            .collect()
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        super::recorded::read(self, path, file, &mut recorded::Reader, sink)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{
        asks, assert_tools, delegates, edits, looks, makes, other, reads, runs, writes,
    };
    use hud_observe::action::{Action, PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let file = || json!({ "filePath": "/p/a.rs" });
        let patch = "*** Begin Patch\n*** Add File: n.rs\n+x\n*** Update File: a.rs\n@@\n-x\n+y\n\
                     *** Delete File: o.rs\n*** End Patch";
        let patched = [
            makes("n.rs"),
            edits("a.rs"),
            Action::Delete {
                path: "o.rs".into(),
            },
        ];
        let plan = Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".into(),
                progress: Some(Progress::InProgress),
            }],
        };
        let todos = json!({ "todos": [{ "content": "test", "status": "in_progress", "id": "1" }] });
        assert_tools(
            &Opencode,
            &[
                ("read", file(), &[reads("/p/a.rs")]),
                ("write", file(), &[writes("/p/a.rs")]),
                ("edit", file(), &[edits("/p/a.rs")]),
                (
                    "multiedit",
                    json!({ "filePath": "a", "edits": [] }),
                    &[edits("a")],
                ),
                ("apply_patch", json!({ "patchText": patch }), &patched),
                ("patch", json!({ "patchText": patch }), &patched),
                (
                    "bash",
                    json!({ "command": "make", "description": "x" }),
                    &[runs("make")],
                ),
                ("shell", json!({ "command": "make" }), &[runs("make")]),
                ("todowrite", todos, &[plan]),
                ("todoread", json!({}), &[looks("todoread", None)]),
                ("question", json!({ "questions": [] }), &[asks("question")]),
                ("plan_enter", json!({}), &[asks("plan_enter")]),
                ("plan_exit", json!({}), &[asks("plan_exit")]),
                (
                    "task",
                    json!({ "description": "look" }),
                    &[delegates("task", Some("look"))],
                ),
                ("subagent", json!({}), &[delegates("subagent", None)]),
                (
                    "glob",
                    json!({ "pattern": "*" }),
                    &[looks("glob", Some("*"))],
                ),
                (
                    "grep",
                    json!({ "pattern": "x", "path": "y" }),
                    &[looks("grep", Some("x"))],
                ),
                ("list", json!({ "path": "y" }), &[looks("list", Some("y"))]),
                ("lsp", json!({}), &[looks("lsp", None)]),
                (
                    "webfetch",
                    json!({ "url": "u" }),
                    &[looks("webfetch", Some("u"))],
                ),
                (
                    "websearch",
                    json!({ "query": "q" }),
                    &[looks("websearch", Some("q"))],
                ),
                (
                    "codesearch",
                    json!({ "query": "q" }),
                    &[looks("codesearch", Some("q"))],
                ),
                (
                    "skill",
                    json!({ "name": "x" }),
                    &[other("skill", Some("x"))],
                ),
                ("invalid", json!({}), &[other("invalid", None)]),
                ("batch", json!({}), &[other("batch", None)]),
                ("execute", json!({}), &[other("execute", None)]),
            ],
        );
    }
}

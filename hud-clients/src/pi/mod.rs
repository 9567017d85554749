//! pi. Its sessions are read from the file that it writes for each.
//!
//! | tool | action |
//! | --- | --- |
//! | `read` | read |
//! | `write` | write |
//! | `edit` | edit |
//! | `bash` | run |
//! | `grep`, `find`, `ls` | look |

mod recorded;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;

use super::chat::any_of_first;
use super::{Client, Host, Kept, Tool, home_in};
use crate::transcript::{Entry, Summary, TranscriptError};

/// pi.
#[derive(Debug)]
pub struct Pi;

const TOOLS: &[Tool] = &[
    Tool::reads("read", &["path"]),
    Tool::writes("write", &["path"]),
    Tool::edits("edit", &["path"]),
    Tool::runs("bash", &["command"]),
    Tool::looks("grep"),
    Tool::looks("find"),
    Tool::looks("ls"),
];

impl Client for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        any_of_first(beginning, recorded::is_entry)
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let home = home_in(host, "PI_CODING_AGENT_DIR", ".pi/agent");
        let sessions = home.map(|home| home.join("sessions"));
        sessions
            .map(|sessions| Kept::new(sessions, &["*", "*.jsonl"]))
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
    use crate::tests::{assert_tools, edits, looks, reads, runs, writes};

    #[test]
    fn each_tool_is_an_action() {
        let path = || json!({ "path": "a" });
        let tried = [
            ("read", path(), &[reads("a")][..]),
            ("write", path(), &[writes("a")]),
            ("edit", path(), &[edits("a")]),
            ("bash", json!({ "command": "make" }), &[runs("make")]),
            ("grep", path(), &[looks("grep", Some("a"))]),
            ("find", path(), &[looks("find", Some("a"))]),
            ("ls", path(), &[looks("ls", Some("a"))]),
        ];
        assert_tools(&Pi, &tried);
    }
}

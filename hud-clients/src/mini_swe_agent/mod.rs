//! mini-swe-agent. Its sessions are read only from its trajectories: one JSON document with the messages
//! of the conversation. Its one tool runs a command line. Older versions read the command from a code
//! block in the text.
//!
//! | tool | action |
//! | --- | --- |
//! | `bash` | run |

mod recorded;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;

use super::{Client, Tool, first_keys};
use crate::transcript::{Entry, Summary, TranscriptError};

/// mini-swe-agent.
#[derive(Debug)]
pub struct MiniSweAgent;

const TOOLS: &[Tool] = &[Tool::runs("bash", &["command"])];

impl Client for MiniSweAgent {
    fn name(&self) -> &'static str {
        "mini-swe-agent"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        recorded::is_trajectory(&first_keys(beginning), beginning)
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
    use crate::tests::{assert_tools, runs};

    #[test]
    fn each_tool_is_an_action() {
        let tried = [("bash", json!({ "command": "make" }), &[runs("make")][..])];
        assert_tools(&MiniSweAgent, &tried);
    }
}

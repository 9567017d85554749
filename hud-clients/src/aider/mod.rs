//! aider. Its sessions are read from the chat history that it keeps in a project,
//! `.aider.chat.history.md`.
//!
//! It has no tools. The model writes edits into its text, and aider reports the edits that it applied,
//! the commits that it made and the commands that it ran.

mod recorded;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;

use super::{Client, Host, Kept, Tool};
use crate::transcript::{Entry, Summary, TranscriptError};

/// aider.
#[derive(Debug)]
pub struct Aider;

impl Client for Aider {
    fn name(&self) -> &'static str {
        "aider"
    }

    fn tools(&self) -> &'static [Tool] {
        &[]
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        recorded::is_history(beginning)
    }

    /// The history is in the project.
    fn kept(&self, _: &dyn Host, project: &Path) -> Vec<Kept> {
        vec![Kept::new(project, &[".aider.chat.history.md"])]
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        self.read_conversation(1, path, file, sink)
    }

    fn read_conversation(
        &self,
        number: u64,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        recorded::read(number, path, file, sink)
    }
}

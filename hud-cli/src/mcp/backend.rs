//! The worker of the server. It finds the session, asks the session pool, and writes the HUD's file.

use std::path::PathBuf;

use hud_agent::compaction::continuity;
#[cfg(feature = "formats")]
use hud_agent::format::Format;
use hud_agent::placement::Placement;
use hud_agent::tool::{COMPACT_TOOL, TOOL};
use hud_store::event::SessionId;
use serde_json::Value;

use super::whose::{Said, Whose};
use crate::hub::{Asked, Hub, HubError};
use crate::outbox::Stamp;
use crate::output::Failure;
use crate::serving::Serving;
use crate::tie::NoSession;

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum McpError {
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    NoSession(#[from] NoSession),
}

/// The session pool, and the state for the client of this server.
pub(super) struct Backend {
    pub(super) hub: Hub,
    pub(super) whose: Whose,
    pub(super) serving: Serving,
    /// The file that the HUD is written to after each call, if any. The inner `None` is the file beside the log.
    pub(super) file: Option<Option<PathBuf>>,
}

impl Backend {
    fn session(&self, said: &Said, writes: bool) -> Result<SessionId, McpError> {
        Ok(self.whose.session(self.hub.location(), said, writes)?)
    }

    /// The HUD as Markdown.
    pub(super) fn frame(&mut self, said: &Said) -> Result<String, McpError> {
        let session = self.session(said, false)?;
        let asked = Asked::placed(Placement::SystemTail);
        Ok(self.hub.frame(&session, &asked)?.frame.system.clone())
    }

    /// The whole HUD in another format.
    #[cfg(feature = "formats")]
    pub(super) fn written(&mut self, said: &Said, format: Format) -> Result<String, McpError> {
        let session = self.session(said, false)?;
        Ok(self.hub.formatted(&session, format)?.0)
    }

    /// Writes the whole HUD to its file.
    pub(super) fn write_file(&mut self, said: &Said) -> Result<(), Failure> {
        let Some(file) = self.file.clone() else {
            return Ok(());
        };
        let hud = match self.frame(said) {
            Ok(hud) => hud,
            // The session of the file will be known with the first call.
            Err(McpError::NoSession(NoSession::Several(_))) => return Ok(()),
            Err(error) => return Err(Failure::Other(error.to_string())),
        };
        Ok(self.hub.location().write_frame(file.as_deref(), &hud)?)
    }

    /// Calls a tool, and returns the text for the agent. `None` if there is no tool of that name.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &Value,
        said: &Said,
        stamp: Stamp,
    ) -> Option<Result<String, McpError>> {
        let answer = if name == TOOL {
            self.ask(said, arguments, stamp)
        } else if name == COMPACT_TOOL {
            self.compact(said)
        } else {
            return None;
        };
        if let Err(error) = self.write_file(said) {
            crate::output::problem(error);
        }
        // The log exists at the latest now.
        self.serving.begin(self.hub.location());
        Some(answer)
    }

    /// Notes that the server ends, and closes the session pool.
    pub(super) fn close(&mut self) {
        self.serving.end(self.hub.location());
        self.hub.close();
    }

    fn ask(&mut self, said: &Said, call: &Value, stamp: Stamp) -> Result<String, McpError> {
        let session = self.session(said, true)?;
        match self.hub.call(&session, call, said.call(), stamp) {
            // The agent has nothing to fix.
            Err(kept @ HubError::Kept(_)) => Ok(kept.to_string()),
            answer => Ok(answer?.to_string()),
        }
    }

    fn compact(&mut self, said: &Said) -> Result<String, McpError> {
        let session = self.session(said, true)?;
        // Nothing is recorded. The client reports whether and when it compacts.
        let prompt = continuity(&self.hub.whole(&session)?);
        Ok(format!(
            "Ask for the conversation to be compacted now.\n\n{prompt}"
        ))
    }
}

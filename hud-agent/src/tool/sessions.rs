//! `sessions`: the other sessions of the log, and going on where one of them was.

use hud_store::event::SessionId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::look::FEW;
use super::{Draft, Operations, Read, ToolError, View, Write, refuse};

pub(super) fn operations(operations: Operations) -> Operations {
    operations.read::<List>().write::<Resume>()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// How many sessions, 20 if it is not said.
    limit: Option<u8>,
}

impl Read for List {
    const NAME: &'static str = "sessions.list";
    const DOES: &'static str = "earlier sessions of the project, newest first";
    const EXAMPLE: &'static str = r#"{"limit":5}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let others = view.lookup().others(self.limit.unwrap_or(FEW).into())?;
        let others = others.into_iter().map(|other| {
            json!({
                "session": other.info.id,
                "last_at": other.info.last_at,
                "events": other.info.events,
                "task": other.task,
            })
        });
        Ok(json!({ "sessions": others.collect::<Vec<_>>() }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Resume {
    /// Which one, by its name in `sessions.list`.
    session: String,
}

impl Write for Resume {
    const NAME: &'static str = "sessions.resume";
    const DOES: &'static str = "take over what an earlier session knew";
    const EXAMPLE: &'static str = r#"{"session":"0199c1f2"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let session = SessionId::new(self.session)
            .map_err(|error| refuse(Self::NAME, format!("the name of the session {error}")))?;
        draft.resumes = Some(session);
        Ok(json!({}))
    }
}

/// Why a session cannot be resumed, for the agent to read.
pub(crate) fn refused(error: impl std::fmt::Display) -> ToolError {
    refuse(Resume::NAME, error.to_string())
}

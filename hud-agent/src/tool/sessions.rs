//! `sessions`: the other sessions of the log, and going on where one of them was.

use hud_store::event::SessionId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::look::FEW;
use super::{Desk, Operation, ToolError};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// How many sessions, 20 if it is not said.
    limit: Option<u8>,
}

impl Operation for List {
    const NAME: &'static str = "sessions.list";
    const DOES: &'static str = "earlier sessions of the project, newest first";
    const EXAMPLE: &'static str = r#"{"limit":5}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let others = desk.library.others(self.limit.unwrap_or(FEW).into())?;
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

impl Operation for Resume {
    const NAME: &'static str = "sessions.resume";
    const DOES: &'static str = "take over what an earlier session knew";
    const EXAMPLE: &'static str = r#"{"session":"0199c1f2"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let session = SessionId::new(self.session)
            .map_err(|error| Self::refuse(format!("the name of the session {error}")))?;
        desk.resumes = Some(session);
        Ok(json!({}))
    }
}

/// Why a session cannot be resumed, for the agent to read.
pub(crate) fn refused(error: impl std::fmt::Display) -> ToolError {
    Resume::refuse(error.to_string())
}

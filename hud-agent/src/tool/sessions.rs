//! `sessions`: the other sessions of the log, and going on where one of them was.

use hud_store::event::{EarlierForget, SessionId};
use hud_store::state::Unfinished;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::look::FEW;
use super::{Draft, Operations, Read, ToolError, View, Write, refuse};

pub(super) fn operations(operations: Operations) -> Operations {
    operations
        .read::<List>()
        .write::<Resume>()
        .write::<Forget>()
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
    /// The session, by its name in `sessions.list`; by default the one with unfinished work, or else the latest.
    session: Option<String>,
}

impl Write for Resume {
    const NAME: &'static str = "sessions.resume";
    const DOES: &'static str = "take over what an earlier session knew";
    const EXAMPLE: &'static str = r#"{"session":"0199c1f2"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let earlier = &draft.state().earlier;
        let session = match self.session {
            Some(name) => SessionId::new(name)
                .map_err(|error| refuse(Self::NAME, format!("the name of the session {error}")))?,
            None => {
                let unfinished = earlier.unfinished.as_ref().map(|left| &left.session);
                let latest = earlier.sessions.first().map(|latest| &latest.session);
                let session = unfinished.or(latest).cloned();
                session.ok_or_else(|| refuse(Self::NAME, "say which one: `sessions.list`"))?
            }
        };
        let is_quoted = |left: &Unfinished| left.session == session;
        if earlier.unfinished.as_ref().is_some_and(is_quoted) {
            // It is in the task and in the plan now.
            draft.record(EarlierForget {});
        }
        draft.resumes = Some(session);
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Forget {}

impl Write for Forget {
    const NAME: &'static str = "sessions.forget";
    const DOES: &'static str = "drop the unfinished work of an earlier session";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let Some(left) = &draft.state().earlier.unfinished else {
            return Ok(json!({ "unchanged": true }));
        };
        draft.record(EarlierForget {});
        Ok(json!({ "forgotten": left.task }))
    }
}

/// Why a session cannot be resumed, for the agent to read.
pub(crate) fn refused(error: impl std::fmt::Display) -> ToolError {
    refuse(Resume::NAME, error.to_string())
}

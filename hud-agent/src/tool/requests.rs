//! `requests`: what the user asked for and still wants.

use hud_store::event::{HudEvent, RequestClose, RequestMake};
use hud_store::section::{RequestEnd, Requests};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::review::{is_said, reviewed};
use super::{Draft, Operations, Read, ToolError, View, Write, known, list};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Requests {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Done>()
    }

    /// What the user said needs nobody to confirm it.
    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let request = self.iter().find(|request| request.id == id)?;
        let make = |text: &str| RequestMake {
            id: request.id.clone(),
            text: text.to_owned(),
        };
        let close = || RequestClose {
            id: request.id.clone(),
            how: RequestEnd::Replaced,
        };
        reviewed(
            verdict,
            (&request.text, is_said(&request.by)),
            |text| make(text).into(),
            || close().into(),
        )
    }
}

list!(
    "requests.list",
    "what the user asked for and still wants",
    "requests",
    requests
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Done {
    /// Which one.
    id: String,
}

impl Write for Done {
    const NAME: &'static str = "requests.done";
    const DOES: &'static str = "a request of the user's is done";
    const EXAMPLE: &'static str = r#"{"id":"r1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let ids = draft.state().requests.iter().map(|request| &request.id);
        known(Self::NAME, "request", &self.id, ids)?;
        draft.record(RequestClose {
            id: self.id,
            how: RequestEnd::Done,
        });
        Ok(json!({}))
    }
}

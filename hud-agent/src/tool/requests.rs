//! `requests`: what the user asked for and still wants.

use hud_store::event::RequestClose;
use hud_store::section::{RequestEnd, Requests};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, Read, ToolError, View, Write, known, list};
use crate::section::AgentSection;

impl AgentSection for Requests {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Done>()
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

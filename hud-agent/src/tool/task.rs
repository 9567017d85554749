//! `task`: what the agent works on.

use hud_store::event::{TaskSet, TaskUpdate};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Operation, ToolError, said};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {}

impl Operation for Get {
    const NAME: &'static str = "task.get";
    const DOES: &'static str = "the task";
    const EXAMPLE: &'static str = "{}";

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        Ok(json!({ "task": desk.state.task }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    /// What to do; empty clears the task.
    description: String,
}

impl Operation for Set {
    const NAME: &'static str = "task.set";
    const DOES: &'static str = "set the task; the one before is over";
    const EXAMPLE: &'static str = r#"{"description":"Add rate limits per tenant"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        desk.record(TaskSet {
            description: self.description,
        });
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Update {
    /// The same task in better words.
    description: String,
}

impl Operation for Update {
    const NAME: &'static str = "task.update";
    const DOES: &'static str = "say the same task better";
    const EXAMPLE: &'static str =
        r#"{"description":"Add rate limits per tenant, 429 with Retry-After"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        desk.record(TaskUpdate {
            description: Some(said::<Self>("description", self.description)?),
            latest_request: None,
        });
        Ok(json!({}))
    }
}

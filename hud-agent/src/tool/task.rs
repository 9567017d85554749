//! `task`: what the agent works on.

use hud_components::news::News;
use hud_store::event::{TaskPin, TaskSet, TaskUpdate};
use hud_store::section::CurrentTask;
use hud_store::state::{Change, Task};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, Read, ToolError, View, Write, refuse, said};
use crate::section::AgentSection;

impl AgentSection for CurrentTask {
    const ALIASES: &'static [&'static str] = &["currentTask"];

    fn operations(operations: Operations) -> Operations {
        operations
            .read::<Get>()
            .write::<Set>()
            .write::<Update>()
            .write_in_help::<Pin>()
    }

    fn replace(
        &self,
        mut texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        if texts.len() > 1 {
            let reason = "there is one task: give a text, not a list";
            return Err(refuse(operation, reason));
        }
        free(operation, draft)?;
        let description = texts.pop().unwrap_or_default();
        draft.record(TaskSet { description });
        Ok(json!({}))
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        if self.as_ref().is_some_and(|task| task.pinned) {
            return false;
        }
        if self.is_some() {
            let description = String::new();
            draft.record(TaskSet { description });
        }
        true
    }

    fn since<'a>(&'a self, before: &'a Self, _: Vec<Change>) -> News<'a> {
        News::of_task(before.as_ref(), self.as_ref())
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {}

impl Read for Get {
    const NAME: &'static str = "task.get";
    const DOES: &'static str = "the task";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        Ok(json!({ "task": view.state().task }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    /// What to do; empty clears the task.
    description: String,
}

impl Write for Set {
    const NAME: &'static str = "task.set";
    const DOES: &'static str = "set the task; the one before is over";
    const EXAMPLE: &'static str = r#"{"description":"Add rate limits per tenant"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        free(Self::NAME, draft)?;
        draft.record(TaskSet {
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

impl Write for Update {
    const NAME: &'static str = "task.update";
    const DOES: &'static str = "say the same task better";
    const EXAMPLE: &'static str =
        r#"{"description":"Add rate limits per tenant, 429 with Retry-After"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        free(Self::NAME, draft)?;
        draft.record(TaskUpdate {
            description: Some(said(Self::NAME, "description", self.description)?),
            latest_request: None,
        });
        Ok(json!({}))
    }
}

/// Refuses another task, or other words for it, where a person pinned the one that there is.
fn free(operation: &'static str, draft: &Draft<'_>) -> Result<(), ToolError> {
    let is_pinned = |task: &Task| task.pinned;
    match draft.state().task.as_ref().is_some_and(is_pinned) {
        true => Err(refuse(
            operation,
            "the task is pinned: work on it, or free it with `task.pin` and `{\"pinned\":false}` where a \
             person wants that",
        )),
        false => Ok(()),
    }
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pin {
    /// Whether nothing may take its place.
    #[serde(default = "yes")]
    pinned: bool,
    /// What it is; without it, what it was. Empty clears the task.
    description: Option<String>,
}

impl Write for Pin {
    const NAME: &'static str = "task.pin";
    const DOES: &'static str = "pin the task, as it is or in other words, or free it";
    const EXAMPLE: &'static str = r#"{"pinned":true}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        if draft.state().task.is_none() && self.description.is_none() {
            let reason = "there is no task: say it, as `{\"description\":\"..\"}`";
            return Err(refuse(Self::NAME, reason));
        }
        draft.record(TaskPin {
            pinned: self.pinned,
            description: self.description,
        });
        Ok(json!({}))
    }
}

//! `task`: what the agent works on.

use hud_components::news::News;
use hud_store::event::{Actor, TaskPin, TaskSet, TaskUpdate};
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
        set(operation, texts.pop().unwrap_or_default(), draft)
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        if self.as_ref().is_some_and(|task| task.pinned) || users(draft).is_some() {
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
    const DOES: &'static str = "set the task in your words; the user's own stay beside them";
    const EXAMPLE: &'static str = r#"{"description":"Add rate limits per tenant"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        set(Self::NAME, self.description, draft)
    }
}

/// Sets the task. What the user stated stays the task, and these words are shown beside it.
fn set(
    operation: &'static str,
    description: String,
    draft: &mut Draft<'_>,
) -> Result<Value, ToolError> {
    free(operation, draft)?;
    if description.is_empty() && users(draft).is_some() {
        let reason = "the task is in the user's words, and only the user ends it";
        return Err(refuse(operation, reason));
    }
    let answer = beside(draft);
    draft.record(TaskSet { description });
    Ok(answer)
}

/// The task that the user stated, where somebody else makes the call.
fn users<'d>(draft: &Draft<'d>) -> Option<&'d Task> {
    let task = draft.state().task.as_ref();
    task.filter(|task| task.by == Actor::User && !draft.is_users())
}

/// The answer to other words for the task: where the user stated it, that these are shown beside it.
fn beside(draft: &Draft<'_>) -> Value {
    match users(draft) {
        Some(task) => json!({
            "task": task.description,
            "by": task.by,
            "note": "the user's words stay the task; yours are shown beside them as the agent's",
        }),
        None => json!({}),
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
        Ok(beside(draft))
    }
}

/// Refuses another task, or other words for it, where a person pinned the one that there is.
fn free(operation: &'static str, draft: &Draft<'_>) -> Result<(), ToolError> {
    let is_pinned = |task: &Task| task.pinned;
    match draft.state().task.as_ref().is_some_and(is_pinned) {
        true => Err(refuse(
            operation,
            "the task is pinned: work on it. Where the user wants another one, `help` for \"task.pin\" \
             has the call that frees it",
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
        let answer = match self.description {
            Some(_) => beside(draft),
            None => json!({}),
        };
        draft.record(TaskPin {
            pinned: self.pinned,
            description: self.description,
        });
        Ok(answer)
    }
}

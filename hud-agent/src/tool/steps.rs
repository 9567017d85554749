//! `steps`: the plan.

use hud_components::news::News;
use hud_store::event::{HudEvent, StepAdd, StepComplete, StepRemove, StepReorder, StepStart};
use hud_store::section::{NextSteps, STEPS_CAP};
use hud_store::state::{Change, Step, StepStatus};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::review::reviewed;
use super::{Draft, Item, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for NextSteps {
    const NOUN: &'static str = "steps";
    const ALIASES: &'static [&'static str] = &["nextSteps"];

    fn operations(operations: Operations) -> Operations {
        operations
            .read::<List>()
            .write::<Add>()
            .write::<Start>()
            .write::<Complete>()
            .write::<Reorder>()
            .write::<Remove>()
    }

    /// Removes what is not among the texts, and adds what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        replace(
            (self, STEPS_CAP),
            texts,
            operation,
            draft,
            |item| &item.description,
            remove,
            add,
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        clear(self, draft, remove)
    }

    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let step = self.iter().find(|step| step.id == id)?;
        let add = |description: &str| StepAdd {
            id: step.id.clone(),
            description: description.to_owned(),
        };
        reviewed(
            verdict,
            (&step.description, !step.summarised),
            |description| add(description).into(),
            || remove(step),
        )
    }

    fn since<'a>(&'a self, before: &'a Self, _: Vec<Change>) -> News<'a> {
        News::of_plan(before, self)
    }
}

pub(super) fn remove(item: &Step) -> HudEvent {
    let id = item.id.clone();
    StepRemove { id }.into()
}

list!("steps.list", "the plan", "steps", next_steps);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// What is to be done.
    description: String,
}

impl Write for Add {
    const NAME: &'static str = "steps.add";
    const DOES: &'static str = "add a step at the end of the plan";
    const EXAMPLE: &'static str = r#"{"description":"Write the middleware"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let description = said(Self::NAME, "description", self.description)?;
        Ok(add(draft, description))
    }
}

/// Adds a step, unless the same is still to be done.
pub(super) fn add(draft: &mut Draft<'_>, description: String) -> Value {
    let open = draft
        .state()
        .next_steps
        .iter()
        .find(|step| step.status != StepStatus::Completed && step.description == description);
    if let Some(step) = open {
        return json!({ "id": step.id, "unchanged": true });
    }
    let id = draft.next_id(Item::Step);
    draft.record(StepAdd {
        id: id.clone(),
        description,
    });
    json!({ "id": id })
}

/// An operation on one step.
macro_rules! on_a_step {
    ($operation:ident, $event:ident, $name:literal, $does:literal) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $operation {
            /// Which one.
            id: String,
        }

        impl Write for $operation {
            const NAME: &'static str = $name;
            const DOES: &'static str = $does;
            const EXAMPLE: &'static str = r#"{"id":"s1"}"#;

            fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
                known(Self::NAME, "step", &self.id, ids(draft))?;
                draft.record($event { id: self.id });
                Ok(json!({}))
            }
        }
    };
}

on_a_step!(Start, StepStart, "steps.start", "say which step you are at");
on_a_step!(Complete, StepComplete, "steps.complete", "a step is done");
on_a_step!(Remove, StepRemove, "steps.remove", "drop a step");

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reorder {
    /// The ids of the steps that come first, in order; the others keep theirs.
    ids: Vec<String>,
}

impl Write for Reorder {
    const NAME: &'static str = "steps.reorder";
    const DOES: &'static str = "put steps first";
    const EXAMPLE: &'static str = r#"{"ids":["s3","s2"]}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        for id in &self.ids {
            known(Self::NAME, "step", id, ids(draft))?;
        }
        draft.record(StepReorder { ids: self.ids });
        Ok(json!({}))
    }
}

fn ids<'d>(draft: &Draft<'d>) -> impl Iterator<Item = &'d String> + Clone + use<'d> {
    draft.state().next_steps.iter().map(|step| &step.id)
}

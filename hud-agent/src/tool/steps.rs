//! `steps`: the plan.

use hud_store::event::{StepAdd, StepComplete, StepRemove, StepReorder, StepStart};
use hud_store::state::StepStatus;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Item, Operation, ToolError, known, list, said};

list!("steps.list", "the plan", "steps", next_steps);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// What is to be done.
    description: String,
}

impl Operation for Add {
    const NAME: &'static str = "steps.add";
    const DOES: &'static str = "add a step at the end of the plan";
    const EXAMPLE: &'static str = r#"{"description":"Write the middleware"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let description = said::<Self>("description", self.description)?;
        Ok(add(desk, description))
    }
}

/// Adds a step, unless the same is still to be done.
pub(super) fn add(desk: &mut Desk<'_>, description: String) -> Value {
    let open = desk
        .state
        .next_steps
        .iter()
        .find(|step| step.status != StepStatus::Completed && step.description == description);
    if let Some(step) = open {
        return json!({ "id": step.id, "unchanged": true });
    }
    let id = desk.numbering.next(Item::Step);
    desk.record(StepAdd {
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

        impl Operation for $operation {
            const NAME: &'static str = $name;
            const DOES: &'static str = $does;
            const EXAMPLE: &'static str = r#"{"id":"s1"}"#;

            fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
                known::<Self>("step", &self.id, ids(desk))?;
                desk.record($event { id: self.id });
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

impl Operation for Reorder {
    const NAME: &'static str = "steps.reorder";
    const DOES: &'static str = "put steps first";
    const EXAMPLE: &'static str = r#"{"ids":["s3","s2"]}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        for id in &self.ids {
            known::<Self>("step", id, ids(desk))?;
        }
        desk.record(StepReorder { ids: self.ids });
        Ok(json!({}))
    }
}

fn ids<'d>(desk: &Desk<'d>) -> impl Iterator<Item = &'d String> + Clone + use<'d> {
    desk.state.next_steps.iter().map(|step| &step.id)
}

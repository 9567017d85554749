//! `errors`: what failed. Failures of tools are recorded by themselves.

use hud_store::event::ErrorResolved;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Operation, ToolError, known, list};

list!(
    "errors.list",
    "what failed, and how it was mended",
    "errors",
    errors
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Resolve {
    /// Which one.
    id: String,
    /// How it was mended.
    resolution: Option<String>,
}

impl Operation for Resolve {
    const NAME: &'static str = "errors.resolve";
    const DOES: &'static str = "what failed is mended, or does not matter";
    const EXAMPLE: &'static str = r#"{"id":"e1","resolution":"The port was taken"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let errors = desk.state.errors.iter();
        let open = errors.filter(|error| !error.is_resolved());
        known::<Self>("open error", &self.id, open.map(|error| &error.id))?;
        desk.record(ErrorResolved {
            id: self.id,
            resolution: self.resolution,
        });
        Ok(json!({}))
    }
}

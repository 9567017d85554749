//! `errors`: what failed. Failures of tools are recorded by themselves.

use hud_store::event::ErrorResolved;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Operation, ToolError, missing};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {}

impl Operation for List {
    const NAME: &'static str = "errors.list";
    const DOES: &'static str = "what failed, and how it was mended";
    const EXAMPLE: &'static str = "{}";

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        Ok(json!({ "errors": desk.state.errors }))
    }
}

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
        let open = || {
            let errors = desk.state.errors.iter();
            errors
                .filter(|error| !error.is_resolved())
                .map(|error| error.id.clone())
        };
        if !open().any(|id| id == self.id) {
            return Err(missing::<Self>("open error", &self.id, open()));
        }
        desk.record(ErrorResolved {
            id: self.id,
            resolution: self.resolution,
        });
        Ok(json!({}))
    }
}

//! `errors`: what failed. Failures of tools are recorded by themselves.

use hud_store::event::{ErrorEncountered, ErrorResolved, HudEvent};
use hud_store::section::Errors;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::review::reviewed;
use super::{Draft, Operations, Read, ToolError, View, Write, known, list, refuse};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Errors {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Resolve>()
    }

    fn replace(
        &self,
        _: Vec<String>,
        operation: &'static str,
        _: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        let reason =
            "errors are recorded when a tool fails: mark one as mended with `errors.resolve`";
        Err(refuse(operation, reason))
    }

    /// An error is open until what failed works: to confirm it changes nothing, and one that is dropped is
    /// back when the same fails again.
    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let error = self.iter().find(|error| error.id == id)?;
        if error.is_resolved() {
            return Some(Vec::new());
        }
        let encountered = |message: &str| ErrorEncountered {
            id: error.id.clone(),
            message: message.to_owned(),
            tool: error.tool.clone(),
            target: error.target.clone(),
            attempted: error.attempted,
        };
        let resolved = || ErrorResolved {
            id: error.id.clone(),
            resolution: Some("dropped".to_owned()),
        };
        reviewed(
            verdict,
            (&error.message, true),
            |message| encountered(message).into(),
            || resolved().into(),
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        for error in self.iter().filter(|error| !error.is_resolved()) {
            draft.record(ErrorResolved {
                id: error.id.clone(),
                resolution: Some("cleared".to_owned()),
            });
        }
        true
    }
}

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

impl Write for Resolve {
    const NAME: &'static str = "errors.resolve";
    const DOES: &'static str = "what failed is mended, or does not matter";
    const EXAMPLE: &'static str = r#"{"id":"e1","resolution":"The port was taken"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let errors = draft.state().errors.iter();
        let open = errors.filter(|error| !error.is_resolved());
        known(
            Self::NAME,
            "open error",
            &self.id,
            open.map(|error| &error.id),
        )?;
        draft.record(ErrorResolved {
            id: self.id,
            resolution: self.resolution,
        });
        Ok(json!({}))
    }
}

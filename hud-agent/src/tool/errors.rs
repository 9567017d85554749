//! `errors`: what failed. Failures of tools are recorded by themselves.

use hud_store::event::{ErrorEncountered, ErrorResolved, HudEvent};
use hud_store::section::Errors;
use hud_store::state::ErrorRecord;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::review::reviewed;
use super::{Draft, Operations, Read, ToolError, View, Write, known, list, refuse};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Errors {
    fn operations(operations: Operations) -> Operations {
        operations
            .read::<List>()
            .write::<Resolve>()
            .write_in_help::<Reopen>()
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
        let resolved = || ErrorResolved {
            id: error.id.clone(),
            resolution: Some("dropped".to_owned()),
        };
        reviewed(
            verdict,
            (&error.message, true),
            |message| back(error, message).into(),
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

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reopen {
    /// Which one.
    id: String,
}

impl Write for Reopen {
    const NAME: &'static str = "errors.reopen";
    const DOES: &'static str = "what was said to be mended is not";
    const EXAMPLE: &'static str = r#"{"id":"e1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let mut errors = draft.state().errors.iter();
        let resolved = errors.clone().filter(|error| error.is_resolved());
        known(
            Self::NAME,
            "resolved error",
            &self.id,
            resolved.map(|error| &error.id),
        )?;
        if let Some(error) = errors.find(|error| error.id == self.id) {
            draft.record(back(error, &error.message));
        }
        Ok(json!({}))
    }
}

/// The same failure again, in the words that are given.
fn back(error: &ErrorRecord, message: &str) -> ErrorEncountered {
    ErrorEncountered {
        id: error.id.clone(),
        message: message.to_owned(),
        tool: error.tool.clone(),
        target: error.target.clone(),
        attempted: error.attempted,
    }
}

//! `blockers`: what is in the way.

use hud_store::event::{BlockerAdd, BlockerRemove};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Item, Operation, ToolError, known, list, said};

list!("blockers.list", "what is in the way", "blockers", blockers);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// What is in the way.
    description: String,
}

impl Operation for Add {
    const NAME: &'static str = "blockers.add";
    const DOES: &'static str = "something outside your reach is in the way";
    const EXAMPLE: &'static str = r#"{"description":"No credentials for staging"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let description = said::<Self>("description", self.description)?;
        Ok(add(desk, description))
    }
}

/// Adds a blocker, unless there is one that says the same.
pub(super) fn add(desk: &mut Desk<'_>, description: String) -> Value {
    let mut blockers = desk.state.blockers.iter();
    if let Some(blocker) = blockers.find(|blocker| blocker.description == description) {
        return json!({ "id": blocker.id, "unchanged": true });
    }
    let id = desk.numbering.next(Item::Blocker);
    desk.record(BlockerAdd {
        id: id.clone(),
        description,
    });
    json!({ "id": id })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// Which one.
    id: String,
}

impl Operation for Remove {
    const NAME: &'static str = "blockers.remove";
    const DOES: &'static str = "the way is free";
    const EXAMPLE: &'static str = r#"{"id":"b1"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let ids = desk.state.blockers.iter().map(|blocker| &blocker.id);
        known::<Self>("blocker", &self.id, ids)?;
        desk.record(BlockerRemove { id: self.id });
        Ok(json!({}))
    }
}

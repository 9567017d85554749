//! `blockers`: what is in the way.

use hud_store::event::{BlockerAdd, BlockerRemove, HudEvent};
use hud_store::section::{BLOCKERS_CAP, Blockers};
use hud_store::state::Blocker;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::review::reviewed;
use super::{Draft, Item, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Blockers {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Add>().write::<Remove>()
    }

    /// Removes what is not among the texts, and adds what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        replace(
            (self, BLOCKERS_CAP),
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
        let blocker = self.iter().find(|blocker| blocker.id == id)?;
        let add = |description: &str| BlockerAdd {
            id: blocker.id.clone(),
            description: description.to_owned(),
        };
        reviewed(
            verdict,
            (&blocker.description, true),
            |description| add(description).into(),
            || remove(blocker),
        )
    }
}

fn remove(item: &Blocker) -> HudEvent {
    let id = item.id.clone();
    BlockerRemove { id }.into()
}

list!("blockers.list", "what is in the way", "blockers", blockers);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// What is in the way.
    description: String,
}

impl Write for Add {
    const NAME: &'static str = "blockers.add";
    const DOES: &'static str = "something outside your reach is in the way";
    const EXAMPLE: &'static str = r#"{"description":"No credentials for staging"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let description = said(Self::NAME, "description", self.description)?;
        Ok(add(draft, description))
    }
}

/// Adds a blocker, unless there is one that says the same.
fn add(draft: &mut Draft<'_>, description: String) -> Value {
    let mut blockers = draft.state().blockers.iter();
    if let Some(blocker) = blockers.find(|blocker| blocker.description == description) {
        return json!({ "id": blocker.id, "unchanged": true });
    }
    let id = draft.next_id(Item::Blocker);
    draft.record(BlockerAdd {
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

impl Write for Remove {
    const NAME: &'static str = "blockers.remove";
    const DOES: &'static str = "the way is free";
    const EXAMPLE: &'static str = r#"{"id":"b1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let ids = draft.state().blockers.iter().map(|blocker| &blocker.id);
        known(Self::NAME, "blocker", &self.id, ids)?;
        draft.record(BlockerRemove { id: self.id });
        Ok(json!({}))
    }
}

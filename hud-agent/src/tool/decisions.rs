//! `decisions`: what was decided, and why.

use hud_store::event::{DecisionRecord, DecisionRemove};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Item, Operation, ToolError, known, list, said};

list!(
    "decisions.list",
    "all decisions, with their reasons",
    "decisions",
    decisions
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// What was decided, in one line.
    summary: String,
    /// Why, and what was turned down.
    details: Option<String>,
}

impl Operation for Record {
    const NAME: &'static str = "decisions.record";
    const DOES: &'static str = "record a decision";
    const EXAMPLE: &'static str = r#"{"summary":"Token bucket, not a fixed window","details":"A window lets bursts through."}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let summary = said::<Self>("summary", self.summary)?;
        Ok(record(desk, summary, self.details))
    }
}

/// Records a decision, unless there is one that says the same.
pub(super) fn record(desk: &mut Desk<'_>, summary: String, details: Option<String>) -> Value {
    let mut decisions = desk.state.decisions.iter();
    let id = match decisions.find(|decision| decision.summary == summary) {
        Some(decision) if details.is_none() || details == decision.details => {
            return json!({ "id": decision.id, "unchanged": true });
        }
        Some(decision) => decision.id.clone(),
        None => desk.numbering.next(Item::Decision),
    };
    desk.record(DecisionRecord {
        id: id.clone(),
        summary,
        details,
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
    const NAME: &'static str = "decisions.remove";
    const DOES: &'static str = "take back a decision";
    const EXAMPLE: &'static str = r#"{"id":"d1"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let ids = desk.state.decisions.iter().map(|decision| &decision.id);
        known::<Self>("decision", &self.id, ids)?;
        desk.record(DecisionRemove { id: self.id });
        Ok(json!({}))
    }
}

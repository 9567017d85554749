//! `decisions`: what was decided, and why.

use hud_store::event::{DecisionRecord, DecisionRemove, HudEvent};
use hud_store::section::{DECISIONS_CAP, Decisions};
use hud_store::state::Decision;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::review::reviewed;
use super::{Draft, Item, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Decisions {
    const ALIASES: &'static [&'static str] = &["keyDecisions"];

    fn operations(operations: Operations) -> Operations {
        operations
            .read::<List>()
            .write::<Record>()
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
            (self, DECISIONS_CAP),
            texts,
            operation,
            draft,
            |item| &item.summary,
            remove,
            |draft, text| record(draft, text, None),
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        clear(self, draft, remove)
    }

    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let made = self.iter().find(|decision| decision.id == id)?;
        let record = |summary: &str| DecisionRecord {
            id: made.id.clone(),
            summary: summary.to_owned(),
            details: made.details.clone(),
            weight: None,
        };
        reviewed(
            verdict,
            (&made.summary, made.by.is_agent()),
            |summary| record(summary).into(),
            || remove(made),
        )
    }
}

pub(super) fn remove(item: &Decision) -> HudEvent {
    let id = item.id.clone();
    DecisionRemove { id }.into()
}

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

impl Write for Record {
    const NAME: &'static str = "decisions.record";
    const DOES: &'static str = "record a decision";
    const EXAMPLE: &'static str = r#"{"summary":"Token bucket, not a fixed window","details":"A window lets bursts through."}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let summary = said(Self::NAME, "summary", self.summary)?;
        Ok(record(draft, summary, self.details))
    }
}

/// Records a decision, unless the agent recorded one that says the same. One that was derived becomes the
/// agent's own.
pub(super) fn record(draft: &mut Draft<'_>, summary: String, details: Option<String>) -> Value {
    let mut decisions = draft.state().decisions.iter();
    let id = match decisions.find(|decision| decision.summary == summary) {
        Some(decision)
            if decision.by.is_agent() && (details.is_none() || details == decision.details) =>
        {
            return json!({ "id": decision.id, "unchanged": true });
        }
        Some(decision) => decision.id.clone(),
        None => draft.next_id(Item::Decision),
    };
    draft.record(DecisionRecord {
        id: id.clone(),
        summary,
        details,
        weight: None,
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
    const NAME: &'static str = "decisions.remove";
    const DOES: &'static str = "take back a decision";
    const EXAMPLE: &'static str = r#"{"id":"d1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let ids = draft.state().decisions.iter().map(|decision| &decision.id);
        known(Self::NAME, "decision", &self.id, ids)?;
        draft.record(DecisionRemove { id: self.id });
        Ok(json!({}))
    }
}

//! `findings`: what was found out, and would have to be found out again.

use hud_store::event::{FindingRecord, FindingRemove, HudEvent};
use hud_store::section::{FINDINGS_CAP, Findings};
use hud_store::state::Finding;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::review::reviewed;
use super::{Draft, Item, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Findings {
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
            (self, FINDINGS_CAP),
            texts,
            operation,
            draft,
            |item| &item.text,
            remove,
            record,
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        clear(self, draft, remove)
    }

    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let found = self.iter().find(|finding| finding.id == id)?;
        let record = |text: &str| FindingRecord {
            id: found.id.clone(),
            text: text.to_owned(),
            weight: None,
        };
        reviewed(
            verdict,
            (&found.text, found.by.is_agent()),
            |text| record(text).into(),
            || remove(found),
        )
    }
}

fn remove(item: &Finding) -> HudEvent {
    let id = item.id.clone();
    FindingRemove { id }.into()
}

list!("findings.list", "all findings, whole", "findings", findings);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// What was found out, in one line: a cause, a place, a command that works.
    text: String,
}

impl Write for Record {
    const NAME: &'static str = "findings.record";
    const DOES: &'static str = "record what you found out";
    const EXAMPLE: &'static str = r#"{"text":"The cache key lacks the tenant: cache.rs:41"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let text = said(Self::NAME, "text", self.text)?;
        Ok(record(draft, text))
    }
}

/// Records a finding, unless the agent recorded one that says the same. One that was derived becomes the
/// agent's own.
fn record(draft: &mut Draft<'_>, text: String) -> Value {
    let mut findings = draft.state().findings.iter();
    let id = match findings.find(|finding| finding.text == text) {
        Some(finding) if finding.by.is_agent() => {
            return json!({ "id": finding.id, "unchanged": true });
        }
        Some(finding) => finding.id.clone(),
        None => draft.next_id(Item::Finding),
    };
    draft.record(FindingRecord {
        id: id.clone(),
        text,
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
    const NAME: &'static str = "findings.remove";
    const DOES: &'static str = "a finding does not hold";
    const EXAMPLE: &'static str = r#"{"id":"f1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let ids = draft.state().findings.iter().map(|finding| &finding.id);
        known(Self::NAME, "finding", &self.id, ids)?;
        draft.record(FindingRemove { id: self.id });
        Ok(json!({}))
    }
}

//! `constraints`: the rules that the user set.

use hud_store::event::{ConstraintAdd, ConstraintLift, HudEvent};
use hud_store::section::{CONSTRAINTS_CAP, Constraints};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::review::{is_said, reviewed};
use super::{Draft, Operations, Read, ToolError, View, Write, known, list, refuse, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Constraints {
    const ALIASES: &'static [&'static str] = &["rules"];

    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Add>().write::<Lift>()
    }

    /// What the user said needs nobody to confirm it.
    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let rule = self.iter().find(|rule| rule.id == id)?;
        let add = |text: &str| ConstraintAdd {
            id: rule.id.clone(),
            text: text.to_owned(),
        };
        let lift = || ConstraintLift {
            id: rule.id.clone(),
        };
        reviewed(
            verdict,
            (&rule.text, is_said(&rule.by)),
            |text| add(text).into(),
            || lift().into(),
        )
    }
}

list!(
    "constraints.list",
    "the rules that the user set",
    "constraints",
    constraints
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The rule, as the user said it.
    text: String,
}

impl Write for Add {
    const NAME: &'static str = "constraints.add";
    const DOES: &'static str = "the user set a rule";
    const EXAMPLE: &'static str = r#"{"text":"Never commit"}"#;

    /// No rule is dropped for another: where there are too many, one has to be lifted first.
    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let text = said(Self::NAME, "text", self.text)?;
        let rules = &draft.state().constraints;
        if let Some(rule) = rules.iter().find(|rule| rule.text == text) {
            return Ok(json!({ "id": rule.id, "unchanged": true }));
        }
        if rules.len() >= CONSTRAINTS_CAP {
            let reason =
                format!("there are {CONSTRAINTS_CAP} rules, and no more are kept: lift one first");
            return Err(refuse(Self::NAME, reason));
        }
        let id = draft.next_id('c');
        draft.record(ConstraintAdd {
            id: id.clone(),
            text,
        });
        Ok(json!({ "id": id }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Lift {
    /// Which one.
    id: String,
}

impl Write for Lift {
    const NAME: &'static str = "constraints.lift";
    const DOES: &'static str = "the user lifted a rule";
    const EXAMPLE: &'static str = r#"{"id":"c1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let ids = draft.state().constraints.iter().map(|rule| &rule.id);
        known(Self::NAME, "rule", &self.id, ids)?;
        draft.record(ConstraintLift { id: self.id });
        Ok(json!({}))
    }
}

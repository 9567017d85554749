//! `attention`: how much of its HUD an agent gives to which section.

use hud_core::fit::share::Share;
use hud_store::event::{AttentionEnd, AttentionSet};
use hud_store::section::Attention;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Draft, Operations, ToolError, Write, refuse, section};
use crate::section::AgentSection;

impl AgentSection for Attention {
    fn operations(operations: Operations) -> Operations {
        operations
            .write::<Set>()
            .write_also_as::<Set>("set_attention")
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        for (section, _) in self.shares() {
            let section = section.to_owned();
            draft.record(AttentionEnd { section });
        }
        true
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    /// Which section: `notes`, `findings`, `knowledge`, ...
    section: String,
    /// `30%`, `%*` for an equal part of what others leave, or nothing to take it back.
    #[serde(default)]
    value: String,
}

impl Write for Set {
    const NAME: &'static str = "attention.set";
    const DOES: &'static str = "give a section a share of your HUD";
    const EXAMPLE: &'static str = r#"{"section":"findings","value":"30%"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let section = section::find(Self::NAME, draft.operations(), &self.section)?;
        let section = section.name.to_owned();
        let mut shares: Map<String, Value> = Map::new();
        let mut percents = 0_u64;
        for (other, share) in draft
            .state()
            .attention
            .shares()
            .filter(|(other, _)| *other != section)
        {
            percents += share.map_or(0, u64::from);
            shares.insert(other.to_owned(), json!(written(share)));
        }
        let value = self.value.trim();
        if value.is_empty() {
            draft.record(AttentionEnd { section });
            return Ok(json!({ "attention": shares }));
        }
        value
            .parse::<Share>()
            .map_err(|error| refuse(Self::NAME, error.to_string()))?;
        let percent = value.trim_end_matches('%').parse::<u8>().ok();
        let all = percents + percent.map_or(0, u64::from);
        if all > 100 {
            let reason = format!(
                "the shares would be {all} % together, and there are 100: the others have {}",
                Value::Object(shares)
            );
            return Err(refuse(Self::NAME, reason));
        }
        shares.insert(section.clone(), json!(written(percent)));
        draft.record(AttentionSet { section, percent });
        Ok(json!({ "attention": shares, "holds": "where the HUD has a budget of tokens" }))
    }
}

fn written(share: Option<u8>) -> String {
    share.map_or_else(|| "%*".to_owned(), |percent| format!("{percent}%"))
}

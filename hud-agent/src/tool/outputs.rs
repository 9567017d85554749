//! `outputs`: what tools said, as far as it is in the conversation, and what left it.

use hud_store::event::OutputProtect;
use hud_store::state::Lines;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, Read, ToolError, View, Write, refuse};

pub(super) fn operations(operations: Operations) -> Operations {
    operations.read_in_help::<List>().write_in_help::<Keep>()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {}

impl Read for List {
    const NAME: &'static str = "outputs.list";
    const DOES: &'static str = "what tools said: what is in the conversation, and what left it";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let state = view.state();
        let kept = state.outputs.seen.iter().map(|output| {
            json!({
                "call": output.call,
                "tool": output.tool,
                "target": output.target,
                "class": output.class,
                "chars": output.chars,
                "turn": output.turn,
                "stays": output.protected,
                "superseded": output.superseded,
            })
        });
        let left = state.pruned.iter().map(|output| {
            json!({
                "call": output.call,
                "tool": output.tool,
                "target": output.target,
            })
        });
        Ok(json!({
            "here": kept.collect::<Vec<_>>(),
            "left": left.collect::<Vec<_>>(),
        }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Keep {
    /// The call, as `outputs.list` names it.
    call: String,
    /// Only these lines of it, as `10-40`: they stay when the rest leaves.
    lines: Option<String>,
}

impl Write for Keep {
    const NAME: &'static str = "outputs.keep";
    const DOES: &'static str =
        "keep what a tool said, or some of its lines, in the conversation until it is compacted";
    const EXAMPLE: &'static str = r#"{"call":"toolu_01"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let state = draft.state();
        if let Some(left) = state.pruned.iter().find(|left| left.call == self.call) {
            let reason = format!("it left already: recall it by its call `{}`", left.call);
            return Err(refuse(Self::NAME, reason));
        }
        let lines = self.lines.as_deref().map(|lines| range(Self::NAME, lines));
        let lines = lines.transpose()?;
        match state.outputs.of(&self.call) {
            None => Err(refuse(
                Self::NAME,
                format!(
                    "no output of `{}` is known: outputs.list names them",
                    self.call
                ),
            )),
            Some(known) if known.protected => Ok(json!({ "unchanged": true })),
            Some(known) if lines.is_some_and(|lines| known.kept.contains(&lines)) => {
                Ok(json!({ "unchanged": true }))
            }
            Some(known)
                if lines.is_some_and(|lines| known.rows > 0 && lines.first > known.rows) =>
            {
                let reason = format!("it has lines 1-{}", known.rows);
                Err(refuse(Self::NAME, reason))
            }
            Some(_) => {
                draft.record(OutputProtect {
                    call: self.call,
                    lines,
                });
                Ok(json!({ "stays": lines.map_or(json!(true), |lines| json!(lines)) }))
            }
        }
    }
}

/// Lines as they are written: `10-40`, or `10`.
pub(super) fn range(operation: &'static str, lines: &str) -> Result<Lines, ToolError> {
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(Lines {
            first: u64::max(first, 1),
            last: u64::max(last, 1),
        }),
        _ => {
            let reason =
                format!("`lines` is `{lines}`: it is the first and the last one, as 10-40");
            Err(refuse(operation, reason))
        }
    }
}

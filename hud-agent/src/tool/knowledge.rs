//! `knowledge`: what the agent knows, by path. It is never dropped for it: where there is too much, the agent
//! is asked what is to leave.

use hud_components::{KnowledgeLimit, knowledge_tokens, text};
use hud_store::event::{KnowledgeAppend, KnowledgeDelete, KnowledgeSet};
use hud_store::section::{Knowledge, KnowledgePath, percent};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, ToolError, View, Write, refuse};
use crate::section::AgentSection;

impl AgentSection for Knowledge {
    fn operations(operations: Operations) -> Operations {
        operations
            .write::<Set>()
            .write::<Delete>()
            .write::<Append>()
            .read::<Get>()
            .write_also_as::<Set>("set")
            .write_also_as::<Delete>("delete")
            .write_also_as::<Append>("append")
            .read_also_as::<Get>("knowledge.list")
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        for known in self.values() {
            draft.record(KnowledgeDelete {
                path: known.path.to_string(),
            });
        }
        true
    }
}

/// How many values are proposed to leave.
const PROPOSED: usize = 5;

/// A path, or why it is none.
fn path(operation: &'static str, text: &str) -> Result<KnowledgePath, ToolError> {
    text.parse()
        .map_err(|error: hud_store::section::PathError| refuse(operation, error.to_string()))
}

/// Accepts what is known afterwards if there is room for it, and says how full it is.
fn fits(
    operation: &'static str,
    before: &Knowledge,
    after: &Knowledge,
    limit: KnowledgeLimit,
) -> Result<Value, ToolError> {
    let tokens = knowledge_tokens(after);
    if tokens <= limit.0 || tokens <= knowledge_tokens(before) {
        return Ok(used(after, limit));
    }
    let number = |tokens: u64| text::thousands(usize::try_from(tokens).unwrap_or(usize::MAX));
    let proposed: Vec<String> = before
        .by_worth()
        .into_iter()
        .take(PROPOSED)
        .map(|known| {
            let path = text::line(&known.path.to_string(), 80).into_owned();
            format!("`{path}` (w {}, turn {})", weight(known.w), known.turn)
        })
        .collect();
    let reason = format!(
        "knowledge: {} of {} tokens, {} too many. Nothing was written or dropped: make it shorter, or \
         delete first what is worth least: {}",
        number(tokens),
        number(limit.0),
        number(tokens - limit.0),
        proposed.join(", ")
    );
    Err(refuse(operation, reason))
}

/// How much an agent may know.
fn limit(operations: &Operations) -> KnowledgeLimit {
    KnowledgeLimit(operations.memory().knowledge)
}

fn used(knowledge: &Knowledge, limit: KnowledgeLimit) -> Value {
    let percent = limit.percent(knowledge_tokens(knowledge));
    json!({ "memory_used": format!("{percent}%") })
}

/// A weight as it is written: `0.5`.
fn weight(w: u8) -> String {
    match w {
        100 => "1".to_owned(),
        w => format!("0.{w:02}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    /// Keys with dots between them, `\.` for a dot in a key, a number in a list: `people.Bob.notes.0`.
    path: String,
    /// Any value; `{"v": .., "w": 0.9}` says its weight, too.
    value: Value,
    /// What it is worth, from 0 to 1.
    w: Option<f64>,
}

impl Write for Set {
    const NAME: &'static str = "knowledge.set";
    const DOES: &'static str = "write down what you know, by path";
    const EXAMPLE: &'static str = r#"{"path":"facts.ci.timeout","value":"20 minutes","w":0.9}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let path = path(Self::NAME, &self.path)?;
        let before = &draft.state().knowledge;
        let mut after = before.clone();
        let w = self.w.map(percent);
        let (turn, at) = (draft.state().turn, Timestamp::UNIX_EPOCH);
        if !after.set(&path, self.value.clone(), w, turn, at) {
            let reason = format!(
                "`{path}` is nowhere: what is above it is no object, or a list that is shorter. See \
                 `knowledge.get`"
            );
            return Err(refuse(Self::NAME, reason));
        }
        let answer = fits(Self::NAME, before, &after, limit(draft.operations()))?;
        draft.record(KnowledgeSet {
            path: path.to_string(),
            value: self.value,
            w,
        });
        Ok(answer)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Delete {
    /// Where; what is below it goes, too.
    path: String,
}

impl Write for Delete {
    const NAME: &'static str = "knowledge.delete";
    const DOES: &'static str = "forget what is at a path";
    const EXAMPLE: &'static str = r#"{"path":"facts.ci"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let path = path(Self::NAME, &self.path)?;
        let mut after = draft.state().knowledge.clone();
        if !after.delete(&path) {
            let keys = match draft.state().knowledge.to_json() {
                Value::Object(fields) => fields.keys().cloned().collect::<Vec<_>>().join(", "),
                _ => String::new(),
            };
            let keys = if keys.is_empty() {
                "nothing is known".to_owned()
            } else {
                format!("there are {keys}")
            };
            return Err(refuse(
                Self::NAME,
                format!("there is nothing at `{path}`: {keys}"),
            ));
        }
        draft.record(KnowledgeDelete {
            path: path.to_string(),
        });
        Ok(used(&after, limit(draft.operations())))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Append {
    /// Where the list is; it is made if there is none.
    path: String,
    /// What is added.
    value: Value,
}

impl Write for Append {
    const NAME: &'static str = "knowledge.append";
    const DOES: &'static str = "add to a list at a path";
    const EXAMPLE: &'static str = r#"{"path":"goals","value":"Ship on Friday"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let path = path(Self::NAME, &self.path)?;
        let before = &draft.state().knowledge;
        let mut after = before.clone();
        let (turn, at) = (draft.state().turn, Timestamp::UNIX_EPOCH);
        if !after.append(&path, self.value.clone(), turn, at) {
            let reason =
                format!("`{path}` is no list: it has values below it. See `knowledge.get`");
            return Err(refuse(Self::NAME, reason));
        }
        let answer = fits(Self::NAME, before, &after, limit(draft.operations()))?;
        draft.record(KnowledgeAppend {
            path: path.to_string(),
            value: self.value,
        });
        Ok(answer)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {
    /// Where; without, all of it.
    path: Option<String>,
}

impl super::Read for Get {
    const NAME: &'static str = "knowledge.get";
    const DOES: &'static str = "what you know, whole or at a path";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let knowledge = &view.state().knowledge;
        let Some(at) = self.path else {
            let mut answer = used(knowledge, limit(view.operations()));
            answer["knowledge"] = knowledge.to_json();
            return Ok(answer);
        };
        let at = path(Self::NAME, &at)?;
        match knowledge.get(&at) {
            Some(value) => Ok(json!({ "value": value })),
            None => Err(refuse(Self::NAME, format!("there is nothing at `{at}`"))),
        }
    }
}

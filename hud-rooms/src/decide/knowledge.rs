//! An agent's knowledge, and its attention.

use hud_core::fit::share::Share;
use hud_store::event::{KnowledgeAppend, KnowledgeDelete, KnowledgeSet};
use hud_store::section::{KNOWLEDGE_BYTES, KNOWLEDGE_CAP, KnowledgePath, percent};
use hud_store::state::Knowledge;
use serde_json::Value;

use super::Turn;
use crate::action::begin;
use crate::gate::{Gate, Refusal};
use crate::limits::KNOWLEDGE_TOKENS;
use crate::own::AttentionSet;
use crate::world::AgentId;

/// The number of values that are proposed for removal.
const PROPOSED: usize = 3;

impl Turn<'_> {
    pub(super) fn set(
        &mut self,
        at: &str,
        value: &Value,
        w: Option<&Value>,
    ) -> Result<(), Refusal> {
        let (path, w) = (path(at)?, w.map(weight).transpose()?);
        if let (Value::Object(fields), None) = (value, w)
            && fields.len() == 2
            && fields.contains_key("v")
            && let Some(w) = fields.get("w")
        {
            weight(w)?;
        }
        let w = w.flatten().map(percent);
        let mut known = self.knowledge.clone();
        if !known.set(&path, value.clone(), w, self.beat, self.now) {
            return Err(nowhere(&path));
        }
        self.keep(known)?;
        self.decided.own.push(
            KnowledgeSet {
                path: path.to_string(),
                value: value.clone(),
                w,
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn delete(&mut self, at: &str) -> Result<(), Refusal> {
        let path = path(at)?;
        if !self.knowledge.delete(&path) {
            return Err(Refusal::at(
                Gate::Exists,
                format!(
                    "nothing is at `{}`: see self.knowledge",
                    begin(&path.to_string())
                ),
            ));
        }
        self.decided.own.push(
            KnowledgeDelete {
                path: path.to_string(),
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn append(&mut self, at: &str, value: &Value) -> Result<(), Refusal> {
        let path = path(at)?;
        let mut known = self.knowledge.clone();
        if !known.append(&path, value.clone(), self.beat, self.now) {
            return Err(nowhere(&path));
        }
        self.keep(known)?;
        self.decided.own.push(
            KnowledgeAppend {
                path: path.to_string(),
                value: value.clone(),
            }
            .into(),
        );
        Ok(())
    }

    /// Keeps the new knowledge if it fits; otherwise refuses and proposes values to remove.
    fn keep(&mut self, known: Knowledge) -> Result<(), Refusal> {
        let json = known.to_json().to_string();
        let now = |of: &Self| u64::from(of.counter.tokens(&of.knowledge.to_json().to_string()));
        // A text that is far too long is not counted. The other bounds are those of the section, which
        // would otherwise drop the values of the lowest priority.
        let is_long =
            json.len() as u64 > KNOWLEDGE_TOKENS * 100 || json.len() * 2 > KNOWLEDGE_BYTES;
        let over = if known.values().len() >= KNOWLEDGE_CAP {
            let values = self.knowledge.values().len();
            Some(format!("{values} of {} values", KNOWLEDGE_CAP - 1))
        } else if is_long || u64::from(self.counter.tokens(&json)) > KNOWLEDGE_TOKENS {
            Some(format!("{} of {KNOWLEDGE_TOKENS} tokens", now(self)))
        } else {
            None
        };
        if let Some(over) = over {
            let by_worth = self.knowledge.by_worth();
            let proposed = by_worth.iter().take(PROPOSED).map(|known| {
                format!(
                    "`{}` (w {:.2})",
                    begin(&known.path.to_string()),
                    f64::from(known.w) / 100.0
                )
            });
            let proposed: Vec<String> = proposed.collect();
            let mend = match proposed.is_empty() {
                true => "write less".to_owned(),
                false => format!(
                    "write less, or delete first what is worth least and oldest: {}",
                    proposed.join(", ")
                ),
            };
            return Err(Refusal::at(
                Gate::Memory,
                format!("you know {over}, and this is too much: {mend}"),
            ));
        }
        self.knowledge = known;
        Ok(())
    }

    pub(super) fn attend(&mut self, room: AgentId, value: &Value) -> Result<(), Refusal> {
        self.room(room)?;
        let text = match value {
            Value::String(text) => text.trim().to_owned(),
            value => value.to_string(),
        };
        let refuse = |said: String| Err(Refusal::at(Gate::Range, said));
        let share = match text.as_str() {
            "%*" => "%*".to_owned(),
            text => {
                let number = text.strip_suffix('%').unwrap_or(text).trim();
                match number.parse::<f64>() {
                    Ok(percent) if (0.0..=100.0).contains(&percent) => {
                        // An integer without a sign.
                        format!("{}%", percent.round() as u8)
                    }
                    _ => {
                        return refuse(format!(
                            "`{}` is no share: write `30%` or `%*`",
                            begin(text)
                        ));
                    }
                }
            }
        };
        let parsed = |share: &str| share.parse().unwrap_or(Share::REST);
        let fixed = |share: Share| {
            share
                .to_string()
                .trim_end_matches('%')
                .parse::<u32>()
                .unwrap_or(0)
        };
        let others: u32 = self
            .world
            .rooms_of(self.agent)
            .filter(|other| other.id != room)
            .map(|other| fixed(self.own.share(other.id)))
            .sum();
        if others + fixed(parsed(&share)) > 100 {
            let left = 100_u32.saturating_sub(others);
            return refuse(format!(
                "your other rooms have {others}% already: give this one at most {left}%, or another one less first"
            ));
        }
        self.own(AttentionSet { room, share }.into());
        Ok(())
    }
}

fn path(text: &str) -> Result<KnowledgePath, Refusal> {
    text.parse()
        .map_err(|error: hud_store::section::PathError| Refusal::at(Gate::Form, error.to_string()))
}

/// Parses a weight from 0 to 1. `None` if it is null.
fn weight(value: &Value) -> Result<Option<f64>, Refusal> {
    let number = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    match number.filter(|number| (0.0..=1.0).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(Refusal::at(
            Gate::Range,
            format!(
                "the weight {} is not from 0.0 to 1.0: write one that is",
                begin(&value.to_string())
            ),
        )),
    }
}

fn nowhere(path: &KnowledgePath) -> Refusal {
    Refusal::at(
        Gate::Form,
        format!(
            "nothing can be at `{}`: above it is a text or a number, or it is not the next place of a list; \
             set what is above it first",
            begin(&path.to_string())
        ),
    )
}

//! `constraints`: the rules, of which those that the user set end by the user's own words.

use hud_components::text::line;
use hud_store::event::{Actor, ConstraintAdd, ConstraintLift, HudEvent};
use hud_store::section::{CONSTRAINTS_CAP, Constraints};
use hud_store::state::{Constraint, UserMessage};
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
            message: None,
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
    "the rules, and who set each",
    "constraints",
    constraints
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The rule.
    text: String,
}

impl Write for Add {
    const NAME: &'static str = "constraints.add";
    const DOES: &'static str = "a rule holds; it is shown as yours";
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
    /// For a rule of the user's: the user's later message that ended it, by its name (`u4`) or its first words.
    message: Option<String>,
}

impl Write for Lift {
    const NAME: &'static str = "constraints.lift";
    const DOES: &'static str = "a rule no longer holds; for one of the user's, `message` is the user's message that ended it";
    const EXAMPLE: &'static str = r#"{"id":"c1","message":"You may commit now"}"#;

    /// What the user set is lifted by what the user said later, and by nothing else.
    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let state = draft.state();
        let ids = state.constraints.iter().map(|rule| &rule.id);
        known(Self::NAME, "rule", &self.id, ids)?;
        let rule = state.constraints.iter().find(|rule| rule.id == self.id);
        let users = rule.filter(|rule| rule.by == Actor::User && !draft.is_users());
        let Some(rule) = users else {
            draft.record(ConstraintLift {
                id: self.id,
                message: None,
            });
            return Ok(json!({}));
        };
        let later: Vec<UserMessage<'_>> = state
            .record
            .user_messages()
            .filter(|message| rule.is_before(message))
            .collect();
        let name = self.message.as_deref().unwrap_or_default().trim();
        let is_named =
            |message: &&UserMessage<'_>| message.id == name || begins(message.text, name);
        let Some(message) = later.iter().find(is_named) else {
            return Err(refuse(Self::NAME, unnamed(rule, &later)));
        };
        draft.record(ConstraintLift {
            id: self.id,
            message: Some(message.id.to_owned()),
        });
        Ok(json!({ "ended_by": { "id": message.id, "text": message.text } }))
    }
}

/// How many characters of a message name it at least.
const NAMED: usize = 8;

/// Whether a message begins with some words, in whatever case, or is no longer than they are.
fn begins(message: &str, words: &str) -> bool {
    let plain = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").to_lowercase()
    };
    let (message, words) = (plain(message), plain(words));
    let is_enough = words.chars().nth(NAMED - 1).is_some() || words == message;
    !words.is_empty() && is_enough && message.starts_with(&words)
}

/// Why a rule of the user's is not lifted, and what would lift it.
fn unnamed(rule: &Constraint, later: &[UserMessage<'_>]) -> String {
    let messages = later.iter().rev().take(SHOWN);
    let messages: Vec<String> = messages
        .map(|message| format!("{} \"{}\"", message.id, line(message.text, 60)))
        .collect();
    let id = &rule.id;
    match messages.is_empty() {
        true => format!(
            "`{id}` is a rule of the user's, who has said nothing since that could have ended it: ask the user"
        ),
        false => format!(
            "`{id}` is a rule of the user's: `message` has to name the user's message that ended it, one of {}. \
             If none of them did, the rule holds",
            messages.join(", ")
        ),
    }
}

/// How many messages a refusal shows.
const SHOWN: usize = 5;

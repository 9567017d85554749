//! `review`: what the agent says of items that were recorded, by their ids.
//!
//! Most of them were not recorded by the agent: they are derived from what it says and does, or lifted from
//! the summary of a compaction. One that is confirmed or corrected is the agent's own from then on, one that
//! is dropped is not derived again from the same words ([`Dropped`](hud_store::section::Dropped)).
//!
//! An item is named by its id, or by the words that it begins with: where the HUD is short, and for the user's own
//! words, no id is shown.
//!
//! A call may name any number of items. What is wrong with one of them does not keep the others: its id is in
//! the answer under `refused`, with the reason. Only a call of which nothing can be done is refused as a whole.

use std::collections::BTreeMap;

use hud_components::text;
use hud_store::event::{Actor, HudEvent};
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Draft, Operations, ToolError, Write, refuse};
use crate::section::Verdict;

pub(super) fn operations(operations: Operations) -> Operations {
    operations.write::<Review>()
}

/// How many ids a refusal says that there are.
const SHOWN: usize = 40;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    /// Ids, or first words, of what holds.
    #[serde(default)]
    confirm: Vec<String>,
    /// Those of what does not, each with what is so instead.
    #[serde(default)]
    correct: BTreeMap<String, String>,
    /// Those of what is wrong, or worth nothing.
    #[serde(default)]
    drop: Vec<String>,
}

/// Why an item is not reviewed.
#[derive(Debug, thiserror::Error)]
enum Unreviewed {
    #[error("there is no item `{id}`: there are {known}")]
    Missing { id: String, known: String },
    #[error("there is no item `{id}`, and no other")]
    Empty { id: String },
    #[error("several items begin with `{id}`: {ids}")]
    Several { id: String, ids: String },
    #[error("`{id}` is named for two things: say one")]
    Twice { id: String },
    #[error("`{id}` is the id of items in {sections}: use their own operations")]
    Ambiguous { id: String, sections: String },
    #[error("`{id}` is in `{section}`, which is not reviewed: see its operations with `help`")]
    OtherWays { id: String, section: &'static str },
    #[error(
        "`{id}` is in the user's own words, which nobody else changes: a rule ends with `constraints.lift` and the \
         user's message that ended it, a request with `requests.done`"
    )]
    Users { id: String },
    #[error("the text for `{id}` is empty: say what is so, or drop it")]
    Blank { id: String },
}

/// An id that was refused, as the agent reads it.
#[derive(Serialize)]
struct Refused<'r> {
    id: &'r str,
    reason: String,
}

impl Write for Review {
    const NAME: &'static str = "review";
    const DOES: &'static str =
        "confirm, correct or drop items by their ids, as (f1), or first words";
    const EXAMPLE: &'static str =
        r#"{"confirm":["f1","d2"],"correct":{"f3":"The key lacks the tenant"},"drop":["f4"]}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let asked = self.verdicts();
        if asked.is_empty() {
            let reason = format!("it names nothing: say which, for example {}", Self::EXAMPLE);
            return Err(refuse(Self::NAME, reason));
        }
        let mut done: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut refused = Vec::new();
        for (id, verdicts) in &asked {
            match follow(id, verdicts, draft) {
                Ok(events) => {
                    let how = match (events.is_empty(), verdicts.first()) {
                        (true, _) | (_, None) => "unchanged",
                        (_, Some(Verdict::Confirm)) => "confirmed",
                        (_, Some(Verdict::Correct(_))) => "corrected",
                        (_, Some(Verdict::Drop)) => "dropped",
                    };
                    done.entry(how).or_default().push(id);
                    for event in events {
                        draft.record(event);
                    }
                }
                Err(reason) => refused.push(Refused {
                    id,
                    reason: reason.to_string(),
                }),
            }
        }
        if done.is_empty() {
            let reasons: Vec<String> = refused.into_iter().map(|refused| refused.reason).collect();
            return Err(refuse(Self::NAME, reasons.join("; ")));
        }
        let mut answer = json!(done);
        if !refused.is_empty() {
            answer["refused"] = json!(refused);
        }
        Ok(answer)
    }
}

impl Review {
    /// What is said of each id.
    fn verdicts(&self) -> BTreeMap<&str, Vec<Verdict<'_>>> {
        let confirmed = self.confirm.iter().map(|id| (id, Verdict::Confirm));
        let corrected = self.correct.iter();
        let corrected = corrected.map(|(id, text)| (id, Verdict::Correct(text.trim())));
        let dropped = self.drop.iter().map(|id| (id, Verdict::Drop));
        let mut verdicts: BTreeMap<&str, Vec<Verdict<'_>>> = BTreeMap::new();
        for (id, verdict) in confirmed.chain(corrected).chain(dropped) {
            let of_it = verdicts.entry(id.trim()).or_default();
            if !of_it.contains(&verdict) {
                of_it.push(verdict);
            }
        }
        verdicts
    }
}

/// What follows from what is said of an item.
fn follow(
    id: &str,
    verdicts: &[Verdict<'_>],
    draft: &Draft<'_>,
) -> Result<Vec<HudEvent>, Unreviewed> {
    let owned = || id.to_owned();
    let [verdict] = verdicts else {
        return Err(Unreviewed::Twice { id: owned() });
    };
    if matches!(verdict, Verdict::Correct(text) if text::is_blank(text)) {
        return Err(Unreviewed::Blank { id: owned() });
    }
    let nouns = draft.operations().nouns().iter();
    let found = nouns.filter_map(|noun| {
        let events = (noun.reviewed)(draft.state(), id, verdict)?;
        Some((noun.noun, events))
    });
    let found: Vec<_> = found.collect();
    if !matches!(verdict, Verdict::Confirm) && !draft.is_users() && is_users(id, draft.state()) {
        return Err(Unreviewed::Users { id: owned() });
    }
    match found.as_slice() {
        [] => match beginning_with(id, draft).as_slice() {
            [] => Err(missing(id, draft)),
            [id] => follow(id, verdicts, draft),
            several => Err(Unreviewed::Several {
                id: owned(),
                ids: several.join(", "),
            }),
        },
        [(section, events)] => events.clone().ok_or_else(|| Unreviewed::OtherWays {
            id: owned(),
            section,
        }),
        several => {
            let sections: Vec<_> = several.iter().map(|(section, _)| *section).collect();
            Err(Unreviewed::Ambiguous {
                id: owned(),
                sections: sections.join(" and "),
            })
        }
    }
}

/// Whether an item is a rule of the user's.
fn is_users(id: &str, state: &HudState) -> bool {
    let mut rules = state.constraints.iter();
    rules.any(|rule| rule.id == id && rule.by == Actor::User)
}

/// How many letters name an item at least, and how many in scripts that need few.
const LETTERS: (usize, usize) = (6, 3);

/// The ids of the items that are reviewed and begin with these words, as they are shown or as they are.
fn beginning_with(words: &str, draft: &Draft<'_>) -> Vec<String> {
    let words = plain(words.trim_end_matches('…'));
    let least = match words.is_ascii() {
        true => LETTERS.0,
        false => LETTERS.1,
    };
    if words.chars().count() < least {
        return Vec::new();
    }
    let state = draft.state();
    let nouns = draft.operations().nouns().iter();
    let items = nouns.flat_map(|noun| {
        let items = (noun.items)(state).into_iter();
        let is_reviewed = |item: &hud_store::section::Item| {
            matches!(
                (noun.reviewed)(state, &item.id, &Verdict::Confirm),
                Some(Some(_))
            )
        };
        items.filter(is_reviewed)
    });
    let named = items.filter(|item| plain(&item.text).starts_with(&words));
    named.map(|item| item.id).collect()
}

/// A text as it is compared: in small letters, with one space between words and without marks of markdown.
fn plain(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| !matches!(c, '`' | '*' | '\\'))
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Says that there is no such item, and which there are: first those that nobody confirmed yet.
fn missing(id: &str, draft: &Draft<'_>) -> Unreviewed {
    let state = draft.state();
    let mut known: [Vec<String>; 2] = Default::default();
    for noun in draft.operations().nouns() {
        for item in (noun.items)(state) {
            if let Some(Some(events)) = (noun.reviewed)(state, &item.id, &Verdict::Confirm) {
                known[usize::from(events.is_empty())].push(item.id);
            }
        }
    }
    let mut known = known.concat();
    known.truncate(SHOWN);
    let id = id.to_owned();
    match known.is_empty() {
        true => Unreviewed::Empty { id },
        false => Unreviewed::Missing {
            id,
            known: known.join(", "),
        },
    }
}

/// What follows where an item is reviewed that says `known`, and is settled if it needs nobody to confirm it.
pub(super) fn reviewed(
    verdict: &Verdict<'_>,
    (known, is_settled): (&str, bool),
    say: impl Fn(&str) -> HudEvent,
    remove: impl Fn() -> HudEvent,
) -> Option<Vec<HudEvent>> {
    let event = match verdict {
        Verdict::Confirm => (!is_settled).then(|| say(known)),
        Verdict::Correct(text) => (!is_settled || *text != known).then(|| say(text)),
        Verdict::Drop => Some(remove()),
    };
    Some(event.into_iter().collect())
}

/// Whether somebody said it in so many words: the user, or the agent with the tool.
pub(super) fn is_said(by: &Actor) -> bool {
    matches!(by, Actor::Agent | Actor::User)
}

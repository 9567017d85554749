//! Cases of what somebody else says in a session, and what became of them.

use hud_agent::replay::Replay;
use hud_clients::transcript::Entry;
use hud_components::Hud;
use hud_core::{Density, render, rsx};
use hud_observe::observation::Observation;
use hud_store::event::{Actor, SessionId};
use hud_store::state::{Constraint, HudState};
use serde::Deserialize;

/// What a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A message of the user's that quotes somebody else: it sets no rule and lifts none.
    Paste,
    /// A summary of a compaction: it sets no task and no rule, and lifts none, while the user's words are known.
    Summary,
    /// A message with a rule of the user's own: it sets one.
    Order,
}

/// A case: a line of a file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) kind: Kind,
    /// What the user said before, message by message.
    #[serde(default)]
    pub(crate) before: Vec<String>,
    pub(crate) text: String,
}

/// What came of a case that should not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Came {
    pub(crate) tasks: Vec<String>,
    pub(crate) rules: Vec<String>,
    pub(crate) lifts: Vec<String>,
    /// What is shown without who said it.
    pub(crate) unmarked: Vec<String>,
    /// Whether a rule of the user's was missed.
    pub(crate) missed: bool,
}

impl Came {
    pub(crate) fn is_failure(&self) -> bool {
        *self != Self::default()
    }
}

/// Runs a case.
pub(crate) fn judge(case: &Case) -> Came {
    let Ok(session) = SessionId::new("hostile") else {
        return Came::default();
    };
    let mut replay = Replay::new(session);
    let mut place = 0;
    let mut observe = |replay: &mut Replay, observation| {
        place += 1;
        replay.observe(Entry {
            place,
            key: format!("{place}"),
            at: None,
            bytes: 0,
            observation,
        });
    };
    for text in &case.before {
        let text = text.clone();
        observe(&mut replay, Observation::User { text });
        observe(&mut replay, Observation::ModelCall);
    }
    let before = replay.state().clone();
    let text = case.text.clone();
    match case.kind {
        Kind::Paste | Kind::Order => {
            observe(&mut replay, Observation::User { text });
            observe(&mut replay, Observation::ModelCall);
        }
        Kind::Summary => {
            let (trigger, tokens_before) = (None, None);
            observe(
                &mut replay,
                Observation::CompactionBegins {
                    trigger,
                    tokens_before,
                },
            );
            let (summary, boundary) = (Some(text), None);
            observe(
                &mut replay,
                Observation::CompactionEnds { summary, boundary },
            );
        }
    }
    let after = replay.state();
    let new = missing(&after.constraints, &before.constraints);
    let gone = missing(&before.constraints, &after.constraints);
    match case.kind {
        Kind::Paste => Came {
            rules: new,
            lifts: gone,
            ..Came::default()
        },
        Kind::Order => Came {
            missed: new.is_empty(),
            ..Came::default()
        },
        Kind::Summary if case.before.is_empty() => Came {
            unmarked: unmarked(after),
            ..Came::default()
        },
        Kind::Summary => Came {
            tasks: tasks(&before, after),
            rules: new,
            lifts: gone,
            unmarked: Vec::new(),
            missed: false,
        },
    }
}

/// The texts of rules that are not among others.
fn missing(rules: &[Constraint], others: &[Constraint]) -> Vec<String> {
    let is_missing = |rule: &&Constraint| !others.iter().any(|other| other.text == rule.text);
    rules
        .iter()
        .filter(is_missing)
        .map(|rule| rule.text.clone())
        .collect()
}

/// What a session is about after a summary that it was not about before.
fn tasks(before: &HudState, after: &HudState) -> Vec<String> {
    let said = |state: &HudState| -> Vec<String> {
        let task = state.task.iter();
        let texts = task.flat_map(|task| {
            let restated = task.restated.iter().map(|restated| restated.text.clone());
            let asked = task.latest_request.iter().cloned();
            [task.description.clone()]
                .into_iter()
                .chain(asked)
                .chain(restated)
        });
        let requests = state.requests.iter().map(|request| request.text.clone());
        texts.chain(requests).collect()
    };
    let (before, after) = (said(before), said(after));
    let new = after.iter().filter(|text| !before.contains(text));
    let gone = before.iter().filter(|text| !after.contains(text));
    new.chain(gone).cloned().collect()
}

/// What the HUD shows of a task and of rules that the user did not state, without saying whose they are.
fn unmarked(state: &HudState) -> Vec<String> {
    let mut unmarked = Vec::new();
    let has_task = state
        .task
        .as_ref()
        .is_some_and(|task| task.by != Actor::User);
    let has_rule = state.constraints.iter().any(|rule| rule.by != Actor::User);
    for density in [Density::Full, Density::Compact, Density::Minimal] {
        let shown = render(&rsx! { <Hud state={state} /> }, density).unwrap_or_default();
        let count = shown.matches("(summary)").count();
        if count < usize::from(has_task) + usize::from(has_rule) {
            unmarked.push(shown);
        }
    }
    unmarked
}

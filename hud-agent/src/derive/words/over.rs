//! What of it is no longer so.

use std::collections::BTreeSet;

use hud_store::event::{
    Actor, CheckEvent, DecisionEvent, DecisionRemove, FindingEvent, FindingRemove, HudEvent,
    NoteEvent, RequestEnd, RequestEvent,
};
use hud_store::state::HudState;

use super::known::{Known, known};
use crate::derive::Derived;
use crate::derive::alike::{Words, alike};

/// What is no longer so after these events, in a session in that state: that something is broken, once a
/// check passes; what was decided on the way to something that the user no longer wants.
pub(in crate::derive) fn over(events: &[Derived], state: &HudState) -> Vec<HudEvent> {
    let mut over = Vec::new();
    // What is recorded again under its id is not over.
    let renewed: BTreeSet<&str> = events
        .iter()
        .filter_map(|said| recorded(&said.event))
        .collect();
    for Derived { actor, event } in events {
        match event {
            HudEvent::Decision(DecisionEvent::Record(e)) if actor.is_agent() => {
                let details = e.details.as_deref().unwrap_or_default();
                over.extend(said_before(
                    &format!("{} {details}", e.summary),
                    &renewed,
                    state,
                ));
            }
            HudEvent::Finding(FindingEvent::Record(e)) if actor.is_agent() => {
                over.extend(said_before(&e.text, &renewed, state));
            }
            HudEvent::Note(NoteEvent::Add(e)) if actor.is_agent() => {
                over.extend(said_before(&e.content, &renewed, state));
            }
            HudEvent::Check(CheckEvent::Run(run)) if run.passed => {
                let broken = state.findings.iter().filter(|finding| {
                    finding.by == Actor::Derived && says_broken(&finding.text.to_lowercase())
                });
                over.extend(broken.map(|finding| {
                    FindingRemove {
                        id: finding.id.clone(),
                    }
                    .into()
                }));
            }
            HudEvent::Request(RequestEvent::Close(e)) if e.how == RequestEnd::Withdrawn => {
                let Some(request) = state.requests.iter().find(|request| request.id == e.id) else {
                    continue;
                };
                let since = |by: &Actor, turn| *by == Actor::Derived && turn > request.turn;
                let decisions = state
                    .decisions
                    .iter()
                    .filter(|made| since(&made.by, made.turn));
                over.extend(decisions.map(|made| {
                    DecisionRemove {
                        id: made.id.clone(),
                    }
                    .into()
                }));
            }
            _ => {}
        }
    }
    over
}

/// What was derived and is now recorded by the agent itself.
fn said_before(
    said: &str,
    renewed: &BTreeSet<&str>,
    state: &HudState,
) -> impl Iterator<Item = HudEvent> {
    let words = Words::of(said);
    let known = known(state).into_iter();
    let known = known.filter(move |known| {
        !known.is_recorded && !renewed.contains(&*known.id) && alike(&known.words, &words)
    });
    known.map(Known::removed)
}

/// The id of what an event records.
fn recorded(event: &HudEvent) -> Option<&str> {
    match event {
        HudEvent::Decision(DecisionEvent::Record(e)) => Some(&e.id),
        HudEvent::Finding(FindingEvent::Record(e)) => Some(&e.id),
        _ => None,
    }
}

/// Whether a sentence says that something does not work at this moment, rather than why.
fn says_broken(lower: &str) -> bool {
    const BROKEN: &[&str] = &[
        "compile",
        "failing",
        "fails",
        "broken",
        "undefined",
        "not defined",
        "undeclared",
        "no `err`",
        "type error",
        "declared before",
        "unused",
        "syntax error",
        "redo",
        "needs fixing",
        "need fixing",
        "need to fix",
        "must fix",
        "test fail",
        "lint error",
    ];
    BROKEN.iter().any(|cue| lower.contains(cue))
}

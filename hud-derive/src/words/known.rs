//! Known statements, and statements that the agent dropped.

use std::borrow::Cow;
use std::rc::Rc;

use hud_store::event::{
    Actor, ConstraintEvent, DecisionEvent, DecisionRemove, FindingEvent, FindingRemove, HudEvent,
    RequestEvent, StepEvent,
};
use hud_store::state::HudState;

use crate::Derived;
use crate::alike::Words;

/// The section of a known statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Finding,
    Decision,
}

/// The statements that the agent dropped.
pub(super) struct Dropped<'s>(Vec<(&'s str, Rc<Words>)>);

impl<'s> Dropped<'s> {
    pub(super) fn of(state: &'s HudState) -> Self {
        let texts = state.dropped.iter().map(|dropped| dropped.text.as_str());
        Self(texts.map(|text| (text, Words::of_known(text))).collect())
    }

    /// True if one of them is the same in almost the same words.
    pub(super) fn has(&self, text: &str, own: &Words) -> bool {
        self.0.iter().any(|(known, words)| {
            let most = words.len().max(own.len());
            *known == text || (most >= 2 && words.common(own) * 5 >= most * 4)
        })
    }
}

/// Removes the events of a summary that restate what the agent dropped.
pub(crate) fn without_dropped(events: &mut Vec<Derived>, state: &HudState) {
    if state.dropped.is_empty() {
        return;
    }
    let dropped = Dropped::of(state);
    events.retain(|said| {
        let text = match &said.event {
            HudEvent::Decision(DecisionEvent::Record(e)) => &e.summary,
            HudEvent::Finding(FindingEvent::Record(e)) => &e.text,
            HudEvent::Constraint(ConstraintEvent::Add(e)) => &e.text,
            HudEvent::Request(RequestEvent::Make(e)) => &e.text,
            HudEvent::Step(StepEvent::Add(e)) => &e.description,
            _ => return true,
        };
        said.actor != Actor::Summary || !dropped.has(text, &Words::of(text))
    });
}

/// A statement of the state.
pub(super) struct Known<'s> {
    pub(super) sort: Sort,
    pub(super) id: Cow<'s, str>,
    pub(super) text: Cow<'s, str>,
    pub(super) words: Rc<Words>,
    /// True if the agent recorded it with the tool. It is then kept as it is.
    pub(super) is_recorded: bool,
}

impl Known<'_> {
    pub(super) fn removed(self) -> HudEvent {
        removed(self.sort, &self.id)
    }
}

/// Removes a statement of the state.
pub(super) fn removed(sort: Sort, id: &str) -> HudEvent {
    let id = id.to_owned();
    match sort {
        Sort::Finding => FindingRemove { id }.into(),
        Sort::Decision => DecisionRemove { id }.into(),
    }
}

pub(super) fn known(state: &HudState) -> Vec<Known<'_>> {
    let findings = state.findings.iter().map(|finding| Known {
        sort: Sort::Finding,
        id: Cow::Borrowed(&finding.id),
        text: Cow::Borrowed(&finding.text),
        words: Words::of_known(&finding.text),
        is_recorded: finding.by.is_agent(),
    });
    let decisions = state.decisions.iter().map(|decision| {
        let details = decision.details.as_deref().unwrap_or_default();
        Known {
            sort: Sort::Decision,
            id: Cow::Borrowed(&decision.id),
            text: Cow::Borrowed(&decision.summary),
            words: match details {
                "" => Words::of_known(&decision.summary),
                details => Rc::new(Words::of_all([decision.summary.as_str(), details])),
            },
            is_recorded: decision.by.is_agent(),
        }
    });
    // A statement that is already a note is not derived.
    let notes = state.notes.iter().map(|note| Known {
        sort: Sort::Finding,
        id: Cow::Borrowed(&note.id),
        text: Cow::Borrowed(&note.content),
        words: Words::of_known(&note.content),
        is_recorded: true,
    });
    findings.chain(decisions).chain(notes).collect()
}

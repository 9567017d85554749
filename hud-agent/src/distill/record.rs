//! Derives the events to record from a model's proposals.

use std::collections::{HashMap, VecDeque};

use hud_store::event::{
    Actor, ConstraintEvent, DecisionEvent, ErrorResolved, EventId, FindingEvent, HudEvent,
    RequestEvent, SessionId, StepEvent, StepRemove, StoredEvent,
};
use hud_store::fold::fold;
use hud_store::state::{ErrorRecord, HudState, Step, StepStatus};
use jiff::Timestamp;

use super::conversation::Message;
use super::verify::{Kind, Proposal};
use crate::tool::Numbering;
use hud_derive::{Part, Words, alike, of_part};

/// The maximum number of remembered items that have ended.
const OVER: usize = 500;

/// The first letter of the ids of distilled items, in all sections.
const NAMES: char = 'm';

/// The facts from a session's events that its state no longer has.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The texts of added items, by id.
    added: HashMap<String, String>,
    /// The words of items that have ended.
    over: VecDeque<Words>,
    /// The time at which each turn began.
    turns: Vec<(Timestamp, u64)>,
}

impl Past {
    /// Returns an empty past.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event of the session.
    pub fn take(&mut self, event: &StoredEvent) {
        if self.turns.last().is_none_or(|(_, turn)| *turn < event.turn) {
            self.turns.push((event.at, event.turn));
        }
        // A derived removal may only replace an item by a better text, so it does not end the item.
        let is_meant = matches!(event.actor, Actor::Agent | Actor::User);
        match &event.event {
            HudEvent::Request(RequestEvent::Make(e)) => self.add(&e.id, &e.text),
            HudEvent::Constraint(ConstraintEvent::Add(e)) => self.add(&e.id, &e.text),
            HudEvent::Decision(DecisionEvent::Record(e)) => self.add(&e.id, &e.summary),
            HudEvent::Finding(FindingEvent::Record(e)) => self.add(&e.id, &e.text),
            HudEvent::Step(StepEvent::Add(e)) => self.add(&e.id, &e.description),
            HudEvent::Request(RequestEvent::Close(e)) => self.end(&e.id),
            HudEvent::Constraint(ConstraintEvent::Lift(e)) => self.end(&e.id),
            HudEvent::Step(StepEvent::Complete(e)) => self.end(&e.id),
            HudEvent::Step(StepEvent::Remove(e)) if event.actor != Actor::Distilled => {
                self.end(&e.id);
            }
            HudEvent::Decision(DecisionEvent::Remove(e)) if is_meant => self.end(&e.id),
            HudEvent::Finding(FindingEvent::Remove(e)) if is_meant => self.end(&e.id),
            _ => {}
        }
    }

    fn add(&mut self, id: &str, text: &str) {
        self.added.insert(id.to_owned(), text.to_owned());
    }

    fn end(&mut self, id: &str) {
        let Some(text) = self.added.remove(id) else {
            return;
        };
        let excess = (self.over.len() + 1).saturating_sub(OVER);
        self.over.drain(..excess);
        self.over.push_back(Words::of(&text));
    }

    /// True if an item with such a text has ended.
    fn ended(&self, text: &str) -> bool {
        let own = Words::of(text);
        let mut over = self.over.iter();
        !own.is_empty() && over.any(|over| *over == own || alike(over, &own))
    }

    /// Returns the session's turn of a message. A transcript and a log may count turns from different moments,
    /// so the times limit the turn if there are any.
    fn turn_of(&self, message: &Message, state: &HudState) -> u64 {
        let Some(at) = message.at else {
            return message.turn.min(state.turn);
        };
        let next = self.turns.partition_point(|(begun, _)| *begun <= at);
        let turn = |nth: Option<usize>| self.turns.get(nth?).map(|(_, turn)| *turn);
        // A client records a message before the agent's actions in the same turn.
        let first = turn(next.checked_sub(1)).unwrap_or(0);
        let last = turn(Some(next)).unwrap_or(state.turn).max(first);
        message.turn.clamp(first, last)
    }
}

/// An event to append as [`Actor::Distilled`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The turn of the message that it comes from.
    pub turn: u64,
    /// The event.
    pub event: HudEvent,
}

/// Returns the events of a model's proposals, for a session with that state and past. Known items are not
/// recorded again, and items that have ended do not return.
pub fn events(
    proposals: &[Proposal],
    session: &SessionId,
    state: &HudState,
    past: &Past,
) -> Vec<Recorded> {
    let mut state = state.clone();
    // Distilled ids have their own letter, because a replay of the recording numbers its items without them.
    let mut numbering = Numbering::of(&state).under(NAMES);
    let mut recorded = Vec::new();
    let mut record = |state: &mut HudState, turn, event: HudEvent| {
        // The next proposals are compared with a state that includes this event.
        let stored = StoredEvent {
            seq: 0,
            session: session.clone(),
            version: state.version + 1,
            id: EventId::of_name("distilled"),
            turn,
            at: Timestamp::UNIX_EPOCH,
            actor: Actor::Distilled,
            cause: None,
            event: event.clone(),
        };
        *state = fold(std::mem::take(state), &stored);
        recorded.push(Recorded { turn, event });
    };
    for event in no_longer_next(proposals, &state) {
        let turn = state.turn;
        record(&mut state, turn, event);
    }
    for proposal in proposals {
        if proposal.kind != Kind::Resolved && past.ended(&proposal.text) {
            continue;
        }
        let turn = past.turn_of(&proposal.message, &state);
        for event in of_proposal(proposal, turn, &state, &mut numbering) {
            record(&mut state, turn, event);
        }
    }
    recorded
}

/// Returns removals of distilled steps that a new answer with next steps no longer contains.
fn no_longer_next(proposals: &[Proposal], state: &HudState) -> Vec<HudEvent> {
    let next = proposals.iter().filter(|said| said.kind == Kind::Next);
    let next: Vec<Words> = next.map(|said| Words::of(&said.text)).collect();
    let is_said = |step: &Step| {
        let own = Words::of(&step.description);
        next.iter().any(|said| *said == own || alike(said, &own))
    };
    let is_over = |step: &&Step| {
        step.id.starts_with(NAMES) && step.status != StepStatus::Completed && !is_said(step)
    };
    let steps = state.next_steps.iter().filter(|_| !next.is_empty());
    let over = steps.filter(is_over).map(|step| StepRemove {
        id: step.id.clone(),
    });
    over.map(HudEvent::from).collect()
}

fn of_proposal(
    proposal: &Proposal,
    turn: u64,
    state: &HudState,
    numbering: &mut Numbering,
) -> Vec<HudEvent> {
    let mut part = Part::default();
    let list = match proposal.kind {
        Kind::Request => &mut part.requests,
        Kind::Constraint => &mut part.rules,
        Kind::Decision => &mut part.decisions,
        Kind::Finding => &mut part.findings,
        Kind::Done => &mut part.done,
        Kind::Next => &mut part.next,
        Kind::Resolved => return resolved(&proposal.text, turn, state).into_iter().collect(),
    };
    list.push(proposal.text.clone());
    of_part(part, state, numbering)
}

/// Returns the resolution of the only open error that a text matches. An error of a later turn does not match.
fn resolved(text: &str, turn: u64, state: &HudState) -> Option<HudEvent> {
    let own = Words::of(text);
    let is_meant = |error: &&ErrorRecord| {
        // A command may have failed in several ways, and the message identifies one of them.
        !error.is_resolved() && error.turn <= turn && alike(&Words::of(&error.message), &own)
    };
    let mut open = state.errors.iter().filter(is_meant);
    let (error, None) = (open.next()?, open.next()) else {
        return None;
    };
    let resolution = Some(text.to_owned());
    let id = error.id.clone();
    Some(ErrorResolved { id, resolution }.into())
}

#[cfg(test)]
mod tests {
    use hud_store::event::{
        ConstraintAdd, DecisionRecord, ErrorEncountered, FindingRecord, RequestClose, RequestEnd,
        RequestMake, StepAdd, TaskSet,
    };

    use super::*;
    use crate::distill::Speaker;

    fn session() -> SessionId {
        SessionId::new("s").unwrap()
    }

    /// A session with those events, one in each turn.
    fn after(happened: Vec<(Actor, HudEvent)>) -> (HudState, Past) {
        let (mut state, mut past) = (HudState::default(), Past::new());
        for (nth, (actor, event)) in (1..).zip(happened) {
            let stored = StoredEvent {
                seq: nth,
                session: session(),
                version: nth,
                id: EventId::now_v7(),
                turn: nth,
                at: Timestamp::from_second(nth as i64 * 60).unwrap(),
                actor,
                cause: None,
                event,
            };
            past.take(&stored);
            state = fold(state, &stored);
        }
        (state, past)
    }

    fn proposal(kind: Kind, turn: u64, text: &str) -> Proposal {
        let message = Message {
            turn,
            by: Speaker::User,
            text: text.to_owned(),
            at: None,
        };
        let text = text.to_owned();
        Proposal {
            kind,
            message,
            text,
        }
    }

    /// The kinds and texts of the resulting events.
    fn recorded(proposals: &[Proposal], (state, past): &(HudState, Past)) -> Vec<String> {
        let events = events(proposals, &session(), state, past).into_iter();
        let said = |event: &HudEvent| event.words().unwrap_or_default().into_owned();
        events
            .map(|recorded| format!("{} {}", recorded.event.kind(), said(&recorded.event)))
            .collect()
    }

    #[test]
    fn what_is_known_is_not_recorded_again_and_what_was_derived_gives_way() {
        let known = after(vec![
            (
                Actor::User,
                TaskSet {
                    description: "Add rate limits per tenant".into(),
                }
                .into(),
            ),
            (
                Actor::Derived,
                ConstraintAdd {
                    id: "c1".into(),
                    text: "no new dependencies".into(),
                }
                .into(),
            ),
            (
                Actor::Agent,
                FindingRecord {
                    id: "f1".into(),
                    text: "refill_at rounds down".into(),
                    weight: None,
                }
                .into(),
            ),
            (
                Actor::Derived,
                DecisionRecord {
                    id: "d1".into(),
                    summary: "going with a token bucket instead of a fixed window".into(),
                    details: None,
                    weight: Some(3),
                }
                .into(),
            ),
        ]);
        let proposals = [
            proposal(Kind::Request, 1, "Add rate limits per tenant."),
            proposal(Kind::Constraint, 1, "no new dependencies"),
            proposal(Kind::Finding, 1, "refill_at rounds down"),
            proposal(
                Kind::Decision,
                1,
                "a token bucket instead of a fixed window",
            ),
            proposal(Kind::Decision, 1, "a token bucket, no fixed window"),
        ];
        assert_eq!(
            recorded(&proposals, &known),
            [
                "decision.remove ",
                "decision.record a token bucket instead of a fixed window"
            ]
        );
    }

    #[test]
    fn what_is_over_stays_over() {
        let request = RequestMake {
            id: "r1".into(),
            text: "Write the docs as well".into(),
        };
        let close = RequestClose {
            id: "r1".into(),
            how: RequestEnd::Withdrawn,
        };
        let known = after(vec![
            (Actor::Derived, request.into()),
            (Actor::Derived, close.into()),
        ]);
        let proposals = [
            proposal(Kind::Request, 1, "Write the docs as well."),
            proposal(Kind::Request, 1, "Run the tests with redis."),
        ];
        assert_eq!(
            recorded(&proposals, &known),
            ["request.make Run the tests with redis."]
        );
    }

    #[test]
    fn a_step_is_done_and_an_error_over_only_if_they_are_what_is_spoken_of() {
        let failed = |id: &str, message: &str| {
            let error = ErrorEncountered {
                id: id.into(),
                message: message.into(),
                tool: None,
                target: Some("cargo test".into()),
                attempted: None,
            };
            (Actor::Derived, HudEvent::from(error))
        };
        let step = StepAdd {
            id: "s1".into(),
            description: "Evict idle buckets".into(),
        };
        let known = after(vec![
            (Actor::Derived, step.into()),
            failed("e1", "bucket_refills: left 3, right 4"),
            failed("e2", "sessions_are_shared: no redis"),
        ]);
        let proposals = [
            proposal(Kind::Done, 3, "Idle buckets: evict after ten minutes"),
            proposal(Kind::Resolved, 3, "bucket_refills with left 3, right 4"),
            proposal(Kind::Resolved, 2, "sessions_are_shared, no redis"),
            proposal(Kind::Resolved, 3, "cargo test"),
        ];
        assert_eq!(
            recorded(&proposals, &known),
            [
                "step.complete ",
                "finding.record Idle buckets: evict after ten minutes",
                "error.resolved bucket_refills with left 3, right 4",
            ]
        );
    }

    #[test]
    fn what_was_next_gives_way_to_what_is() {
        let steps = [
            ("s1", "Write the README"),
            ("m1", "run the e2e suite"),
            ("m2", "evict idle buckets"),
        ];
        let steps = steps.map(|(id, text)| {
            let step = StepAdd {
                id: id.into(),
                description: text.into(),
            };
            (Actor::Distilled, HudEvent::from(step))
        });
        let known = after(steps.into());
        let next = [
            proposal(Kind::Next, 3, "run the e2e suite once"),
            proposal(Kind::Next, 3, "tell the reviewer"),
        ];
        let (state, past) = &known;
        let events = events(&next, &session(), state, past);
        let removed = HudEvent::from(StepRemove { id: "m2".into() });
        assert_eq!(events[0].event, removed);
        assert_eq!(
            recorded(&next, &known),
            ["step.remove ", "step.add tell the reviewer"]
        );
        assert!(
            recorded(
                &[proposal(Kind::Finding, 3, "refill_at rounds down")],
                &known
            )
            .len()
                == 1
        );
    }

    #[test]
    fn an_item_is_of_the_turn_of_the_log_in_which_it_was_said() {
        let (state, past) = after(vec![
            (
                Actor::Derived,
                StepAdd {
                    id: "s1".into(),
                    description: "a".into(),
                }
                .into(),
            ),
            (
                Actor::Derived,
                StepAdd {
                    id: "s2".into(),
                    description: "b".into(),
                }
                .into(),
            ),
        ]);
        let mut said = proposal(Kind::Finding, 900, "refill_at rounds down");
        for (at, turn) in [(None, 2), (Some(59), 1), (Some(61), 2), (Some(999), 2)] {
            said.message.at = at.map(|at| Timestamp::from_second(at).unwrap());
            let events = events(std::slice::from_ref(&said), &session(), &state, &past);
            assert_eq!(events[0].turn, turn, "{at:?}");
        }
        // A turn that agrees with the log is kept.
        (said.message.turn, said.message.at) = (1, Some(Timestamp::from_second(61).unwrap()));
        let events = events(std::slice::from_ref(&said), &session(), &state, &past);
        assert_eq!(events[0].turn, 1);
    }
}

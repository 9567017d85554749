//! The user's wishes: the task, the requests in force and the standing rules. They come only from the user's own
//! messages.
//!
//! | message of the user | result |
//! | --- | --- |
//! | the first message | the task |
//! | a later message | the latest request, and a request that stays in force |
//! | a list of two or more items | a request for each item |
//! | a short answer (`yes`, `option 2`, in any language) | the agent's offer, with the items of its list if the offer refers to them |
//! | only output of a program | the lines of it that report an error |
//! | a message that retracts the last request | the end of that request; a new task if the message asks for something about the same subject |
//! | a request or a rule with another value | the end of the earlier one, if both cannot hold |
//! | a sentence that forbids or demands, proven to be the user's own speech ([`speech`]) | a rule, until a sentence allows it again |
//!
//! A message of thanks for completed work, or one that closes the conversation, ends the task. It is then shown as
//! done. The next request is another task, unless it corrects the last one or refers to it.
//!
//! A request is over in these cases:
//!
//! - The user retracts it.
//! - It was a question, and the agent answered.
//! - It asked for a commit or a push, and that ran.
//! - The agent's closing message states that it is done, and the user's next message neither corrects it, refers to it
//!   nor is about the same subject.
//!
//! Otherwise it is kept: one request too many costs a line, and one too few costs work. The task ends if the agent asks
//! a question before it changed any file, and the user ignores the question and asks for something new.

mod announced;
mod answer;
mod ask;
#[cfg(test)]
mod cases;
mod continuation;
mod farewell;
mod message;
mod number;
mod offer;
mod over;
mod pasted;
mod refused;
mod relation;
mod rule;
mod short;
mod speech;
mod table;
mod words;

use hud_store::event::{
    Actor, HudEvent, NoteRemove, RequestMake, StepRemove, TaskEvent, TaskOffer, TaskSet, TaskUpdate,
};
use hud_store::state::{HudState, StepStatus, Task};

use self::answer::Answer;
use self::message::Message;
use self::offer::Offer;
pub(super) use self::over::done_by;
use self::over::{all_done, closed, goes_on};
use self::refused::refusals;
pub(super) use self::refused::{REFUSED, allowed, outlived};
use self::relation::Relation;
pub(super) use self::relation::retracts;
use self::rule::rules;
use super::{Derived, prose};
use crate::lexicon::is_unsegmented;
use crate::numbering::{Item, Numbering};
use crate::settings::Rule;

/// The facts about the conversation that are not in the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Voice {
    /// The agent's last message, or both ends of a long one.
    said: String,
}

impl Voice {
    /// Returns the facts about the conversation of a session: the agent's last offer.
    pub(super) fn of(state: &HudState) -> Self {
        let offer = state.task.as_ref().and_then(|task| task.offer.clone());
        Self {
            said: offer.unwrap_or_default(),
        }
    }

    /// Returns the event for the offer in the agent's last message, or for the lack of one. Another process that
    /// continues the session then knows what a `yes` accepts.
    pub(super) fn offers(&self, state: &HudState) -> Option<HudEvent> {
        let known = state.task.as_ref()?.offer.as_deref().unwrap_or_default();
        let said = offer::kept(&self.said).unwrap_or_default();
        (said != known).then(|| TaskOffer { said }.into())
    }

    /// The agent sends a message.
    pub(super) fn agent_says(&mut self, text: &str) {
        let [begin, end] = prose::read(text);
        self.said.clear();
        self.said.push_str(begin);
        self.said.push('\n');
        self.said.push_str(end);
    }

    /// The user sends a message.
    pub(super) fn user_says(
        &mut self,
        text: &str,
        has_task: bool,
        state: &HudState,
        numbering: &mut Numbering,
        by_rule: &dyn Fn(Rule) -> bool,
    ) -> Vec<Derived> {
        // A block of code, or a part of one, is not speech.
        let first = text.trim_start_matches(['\n', '\r']);
        let is_block = first.starts_with('\t') || first.starts_with("    ");
        let text = text.trim();
        if hud_components::text::is_blank(text) {
            return Vec::new();
        }
        let said = std::mem::take(&mut self.said);
        let goes_on_alone = || continuation::is_continuation(text).then_some(Answer::Yes);
        let answered = answer::answer(text).or_else(goes_on_alone);
        let offered = match &answered {
            Some(Answer::Yes) => offer::offer(&said),
            Some(Answer::Number(number)) => offer::option(&said, *number).map(|text| Offer {
                text,
                ..Offer::default()
            }),
            Some(Answer::No | Answer::Nothing) => None,
            None if answer::begins_with_yes(text) => offer::offer(&said),
            None => number::begins_with_number(text)
                .and_then(|number| offer::option(&said, number))
                .map(|text| Offer {
                    text,
                    ..Offer::default()
                }),
        };
        let offered = offered.filter(|_| by_rule(Rule::Offers));
        let has_more = answered.is_none();
        let says_nothing = answered.is_some() || farewell::is_farewell(text);
        // Without a task and an offer, a message that asks to continue has no meaning.
        if !has_task && offered.is_none() && says_nothing {
            self.said = said;
            return Vec::new();
        }
        if has_task
            && offered.is_none()
            && (says_nothing || !(says_enough(text) || Relation::of(text).withdraws))
        {
            // Thanks for completed work end the task.
            let ends = farewell::closes(text)
                || (farewell::is_farewell(text) && relation::says_done(&said));
            let events = match ends && by_rule(Rule::Closing) {
                true => all_done(state),
                false => Vec::new(),
            };
            self.said = said;
            return by(Actor::User, events);
        }
        let mut message = Message::read(text);
        if !by_rule(Rule::Items) {
            let items = std::mem::take(&mut message.items).join("; ");
            message.gist = format!("{} {items}", message.gist).trim().to_owned();
        }
        let mut wanted = message.gist.clone();
        let mut items = message.items.clone();
        let mut is_listed = false;
        let offered_nothing = offered.is_none();
        if let Some(offer) = offered {
            is_listed = !offer.items.is_empty();
            wanted = match has_more {
                // An offer that the user repeats is not added again.
                true if words::lower(&wanted).contains(&words::lower(&offer.text)) => wanted,
                true => format!("{wanted} ({})", offer.text),
                false => format!("{}: {}", words::clip(text, 40), offer.text),
            };
            items.extend(offer.items);
        }
        let relation = Relation::of(&message.own);
        let before = || {
            // The description of the task ends in `…` if it was cut.
            let last = state.record.user_messages().next_back();
            let task = state.task.as_ref();
            last.map(|last| last.text).or_else(|| task.map(requested))
        };
        let is_announced =
            announced::asks_for_text(&said) || before().is_some_and(announced::announces_text);
        if is_announced || is_block {
            message.own_sentences.clear();
        }
        let mut events = match by_rule(Rule::Constraints) {
            true => rules(&message, state, numbering),
            false => Vec::new(),
        };
        if !has_task {
            // If a message has only items, the text itself is the task.
            let task = if wanted.is_empty() {
                words::clip(text, 600)
            } else {
                wanted
            };
            events.push(HudEvent::from(TaskSet { description: task }));
        } else {
            let goes_on = by_rule(Rule::Closing) && goes_on(&message, &said, relation);
            if goes_on {
                // Notes of calls that were refused before the work was done do not matter for the next request.
                let refused = refusals(state).map(|note| note.id.clone());
                events.extend(refused.map(|id| HudEvent::from(NoteRemove { id })));
                events.extend(left_by_summary(state));
            }
            let leans = relation.corrects || relation.refers || relation.withdraws;
            let is_same = |rest: &&str| {
                let task = state.task.as_ref();
                let known = task.map(|task| words::about(&task.description));
                known.is_some_and(|known| words::share(&known, &words::about(rest)))
            };
            let behind_thanks = farewell::behind_thanks(text)
                .filter(|_| !leans && by_rule(Rule::Closing) && relation::says_done(&said))
                .filter(|rest| !is_same(rest));
            if let Some(rest) = behind_thanks {
                let message = Message::read(rest);
                if !message.gist.is_empty() {
                    wanted = message.gist;
                }
            }
            let is_dropped = behind_thanks.is_some()
                || drops_task(&said, &relation, state)
                || is_next_task(&message, &relation, state);
            if by_rule(Rule::Closing) {
                events.extend(closed(&message, &said, relation, goes_on, state));
            }
            let is_replaced = state.task.as_ref().is_some_and(|task| {
                let is_again = || {
                    ask::is_directive(&words::lower(&message.own))
                        && words::share(
                            &words::about(&task.description),
                            &words::about(&message.own),
                        )
                };
                task.latest_request.is_none()
                    && (message.changes()(&task.description) || (relation.withdraws && is_again()))
            });
            if (is_dropped || is_replaced) && !wanted.is_empty() {
                events.push(HudEvent::from(TaskSet {
                    description: wanted,
                }));
            } else if is_ending(&relation, &message) {
                // Nothing replaces the retracted request.
                events.push(latest_request(String::new()));
            } else {
                let knows_replies = by_rule(Rule::Replies);
                let is_reply =
                    knows_replies && offered_nothing && replies(&message, &said, relation);
                if is_reply {
                    // An answer to the agent's question belongs to the request, and is not a new one.
                    items.insert(0, wanted.clone());
                } else if message.is_pasted && knows_replies {
                    // The earlier request is still wanted.
                    wanted = with_pasted(state, &wanted);
                } else if !wanted.is_empty() && !is_listed {
                    // An offer to do everything on a list is covered by its items.
                    items.insert(0, wanted.clone());
                }
                if !is_reply {
                    events.push(latest_request(wanted));
                }
            }
        }
        for text in items {
            let id = numbering.next(Item::REQUEST);
            events.push(HudEvent::from(RequestMake { id, text }));
        }
        // A request replaces the offer.
        let is_wanted = |event: &HudEvent| {
            matches!(
                event,
                HudEvent::Task(TaskEvent::Set(_) | TaskEvent::Update(_))
            )
        };
        let offers = state.task.as_ref().is_some_and(|task| task.offer.is_some());
        if offers && !events.iter().any(is_wanted) {
            let said = String::new();
            events.push(HudEvent::from(TaskOffer { said }));
        }
        by(Actor::User, events)
    }

    /// The user refuses a call of a tool and states why. The reason is the latest request, and may be a rule. A note
    /// names the refused call while the work continues.
    pub(super) fn user_refuses(
        said: &str,
        state: &HudState,
        numbering: &mut Numbering,
        by_rule: &dyn Fn(Rule) -> bool,
    ) -> Vec<Derived> {
        if !says_enough(said) {
            return Vec::new();
        }
        let message = Message::read(said);
        let mut events = match by_rule(Rule::Constraints) {
            true => rules(&message, state, numbering),
            false => Vec::new(),
        };
        let forbids = !events.is_empty()
            && !message.sentences.iter().any(|sentence| {
                ask::is_directive(&words::lower(sentence)) && rule::rule(sentence).is_none()
            });
        if !forbids && state.task.is_some() && !message.gist.is_empty() {
            events.push(latest_request(message.gist));
        }
        by(Actor::User, events)
    }
}

/// The user's last request in the task.
fn requested(task: &Task) -> &str {
    task.latest_request.as_deref().unwrap_or(&task.description)
}

/// True if a message asks for something other than the task that the user ended. A message that belongs to that task
/// is short or about the same subject.
fn is_next_task(message: &Message, relation: &Relation, state: &HudState) -> bool {
    let Some(task) = state.task.as_ref().filter(|task| task.done) else {
        return false;
    };
    let leans = relation.corrects || relation.refers || relation.withdraws;
    let is_short = words::words(&message.own).nth(7).is_none();
    let wanted = requested(task);
    let is_same = || words::share(&words::about(wanted), &words::about(&message.own));
    !(leans && (is_short || is_same()))
}

/// True if a message only answers the agent's question: a name, a date, a choice.
fn replies(message: &Message, said: &str, relation: Relation) -> bool {
    let asks_for_more = |sentence: &String| {
        sentence.trim_end().ends_with(['?', '？']) || ask::is_directive(&words::lower(sentence))
    };
    let is_long = words::words(&words::lower(&message.own)).nth(25).is_some();
    !relation.corrects
        && !relation.withdraws
        && !is_long
        && !message.is_pasted
        && message.items.is_empty()
        && !message.sentences.iter().any(asks_for_more)
        && !relation::says_done(said)
        && offer::asks(said)
}

/// True if the user ignores the agent's question and asks for something new before anything was done.
fn drops_task(said: &str, relation: &Relation, state: &HudState) -> bool {
    relation.is_whole
        && !relation.replies
        && !relation.refers
        && !relation.corrects
        && !relation.withdraws
        && !has_changed(state)
        // A task that the agent restated in its own words is under way.
        && { state.task.as_ref() }.is_none_or(|task| task.restated.is_none())
        && offer::offer(said).is_some_and(|offer| offer.is_question)
}

/// True if a file was changed since the user's last message.
fn has_changed(state: &HudState) -> bool {
    let spoke = state.task.as_ref().map(|task| task.updated_at);
    state
        .active_files
        .iter()
        .any(|file| file.status.is_change() && Some(file.last_accessed) > spoke)
}

/// Removes the steps of a compaction summary that were not completed since.
fn left_by_summary(state: &HudState) -> impl Iterator<Item = HudEvent> {
    let steps = state.next_steps.iter();
    let left = steps.filter(|step| step.summarised && step.status != StepStatus::Completed);
    left.map(|step| {
        let id = step.id.clone();
        StepRemove { id }.into()
    })
}

/// The earlier request, with the text that the user pasted now.
fn with_pasted(state: &HudState, pasted: &str) -> String {
    let task = state.task.as_ref();
    let latest = task.and_then(|task| task.latest_request.as_deref());
    let wanted = latest.filter(|latest| !latest.trim().is_empty());
    // The newly pasted text replaces the text that was pasted before.
    match wanted.map(|wanted| {
        wanted
            .split(pasted::PASTED_MARK)
            .next()
            .unwrap_or(wanted)
            .trim_end()
    }) {
        Some(wanted) if !wanted.is_empty() => format!("{wanted} {pasted}"),
        _ => pasted.to_owned(),
    }
}

/// True if a message retracts something and asks for nothing else.
fn is_ending(relation: &Relation, message: &Message) -> bool {
    relation.withdraws
        && words::words(&words::lower(&message.own)).count() <= 6
        && message.items.is_empty()
}

/// True if a message is long enough to be a request, and not only a word or an error in typing.
fn says_enough(text: &str) -> bool {
    let is_unsegmented = || text.chars().filter(|c| is_unsegmented(*c)).nth(2).is_some();
    text.split_whitespace().nth(1).is_some() || text.chars().nth(20).is_some() || is_unsegmented()
}

fn latest_request(text: String) -> HudEvent {
    TaskUpdate {
        description: None,
        latest_request: Some(text),
    }
    .into()
}

fn by(actor: Actor, events: Vec<HudEvent>) -> Vec<Derived> {
    events
        .into_iter()
        .map(|event| Derived {
            actor: actor.clone(),
            event,
        })
        .collect()
}

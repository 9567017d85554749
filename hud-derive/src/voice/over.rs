//! The end of the user's requests.

use std::cell::LazyCell;

use hud_store::event::{Actor, HudEvent, RequestClose, TaskEnd};
use hud_store::section::RequestEnd;
use hud_store::state::{HudState, Request};

use super::message::Message;
use super::relation::{self, Relation};
use super::{ask, latest_request, rule, words};
use crate::lexicon::Intent;

/// Ends all requests of the user, and the task.
pub(super) fn all_done(state: &HudState) -> Vec<HudEvent> {
    let requests = state.requests.iter();
    let of_user = requests.filter(|request| request.by == Actor::User);
    let mut events: Vec<HudEvent> = of_user
        .map(|request| close(&request.id, RequestEnd::Done))
        .collect();
    if state.task.as_ref().is_some_and(|task| !task.done) {
        events.push(TaskEnd {}.into());
    }
    events
}

/// Ends the requests that are over after a message. `goes_on` is true if the user changes to something else.
pub(super) fn closed(
    message: &Message,
    said: &str,
    relation: Relation,
    goes_on: bool,
    state: &HudState,
) -> Vec<HudEvent> {
    let by_user = |request: &&Request| request.by == Actor::User;
    let open: Vec<&Request> = state.requests.iter().filter(by_user).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let about = LazyCell::new(|| words::about(&message.own));
    let lowered = words::lower(words::beginning(&message.own, 600));
    let takes_all = Intent::AllOfIt.is_in(&lowered);
    let is_changed = message.changes();
    let last: Vec<&str> = last(state).map(|request| request.id.as_str()).collect();
    let end = |request: &Request| {
        if relation.withdraws && (takes_all || last.contains(&request.id.as_str())) {
            return Some(RequestEnd::Withdrawn);
        }
        if is_changed(&request.text) {
            return Some(RequestEnd::Withdrawn);
        }
        let is_same = || words::share(&words::about(&request.text), &about);
        if relation.withdraws && is_same() && !ask::is_directive(&words::lower(&message.own)) {
            return Some(RequestEnd::Withdrawn);
        }
        if !said.trim().is_empty() && !relation.corrects && ask::is_question(&request.text) {
            return Some(RequestEnd::Done);
        }
        (goes_on && !is_same()).then_some(RequestEnd::Done)
    };
    let over = open.into_iter();
    over.filter_map(|request| Some(close(&request.id, end(request)?)))
        .collect()
}

/// Ends the requests for a commit or a push that a command fulfilled.
pub(crate) fn done_by(command: &str, state: &HudState) -> Vec<HudEvent> {
    if !command.contains("git ") {
        return Vec::new();
    }
    let ran = |word: &str| words::words(command).any(|ran| ran == word);
    let done: Vec<&Request> = state
        .requests
        .iter()
        .filter(|request| is_only(&request.text, &ran))
        .collect();
    let mut events: Vec<HudEvent> = done
        .iter()
        .map(|request| close(&request.id, RequestEnd::Done))
        .collect();
    let latest = state
        .task
        .as_ref()
        .and_then(|task| task.latest_request.as_ref());
    if done.iter().any(|request| latest == Some(&request.text)) {
        events.push(latest_request(String::new()));
    }
    events
}

/// The requests of the user's last message. There are none if it set another task.
fn last(state: &HudState) -> impl Iterator<Item = &Request> {
    let by_user = || {
        let requests = state.requests.iter();
        requests.filter(|request| request.by == Actor::User)
    };
    let newest = by_user().map(|request| (request.turn, request.at)).max();
    let set_at = state.task.as_ref().map(|task| task.set_at);
    by_user().filter(move |request| {
        Some((request.turn, request.at)) == newest && Some(request.at) >= set_at
    })
}

/// True if the agent states that the work is done, and the user changes to something else.
pub(super) fn goes_on(message: &Message, said: &str, relation: Relation) -> bool {
    let leans = relation.corrects || relation.refers || message.is_pasted || is_rules(message);
    !leans && relation::says_done(said)
}

/// True if a message consists only of rules.
fn is_rules(message: &Message) -> bool {
    let mut sentences = message.sentences.iter();
    sentences.len() > 0 && sentences.all(|sentence| rule::rule(sentence).is_some())
}

/// True if a request asks only for commits and pushes that are done.
fn is_only(text: &str, is_done: &dyn Fn(&str) -> bool) -> bool {
    if text.len() > 100 {
        return false;
    }
    let lowered = words::lower(text);
    let mut asked = words::words(&lowered)
        .filter(|word| Intent::Publish.is(word))
        .peekable();
    asked.peek().is_some()
        && asked.all(is_done)
        && words::words(&lowered)
            .all(|word| Intent::Publish.is(word) || Intent::AroundPublish.is(word))
}

fn close(id: &str, how: RequestEnd) -> HudEvent {
    RequestClose {
        id: id.to_owned(),
        how,
    }
    .into()
}

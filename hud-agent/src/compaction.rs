//! Compactions: the prompt for the summary, and the messages and outputs that stay.

use std::collections::{HashMap, HashSet};

use hud_store::state::{HudState, PrunedOutput};
use serde::Deserialize;

use crate::prune::{Listed, Now, Output, Placeholder, leaving};
use crate::settings::Settings;

/// Returns the prompt for an agent that continues after the compaction of its conversation. It contains the
/// current HUD and explains it.
pub fn continuity(hud: &str) -> String {
    format!(
        "You are compacting your own conversation, and go on with it: you are not writing for \
         another agent. Your HUD survives this compaction and is shown to you on every turn, with \
         what you write now lifted into it. Do not repeat what it says; say what it does not, in \
         short items with exact names, under the headings Goal, Constraints, Decisions, Findings, \
         Done, In Progress, Next and Files (those that have something).\n\n<hud>\n{hud}</hud>\n"
    )
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user, or the client in the user's name.
    User,
    /// The model.
    Assistant,
}

/// A message of a conversation, with the fields that a trim needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Message {
    /// The client's id of the message.
    pub id: String,
    /// The author.
    pub role: Role,
    /// True if it asks for a compaction.
    #[serde(default)]
    pub compacts: bool,
    /// The id of the message that asked for the compaction, if this is its summary.
    #[serde(default)]
    pub summarises: Option<String>,
    /// The tool outputs, in the order of the conversation.
    #[serde(default)]
    pub outputs: Vec<Output>,
}

/// The messages and outputs of a conversation that stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trimmed<'m> {
    /// The index of the first message that stays. Earlier messages are dropped.
    pub from: usize,
    /// The index of an earlier message that also stays: the user's last one. With it the conversation begins
    /// with a user message.
    pub request: Option<usize>,
    /// The calls whose outputs were removed, each with its placeholder.
    pub placeholders: Vec<(&'m str, Placeholder)>,
    /// The calls whose outputs can be removed after they are recorded
    /// ([`OutputLeaves`](hud_observe::observation::Observation::OutputLeaves)).
    pub leaving: Vec<&'m str>,
}

/// Returns the messages and outputs to keep in the next request. They are the messages since the last
/// compaction, which is that of the last summary or the boundary in the state. Removed outputs have
/// placeholders. More outputs are [removed](leaving) if the gain suffices.
///
/// The result is the same for the same messages and state, so a growing conversation loses nothing more until
/// the gain suffices.
///
/// ```
/// use hud_agent::compaction::{Message, Role, trim};
/// use hud_agent::prune::Now;
/// use hud_agent::settings::Settings;
/// use hud_store::state::{HudState, PrunedOutput};
///
/// let message = |id: &str, role| Message {
///     id: id.to_owned(),
///     role,
///     compacts: false,
///     summarises: None,
///     outputs: Vec::new(),
/// };
/// let mut messages = [
///     message("m1", Role::User),
///     message("m2", Role::Assistant),
///     message("m3", Role::User),
///     message("m4", Role::Assistant),
/// ];
/// messages[2].compacts = true;
/// messages[3].summarises = Some("m3".to_owned());
/// let trimmed = trim(&messages, &HudState::default(), Now::default(), &Settings::default());
/// assert_eq!(trimmed.from, 2);
/// ```
pub fn trim<'m>(
    messages: &'m [Message],
    state: &HudState,
    now: Now,
    settings: &Settings,
) -> Trimmed<'m> {
    let from = since_summary(messages).max(since_boundary(messages, state));
    let is_users = |message: &Message| message.role == Role::User;
    let request = match messages.get(from) {
        Some(first) if !is_users(first) => messages[..from].iter().rposition(is_users),
        _ => None,
    };
    let left: HashMap<&str, &PrunedOutput> = (state.pruned.iter())
        .map(|output| (output.call.as_str(), output))
        .collect();
    let shared = shared(&messages[from..]);
    let mut placeholders = Vec::new();
    let mut whole = Vec::new();
    // An answer of the model counts as a request. The next one reads the outputs of its calls.
    let mut age = messages[from..]
        .iter()
        .filter(|message| !is_users(message))
        .count() as u64;
    for message in &messages[from..] {
        age -= u64::from(!is_users(message) && age > 0);
        let outputs = message.outputs.iter();
        for output in outputs.filter(|output| !shared.contains(&*output.call)) {
            match left.get(output.call.as_str()) {
                Some(left) => {
                    let mut placeholder = Placeholder::of(left, output.chars);
                    // In a fork, a new output may have the version of an output of the original.
                    if hud_derive::left_at(state, left.version)
                        .is_none_or(|first| first.call != left.call)
                    {
                        placeholder.version = None;
                    }
                    placeholders.push((output.call.as_str(), placeholder));
                }
                None => whole.push(Listed { output, age }),
            }
        }
    }
    let leaving = leaving(&whole, state, now, settings);
    Trimmed {
        from,
        request,
        placeholders,
        leaving: leaving.iter().map(|output| output.call.as_str()).collect(),
    }
}

/// Returns the ids of calls with more than one output. These are ambiguous, so their outputs stay.
fn shared(messages: &[Message]) -> HashSet<&str> {
    let outputs = messages.iter().flat_map(|message| &message.outputs);
    let mut known = HashSet::new();
    outputs
        .map(|output| &*output.call)
        .filter(|call| !known.insert(*call))
        .collect()
}

/// Returns the index of the message that asked for the last finished compaction.
fn since_summary(messages: &[Message]) -> usize {
    let mut ended: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate().rev() {
        if message.compacts && ended.contains(&message.id.as_str()) {
            return index;
        }
        ended.extend(message.summarises.as_deref());
    }
    0
}

/// Returns the index of the boundary that was set for a compaction without a summary.
fn since_boundary(messages: &[Message], state: &HudState) -> usize {
    let boundary = state
        .compacted
        .as_ref()
        .and_then(|compacted| compacted.boundary.as_deref());
    boundary
        .and_then(|boundary| messages.iter().position(|message| message.id == boundary))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use hud_store::event::SessionId;
    use hud_store::state::{CompactedContext, ContextUsage, PrunedOutput};
    use jiff::Timestamp;

    use super::*;

    /// Messages with these roles. Each has an output of so many tokens, or none for 0.
    fn conversation(messages: &[(Role, u64)]) -> Vec<Message> {
        let message = |(index, (role, tokens)): (usize, &(Role, u64))| Message {
            id: format!("m{index}"),
            role: *role,
            compacts: false,
            summarises: None,
            outputs: (*tokens > 0)
                .then(|| Output {
                    call: format!("c{index}"),
                    tool: "read".to_owned(),
                    chars: 4 * tokens,
                    pruned: false,
                })
                .into_iter()
                .collect(),
        };
        messages.iter().enumerate().map(message).collect()
    }

    fn used(percentage: u64) -> HudState {
        let context = ContextUsage {
            used: percentage,
            limit: Some(100),
            assumed: false,
            usable: None,
            model: None,
            at: Timestamp::UNIX_EPOCH,
            readings: vec![percentage],
        };
        HudState {
            context: Some(context),
            ..HudState::default()
        }
    }

    fn bounded(boundary: &str) -> HudState {
        let compacted = CompactedContext {
            summary: None,
            rest: None,
            at: Timestamp::UNIX_EPOCH,
            turn: 0,
            reported_at: Timestamp::UNIX_EPOCH,
            count: 1,
            tokens_before: None,
            tokens_after: None,
            boundary: Some(boundary.to_owned()),
        };
        HudState {
            compacted: Some(compacted),
            ..HudState::default()
        }
    }

    fn of<'m>(messages: &'m [Message], state: &HudState) -> Trimmed<'m> {
        trim(messages, state, Now::default(), &Settings::default())
    }

    use Role::{Assistant, User};

    #[test]
    fn a_compaction_that_did_not_end_drops_nothing() {
        let mut messages = conversation(&[(User, 0), (Assistant, 0), (User, 0), (Assistant, 0)]);
        messages[2].compacts = true;
        assert_eq!(of(&messages, &HudState::default()).from, 0);
        messages[3].summarises = Some("another".to_owned());
        assert_eq!(of(&messages, &HudState::default()).from, 0);
    }

    #[test]
    fn behind_a_boundary_the_users_last_request_stays() {
        let messages = conversation(&[
            (User, 0),
            (Assistant, 50_000),
            (User, 0),
            (Assistant, 0),
            (Assistant, 10),
            (User, 0),
        ]);
        let trimmed = of(&messages, &bounded("m4"));
        assert_eq!((trimmed.from, trimmed.request), (4, Some(2)));
        let trimmed = of(&messages, &bounded("m5"));
        assert_eq!((trimmed.from, trimmed.request), (5, None));
        let trimmed = of(&messages, &bounded("gone"));
        assert_eq!(
            (trimmed.from, trimmed.request),
            (0, None),
            "dropped long ago"
        );
    }

    #[test]
    fn outputs_leave_when_the_context_fills_and_stay_away() {
        let mut long = vec![(User, 0), (Assistant, 30_000)];
        long.extend([(Assistant, 0); 12]);
        long.push((Assistant, 40_000));
        let messages = conversation(&long);
        assert_eq!(of(&messages, &used(50)).leaving, Vec::<&str>::new());
        assert_eq!(of(&messages, &used(70)).leaving, ["c1"]);
        assert_eq!(of(&messages, &HudState::default()).leaving, ["c1"]);

        let mut state = used(20);
        state.pruned.push(PrunedOutput {
            call: "c1".to_owned(),
            version: Some(7),
            session: None,
            tool: "Read".to_owned(),
            target: Some("a.rs".to_owned()),
            class: None,
            recalled: 0,
            rows: 40,
            outline: Some("1 fn a() {\n".to_owned()),
        });
        let mut own = state.pruned[0].clone();
        (own.call, state.pruned[0].session) = ("c14".to_owned(), SessionId::new("original").ok());
        let mut forked = state.clone();
        forked.pruned.push(own);
        let trimmed = of(&messages, &forked);
        let versions = trimmed
            .placeholders
            .iter()
            .map(|(_, placed)| placed.version);
        assert!(
            versions.eq([Some(7), None]),
            "the second one has taken the number of the first"
        );

        let trimmed = of(&messages, &state);
        let placeholder = Placeholder {
            version: Some(7),
            call: "c1".to_owned(),
            tool: "Read".to_owned(),
            target: Some("a.rs".to_owned()),
            lines: 40,
            chars: 120_000,
            outline: Some("1 fn a() {\n".to_owned()),
        };
        assert_eq!(trimmed.placeholders, [("c1", placeholder)]);
        assert_eq!(trimmed.leaving, Vec::<&str>::new());
    }

    #[test]
    fn what_the_last_answer_called_for_was_never_read_and_stays() {
        let mut messages = conversation(&[(User, 0), (Assistant, 900_000)]);
        assert_eq!(of(&messages, &used(99)).leaving, Vec::<&str>::new());
        messages.extend(conversation(&[(User, 0), (User, 0)]));
        assert_eq!(of(&messages, &used(99)).leaving, Vec::<&str>::new());
    }

    #[test]
    fn of_nothing_nothing_stays() {
        assert_eq!(of(&[], &bounded("m1")), Trimmed::default());
    }
}

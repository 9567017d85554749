//! What was said in a conversation, where a recording of it is at hand.

use hud_clients::transcript::Entry;
use hud_observe::observation::Observation;
use hud_secret::mask;
use hud_store::event::EventId;
use jiff::Timestamp;
use serde::Serialize;

use super::History;

/// How much of a message is kept, in characters: the recording has all of it.
const KEPT: usize = 4_000;

/// A message, or what a tool was asked or said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The turn that it is of: the call of the model that it led to, or in which it was said.
    pub turn: u64,
    /// When it was said, in milliseconds since 1970, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Who says it: `user`, `agent`, `call` for what a tool is asked, `tool` for what that says, `summary` for what stayed
    /// when the conversation was compacted.
    pub by: &'static str,
    /// What is said, or the beginning of it. What looks like a key or a password is masked.
    pub text: String,
    /// How many characters there are, where this is the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
    /// Whether a tool failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// What the events that follow from it name as their cause.
    #[serde(skip)]
    cause: EventId,
}

/// The messages of a recorded session, in their order.
///
/// ```
/// use hud_observe::observation::Observation;
/// use hud_clients::transcript::Entry;
/// use hud_inspect::model::Conversation;
///
/// let entry = |observation| Entry { place: 1, key: "e1".into(), at: None, bytes: 0, observation };
/// let mut conversation = Conversation::default();
/// conversation.take(&entry(Observation::User { text: "Add rate limits".into() }), 0);
/// conversation.take(&entry(Observation::Agent { text: "I look at the router first.".into() }), 1);
/// let said: Vec<&str> = conversation.in_turn(1).iter().map(|message| &*message.text).collect();
/// assert_eq!(said, ["Add rate limits", "I look at the router first."]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversation(Vec<Message>);

impl Conversation {
    /// Takes in what happened next, when the model had been called so often.
    pub fn take(&mut self, entry: &Entry, calls: u64) {
        let (by, text, failed) = match &entry.observation {
            Observation::User { text } => ("user", text.clone(), false),
            Observation::Agent { text } => ("agent", text.clone(), false),
            Observation::ToolCall { actions, .. } => {
                let asked = actions.iter().map(serde_json::to_string);
                let asked: Vec<String> = asked.filter_map(Result::ok).collect();
                ("call", asked.join("\n"), false)
            }
            Observation::ToolResult {
                content, is_error, ..
            } => ("tool", content.clone(), *is_error),
            Observation::CompactionEnds {
                summary: Some(summary),
                ..
            } => ("summary", summary.clone(), false),
            _ => return,
        };
        let turn = turn_of(by, calls);
        // A conversation that was taken back goes on in an earlier turn: turns never go down.
        let turn = turn.max(self.0.last().map_or(0, |last| last.turn));
        let beginning: String = text.chars().take(KEPT).collect();
        let length = text.chars().count();
        self.0.push(Message {
            turn,
            at: entry.at.map(Timestamp::as_millisecond),
            by,
            text: mask(&beginning).into_owned(),
            cut: (length > KEPT).then_some(length),
            failed,
            cause: entry.cause(),
        });
    }

    /// The messages of a turn.
    pub fn in_turn(&self, turn: u64) -> &[Message] {
        let from = self.0.partition_point(|message| message.turn < turn);
        let to = self.0.partition_point(|message| message.turn <= turn);
        self.0.get(from..to).unwrap_or_default()
    }

    /// The messages from which events with this cause follow: a message, or what a tool was asked and what it said.
    pub fn behind(&self, cause: EventId) -> impl Iterator<Item = &Message> {
        self.0.iter().filter(move |message| message.cause == cause)
    }

    /// The messages of a turn of a log, by the times at which they were said: a log that was written while the agent
    /// worked counts its turns itself. What has no time was said with what is before it.
    pub fn in_turn_of(&self, history: &History, turn: u64) -> Vec<Message> {
        let mut at = i64::MIN;
        let timed = self.0.iter().map(|message| {
            at = at.max(message.at.unwrap_or(i64::MIN));
            // What is recorded of a call when the model answers, as how full the context was, is of the turn before.
            let answers = matches!(message.by, "agent" | "call");
            let calls = history.turn_at(at.saturating_add(i64::from(answers)));
            (turn_of(message.by, calls), message)
        });
        let said = timed.filter(|(of, _)| *of == turn);
        said.map(|(turn, message)| Message {
            turn,
            ..message.clone()
        })
        .collect()
    }
}

/// The turn of what somebody says when the model had been called so often: the user's words are for the call that comes.
fn turn_of(by: &str, calls: u64) -> u64 {
    match by {
        "user" => calls.saturating_add(1),
        _ => calls,
    }
}

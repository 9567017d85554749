//! The messages of a conversation, if a recording of it is available.

use hud_clients::transcript::Entry;
use hud_observe::observation::Observation;
use hud_secret::mask;
use hud_store::event::EventId;
use jiff::Timestamp;
use serde::Serialize;

use super::History;

/// The maximum number of characters that are kept of a message. The recording has the whole message.
const KEPT: usize = 4_000;

/// A message, or a tool's call or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The turn that it belongs to: the model call that it led to, or that wrote it.
    pub turn: u64,
    /// The time in milliseconds since 1970, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// The author: `user`, `agent`, `call` for a tool call, `tool` for its result, `summary` for the
    /// summary of a compaction.
    pub by: &'static str,
    /// The text, or its beginning. Keys and passwords are masked.
    pub text: String,
    /// The number of characters, if the text is only the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
    /// True if a tool failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// The cause of the events that follow from it.
    #[serde(skip)]
    cause: EventId,
}

/// The messages of a recorded session, in order.
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
    /// Adds the next entry. `calls` is the number of model calls so far.
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
        // A conversation that was rewound continues in an earlier turn. Turn numbers never decrease.
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

    /// Returns the messages of a turn.
    pub fn in_turn(&self, turn: u64) -> &[Message] {
        let from = self.0.partition_point(|message| message.turn < turn);
        let to = self.0.partition_point(|message| message.turn <= turn);
        self.0.get(from..to).unwrap_or_default()
    }

    /// Returns the messages with a cause: a message, or a tool's call and its result.
    pub fn behind(&self, cause: EventId) -> impl Iterator<Item = &Message> {
        self.0.iter().filter(move |message| message.cause == cause)
    }

    /// Returns the messages of a turn of a log, by their times, because a log that was written while the
    /// agent worked counts its own turns. A message without a time has the time of the one before it.
    pub fn in_turn_of(&self, history: &History, turn: u64) -> Vec<Message> {
        let mut at = i64::MIN;
        let timed = self.0.iter().map(|message| {
            at = at.max(message.at.unwrap_or(i64::MIN));
            // The context use is recorded with the model's response, but belongs to the turn before.
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

/// Returns the turn of a message after a number of model calls. A user message belongs to the next call.
fn turn_of(by: &str, calls: u64) -> u64 {
    match by {
        "user" => calls.saturating_add(1),
        _ => calls,
    }
}

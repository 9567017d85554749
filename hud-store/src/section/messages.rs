//! The last messages of the user.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{Happened, Item, Pace, RequestEvent, Section, TaskEvent};
use crate::event::{Actor, HudEvent, NoEvents};

/// How many messages are kept.
pub const MESSAGES_CAP: usize = 16;

/// How many characters of each are kept.
const KEPT: usize = 200;

/// A message of the user's: the record by which what somebody says of the user's words is checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UserMessage {
    /// Names it within the session.
    pub id: String,
    /// The beginning of what it asks for.
    pub text: String,
    /// The turn in which it was received.
    #[serde(default)]
    pub turn: u64,
    /// When it was received.
    pub at: Timestamp,
}

/// The section: messages of the user's, oldest first; at most [`MESSAGES_CAP`]. They follow from the tasks and requests
/// that are recorded as the user's.
pub type Messages = Vec<UserMessage>;

impl Section for Messages {
    const NAME: &'static str = "messages";
    const ITEM: &'static str = "message";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = NoEvents;

    fn apply(&mut self, event: &NoEvents, _: &Happened<'_>) {
        match *event {}
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        if *when.actor != Actor::User {
            return;
        }
        let text = match event {
            HudEvent::Task(TaskEvent::Set(e)) => Some(&e.description),
            HudEvent::Task(TaskEvent::Update(e)) => e.latest_request.as_ref(),
            HudEvent::Request(RequestEvent::Make(e)) => Some(&e.text),
            _ => None,
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            add(self, text, when);
        }
    }

    /// None: each is an item of the tasks or the requests already.
    fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, MESSAGES_CAP);
    }
}

/// Adds a message. One message is a task and requests at once: the first of these names it.
fn add(messages: &mut Messages, text: &str, when: &Happened<'_>) {
    let last = messages.last();
    if last.is_some_and(|last| last.at == when.at && last.turn == when.turn) {
        return;
    }
    let number = last.and_then(|last| last.id.get(1..)?.parse::<u64>().ok());
    messages.push(UserMessage {
        id: format!("u{}", number.unwrap_or(0).saturating_add(1)),
        text: text.chars().take(KEPT).collect(),
        turn: when.turn,
        at: when.at,
    });
    newest(messages, MESSAGES_CAP);
}

//! Rooms, their members and their messages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{ARCHITECT, AgentId};
use crate::limits::{LEAST_WORDS, MOST_WORDS};

/// A room. It has the number of its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Its number, and its owner's.
    pub id: AgentId,
    /// Its members.
    pub members: BTreeMap<AgentId, Member>,
    /// The words per minute in the room.
    pub wpm: u32,
    /// The text of its billboard.
    pub billboard: Option<String>,
    /// The keys that let others ask for access.
    pub keys: Vec<String>,
    /// The pending requests for access, oldest first.
    pub requests: Vec<Request>,
    /// The latest messages, in the order in which they were sent.
    pub messages: Vec<Arc<Message>>,
    /// The number of messages before those.
    pub earlier: u64,
}

/// A member of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The time since which it is a member.
    pub since: Timestamp,
    /// The time of its last message here.
    pub said_at: Option<Timestamp>,
    /// The time at which its last message is typed.
    pub typed_at: Option<Timestamp>,
}

/// A request for access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The request's number.
    pub id: u64,
    /// The agent that requests it.
    pub agent: AgentId,
    /// The key that it presented.
    pub key: String,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// The system.
    System,
    /// An agent, or the user as agent 0.
    Agent(AgentId),
}

impl Sender {
    /// Returns the form that is shown. An agent is shown by its number, which never changes.
    pub fn shown(self) -> String {
        match self {
            Self::System => "System".to_owned(),
            Self::Agent(ARCHITECT) => "The Architect".to_owned(),
            Self::Agent(id) => id.to_string(),
        }
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its number.
    pub id: u64,
    /// Its sender.
    pub sender: Sender,
    /// Its text.
    pub content: String,
    /// The time from which on others see it.
    pub due: Timestamp,
    /// The message that it replies to.
    pub reply_to: Option<u64>,
    /// The agents that reacted, by reaction.
    pub reactions: BTreeMap<Reaction, BTreeSet<AgentId>>,
}

impl Message {
    /// True if an agent sees it. It sees its own messages at once, and those of others once they are
    /// typed.
    pub(crate) fn is_seen_by(&self, agent: AgentId, now: Timestamp) -> bool {
        self.due <= now || self.sender == Sender::Agent(agent)
    }
}

/// A reaction to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// Speeds up the heartbeat of the message's author.
    ThumbsUp,
    /// Slows down the heartbeat of the message's author.
    ThumbsDown,
    /// Has no effect on the heartbeat.
    Brain,
    /// Has no effect on the heartbeat.
    Heart,
}

impl Reaction {
    /// All reactions.
    pub const ALL: [Self; 4] = [Self::ThumbsUp, Self::ThumbsDown, Self::Brain, Self::Heart];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThumbsUp => "thumbs_up",
            Self::ThumbsDown => "thumbs_down",
            Self::Brain => "brain",
            Self::Heart => "heart",
        }
    }
}

impl Room {
    /// Returns a message that is kept in memory.
    pub fn message(&self, id: u64) -> Option<&Arc<Message>> {
        let at = self
            .messages
            .binary_search_by_key(&id, |message| message.id)
            .ok()?;
        self.messages.get(at)
    }

    /// Returns the number of words that a member may use now: as many as it had the time to type since
    /// its last message, within bounds. Its first message may have the maximum.
    pub fn word_budget(&self, agent: AgentId, now: Timestamp) -> u32 {
        let said_at = self.members.get(&agent).and_then(|member| member.said_at);
        let Some(said_at) = said_at else {
            return MOST_WORDS;
        };
        let seconds = now.duration_since(said_at).as_secs().max(0);
        let words = i128::from(seconds) * i128::from(self.wpm) / 60;
        u32::try_from(words)
            .unwrap_or(MOST_WORDS)
            .clamp(LEAST_WORDS, MOST_WORDS)
    }

    /// Returns the time from which on a member may use the maximum, if it has sent a message.
    pub(crate) fn word_budget_full_at(&self, agent: AgentId) -> Option<Timestamp> {
        let said_at = self.members.get(&agent)?.said_at?;
        let seconds = (MOST_WORDS * 60).div_ceil(self.wpm.max(1));
        let full = SignedDuration::from_secs(i64::from(seconds));
        said_at.checked_add(full).ok()
    }

    /// Returns the time at which a member has typed `words` words. It begins now, or after its last
    /// message is typed.
    pub(crate) fn typed_at(&self, agent: AgentId, words: u32, now: Timestamp) -> Timestamp {
        let before = self.members.get(&agent).and_then(|member| member.typed_at);
        let begins = before.map_or(now, |before| before.max(now));
        let millis = i64::from(words) * 60_000 / i64::from(self.wpm.max(1));
        begins
            .checked_add(SignedDuration::from_millis(millis))
            .unwrap_or(begins)
    }
}

//! Rooms, who is in them and what is said there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{ARCHITECT, AgentId};
use crate::limits::{LEAST_WORDS, MOST_WORDS};

/// A room: its number is that of the agent whose own it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Its number, and its owner's.
    pub id: AgentId,
    /// Who is in it.
    pub members: BTreeMap<AgentId, Member>,
    /// How many words a minute are said here.
    pub wpm: u32,
    /// What its billboard says.
    pub billboard: Option<String>,
    /// The keys that let others ask for access.
    pub keys: Vec<String>,
    /// Who asks for access, oldest first.
    pub requests: Vec<Request>,
    /// What was said lately, in the order in which it was sent.
    pub messages: Vec<Arc<Message>>,
    /// How many messages there were before those.
    pub earlier: u64,
}

/// Somebody in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Since when.
    pub since: Timestamp,
    /// When it last said something here.
    pub said_at: Option<Timestamp>,
    /// When it has typed what it said.
    pub typed_at: Option<Timestamp>,
}

/// Somebody at the door.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The request's number.
    pub id: u64,
    /// Who asks.
    pub agent: AgentId,
    /// The key that it showed.
    pub key: String,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// The world itself.
    System,
    /// An agent, or the person that is agent 0.
    Agent(AgentId),
}

impl Sender {
    /// How it is shown: an agent by its number, for that never changes.
    pub fn shown(self) -> String {
        match self {
            Self::System => "System".to_owned(),
            Self::Agent(ARCHITECT) => "The Architect".to_owned(),
            Self::Agent(id) => id.to_string(),
        }
    }
}

/// What was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its number.
    pub id: u64,
    /// Who said it.
    pub sender: Sender,
    /// What it says.
    pub content: String,
    /// From when on others see it.
    pub due: Timestamp,
    /// The message that it replies to.
    pub reply_to: Option<u64>,
    /// Who reacted how.
    pub reactions: BTreeMap<Reaction, BTreeSet<AgentId>>,
}

impl Message {
    /// Whether an agent sees it: its own at once, others' once they are typed.
    pub(crate) fn is_seen_by(&self, agent: AgentId, now: Timestamp) -> bool {
        self.due <= now || self.sender == Sender::Agent(agent)
    }
}

/// How one may react.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// Speeds up the heartbeat of whoever wrote the message.
    ThumbsUp,
    /// Slows it down.
    ThumbsDown,
    /// Says no more than it says.
    Brain,
    /// Says no more than it says.
    Heart,
}

impl Reaction {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::ThumbsUp, Self::ThumbsDown, Self::Brain, Self::Heart];

    /// Its name.
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
    /// A message that is at hand.
    pub fn message(&self, id: u64) -> Option<&Arc<Message>> {
        let at = self
            .messages
            .binary_search_by_key(&id, |message| message.id)
            .ok()?;
        self.messages.get(at)
    }

    /// How many words a member may say now: as many as it had the time to type since it last spoke, within
    /// bounds. The first time it may say the most.
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

    /// From when on a member may say the most, if it said something.
    pub(crate) fn word_budget_full_at(&self, agent: AgentId) -> Option<Timestamp> {
        let said_at = self.members.get(&agent)?.said_at?;
        let seconds = (MOST_WORDS * 60).div_ceil(self.wpm.max(1));
        let full = SignedDuration::from_secs(i64::from(seconds));
        said_at.checked_add(full).ok()
    }

    /// When a member has typed so many words, if it begins now or when it has typed what it said before.
    pub(crate) fn typed_at(&self, agent: AgentId, words: u32, now: Timestamp) -> Timestamp {
        let before = self.members.get(&agent).and_then(|member| member.typed_at);
        let begins = before.map_or(now, |before| before.max(now));
        let millis = i64::from(words) * 60_000 / i64::from(self.wpm.max(1));
        begins
            .checked_add(SignedDuration::from_millis(millis))
            .unwrap_or(begins)
    }
}

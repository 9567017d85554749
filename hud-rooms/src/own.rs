//! What is an agent's own, in a session that no other agent's HUD is made of.
//!
//! What it knows is there, too: that is the section [`Knowledge`](hud_store::state::Knowledge), which every
//! session has.

use std::collections::BTreeMap;

use hud_core::fit::share::Share;
use hud_store::event::Clip;
use hud_store::section::{Happened, Item, Pace, Section};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::{Format, Tokens};
use crate::gate::Gate;
use crate::limits::{RECENT_ACTIONS, REFUSED_SHOWN};
use crate::world::AgentId;

impl Clip for Gate {}
impl Clip for HudFigures {}

/// What a HUD took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HudFigures {
    /// The format that it was written in.
    pub format: Format,
    /// What the same HUD takes in each format.
    pub tokens: Tokens,
    /// How many of its tokens are the beginning of the HUD before, too, and so in a cache.
    pub prefix: u64,
}

hud_store::events! {
    /// What happens to what is an agent's own.
    pub enum OwnEvent {
        /// an action was accepted.
        "rooms.action.take" 1 Take(
            /// Remembers an action.
            ActionTake {
                /// The action; long values are the beginning of their JSON.
                action: Value,
            }
        ),
        /// an action or a message was refused.
        "rooms.action.refuse" 1 Refuse(
            /// Remembers a refusal, until the next answer.
            ActionRefuse {
                /// What was refused.
                action: String,
                /// What stood in the way.
                gate: Gate,
                /// Why, and what to do about it.
                said: String,
            }
        ) words [said],
        /// the agent gives a room another share of its attention.
        "rooms.attention.set" 1 Attend(
            /// Sets a share.
            AttentionSet {
                /// Which room.
                room: AgentId,
                /// As `30%`, or `%*` for an equal part of what is left.
                share: String,
            }
        ),
        /// the agent answered.
        "rooms.answer.take" 1 Answer(
            /// Remembers how an answer was read, and what the HUD took that it answers.
            AnswerTake {
                /// How many slips of it were mended.
                mends: u32,
                /// The HUD, if it is known which one was shown.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                hud: Option<HudFigures>,
            }
        ),
    }
}

/// An action that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// When.
    pub at: Timestamp,
    /// The action.
    pub action: Value,
}

/// What was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// What it was.
    pub action: String,
    /// What stood in the way.
    pub gate: Gate,
    /// Why, and what to do about it.
    pub said: String,
}

/// What an agent did, what of it was refused, and where its attention is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Own {
    recent: Vec<Taken>,
    refused: Vec<Refused>,
    attention: BTreeMap<AgentId, String>,
    shown: Shown,
}

/// What an agent's HUDs took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// How many there were.
    pub huds: u64,
    /// What they would have taken in each format.
    pub tokens: Tokens,
    /// What they took in the agent's own format.
    pub own: u64,
    /// How much of that was at the beginning of the HUD before.
    pub prefix: u64,
    /// How many slips of answers were mended.
    pub mends: u64,
}

impl Own {
    /// The last actions, oldest first.
    pub fn recent(&self) -> &[Taken] {
        &self.recent
    }

    /// What was refused of the last response.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The share of a room: what was set, or else an equal part of what is left.
    pub fn share(&self, room: AgentId) -> Share {
        let set = self.attention.get(&room);
        set.and_then(|share| share.parse().ok())
            .unwrap_or(Share::REST)
    }

    /// What its HUDs took.
    pub fn shown(&self) -> Shown {
        self.shown
    }

    pub(crate) fn take(&mut self, event: &OwnEvent, at: Timestamp) {
        match event {
            OwnEvent::Take(e) => {
                self.recent.push(Taken {
                    at,
                    action: e.action.clone(),
                });
                let over = self.recent.len().saturating_sub(RECENT_ACTIONS);
                self.recent.drain(..over);
            }
            OwnEvent::Refuse(e) => {
                if self.refused.len() < REFUSED_SHOWN {
                    self.refused.push(Refused {
                        action: e.action.clone(),
                        gate: e.gate,
                        said: e.said.clone(),
                    });
                }
            }
            OwnEvent::Attend(e) => {
                self.attention.insert(e.room, e.share.clone());
            }
            OwnEvent::Answer(e) => {
                // What was refused before was in the HUD that is answered now.
                self.refused.clear();
                let shown = &mut self.shown;
                shown.mends += u64::from(e.mends);
                if let Some(hud) = e.hud {
                    shown.huds += 1;
                    shown.tokens = shown.tokens.and(hud.tokens);
                    shown.own += hud.tokens.of(hud.format);
                    shown.prefix += hud.prefix;
                }
            }
        }
    }
}

impl Section for Own {
    const NAME: &'static str = "own";
    const ITEM: &'static str = "action";
    const PACE: Pace = Pace::EachTurn;
    type Event = OwnEvent;

    fn apply(&mut self, event: &OwnEvent, when: &Happened<'_>) {
        self.take(event, when.at);
    }

    fn items(&self) -> Vec<Item> {
        let taken = self.recent.iter().map(|taken| taken.action.to_string());
        let refused = self
            .refused
            .iter()
            .map(|refused| format!("refused: {}: {}", refused.action, refused.said));
        taken
            .chain(refused)
            .enumerate()
            .map(|(nth, text)| Item::new(nth.to_string(), text))
            .collect()
    }
}

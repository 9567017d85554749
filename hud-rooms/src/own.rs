//! An agent's own state, in a session that no other agent's HUD shows.
//!
//! The session also has the agent's knowledge, in the section [`Knowledge`](hud_store::state::Knowledge)
//! that every session has.

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

/// The size of a HUD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HudFigures {
    /// The format of the HUD.
    pub format: Format,
    /// The number of tokens of the same HUD in each format.
    pub tokens: Tokens,
    /// The number of its tokens that are also the beginning of the HUD before, and so in a cache.
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
    /// The time.
    pub at: Timestamp,
    /// The action.
    pub action: Value,
}

/// A refused entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The entry.
    pub action: String,
    /// The gate that refused it.
    pub gate: Gate,
    /// The reason and the fix.
    pub said: String,
}

/// An agent's last actions, its refused entries, and its attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Own {
    recent: Vec<Taken>,
    refused: Vec<Refused>,
    attention: BTreeMap<AgentId, String>,
    shown: Shown,
}

/// The sums over an agent's HUDs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The number of HUDs.
    pub huds: u64,
    /// The tokens that they would have had in each format.
    pub tokens: Tokens,
    /// The tokens that they had in the agent's own format.
    pub own: u64,
    /// The tokens of those that were also the beginning of the HUD before.
    pub prefix: u64,
    /// The number of syntax errors in responses that were fixed.
    pub mends: u64,
}

impl Own {
    /// Returns the last actions, oldest first.
    pub fn recent(&self) -> &[Taken] {
        &self.recent
    }

    /// Returns the refused entries of the last response.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Returns the share of a room: the one that was set, or else an equal part of the rest.
    pub fn share(&self, room: AgentId) -> Share {
        let set = self.attention.get(&room);
        set.and_then(|share| share.parse().ok())
            .unwrap_or(Share::REST)
    }

    /// Returns the sums over its HUDs.
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
                // Earlier refusals were in the HUD that this response answers.
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

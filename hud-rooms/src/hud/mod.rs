//! The HUD of an agent: components that show the world and the agent's own state, within a budget of
//! exact tokens.
//!
//! `system`, `meta` and `self` get at most half of the budget. The rest is divided among the agent's
//! rooms by its attention ([`hud_core::fit::share`]). Each room shows as many of its newest messages as
//! fit. The tokens that a room leaves go to the others.
//!
//! Content that changes less comes first, so that a provider has the beginning of the next HUD in its
//! cache: `system` and `meta`, then the rooms from the quietest to the one with the newest message, then
//! `self`, whose last actions are always new. For the same reason, messages are dropped from a room
//! [several](crate::limits::WINDOW_STEP) at a time, and the cost of the other parts is
//! [rounded](crate::limits::ROOMS_STEP) before the rooms get the rest.

mod components;
mod fill;
pub mod nodes;
mod texts;
mod view;

pub use components::{MessageLine, Meta, RoomPart, Rooms, SelfPart, System};
pub use view::{RoomView, SelfView, since};

use hud_core::{Element, rsx};
use hud_store::state::Knowledge;
use jiff::Timestamp;

use crate::count::Counter;
use crate::format::{Format, Tokens, WriteError};
use crate::gate::Refusal;
use crate::limits::{KNOWLEDGE_TOKENS, ROOMS_STEP};
use crate::own::Own;
use crate::world::{AgentId, World};

/// The input of a HUD.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The world.
    pub world: &'a World,
    /// The agent's own state.
    pub own: &'a Own,
    /// The agent's knowledge.
    pub knowledge: &'a Knowledge,
    /// The agent that the HUD is for.
    pub agent: AgentId,
    /// The time at which it is shown.
    pub now: Timestamp,
    /// The maximum number of tokens.
    pub budget: u64,
}

/// The reason why there is no HUD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HudError {
    /// The agent does not exist.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The HUD cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A HUD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hud {
    /// The text that the model is given.
    pub text: String,
    /// The format of the text.
    pub format: Format,
    /// The number of its tokens.
    pub tokens: u64,
    /// The number of tokens of `system`, `meta` and `self` alone.
    pub static_tokens: u64,
    /// The number of its messages, by room.
    pub messages: Vec<(AgentId, usize)>,
    /// The number of tokens of the same HUD in each format.
    pub by_format: Tokens,
}

/// Renders the HUD of an agent.
///
/// # Errors
///
/// [`HudError`] if the agent does not exist or the HUD cannot be written.
pub fn hud(source: Source<'_>, format: Format, counter: &Counter) -> Result<Hud, HudError> {
    let agent = source.world.known_agent(source.agent)?;
    let now = source.world.at(source.now);
    let known = source.knowledge.to_json();
    let mut me = SelfView {
        agent,
        knowledge: view::data(&known),
        memory_used: (u64::from(counter.tokens(&known.to_string())) * 100 / KNOWLEDGE_TOKENS)
            .min(100),
        knowledge_not_shown: Vec::new(),
        rooms_not_shown: Vec::new(),
        refused: source.own.refused(),
        recent: source.own.recent(),
    };
    let count = |element: &Element<'_>| {
        let text = format.write(element)?;
        Ok::<_, WriteError>(u64::from(counter.tokens(&text)))
    };
    let most = source.budget;
    let mut static_tokens = fill::own(&mut me, source.knowledge, most / 2, format, &count)?;
    let mut rooms = fill::Rooms::of(source.world, source.own, agent.id, now, &count)?;
    let for_rooms = |static_tokens: u64| {
        let left = most.saturating_sub(static_tokens);
        left - left % ROOMS_STEP
    };
    let mut budget = for_rooms(static_tokens);
    loop {
        let not_shown = rooms.keep_to(budget);
        if me.rooms_not_shown != not_shown {
            me.rooms_not_shown = not_shown;
            static_tokens = fill::own(&mut me, source.knowledge, most / 2, format, &count)?;
            budget = budget.min(for_rooms(static_tokens));
        }
        let views = rooms.filled(budget, &count)?;
        let elements = whole(&me, &views, format);
        let text = format.write(&elements)?;
        let tokens = u64::from(counter.tokens(&text));
        if tokens <= most || budget == 0 {
            let messages = views
                .iter()
                .map(|view| (view.room.id, view.messages.len()))
                .collect();
            let by_format = Tokens::count(&elements, counter)?;
            return Ok(Hud {
                text,
                format,
                tokens,
                static_tokens,
                messages,
                by_format,
            });
        }
        // The whole has slightly more tokens than the sum of its pieces.
        budget = budget.saturating_sub((tokens - most).max(ROOMS_STEP));
    }
}

/// The whole layout.
fn whole<'a>(me: &'a SelfView<'a>, rooms: &'a [RoomView<'a>], format: Format) -> Element<'a> {
    rsx! {
        <System />
        <Meta agent={me.agent} format />
        <Rooms rooms />
        <SelfPart view={me} />
    }
}

//! The HUD of an agent: components over the world and what is the agent's own, within a budget of exact
//! tokens.
//!
//! `system`, `meta` and `self` have at most half of the budget. What they leave is divided among the agent's
//! rooms by its attention ([`hud_core::fit::share`]), each of which shows as many messages as fit, from the
//! newest back. What a room leaves is for the others.
//!
//! What changes less is before what changes more, so that a provider has the beginning of the next HUD in its
//! cache: `system` and `meta`, then the rooms from the one that was quiet for longest to the one where
//! something was just said, then `self`, of which at least the last actions are new each time. For the same
//! reason messages leave a room [several](crate::limits::WINDOW_STEP) at a time, and what an agent itself takes
//! is [rounded](crate::limits::ROOMS_STEP) before rooms have the rest.

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

/// What a HUD is made of.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The world.
    pub world: &'a World,
    /// What the agent did.
    pub own: &'a Own,
    /// What it knows.
    pub knowledge: &'a Knowledge,
    /// Which agent it is for.
    pub agent: AgentId,
    /// When it is shown.
    pub now: Timestamp,
    /// How many tokens it has at most.
    pub budget: u64,
}

/// Why there is no HUD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HudError {
    /// There is no such agent.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A HUD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hud {
    /// The text that the model is given.
    pub text: String,
    /// How it is written.
    pub format: Format,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many of them are `system`, `meta` and `self` by themselves.
    pub static_tokens: u64,
    /// How many messages are in it, by room.
    pub messages: Vec<(AgentId, usize)>,
    /// What the same HUD takes in each format.
    pub by_format: Tokens,
}

/// Makes the HUD of an agent.
///
/// # Errors
///
/// [`HudError`] where there is no such agent.
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
        // What was counted piece by piece is a little more as a whole.
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

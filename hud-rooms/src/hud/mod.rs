//! The HUD of an agent: components over the world and what is the agent's own, within a budget of exact
//! tokens.
//!
//! `system`, `meta` and `self` come first, with at most half of the budget. What they leave is divided among
//! the agent's rooms by its attention ([`hud_core::fit::share`]), each of which shows as many messages as fit,
//! from the newest back. What a room leaves is for the others.
//!
//! What never changes is before what changes, so that a provider has the beginning of the next HUD in its
//! cache; for the same reason messages leave a room [several](crate::limits::WINDOW_STEP) at a time.

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
use crate::decide::no_agent;
use crate::format::{Format, Tokens, WriteError};
use crate::gate::Refusal;
use crate::limits::{HUD_TOKENS, KNOWLEDGE_TOKENS};
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
    let agent = source
        .world
        .agent(source.agent)
        .ok_or_else(|| no_agent(source.agent))?;
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
    let mut static_tokens = fill::own(&mut me, source.knowledge, format, &count)?;
    let mut rooms = fill::Rooms::of(source.world, source.own, agent.id, now, format, counter)?;
    let mut budget = HUD_TOKENS.saturating_sub(static_tokens);
    loop {
        let not_shown = rooms.keep_to(budget);
        if me.rooms_not_shown != not_shown {
            me.rooms_not_shown = not_shown;
            static_tokens = fill::own(&mut me, source.knowledge, format, &count)?;
        }
        let views = rooms.filled(budget);
        let elements = whole(&me, &views, format);
        let text = format.write(&elements)?;
        let tokens = u64::from(counter.tokens(&text));
        if tokens <= HUD_TOKENS || budget == 0 {
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
        budget = budget.saturating_sub(tokens - HUD_TOKENS);
    }
}

/// The whole layout.
fn whole<'a>(me: &'a SelfView<'a>, rooms: &'a [RoomView<'a>], format: Format) -> Element<'a> {
    rsx! {
        <System />
        <Meta agent={me.agent} format />
        <SelfPart view={me} />
        <Rooms rooms />
    }
}

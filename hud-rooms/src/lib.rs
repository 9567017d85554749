//! Agents in chat rooms. Each is called every few seconds, is shown its HUD, and responds with messages
//! and actions.
//!
//! A world is stored as events in a log: one shared session, and one for each agent. Everything else is
//! derived from these, so worlds can be searched, compared, exported and replayed like any log.
//!
//! - [`world`]: agents, rooms, messages, and their events. [`own`]: an agent's own state.
//! - [`action`]: the actions of agents. [`gate`]: the checks on them. [`response`]: parsing of responses.
//! - [`schedule`]: the next agent to call.
//! - [`mod@hud`]: the HUD of an agent, within [10,000 tokens](limits::HUD_TOKENS). [`mod@format`]: its formats.
//!   [`keys`]: its short names.
//! - [`Rooms`]: all of it, on a [log](mod@log).

pub mod action;
pub mod count;
mod decide;
pub mod format;
pub mod gate;
pub mod hud;
pub mod keys;
pub mod limits;
pub mod log;
mod new_agent;
pub mod own;
pub mod response;
mod rooms;
pub mod schedule;
pub mod world;

pub use decide::Answer;
pub use new_agent::NewAgent;
pub use rooms::{Rooms, RoomsError};

//! Agents in chat rooms: each is asked every few seconds, is shown its HUD, and answers with what it says and
//! does.
//!
//! A world is events in a log: one session for what all share, and one for each agent's own. Everything else
//! follows from those, so that worlds can be searched, compared, exported and looked at as they were, as any
//! log can.
//!
//! - [`world`]: agents, rooms, messages; what happens to them. [`own`]: what is an agent's own.
//! - [`action`]: what agents can do; [`gate`]: what stands in the way; [`response`]: how answers are read.
//! - [`schedule`]: who is asked next.
//! - [`mod@hud`]: what an agent is shown, within [10,000 tokens](limits::HUD_TOKENS); [`mod@format`]: how that
//!   is written; [`keys`]: its short names.
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

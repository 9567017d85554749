//! The session of one agent: it reads events and renders the frame of each turn.
//!
//! `hud-clients` reports observations, and `hud-derive` derives events from them. [`session`] appends the
//! events of a running session, and [`replay`] reads those of a recorded one. [`mod@frame`] renders the state
//! with a [`layout`], and a [`placement`] sets the position of each layer. [`last_frame`] caches the unchanged
//! parts, and [`sent`] is the record of a frame in the log. [`tool`] is the interface for the agent.
//! [`budget`] counts tokens, [`compaction`] trims a conversation, and [`prune`] selects the outputs to remove.
//! [`section`] is the agent's interface to a section. [`distill`] derives events from a conversation with
//! another model. [`setup`] holds the configuration of all these modules, and [`settings`] its user settings.

pub mod advice;
pub mod assert;
mod attention;
pub mod budget;
pub mod compaction;
pub mod cost;
pub mod distill;
mod earlier;
mod fit;
pub mod foreign;
#[cfg(feature = "formats")]
pub mod format;
pub mod frame;
pub mod handoff;
pub mod known;
pub mod last_frame;
mod last_parts;
pub mod layout;
mod marks;
mod panic;
pub mod placement;
pub mod prune;
pub mod replay;
pub mod section;
pub mod sent;
pub mod session;
pub mod settings;
pub mod setup;
pub mod tool;

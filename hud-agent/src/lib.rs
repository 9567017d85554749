//! One agent's session: what it does comes in as events, the frame of the turn goes out.
//!
//! [`transcript`] reads recorded sessions, [`mod@derive`] turns what happens in them into events,
//! [`replay`] puts the two together and keeps the state, and [`mod@frame`] renders it by a [`layout`], each layer
//! where a [`placement`] says. [`tool`] is
//! what the agent itself reads and writes, and [`session`] a session while it runs. [`context`] knows
//! windows, [`compaction`] what stays of a conversation, and [`prune`] which outputs leave it. [`setup`]
//! is what all of that works with, and [`settings`] what a user can set of it.

pub mod compaction;
pub mod context;
pub mod derive;
pub mod frame;
pub mod layout;
mod path;
pub mod placement;
pub mod prune;
pub mod replay;
pub mod session;
pub mod settings;
pub mod setup;
pub mod tool;
pub mod transcript;

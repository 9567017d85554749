//! One agent's session: what it does comes in as events, the frame of the turn goes out.
//!
//! `hud-clients` reports observations, and `hud-derive` derives events from them. [`session`] appends them while the
//! session runs, and [`replay`] takes them from a recorded one. [`mod@frame`] renders the state by a
//! [`layout`], each layer where a [`placement`] says; [`last_frame`] looks up what did not change, and [`sent`] is what the log keeps of it. [`tool`] is what the agent itself reads and writes. [`budget`] has
//! what tokens are counted with, [`compaction`] what stays of a conversation, and
//! [`prune`] which outputs leave it. [`section`] is what an agent does with a section. [`distill`] takes from
//! another model what a session's words amount to. [`setup`]
//! is what all of that works with, and [`settings`] what a user can set of it.

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

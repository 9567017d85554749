//! One agent's session: what it does comes in as events, the frame of the turn goes out.
//!
//! A [`client`] says what happens in a session as [observations](observation), in which a call of a tool
//! is an [`action`], each [`reported`] with its time where that is known; [`mod@derive`] turns them into events. [`session`] does it while the session runs,
//! [`replay`] with what [`transcript`] reads of a recorded one, and [`mod@frame`] renders the state by a
//! [`layout`], each layer where a [`placement`] says; [`last_frame`] looks up what did not change, and [`sent`] is what the log keeps of it. [`tool`] is what the agent itself reads and writes. [`context`] knows
//! windows, [`budget`] what tokens are counted with, [`compaction`] what stays of a conversation, and
//! [`prune`] which outputs leave it. [`section`] is what an agent does with a section. [`distill`] takes from
//! another model what a session's words amount to. [`lenient`] reads JSON that is torn. [`setup`]
//! is what all of that works with, and [`settings`] what a user can set of it.

pub mod action;
pub mod advice;
pub mod assert;
mod attention;
pub mod budget;
pub mod change;
pub mod client;
pub mod compaction;
pub mod context;
pub mod cost;
pub mod derive;
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
pub mod lenient;
mod manifest;
mod marks;
pub mod observation;
mod panic;
mod path;
pub mod placement;
pub mod prune;
pub mod replay;
pub mod reported;
pub mod section;
pub mod sent;
pub mod session;
pub mod settings;
pub mod setup;
pub mod tool;
pub mod transcript;

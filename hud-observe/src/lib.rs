//! Observations of an agent's session, independent of its client.
//!
//! An [`observation`] is an occurrence in a session: a message, a tool call and its result, a compaction. A
//! call has [`action`]s, and an action has the [`change`] of a file if it is known. A report ([`reported`])
//! also has a time. Clients produce observations, and the rules that derive events consume them.
//!
//! [`path`] normalizes the names of files, [`patch`] parses the patches of several clients, [`marked`] has the
//! texts that clients write in the user's place, and [`window`] is the context window of a model.

pub mod action;
pub mod change;
mod manifest;
pub mod marked;
pub mod observation;
pub mod patch;
pub mod path;
pub mod reported;
pub mod window;

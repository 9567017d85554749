//! Observations of an agent's session, in no client's words.
//!
//! An [`observation`] is something that happened: a message, a call of a tool and its result, a compaction. A call is
//! an [`action`], which has the [`change`] of a file where one is known. A report ([`reported`]) also has its time.
//! Clients produce observations; the rules that derive events consume them.
//!
//! [`path`] gives one name to one file, [`patch`] reads patches that several clients take, [`marked`] has the texts
//! that clients write in the user's place, and [`window`] is the context window of a model.

pub mod action;
pub mod change;
mod manifest;
pub mod marked;
pub mod observation;
pub mod patch;
pub mod path;
pub mod reported;
pub mod window;

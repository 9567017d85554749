//! What an agent saw in each turn of its session, and why.
//!
//! [`model`] is what there is to see, without a page and without a terminal: it folds a session into
//! turns, and says of each what the model was shown, where each line of that comes from, what was left
//! out and why, and what changed. With the feature `server` there is a page of it, in the program, and what
//! serves that on this machine.

pub mod model;
#[cfg(feature = "server")]
mod page;
#[cfg(feature = "server")]
pub mod server;

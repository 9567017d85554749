//! Shows what an agent saw in each turn of its session, and the reasons.
//!
//! [`model`] needs no page and no terminal. It folds a session into turns. For each turn it has the text
//! that the model was shown, the source of each of its lines, the items that were left out and the
//! reasons, and the changes. The feature `server` adds a page that shows the model, and a server for it
//! on this machine.

pub mod model;
#[cfg(feature = "server")]
mod page;
#[cfg(feature = "server")]
pub mod server;

//! Simulates the cost of a HUD: the same requests with it and without it, in a provider's prompt cache.
//!
//! A [`Request`] is a list of [`Block`]s. A [`Profile`] describes a provider's caching, and a [`Cache`]
//! computes the cost of a request after the earlier ones. [`Recorded`] makes the requests of a recorded
//! session, with the HUD in each [`Placement`](crate::placement::Placement) and without it. A [`Report`]
//! compares their costs.
//!
//! The costs are a function of the inputs: times come from the requests, and prices from the profile. The unit
//! is the uncached token: a cost of 1,000 is that of 1,000 tokens that are not in the cache. Output tokens are
//! not included.

mod cache;
mod placed;
mod profile;
mod recorded;
mod report;
mod request;
#[cfg(test)]
mod tests;

pub use cache::{Cache, Charge};
pub use placed::Slot;
pub use profile::{Caching, Model, Profile};
pub use recorded::{CostError, Recorded};
pub use report::{Break, Churn, Report, Spent};
pub use request::{Block, Request, Role};

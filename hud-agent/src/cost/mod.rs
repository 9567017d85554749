//! What a HUD costs: the same requests with it and without it, in a provider's prompt cache.
//!
//! A [`Request`] is a list of [`Block`]s. A [`Profile`] says how a provider caches, and a [`Cache`] what a
//! request costs after those before it. [`Recorded`] makes requests of a recorded session, with the HUD in
//! each [`Placement`](crate::placement::Placement) and without it, and a [`Report`] compares what they cost.
//!
//! All of it is a function of what it is given: times come from the requests, prices from the profile. Costs are in
//! tokens that are read anew: a cost of 1,000 is what 1,000 tokens cost that no cache has. What a model
//! writes is no part of them.

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

//! What the crate promises, one file for each sort of promise.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail like the tests themselves"
)]

mod conformance;
mod given;
mod lineage;
mod moments;
mod rewind;
mod sections;

#[cfg(feature = "sqlite")]
mod care;
#[cfg(feature = "sqlite")]
mod contents;
#[cfg(feature = "sqlite")]
mod damage;
#[cfg(feature = "sqlite")]
mod files;
#[cfg(feature = "sqlite")]
mod golden;
#[cfg(feature = "sqlite")]
mod hand_up;
#[cfg(feature = "sqlite")]
mod hostile;
#[cfg(feature = "sqlite")]
mod lines;
#[cfg(feature = "sqlite")]
mod model;
mod moved;
#[cfg(all(feature = "sqlite", unix))]
mod permissions;
#[cfg(feature = "sqlite")]
mod properties;
#[cfg(feature = "sqlite")]
mod redaction;
#[cfg(feature = "sqlite")]
mod remote;
#[cfg(feature = "sqlite")]
mod rot;
#[cfg(feature = "sqlite")]
mod search;
#[cfg(feature = "sqlite")]
mod snapshots;
#[cfg(feature = "sqlite")]
mod writers;

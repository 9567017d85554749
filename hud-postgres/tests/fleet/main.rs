//! The log on real servers: on one, on three, and on those that fail.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that does not hold ends, and says what it skips"
)]

mod access;
mod certificates;
mod conformance;
mod connection;
mod damage;
mod direct;
mod failover;
mod follow;
mod given;
mod homes;
mod keeping;
mod making;
mod nodes;
mod proxy;
mod pull;
mod push;
mod sub_agents;
mod trouble;

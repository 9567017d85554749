//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test that cannot go on has failed, one that is skipped reports it, and other programs share some modules"
)]

#[cfg(all(feature = "server", feature = "slow-tests"))]
#[path = "common/browser.rs"]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod browser;
#[cfg(feature = "server")]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod common;
#[cfg(feature = "server")]
#[path = "common/http.rs"]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod http;

#[cfg(all(feature = "server", feature = "slow-tests"))]
mod acts;
#[cfg(feature = "server")]
mod damage;
mod explained;
mod model;
#[cfg(all(feature = "server", feature = "slow-tests"))]
mod page;
#[cfg(all(feature = "server", feature = "slow-tests"))]
mod people;
#[cfg(all(feature = "server", feature = "slow-tests"))]
mod pictures;
#[cfg(feature = "server")]
mod server;

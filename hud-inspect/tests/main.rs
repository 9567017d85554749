//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.

#[cfg(all(feature = "server", feature = "slow-tests"))]
#[path = "common/browser.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod browser;
#[cfg(feature = "server")]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod common;
#[cfg(feature = "server")]
#[path = "common/http.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
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

//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.
//! The folders `docs` and `fleet` are programs of their own.

#[cfg(all(unix, feature = "inspect", feature = "slow-tests"))]
#[path = "../../hud-inspect/tests/common/browser.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod browser;
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod common;
#[cfg(all(unix, feature = "inspect", feature = "slow-tests"))]
#[path = "../../hud-inspect/tests/common/http.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod http;
#[cfg(any(feature = "distill", feature = "rooms"))]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod model;
#[cfg(all(feature = "postgres", feature = "slow-tests"))]
#[path = "../../hud-postgres/tests/fleet/nodes.rs"]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod nodes;
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "what tests share ends those that cannot go on, reports what is missing, and is not used by each"
)]
mod place;

mod budget;
mod cli;
mod config;
mod cost;
mod deadline;
#[cfg(feature = "distill")]
mod distill;
#[cfg(feature = "slow-tests")]
mod erasure;
mod faults;
mod first_minute;
mod flood;
mod fmt;
mod foreign;
mod formats;
mod goose;
mod hook;
mod hostile;
#[cfg(all(unix, feature = "inspect", feature = "slow-tests"))]
mod inspect;
mod install;
#[cfg(feature = "slow-tests")]
mod install_and_back;
#[path = "layouts/main.rs"]
mod layouts;
mod location;
mod log;
mod manual;
mod mcp;
#[cfg(all(feature = "postgres", feature = "slow-tests"))]
mod on_server;
#[cfg(feature = "slow-tests")]
mod outbox;
mod prune;
#[cfg(feature = "slow-tests")]
mod pruning;
#[cfg(feature = "rooms")]
mod rooms;
mod said;
mod sweep;
mod ties;
#[cfg(all(unix, feature = "watch"))]
mod watch;

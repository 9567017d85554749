//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.
//! The folders `docs` and `fleet` are separate programs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test that cannot go on has failed, one that is skipped reports it, and other programs share some modules"
)]

#[cfg(all(unix, feature = "inspect", feature = "slow-tests"))]
#[path = "../../hud-inspect/tests/common/browser.rs"]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod browser;
mod common;
mod earlier;
#[cfg(all(unix, feature = "inspect", feature = "slow-tests"))]
#[path = "../../hud-inspect/tests/common/http.rs"]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod http;
#[cfg(any(feature = "distill", feature = "rooms"))]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod model;
#[cfg(all(feature = "postgres", feature = "slow-tests"))]
#[path = "../../hud-postgres/tests/fleet/nodes.rs"]
#[allow(dead_code, reason = "other programs use the rest of it")]
mod nodes;
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
mod lexicon;
mod location;
mod log;
mod manual;
mod mcp;
#[cfg(all(feature = "postgres", feature = "slow-tests"))]
mod on_server;
#[cfg(feature = "slow-tests")]
mod outbox;
#[cfg(feature = "slow-tests")]
mod pruning;
mod recorded;
#[cfg(feature = "rooms")]
mod rooms;
mod said;
mod sweep;
mod ties;
#[cfg(all(unix, feature = "watch"))]
mod watch;

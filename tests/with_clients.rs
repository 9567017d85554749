//! Tests with real clients, and of a `hud` that is built outside of this workspace, a module for each file, in one program.
//! A client that no variable of the environment names is skipped.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed; one that is skipped reports it"
)]

mod clients;
#[path = "opencode/project.rs"]
mod project;

mod agents;
mod claude_code;
mod cost;
mod faults;
mod mcp;
mod opencode;
mod opencode_package;
mod opencode_server;
mod opencode_v2;
mod other_clients;
mod own_hud;

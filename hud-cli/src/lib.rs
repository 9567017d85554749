//! The `hud` program as a library for custom binaries, with every command, the servers for clients and `hud
//! install`.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use hud_cli::App;
//!
//! fn main() -> ExitCode {
//!     App::new().run()
//! }
//! ```
//!
//! A program with a custom section and a custom layout has less than 60 lines, as the [`guide`] shows.
//!
//! Such a binary does the same as `hud`. It replays recorded agent sessions, renders their HUD, maintains their
//! log, serves clients and formats layouts. Its name is the name of its file, and it installs itself under that
//! name.

mod adopt;
mod app;
mod archive;
mod args;
mod at;
mod backup;
mod begin;
mod bridge;
mod config;
mod cost;
mod deadline;
mod diff;
#[cfg(feature = "distill")]
mod distill;
mod doctor;
#[cfg(any(feature = "distill", feature = "rooms"))]
mod endpoint;
mod erase;
mod event_name;
mod examples;
mod explain;
mod export;
mod file;
#[cfg(feature = "postgres")]
mod fleet;
mod fmt;
mod foreign;
#[cfg(feature = "formats")]
mod formats;
pub mod guide;
mod hook;
mod hub;
mod import;
#[cfg(feature = "inspect")]
mod inspect;
mod install;
mod layout;
mod lexicon;
mod location;
mod log;
mod manual;
#[cfg(feature = "mcp")]
mod mcp;
mod notes;
#[cfg(test)]
mod odd;
mod opened;
mod outbox;
mod output;
mod own;
mod passed_over;
mod process;
mod progress;
mod recorded;
mod redact;
mod reference;
mod render;
mod replay;
mod resume;
#[cfg(feature = "rooms")]
mod rooms;
mod search;
#[cfg_attr(
    not(feature = "mcp"),
    expect(dead_code, reason = "hooks only look for servers")
)]
mod serving;
mod sessions;
mod show;
mod sweep;
mod tie;
mod trial;
mod turns;
#[cfg(feature = "watch")]
mod watch;
mod welcome;

pub use app::App;

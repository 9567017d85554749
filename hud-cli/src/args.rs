//! The command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use hud_core::Density;
use hud_store::event::SessionId;

/// A heads-up display for LLM agents.
#[derive(Debug, Parser)]
#[command(name = "hud", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the HUD of a recorded session, as its agent would have seen it
    Replay(Replay),
    /// Show the HUD of a session in a log
    Render(Render),
    /// Show the events of a session in a log
    Log(Log),
    /// Format the bodies of rsx! in Rust files, which rustfmt leaves alone
    Fmt(Fmt),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Replay {
    /// The recorded session: a Claude Code .jsonl or a SWE-agent .traj
    pub(crate) file: PathBuf,
    /// Show the HUD before this call of the model, instead of the one at the end
    #[arg(long, value_name = "N", conflicts_with = "every")]
    pub(crate) turn: Option<u64>,
    /// Show the HUD of every turn, or of every K-th, and the one at the end
    #[arg(long, value_name = "K", num_args = 0..=1, default_missing_value = "1",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Keep the events in this SQLite log
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// The name of the session in the log, instead of the recorded one
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Show the HUD before this call of the model, instead of the last one
    #[arg(long, value_name = "N")]
    pub(crate) turn: Option<u64>,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Log {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Only events of this kind, such as `file.edit`, or of this family, such as `file`
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Write a JSON object on a line for each event
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Fmt {
    /// Rust files, and directories to look for them in; `-` for standard input
    #[arg(default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Show what would change, change nothing, and fail if something would
    #[arg(long)]
    pub(crate) check: bool,
}

/// Which session of which log.
#[derive(Debug, ClapArgs)]
pub(crate) struct Source {
    /// The SQLite log
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,
    /// The session; by default the one with the latest event
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
}

/// How a HUD is shown.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Shown {
    /// full, compact or minimal; by default the use of the context decides
    #[arg(long)]
    pub(crate) density: Option<Density>,
    /// Write a JSON object on a line for each HUD, with the state it shows
    #[arg(long)]
    pub(crate) json: bool,
}

fn session(name: &str) -> Result<SessionId, String> {
    SessionId::new(name).map_err(|error| error.to_string())
}

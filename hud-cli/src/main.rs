//! `hud`: replay recorded agent sessions, render their HUD, read their log,
//! format layouts.

mod args;
mod fmt;
mod log;
mod output;
mod render;
mod replay;
mod show;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use output::Failure;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Replay(args) => replay::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Log(args) => log::run(&args),
        Command::Fmt(args) => fmt::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            output::problem(&failure);
            ExitCode::FAILURE
        }
    }
}

//! `hud`: replay recorded agent sessions, render their HUD, look after their log, format layouts.

mod adopt;
mod archive;
mod args;
mod at;
mod backup;
mod begin;
mod bridge;
mod deadline;
mod diff;
mod doctor;
mod export;
mod file;
mod fmt;
mod hook;
mod hub;
mod import;
mod install;
mod location;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(test)]
mod odd;
mod output;
mod process;
mod progress;
mod redact;
mod render;
mod replay;
mod search;
mod sessions;
mod show;
mod spool;
mod tie;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use output::Failure;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Replay(args) => replay::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Log(args) => log::run(&args),
        Command::At(args) => at::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Sessions(args) => sessions::run(&args),
        Command::Begin(args) => begin::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Where(args) => location::show(&args),
        Command::Adopt(args) => adopt::run(&args),
        Command::Redact(args) => redact::run(&args),
        Command::Archive(args) => archive::run(&args),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args),
        Command::Install(args) => install::install(&args),
        Command::Uninstall(args) => install::uninstall(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Bridge(args) => bridge::run(&args),
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

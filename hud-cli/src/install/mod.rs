//! `hud install` and `hud uninstall`: a client's configuration, so that it shows the HUD and has the
//! `hud` tool.
//!
//! What is there is kept, byte for byte: only our entries come and go. The changes are shown first, and
//! made with `--yes`, all of them or none. Where no client is named, those that are on this machine are
//! offered.

mod client;
mod command;
mod content;
mod edit;
mod found;
mod gate;
mod json;
mod offer;
mod plan;
mod record;
mod script;
mod stage;
mod toml;
mod trust;

use std::path::{Path, PathBuf};

use crate::args::Install;
use crate::output::{self, Failure};
pub(crate) use client::{Client, Serves};
pub(crate) use command::word;
use command::{Program, on_path};
pub(crate) use found::{Connection, Found, Started, found};
pub(crate) use gate::Barred;
use plan::Plan;
use record::Records;
use stage::Lock;

/// What some editors put in front of a text in UTF-8.
const BOM: &str = "\u{feff}";

pub(crate) fn install(args: &Install) -> Result<(), Failure> {
    run(args, true)
}

pub(crate) fn uninstall(args: &Install) -> Result<(), Failure> {
    run(args, false)
}

fn run(args: &Install, is_install: bool) -> Result<(), Failure> {
    let Some(client) = args.client else {
        return offer::run(args, is_install);
    };
    let is_left = change(client, args, is_install, args.yes, true)?;
    if is_left {
        output::note(UNCHANGED);
    }
    Ok(())
}

/// What is said where changes were shown and not made.
const UNCHANGED: &str = "nothing was changed yet: say --yes to do it";

/// Shows what becomes of a client's configuration, and makes it if that is wanted. Gives whether there is
/// something left to make.
fn change(
    client: Client,
    args: &Install,
    is_install: bool,
    makes: bool,
    shows: bool,
) -> Result<bool, Failure> {
    let data = data()?;
    // No change can be under way where the folder does not exist.
    let mut lock = match makes || data.is_dir() {
        true => Some(Lock::take(&data)?),
        false => None,
    };
    let program = Program::own()?;
    let made = lock.as_ref().map_or(&[][..], |lock| &lock.made);
    let records = Records::read(&data, made)?;
    if let Some(lock) = &mut lock {
        lock.made = records.folders().to_owned();
    }
    let (plan, notes) = Plan::of(client, args.user, is_install, &program, records)?;
    let is_any = plan.is_any();
    if shows {
        plan.show()?;
    }
    if let Some(lock) = lock.filter(|_| makes) {
        plan.make(&lock)?;
    }
    for note in notes.iter().filter(|_| makes || shows) {
        output::note(note);
    }
    Ok(is_any && !makes)
}

/// A directory that a variable names, else a folder of the home directory.
fn home(variable: &str, folder: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let home = std::env::home_dir()
        .ok_or_else(|| Failure::Other(format!("there is no home directory: set {variable}")))?;
    Ok(home.join(folder))
}

/// Where what is ours is for all projects.
fn data() -> Result<PathBuf, Failure> {
    Ok(home("XDG_DATA_HOME", ".local/share")?.join("agent-hud"))
}

fn failed(file: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Other(format!("{}: {reason}", file.display()))
}

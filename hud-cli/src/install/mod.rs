//! `hud install` and `hud uninstall`: change a client's configuration so that it shows the HUD and offers the
//! `hud` tool.
//!
//! Only our entries are inserted and removed. The rest of each file is kept byte for byte. The changes are shown
//! first. With `--yes`, either all of them are made or none. If no client is named, the clients on this machine
//! are offered.

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

/// The byte order mark, which some editors write at the start of a UTF-8 text.
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

/// The note that is printed when changes were shown but not made.
const UNCHANGED: &str = "nothing was changed yet: say --yes to do it";

/// Shows the changes to a client's configuration, and makes them if `makes` is true. Returns true if there are
/// changes that were not made.
fn change(
    client: Client,
    args: &Install,
    is_install: bool,
    makes: bool,
    shows: bool,
) -> Result<bool, Failure> {
    let data = data()?;
    // No other change can be in progress if the folder does not exist.
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

/// The directory that an environment variable names, or else a folder in the home directory.
fn home(variable: &str, folder: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let home = std::env::home_dir()
        .ok_or_else(|| Failure::Other(format!("there is no home directory: set {variable}")))?;
    Ok(home.join(folder))
}

/// The folder for our own files, for all projects.
fn data() -> Result<PathBuf, Failure> {
    Ok(home("XDG_DATA_HOME", ".local/share")?.join("agent-hud"))
}

fn failed(file: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Other(format!("{}: {reason}", file.display()))
}

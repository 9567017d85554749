//! The clients on this machine, and the state of their connection to the HUD.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::ValueEnum;

use super::client::{Client, Wanted};
use super::command::Program;
use super::plan::Plan;
use super::record::Records;
use super::{data, on_path};
use crate::output::Failure;

/// A client that is on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) client: Client,
    /// The path of its program, if that is on the `PATH`. An editor's extension has none.
    pub(crate) program: Option<PathBuf>,
    /// The state of the project's configuration, for the project of the working directory.
    pub(crate) here: Connection,
    /// The state of the user's own configuration.
    pub(crate) everywhere: Connection,
}

/// The state of our entries in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    Nothing,
    /// Everything that `hud install` would write.
    Whole,
    /// Entries that differ from those that `hud install` would write now.
    Stale,
    /// The state can't be determined, for this reason.
    Unknown(String),
}

impl Found {
    /// True if the client shows the HUD in the working directory.
    pub(crate) fn is_connected(&self) -> bool {
        [&self.here, &self.everywhere].contains(&&Connection::Whole)
    }

    /// The state of the user's own configuration if `user` is true, or else of the project's.
    pub(super) fn connection(&self, user: bool) -> &Connection {
        match user {
            true => &self.everywhere,
            false => &self.here,
        }
    }

    /// The time of the installation for the working directory, taken from the oldest of its files.
    pub(crate) fn installed(&self) -> Result<Option<SystemTime>, Failure> {
        let Some(user) = self.scope() else {
            return Ok(None);
        };
        let program = Program::own()?;
        let records = Records::read(&data()?, &[])?;
        let wanted = Wanted::of(self.client, user, true, &program, &records)?;
        let written = |(file, _): &(PathBuf, _)| std::fs::metadata(file).ok()?.modified().ok();
        Ok(wanted.files.iter().filter_map(written).min())
    }

    /// True if the client is connected by the user's own configuration, false if by the project's, and `None` if it
    /// is not connected.
    fn scope(&self) -> Option<bool> {
        match (&self.here, &self.everywhere) {
            (Connection::Whole, _) => Some(false),
            (_, Connection::Whole) => Some(true),
            _ => None,
        }
    }

    /// The commands that the client starts, if it is connected.
    pub(crate) fn started(&self) -> Result<Option<Started>, Failure> {
        let Some(user) = self.scope() else {
            return Ok(None);
        };
        let program = Program::own()?;
        Ok(Some(Started {
            hook: self.client.hook(user, &program),
            program: match user {
                true => program.path().to_owned(),
                false => program.name().to_owned(),
            },
        }))
    }
}

/// The commands of ours that a client starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    /// The command of its hooks for a POSIX shell, if it has hooks.
    pub(crate) hook: Option<String>,
    /// The program that serves the client.
    pub(crate) program: String,
}

/// Returns the clients on this machine. A client is on the machine if its program is on the `PATH`, if its folder
/// is in the user's home, or if it is configured.
pub(crate) fn found() -> Result<Vec<Found>, Failure> {
    let program = Program::own()?;
    let records = Records::read(&data()?, &[])?;
    let mut all = Vec::new();
    for client in Client::value_variants() {
        let connection = |user| connection(*client, user, &program, &records);
        let found = Found {
            client: *client,
            program: on_path(client.name()),
            here: connection(false),
            everywhere: connection(true),
        };
        let is_used = [&found.here, &found.everywhere]
            .iter()
            .any(|connection| matches!(connection, Connection::Whole | Connection::Stale));
        if is_used || found.program.is_some() || client.home().is_ok_and(|home| home.is_dir()) {
            all.push(found);
        }
    }
    Ok(all)
}

fn connection(client: Client, user: bool, program: &Program, records: &Records) -> Connection {
    let changes = |is_install| {
        let plan = Plan::of(client, user, is_install, program, records.clone());
        plan.map(|(plan, _)| plan.is_any())
    };
    match changes(true) {
        Ok(false) => Connection::Whole,
        Ok(true) => match changes(false) {
            Ok(true) => Connection::Stale,
            Ok(false) => Connection::Nothing,
            Err(why) => Connection::Unknown(why.to_string()),
        },
        Err(why) => Connection::Unknown(why.to_string()),
    }
}

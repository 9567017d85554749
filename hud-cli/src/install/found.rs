//! Which clients are on this machine, and which of them show the HUD.

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
    /// Its program, if that is on the `PATH`: an editor's extension has none.
    pub(crate) program: Option<PathBuf>,
    /// Whether it shows the HUD in the project of the working directory by the project's configuration.
    pub(crate) here: Connection,
    /// Whether it does by the user's own.
    pub(crate) everywhere: Connection,
}

/// What of us is in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    Nothing,
    /// All that `hud install` would write.
    Whole,
    /// Something else than `hud install` would write now.
    Stale,
    /// It can't be said, and why.
    Unknown(String),
}

impl Found {
    /// Whether it shows the HUD in the working directory.
    pub(crate) fn is_connected(&self) -> bool {
        [&self.here, &self.everywhere].contains(&&Connection::Whole)
    }

    /// What of us is in the project's configuration, or in the user's own.
    pub(super) fn connection(&self, user: bool) -> &Connection {
        match user {
            true => &self.everywhere,
            false => &self.here,
        }
    }

    /// The time of the installation for the working directory: that of the file of it that was written first.
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

    /// True if the client goes by the user's own configuration, false if by the project's; none where it is not
    /// connected.
    fn scope(&self) -> Option<bool> {
        match (&self.here, &self.everywhere) {
            (Connection::Whole, _) => Some(false),
            (_, Connection::Whole) => Some(true),
            _ => None,
        }
    }

    /// The commands that the client starts, if it is connected, by what they are.
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

/// What a client starts of us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    /// The command of its hooks, for a POSIX shell, if it has hooks.
    pub(crate) hook: Option<String>,
    /// The program that serves it.
    pub(crate) program: String,
}

/// The clients that are on this machine: their program is on the `PATH`, or they left a folder in the
/// user's home, or they are configured.
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

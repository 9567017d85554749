//! The command line of what has to do with a fleet.

use clap::{ArgGroup, Args, Subcommand};
use hud_postgres::Address;
use hud_store::event::SessionId;

use crate::args::{Db, session};

#[derive(Debug, Args)]
pub(crate) struct Push {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The log of the fleet, `postgres://USER@HOST/DATABASE?log=NAME`; by default the setting `fleet.url`, once
    /// it was named so
    #[arg(long, value_name = "URL")]
    pub(crate) to: Option<Address>,
    /// Go on with what agents record, until interrupted, and copy here what their sub-agents on other machines do
    #[arg(long)]
    pub(crate) watch: bool,
    /// Send all events again, for a server that was restored to an earlier state; those that it has are skipped
    #[arg(long, conflicts_with = "watch")]
    pub(crate) all: bool,
    /// Serve metrics as Prometheus reads them, at `/metrics` of this address: `127.0.0.1:9464`
    #[arg(long, value_name = "ADDRESS", requires = "watch")]
    pub(crate) metrics: Option<std::net::SocketAddr>,
    /// End when standard input does, and say nothing: for the process of a client
    #[arg(long, hide = true, requires = "watch")]
    pub(crate) background: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["session", "all", "sub_agents"]))]
pub(crate) struct Pull {
    /// The session, by its name in the log of the fleet
    #[arg(value_name = "SESSION", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// All sessions of the fleet
    #[arg(long)]
    pub(crate) all: bool,
    /// The sessions of sub-agents elsewhere, whose parents run here: what they recorded comes up to those, as it does
    /// by `push --watch`
    #[arg(long)]
    pub(crate) sub_agents: bool,
    /// Take the session over: from now on it goes on here, and nowhere else
    #[arg(long, conflicts_with_all = ["all", "sub_agents"])]
    pub(crate) take: bool,
    #[command(flatten)]
    pub(crate) db: Db,
    /// The log of the fleet, `postgres://USER@HOST/DATABASE?log=NAME`; by default the setting `fleet.url`, once
    /// it was named so
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<Address>,
}

#[derive(Debug, Args)]
pub(crate) struct Fleet {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make the log of a fleet with its roles, or bring one of an older program up to date
    Init(Init),
    /// Show how far what is here is there, which machines send theirs, and how the server is doing
    Status(Status),
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The log of the fleet, `postgres://USER@HOST/DATABASE?log=NAME`
    #[arg(long, value_name = "URL")]
    pub(crate) db: Address,
}

#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The log of the fleet; by default the setting `fleet.url`, once it was named to `push` or `pull`
    #[arg(long, value_name = "URL")]
    pub(crate) to: Option<Address>,
    /// Write a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write metrics as Prometheus reads them, for the text files of a node exporter
    #[arg(long, conflicts_with = "json")]
    pub(crate) prometheus: bool,
}

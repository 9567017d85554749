//! The log of a fleet. Events that are recorded here are sent there, and sessions are copied from there. A connection
//! is only opened by these commands, and by `hud begin` for a parent on another machine. Hooks, the bridge and
//! `hud mcp` never open one.

pub(crate) mod args;
pub(crate) mod background;
pub(crate) mod pull;
pub(crate) mod push;
mod status;
#[cfg(feature = "telemetry")]
mod telemetry;

use hud_postgres::{Address, Options, init};
use hud_store::log::{LogError, Place};
use hud_store::sqlite::SqliteLog;
use jiff::Timestamp;

use self::args::{Command, Fleet};
use crate::app::App;
use crate::location::Location;
use crate::output::{self, Failure};

pub(crate) fn run(args: &Fleet, app: &App) -> Result<(), Failure> {
    #[cfg(feature = "telemetry")]
    let _traces = telemetry::Traces::begin();
    match &args.command {
        Command::Init(args) => {
            init(&args.db, &Options::from_env())?;
            let log = args.db.log();
            output::note(format_args!(
                "{} is there: let others in with GRANT {log}_writer TO a user, or {log}_reader for who only reads",
                args.db
            ));
            Ok(())
        }
        Command::Status(args) => status::run(args, app),
    }
}

/// The address of the fleet's log. An address that only the settings name is refused until a user named it once,
/// because the settings may have come with the project.
fn address(
    named: Option<&Address>,
    flag: &str,
    log: &SqliteLog,
    location: &Location,
    app: &App,
) -> Result<Address, Failure> {
    if let Some(address) = named {
        return Ok(address.clone());
    }
    let setup = app.setup(location.directory())?;
    let url = &setup.settings.fleet.url;
    if url.is_empty() {
        return Err(Failure::Other(format!(
            "there is no fleet to speak of: name its log with {flag} postgres://USER@HOST/DATABASE?log=NAME, and \
             write it into .hud/config.toml as `url` of `[fleet]`"
        )));
    }
    let address: Address = url
        .parse()
        .map_err(|error| Failure::Other(format!("the setting `fleet.url`: {error}")))?;
    match is_known(log, &address)? || is_known_to_project(location, &address) {
        true => Ok(address),
        false => Err(Failure::Other(format!(
            "the settings of this project name {address}, which was not spoken to from here before: if it is \
             yours, say {flag} {url} once"
        ))),
    }
}

/// The address in the form under which the log here stores its state.
fn url(address: &Address) -> String {
    Place::address(&address.to_string()).to_string()
}

/// True if the log here was sent to that address before, or has sessions that were copied from there.
pub(crate) fn is_known(log: &SqliteLog, address: &Address) -> Result<bool, LogError> {
    Ok(log.remote(&url(address))?.at.is_some())
}

/// True if the project's own log knows the address, for a user who named another log.
fn is_known_to_project(location: &Location, address: &Address) -> bool {
    let own = Location::of(None, location.directory()).and_then(|own| own.read());
    own.is_ok_and(|log| is_known(&log, address).unwrap_or(false))
}

/// Notes that there was a connection to an address.
fn know(log: &SqliteLog, address: &Address) -> Result<(), LogError> {
    let url = url(address);
    let mut remote = log.remote(&url)?;
    if remote.at.is_none() {
        remote.at = Some(Timestamp::now());
        log.set_remote(&url, &remote)?;
    }
    Ok(())
}

/// The error for metrics in a build without them.
#[cfg(not(feature = "telemetry"))]
fn unmeasured() -> Failure {
    Failure::Other(
        "this program was built without metrics: build it with `--features telemetry`".to_owned(),
    )
}

/// The name of this machine.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok());
    name.map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "a machine".to_owned())
}

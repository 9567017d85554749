//! The log that a user's command reads, in a file or on a server.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use hud_store::log::{Follow, Place, Search};

use crate::app::App;
use crate::location::LocationError;

/// A log for commands that only read it.
pub(crate) trait Readable: Search + Follow {}

impl<L: Search + Follow> Readable for L {}

/// A log that is open for reading.
pub(crate) struct Opened {
    pub(crate) log: Box<dyn Readable>,
    pub(crate) place: Place,
}

/// An operation that only a log in a file supports. Its text is the alternative for a log on a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOnly {
    /// Writes by agents and their servers.
    Agents,
    Archive,
    Backup,
    Delete,
    Import,
    /// A rebuild of the data that is derived from the events.
    #[cfg(feature = "postgres")]
    Rebuild,
    /// A view of running sessions, in a page or a terminal.
    #[cfg(any(feature = "inspect", feature = "watch"))]
    Page,
    /// The path of the log.
    Path,
    /// Sending sessions to a server, or copying them from one.
    #[cfg(feature = "postgres")]
    Sync,
    Sweep,
}

impl fmt::Display for FileOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agents => {
                "no agent writes to it: leave out --db (and HUD_DB) for the log of the project, which `hud push` \
                 sends there"
            }
            Self::Archive => "there is nothing to pack: PostgreSQL compresses long payloads itself",
            Self::Backup => {
                "PostgreSQL copies it: use `pg_dump --schema=NAME`, or copy its sessions into a file with \
                 `hud pull --all --db FILE --from ADDRESS`"
            }
            Self::Delete => {
                "a session is deleted in the log that writes it: name that file with --db, and send it with \
                 `hud push`"
            }
            Self::Import => "it takes in what a log sends: import into a file, and send that with `hud push`",
            #[cfg(any(feature = "inspect", feature = "watch"))]
            Self::Page => {
                "this shows a log in a file: copy the session with `hud pull SESSION --from ADDRESS`, and look at \
                 the copy"
            }
            #[cfg(feature = "postgres")]
            Self::Rebuild => {
                "PostgreSQL makes its indices anew: REINDEX SCHEMA NAME, as its owner"
            }
            Self::Path => "it has no path: name a file with --db, or leave out --db (and HUD_DB)",
            #[cfg(feature = "postgres")]
            Self::Sync => {
                "--db names the log on this machine: leave it out (and HUD_DB), and name the server with --to or \
                 --from"
            }
            Self::Sweep => {
                "outputs are not swept there: name a file with --db, or leave out --db (and HUD_DB)"
            }
        })
    }
}

/// Returns the address of a log, if the argument is the address of a server.
pub(crate) fn address_of(named: &OsStr) -> Option<&str> {
    let named = named.to_str()?;
    is_address(named).then_some(named)
}

fn is_address(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

/// The prefixes of server addresses.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Masks the addresses of the command line in an error message, because a user may have written a password into
/// one.
pub(crate) fn masked(said: &str, words: &[impl AsRef<OsStr>]) -> String {
    let mut said = said.to_owned();
    for word in words.iter().filter_map(|word| word.as_ref().to_str()) {
        // The address can also follow an option, as in `--to=postgres://…`.
        let begins = SCHEMES.iter().filter_map(|scheme| word.find(scheme)).min();
        if let Some(address) = begins.and_then(|at| word.get(at..)) {
            said = said.replace(address, &Place::address(address).to_string());
        }
    }
    said
}

/// Opens the log at an address, with the sections of a directory. No call to the log takes longer than its
/// deadline.
#[cfg(feature = "postgres")]
pub(crate) fn on_server(
    address: &str,
    directory: &Path,
    app: &App,
) -> Result<Opened, LocationError> {
    let address = address.parse()?;
    let log = Box::new(server(&address, directory, app)?);
    let place = log.place().clone();
    Ok(Opened { log, place })
}

/// Opens the same log with its concrete type.
#[cfg(feature = "postgres")]
pub(crate) fn server(
    address: &hud_postgres::Address,
    directory: &Path,
    app: &App,
) -> Result<hud_postgres::PgLog, hud_store::log::LogError> {
    within(address, hud_postgres::Options::from_env(), directory, app)
}

/// Opens the same log with other options than those of the environment. The sections are still those of the
/// program.
#[cfg(feature = "postgres")]
pub(crate) fn within(
    address: &hud_postgres::Address,
    mut options: hud_postgres::Options,
    directory: &Path,
    app: &App,
) -> Result<hud_postgres::PgLog, hud_store::log::LogError> {
    options.sections = app.sections(directory);
    hud_postgres::PgLog::open(address, &options)
}

#[cfg(not(feature = "postgres"))]
pub(crate) fn on_server(address: &str, _: &Path, _: &App) -> Result<Opened, LocationError> {
    Err(LocationError::NoServers {
        place: Place::address(address),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_command_line_is_shown_without_passwords() {
        let address = "postgres://ada:secret@db.example/fleet?log=team";
        let said = masked(
            &format!("invalid value '{address}' for '--to <URL>'"),
            &["hud", "push", &format!("--to={address}")],
        );
        assert_eq!(
            said,
            "invalid value 'postgres://db.example/fleet?log=team' for '--to <URL>'"
        );
    }
}

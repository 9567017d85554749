//! The location of a log, without credentials.

use std::fmt;
use std::path::{Path, PathBuf};

/// The location of a log: a file, a server, or memory. Errors contain it, so it never holds a credential.
///
/// ```
/// use std::path::Path;
///
/// use hud_store::log::Place;
///
/// assert_eq!(Place::from(Path::new("/srv/hud.db")).to_string(), "/srv/hud.db");
/// let server = Place::address("postgres://ada:secret@db.example:5432/fleet?password=secret&log=team");
/// assert_eq!(server.to_string(), "postgres://db.example:5432/fleet?log=team");
/// assert_eq!(Place::address("host=db password=secret").to_string(), "a server");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place(Kind);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kind {
    File(PathBuf),
    Address(String),
    Memory,
}

impl Place {
    /// The memory of this process.
    pub const fn memory() -> Self {
        Self(Kind::Memory)
    }

    /// A server, by its address: `scheme://user:password@host:port/name?options`. The scheme, the host, the port, the
    /// name and the option `log` are kept. A password may be anywhere in an address that can't be parsed without
    /// doubt, so of such an address at most the scheme is kept.
    pub fn address(url: &str) -> Self {
        Self(Kind::Address(shown(url)))
    }

    /// The path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.0 {
            Kind::File(path) => Some(path),
            Kind::Address(_) | Kind::Memory => None,
        }
    }
}

/// The parts of an address that anybody may see.
fn shown(url: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let Some((scheme, rest)) = url
        .split_once("://")
        .filter(|(scheme, _)| !scheme.is_empty() && scheme.chars().all(is_name))
    else {
        return "a server".to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    // A password that contains one of these characters ends after them, at an `@`.
    if rest.contains('@') {
        return format!("{scheme}://…");
    }
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let (name, options) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let log = options.split('&').find(|option| {
        option
            .strip_prefix("log=")
            .is_some_and(|log| log.chars().all(is_word))
    });
    let place = match log {
        Some(log) => format!("{scheme}://{host}{name}?{log}"),
        None => format!("{scheme}://{host}{name}"),
    };
    place.chars().filter(|c| !c.is_control()).collect()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::File(path) => path.display().fmt(f),
            Kind::Address(shown) => f.write_str(shown),
            Kind::Memory => f.write_str(":memory:"),
        }
    }
}

impl From<PathBuf> for Place {
    fn from(path: PathBuf) -> Self {
        Self(Kind::File(path))
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_of_a_password_is_shown_wherever_an_address_has_it() {
        for address in [
            "postgres://ada:xy@cret@db/team",
            "postgres://ada:xy/cret@db/team",
            "postgres://ada:xy?cret@db/team",
            "postgres://ada:xy#cret@db/team",
            "postgres://ada:cret@db/team?options=a@b&password=cret",
            "postgres://db/team?user=ada&password=cret",
            "postgres://db/team#cret",
            "password=cret://ada@db",
            "host=db password='xy cret'",
        ] {
            let shown = Place::address(address).to_string();
            assert!(!shown.contains("cret") && !shown.contains("xy"), "{shown}");
        }
    }
}

//! The address of a log: a server, and the name of a log on it.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use hud_store::log::Place;
use percent_encoding::percent_decode_str;

/// The default port.
const PORT: u16 = 5432;

/// The default host.
const HERE: &str = "localhost";

/// The default log.
const LOG: &str = "hud";

/// The maximum number of bytes of the name of a log. The names of its roles are longer, and PostgreSQL keeps 63
/// bytes.
const NAME_BYTES: usize = 48;

/// The address of a log on a server.
///
/// `postgres://USER@HOST:PORT/DATABASE?log=NAME`, where every part except the scheme is optional. An address can name
/// several servers that replace each other (`n1,n2:5433,n3`), and the one that takes writes is used. The folder of a
/// socket is given as `?host=/var/run/postgresql`.
///
/// Further options are `sslmode` and `sslrootcert`. `sslmode` is `verify-full`, the default for servers that are not
/// on this machine, or `disable`. `sslrootcert` is a file of certificates to verify the server with, instead of the
/// system's. An address never contains a password, see [`Password`](crate::Password).
///
/// ```
/// use hud_postgres::Address;
///
/// let address: Address = "postgres://ada@db.example/fleet?log=team".parse()?;
/// assert_eq!(address.log(), "team");
/// assert_eq!(address.to_string(), "postgres://db.example/fleet?log=team");
/// # Ok::<(), hud_postgres::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) user: Option<String>,
    pub(crate) hosts: Vec<Host>,
    pub(crate) database: Option<String>,
    pub(crate) log: String,
    pub(crate) root: Option<PathBuf>,
}

/// A server of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Host {
    pub(crate) name: HostName,
    pub(crate) port: u16,
    /// True if the server has to prove its identity.
    pub(crate) is_verified: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HostName {
    /// The folder of a socket.
    Socket(PathBuf),
    Network(String),
}

/// The error of parsing an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The scheme is another.
    #[error("an address of a log on PostgreSQL begins with `postgres://`")]
    Scheme,
    /// The address has a password, which would be visible wherever the address is.
    #[error(
        "the address has a password: take it out, and put it into the variable PGPASSWORD, or a command that \
         prints it into HUD_PASSWORD_COMMAND"
    )]
    Password,
    /// An option is unknown.
    #[error(
        "the address has an option `{name}`, which is none: there are log, host, user, sslmode and sslrootcert"
    )]
    Option {
        /// The name of the option.
        name: String,
    },
    /// A part of the address is not valid, such as a port that is not a number.
    #[error("{part} of the address is `{found}`: give {wanted}")]
    Part {
        /// The name of the part.
        part: &'static str,
        /// The text that was found.
        found: String,
        /// A description of valid texts.
        wanted: &'static str,
    },
}

impl Address {
    /// The name of the log, which is also the name of its schema.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// The name of its schema in SQL. It is quoted, since `user` and `order` are valid names of logs.
    pub(crate) fn schema(&self) -> String {
        format!("\"{}\"", self.log)
    }

    /// The address as errors show it.
    pub(crate) fn place(&self) -> Place {
        Place::address(&self.to_string())
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let rest = text
            .strip_prefix("postgres://")
            .or_else(|| text.strip_prefix("postgresql://"))
            .ok_or(AddressError::Scheme)?;
        let (rest, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (server, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = match server.rsplit_once('@') {
            // The `@` comes after a password that has an `@`, or after the user's name.
            Some((user, _)) if user.contains([':', '@']) => return Err(AddressError::Password),
            Some((user, hosts)) => (Some(user), hosts),
            None => (None, server),
        };
        if database.contains(['/', '@']) {
            // A `/` in a password looks like a database.
            return Err(AddressError::Password);
        }
        let mut address = Self {
            user: user
                .filter(|user| !user.is_empty())
                .map(decoded)
                .transpose()?,
            hosts: Vec::new(),
            database: Some(database)
                .filter(|database| !database.is_empty())
                .map(decoded)
                .transpose()?,
            log: LOG.to_owned(),
            root: None,
        };
        let mut names = vec![];
        for host in hosts.split(',').filter(|host| !host.is_empty()) {
            names.push(host_and_port(host)?);
        }
        let mut is_verified = None;
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let value = decoded(value)?;
            match name {
                "log" => address.log = log_name(value)?,
                "user" => address.user = Some(value),
                "host" if value.starts_with('/') => {
                    let port = names.first().map_or(PORT, |(_, port)| *port);
                    names = vec![(HostName::Socket(value.into()), port)];
                }
                "host" => names = vec![host_and_port(&value)?],
                "port" => {
                    let port = port(&value)?;
                    names.iter_mut().for_each(|name| name.1 = port);
                }
                "sslmode" => is_verified = Some(is_verified_by(&value)?),
                "sslrootcert" => address.root = Some(value.into()),
                "password" => return Err(AddressError::Password),
                _ => {
                    return Err(AddressError::Option {
                        name: name.to_owned(),
                    });
                }
            }
        }
        if names.is_empty() {
            names.push((HostName::Network(HERE.to_owned()), PORT));
        }
        address.hosts = names
            .into_iter()
            .map(|(name, port)| Host {
                is_verified: !name.is_socket() && is_verified.unwrap_or(!name.is_here()),
                name,
                port,
            })
            .collect();
        Ok(address)
    }
}

impl HostName {
    fn is_socket(&self) -> bool {
        matches!(self, Self::Socket(_))
    }

    /// True if the server is on this machine.
    fn is_here(&self) -> bool {
        match self {
            Self::Socket(_) => true,
            Self::Network(name) => {
                name == HERE || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            }
        }
    }
}

/// Shows the address without the user.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        for (nth, host) in self.hosts.iter().enumerate() {
            if nth > 0 {
                f.write_str(",")?;
            }
            match &host.name {
                HostName::Network(name) if name.contains(':') => write!(f, "[{name}]")?,
                HostName::Network(name) => f.write_str(name)?,
                HostName::Socket(_) => {}
            }
            if host.port != PORT {
                write!(f, ":{}", host.port)?;
            }
        }
        write!(
            f,
            "/{}?log={}",
            self.database.as_deref().unwrap_or(""),
            self.log
        )
    }
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let decoded = percent_decode_str(text).decode_utf8();
    match decoded {
        Ok(decoded) if !decoded.chars().any(char::is_control) => Ok(decoded.into_owned()),
        _ => Err(part(
            "a part",
            text,
            "text in UTF-8 without control characters",
        )),
    }
}

fn part(part: &'static str, found: &str, wanted: &'static str) -> AddressError {
    AddressError::Part {
        part,
        found: found.escape_default().to_string(),
        wanted,
    }
}

fn host_and_port(text: &str) -> Result<(HostName, u16), AddressError> {
    let (name, number) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, rest)) => (name, rest.strip_prefix(':')),
            None => return Err(part("a host", text, "an IPv6 address as [::1]")),
        },
        None => match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        },
    };
    let mut name = decoded(name)?;
    if name.is_empty() {
        name.push_str(HERE);
    }
    if name.contains(char::is_whitespace) {
        return Err(part("a host", text, "the name of a server"));
    }
    let number = number.filter(|number| !number.is_empty());
    Ok((HostName::Network(name), number.map_or(Ok(PORT), port)?))
}

fn port(text: &str) -> Result<u16, AddressError> {
    text.parse()
        .map_err(|_| part("the port", text, "a number up to 65535"))
}

fn log_name(name: String) -> Result<String, AddressError> {
    let is_name = name.len() <= NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.starts_with("pg_")
        && !matches!(name.as_str(), "public" | "information_schema");
    if is_name {
        return Ok(name);
    }
    let wanted = "small letters, digits and `_`, a letter first, 48 at most; names that are PostgreSQL's own \
                  (public, pg_..) are none";
    Err(part("the log", &name, wanted))
}

fn is_verified_by(mode: &str) -> Result<bool, AddressError> {
    match mode {
        "verify-full" => Ok(true),
        "disable" => Ok(false),
        _ => Err(part(
            "sslmode",
            mode,
            "verify-full, or disable where nobody else is in the network: what is between lets somebody else \
             answer in the server's place",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn the_parts_of_an_address_are_read_and_its_user_is_not_shown() {
        let all = address("postgres://ada%40x@n1,n2:5433,[::1]:6000/fleet?log=team_1");
        assert_eq!(all.user.as_deref(), Some("ada@x"));
        assert_eq!(
            all.to_string(),
            "postgres://n1,n2:5433,[::1]:6000/fleet?log=team_1"
        );
        assert_eq!(
            address("postgres://").to_string(),
            "postgres://localhost/?log=hud"
        );
        let socket = address("postgres://:6001/db?host=/run/pg");
        assert_eq!(
            socket.hosts.first().map(|host| host.name.clone()),
            Some(HostName::Socket("/run/pg".into()))
        );
    }

    #[test]
    fn who_is_not_on_this_machine_has_to_prove_itself() {
        let verified = |text| {
            address(text)
                .hosts
                .iter()
                .map(|host| host.is_verified)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            verified("postgres://localhost,127.0.0.1,[::1],db"),
            [false, false, false, true]
        );
        assert_eq!(verified("postgres:///x?host=/run"), [false]);
        assert_eq!(verified("postgres://db?sslmode=disable"), [false]);
        assert_eq!(verified("postgres://localhost?sslmode=verify-full"), [true]);
        for weak in ["require", "prefer", "verify-ca", ""] {
            let error = format!("postgres://db?sslmode={weak}").parse::<Address>();
            assert!(matches!(
                error,
                Err(AddressError::Part {
                    part: "sslmode",
                    ..
                })
            ));
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        for text in [
            "postgres://ada:secret@db/x",
            "postgres://ada:se@secret@db/x",
            "postgres://ada:secret/secret@db/x",
            "postgres://db/x?password=secret",
        ] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn what_is_no_name_of_a_schema_of_our_own_is_no_log() {
        for name in [
            "",
            "Team",
            "1a",
            "a-b",
            "a\"b",
            "pg_x",
            "public",
            &"a".repeat(49),
        ] {
            let text = format!("postgres://db/x?log={name}");
            let error = text.parse::<Address>();
            assert!(
                matches!(
                    error,
                    Err(AddressError::Part {
                        part: "the log",
                        ..
                    })
                ),
                "{name}"
            );
        }
    }
}

//! The endpoint of a model, and the requests to it. Requests contain text of a project and go over a network,
//! so these rules apply:
//!
//! - Requests use https. Plain http is only for this machine, unless the user allows it for others.
//! - The key comes from an environment variable and is sent in one header only. Nothing else contains it.
//! - No redirect is followed.
//! - The answer of an endpoint is limited in time and in size.

mod ask;

use std::fmt;
use std::io;
#[cfg(feature = "rooms")]
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::IpAddr;
use std::time::Duration;

#[cfg(feature = "rooms")]
pub(crate) use ask::said;
pub(crate) use ask::{AskError, until_answered};
use hud_components::text::line;
use ureq::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body, Timeout};

use crate::args::Terms;
use crate::output::Failure;

/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// The largest size of an answer, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// The path of chat completions.
const PATH: &str = "/chat/completions";

/// The reason why an endpoint can't be asked, or has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EndpointError {
    #[error("--endpoint `{0}` is no address: write one such as https://api.openai.com/v1")]
    Address(String),
    #[error(
        "--endpoint has a password in it: put the key into a variable, and name that with --key-env"
    )]
    Password,
    #[error(
        "{0} would be asked over plain http, and whoever is in between could read what is sent: use https, \
         or say --insecure"
    )]
    Plain(String),
    #[error("there is no variable ${0}, which is to hold the key")]
    NoKey(String),
    #[error("what the variable ${0} holds is no key: it has characters that no key has")]
    BadKey(String),
    #[error("{place} can't be reached: {said}")]
    Unreachable { place: String, said: String },
    #[error("{place} did not answer within {seconds} s: see --timeout")]
    Late { place: String, seconds: u64 },
    #[error("{place} answered with more than {LONGEST} bytes")]
    Huge { place: String },
}

/// The key of an endpoint. It can't be printed.
pub(crate) struct Key {
    variable: String,
    value: String,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.variable)
    }
}

impl Key {
    /// Reads the key from an environment variable. A variable that was named explicitly must exist.
    pub(crate) fn read(variable: &str, is_named: bool) -> Result<Option<Self>, EndpointError> {
        // No variable has such a name, and looking one up panics.
        let has_name = !variable.is_empty() && !variable.contains(['=', '\0']);
        let found = has_name.then(|| std::env::var_os(variable)).flatten();
        let Some(value) = found.filter(|value| !value.is_empty()) else {
            return match is_named {
                true => Err(EndpointError::NoKey(variable.to_owned())),
                false => Ok(None),
            };
        };
        let bad = || EndpointError::BadKey(variable.to_owned());
        let value = value.into_string().map_err(|_| bad())?;
        let value = value.trim();
        match !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Some(Self {
                variable: variable.to_owned(),
                value: value.to_owned(),
            })),
            false => Err(bad()),
        }
    }

    /// Removes the key from a text, because an endpoint may repeat it.
    fn scrubbed(&self, text: &str) -> String {
        text.replace(&self.value, "…")
    }
}

/// The answer of an endpoint.
pub(crate) struct Answered {
    pub(crate) status: u16,
    /// The time to wait before the next attempt that it asks for, in seconds.
    pub(crate) retry_after: Option<u64>,
    /// The address that it redirects to.
    pub(crate) elsewhere: Option<String>,
    /// The body, without the key.
    pub(crate) body: String,
}

/// A transport of requests to a model.
pub(crate) trait Transport {
    /// Sends a request once.
    fn post(&self, body: &[u8]) -> Result<Answered, EndpointError>;

    /// Removes the parts of a model's text that must not be kept.
    fn scrubbed(&self, text: &str) -> String;

    /// The address of requests, for people.
    fn place(&self) -> &str;
}

/// An endpoint on a network.
#[derive(Debug)]
pub(crate) struct Endpoint {
    uri: Uri,
    /// The address as it is shown, without its query, which may contain anything.
    place: String,
    key: Option<Key>,
    agent: Agent,
    timeout: Duration,
}

impl Endpoint {
    /// The endpoint at an address, with the options of the command line.
    pub(crate) fn on(
        terms: &Terms,
        address: &str,
        key: Result<Option<Key>, EndpointError>,
    ) -> Result<Self, Failure> {
        let timeout = Duration::from_secs(terms.timeout);
        key.and_then(|key| Self::new(address, key, timeout, terms.insecure))
            .map_err(|error| Failure::Other(error.to_string()))
    }

    fn new(
        address: &str,
        key: Option<Key>,
        timeout: Duration,
        is_insecure: bool,
    ) -> Result<Self, EndpointError> {
        let bad = || EndpointError::Address(line(address, 100).into_owned());
        let uri: Uri = address.trim().parse().map_err(|_| bad())?;
        let (Some(scheme), Some(authority), Some(host)) =
            (uri.scheme_str(), uri.authority(), uri.host())
        else {
            return Err(match address.contains('@') {
                true => EndpointError::Password,
                false => bad(),
            });
        };
        if authority.as_str().contains('@') {
            return Err(EndpointError::Password);
        }
        let is_here = is_loopback(host);
        let base = uri.path().trim_end_matches('/');
        let path = match base.ends_with(PATH) {
            true => base.to_owned(),
            false => format!("{base}{PATH}"),
        };
        let place = format!("{scheme}://{authority}{path}");
        match scheme {
            "https" => {}
            "http" if is_here || is_insecure => {}
            "http" => return Err(EndpointError::Plain(place)),
            _ => return Err(bad()),
        }
        let whole = match uri.query() {
            Some(query) => format!("{place}?{query}"),
            None => place.clone(),
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(timeout))
            .user_agent(concat!("agent-hud/", env!("CARGO_PKG_VERSION")));
        // An endpoint on this machine is not asked through a proxy.
        let config = match is_here {
            true => config.proxy(None),
            false => config,
        };
        Ok(Self {
            uri: whole.parse().map_err(|_| bad())?,
            place,
            key,
            agent: config.build().into(),
            timeout,
        })
    }

    fn failed(&self, error: ureq::Error) -> EndpointError {
        let place = self.place.clone();
        match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                EndpointError::Unreachable {
                    said: format!("no connection within {} s", CONNECT.as_secs()),
                    place,
                }
            }
            ureq::Error::Timeout(_) => EndpointError::Late {
                seconds: self.timeout.as_secs(),
                place,
            },
            ureq::Error::BodyExceedsLimit(_) => EndpointError::Huge { place },
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                EndpointError::Late {
                    seconds: self.timeout.as_secs(),
                    place,
                }
            }
            ureq::Error::Io(error) => EndpointError::Unreachable {
                said: line(&self.scrubbed(&error.to_string()), 200).into_owned(),
                place,
            },
            error => EndpointError::Unreachable {
                said: line(&self.scrubbed(&error.to_string()), 200).into_owned(),
                place,
            },
        }
    }
}

impl Endpoint {
    fn sent(&self, body: &[u8]) -> Result<Response<Body>, EndpointError> {
        let mut request = self
            .agent
            .post(&self.uri)
            .header(CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {}", key.value));
        }
        request.send(body).map_err(|error| self.failed(error))
    }

    fn answered(&self, mut response: Response<Body>) -> Result<Answered, EndpointError> {
        let header = |name| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(self.scrubbed(value))
        };
        let retry_after = header(RETRY_AFTER).and_then(|after| after.trim().parse().ok());
        let elsewhere = header(LOCATION).map(|place| line(&place, 200).into_owned());
        let body = response
            .body_mut()
            .with_config()
            .limit(LONGEST)
            .read_to_vec()
            .map_err(|error| self.failed(error))?;
        Ok(Answered {
            status: response.status().as_u16(),
            retry_after,
            elsewhere,
            body: self.scrubbed(&String::from_utf8_lossy(&body)),
        })
    }

    /// Sends a request once. If the answer is a stream of events, passes its lines to `each` as they arrive,
    /// and returns an empty body. Any other answer is returned as by [`Transport::post`].
    #[cfg(feature = "rooms")]
    pub(crate) fn stream(
        &self,
        body: &[u8],
        each: &mut dyn FnMut(&str),
    ) -> Result<Answered, EndpointError> {
        let response = self.sent(body)?;
        let kind = response.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !response.status().is_success() || !kind.starts_with("text/event-stream") {
            return self.answered(response);
        }
        let status = response.status().as_u16();
        let huge = || EndpointError::Huge {
            place: self.place.clone(),
        };
        // One byte more than allowed shows that the answer is too long.
        let reader = response.into_body().into_reader().take(LONGEST + 1);
        let (mut lines, mut line, mut read) = (BufReader::new(reader), Vec::new(), 0);
        loop {
            line.clear();
            let bytes = lines.read_until(b'\n', &mut line);
            read += bytes.map_err(|error| self.failed(ureq::Error::from(error)))? as u64;
            if read > LONGEST {
                return Err(huge());
            }
            if line.is_empty() {
                break;
            }
            each(self.scrubbed(&String::from_utf8_lossy(&line)).trim_end());
        }
        Ok(Answered {
            status,
            retry_after: None,
            elsewhere: None,
            body: String::new(),
        })
    }
}

impl Transport for Endpoint {
    fn post(&self, body: &[u8]) -> Result<Answered, EndpointError> {
        self.answered(self.sent(body)?)
    }

    fn scrubbed(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.scrubbed(text),
            None => text.to_owned(),
        }
    }

    fn place(&self) -> &str {
        &self.place
    }
}

/// True if a host is this machine, judged by its name only.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str) -> Result<String, String> {
        Endpoint::new(address, None, CONNECT, false)
            .map(|endpoint| endpoint.uri.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn chat_completions_are_below_the_address_that_is_given() {
        for (address, expected) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "http://localhost:11434/v1/",
                "http://localhost:11434/v1/chat/completions",
            ),
            (
                "http://[::1]:1/chat/completions",
                "http://[::1]:1/chat/completions",
            ),
            (
                "http://127.0.0.1:8080",
                "http://127.0.0.1:8080/chat/completions",
            ),
            (
                "https://a.example/x?api-version=1",
                "https://a.example/x/chat/completions?api-version=1",
            ),
        ] {
            assert_eq!(place(address).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_is_said_goes_over_plain_http_to_this_machine_alone() {
        for address in [
            "http://api.example/v1",
            "http://127.0.0.1.example/v1",
            "http://localhost.example/v1",
            "http://192.168.0.7/v1",
        ] {
            assert!(
                place(address).unwrap_err().contains("--insecure"),
                "{address}"
            );
        }
        assert!(Endpoint::new("http://api.example/v1", None, CONNECT, true).is_ok());
    }

    #[test]
    fn an_address_with_a_password_or_none_at_all_is_refused_without_repeating_a_password() {
        let refused = place("https://me:hunter2@api.example/v1").unwrap_err();
        assert!(
            refused.contains("--key-env") && !refused.contains("hunter2"),
            "{refused}"
        );
        for address in [
            "",
            "api.example/v1",
            "file:///etc/passwd",
            "ftp://a.example",
            "https://",
        ] {
            assert!(
                place(address).unwrap_err().contains("is no address"),
                "{address}"
            );
        }
    }
}

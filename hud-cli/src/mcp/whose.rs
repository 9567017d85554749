//! The session of a request. The first entry of this list that applies decides:
//!
//! 1. `--session`,
//! 2. the name that the client sends with the request, under its own
//!    [key](hud_clients::Client::session_key),
//! 3. the name that the agent gives in the call, in the argument `session`,
//! 4. the session that runs in the client's process, as its hooks report ([`Ties`]),
//! 5. the session that the client named when it started this server ([`VARIABLE`]),
//! 6. if no hooks run at all, `main`, for one client at a time.
//!
//! A call that writes can only name a session of the same client, see [`Ties::named`]. If no entry applies, nothing is
//! done, and the answer explains how to name the session.

use hud_clients::CLIENTS;
use hud_store::event::SessionId;
use hud_store::log::Log;
use rmcp::RoleServer;
use rmcp::model::RequestMetaObject;
use rmcp::service::RequestContext;
use serde_json::{Map, Value};

use crate::location::Location;
use crate::process::Client;
use crate::tie::{Found, MAIN, NoSession, Step, Ties};

/// The argument in which an agent names its session.
pub(super) const ARGUMENT: &str = "session";

/// The key in the `_meta` of a request under which Claude Code names itself, if it did not at the beginning.
const INFO: &str = "io.modelcontextprotocol/clientInfo";

/// The client and the environment variable in which Claude Code names its session for the processes that it starts.
/// Their own child processes inherit it, so it counts for Claude Code only.
const VARIABLE: (&str, &str) = ("claude-code", "CLAUDE_CODE_SESSION_ID");

/// The data in a request that identifies its session.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    by_client: Option<SessionId>,
    by_agent: Option<String>,
    /// The name of the call in the client's conversation.
    call: Option<String>,
    /// True if the client is the one of [`VARIABLE`].
    has_variable: bool,
}

impl Said {
    /// Reads the data from a request.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let info = context
            .meta
            .get(INFO)
            .and_then(|info| info["name"].as_str());
        let is_named = |name: &str| name == VARIABLE.0;
        Self {
            by_client: under(&context.meta, |client| client.session_key())
                .and_then(|name| hud_secret::session_name(name).ok()),
            by_agent: None,
            call: under(&context.meta, |client| client.call_key()).map(str::to_owned),
            has_variable: info.is_some_and(is_named)
                || (context.peer.peer_info()).is_some_and(|peer| is_named(&peer.client_info.name)),
        }
    }

    /// The name of the call in the client's conversation, if the client sends it.
    pub(super) fn call(&self) -> Option<&str> {
        self.call.as_deref()
    }

    /// Removes the session's name from the arguments of a call, because the tool gets only the rest. If a
    /// schema makes all arguments required, models write null or an empty string for one that they omit.
    pub(super) fn take(&mut self, arguments: &mut Map<String, Value>) {
        self.by_agent = match arguments.remove(ARGUMENT) {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => {
                Some(name.trim().to_owned()).filter(|name| !name.is_empty())
            }
            Some(other) => Some(other.to_string()),
        };
    }
}

/// The data of this server that identifies its session.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    given: Option<SessionId>,
    client: Option<Client>,
    variable: Option<SessionId>,
}

impl Whose {
    /// Reads the data from the command line, the process and its environment.
    pub(super) fn new(given: Option<SessionId>) -> Self {
        let variable = std::env::var(VARIABLE.1).ok();
        Self {
            given,
            client: Client::of_this_process(),
            variable: variable.and_then(|name| hud_secret::session_name(&name).ok()),
        }
    }

    /// The client of this server, if it is known.
    pub(super) const fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// The session of a request. Only one that `writes` claims `main` for this client.
    pub(super) fn session(
        &self,
        location: &Location,
        said: &Said,
        writes: bool,
    ) -> Result<SessionId, NoSession> {
        if let Some(session) = self.given.clone().or_else(|| said.by_client.clone()) {
            return Ok(session);
        }
        let ties = Ties::of(location)?;
        if let Some(name) = &said.by_agent {
            return ties.named(name, self.client.as_ref(), writes, |session| {
                let is_in = |log: &dyn Log| {
                    let sessions = log.sessions().unwrap_or_default();
                    sessions.iter().any(|known| known.id == *session)
                };
                session.as_str() == MAIN || location.read().is_ok_and(|log| is_in(&log))
            });
        }
        let variable = self.variable.as_ref().filter(|_| said.has_variable);
        match ties.session_of(self.client.as_ref(), variable)? {
            Found::Known(session) => Ok(session),
            Found::Free => {
                let main = SessionId::new(MAIN).map_err(|_| NoSession::Unknown(MAIN.to_owned()))?;
                if writes {
                    Ties::note(location, self.client.clone(), &main, Step::Serves)?;
                }
                Ok(main)
            }
        }
    }
}

/// The value in a request under the key of any client.
fn under(
    meta: &RequestMetaObject,
    key: impl Fn(&dyn hud_clients::Client) -> Option<&'static str>,
) -> Option<&str> {
    let mut keys = CLIENTS.iter().filter_map(|client| key(*client));
    keys.find_map(|key| meta.get(key)?.as_str())
}

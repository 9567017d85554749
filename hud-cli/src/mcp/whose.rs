//! Which session a request is of. What comes first in this list decides:
//!
//! 1. `--session`,
//! 2. what the client names with the request, under a [key](hud_clients::Client::session_key) of
//!    its own,
//! 3. what the agent names with the call: the argument `session`,
//! 4. the session that runs in the client's process, as its hooks say ([`Ties`]),
//! 5. the one that the client named when it started this server ([`VARIABLE`]),
//! 6. where no hooks run at all, `main`, for one client at a time.
//!
//! A call that writes names a session of its own client alone: see [`Ties::named`]. Where none of that says which,
//! nothing is done, and the answer says how to say it.

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

/// The argument with which an agent names its session.
pub(super) const ARGUMENT: &str = "session";

/// Where Claude Code says who it is in the `_meta` of a request, if not when it begins.
const INFO: &str = "io.modelcontextprotocol/clientInfo";

/// In which variable Claude Code names its session for what it starts. What these start in turn
/// inherits it, so that it counts for Claude Code only.
const VARIABLE: (&str, &str) = ("claude-code", "CLAUDE_CODE_SESSION_ID");

/// What a request says of its session.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    by_client: Option<SessionId>,
    by_agent: Option<String>,
    /// The name of the call in the client's conversation.
    call: Option<String>,
    /// Whether the client is the one of [`VARIABLE`].
    has_variable: bool,
}

impl Said {
    /// What a request says.
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

    /// The name of the call in the client's conversation, where the client says it.
    pub(super) fn call(&self) -> Option<&str> {
        self.call.as_deref()
    }

    /// Removes what the agent says of its session from a call: the rest is what the tool gets. Where a schema makes all
    /// arguments required, models write null or nothing for one that they leave out.
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

/// What this server knows of its session.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    given: Option<SessionId>,
    client: Option<Client>,
    variable: Option<SessionId>,
}

impl Whose {
    /// What the command line, the process and its environment say.
    pub(super) fn new(given: Option<SessionId>) -> Self {
        let variable = std::env::var(VARIABLE.1).ok();
        Self {
            given,
            client: Client::of_this_process(),
            variable: variable.and_then(|name| hud_secret::session_name(&name).ok()),
        }
    }

    /// The client that this is the server of, if that is known.
    pub(super) const fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// The session of a request. Only one that `writes` takes `main` for this client.
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

/// What a request has under a key of whichever client makes it.
fn under(
    meta: &RequestMetaObject,
    key: impl Fn(&dyn hud_clients::Client) -> Option<&'static str>,
) -> Option<&str> {
    let mut keys = CLIENTS.iter().filter_map(|client| key(*client));
    keys.find_map(|key| meta.get(key)?.as_str())
}

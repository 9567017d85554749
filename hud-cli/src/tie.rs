//! The session binding, which is the session that a client's server writes to.
//!
//! A client starts `hud mcp` once and does not report which conversation makes a call, but its hooks know the
//! conversation. Each hook adds a note with its client's process and its session next to the log. The server
//! reads the notes of the client that started it. See [`Ties::session_of`].
//!
//! A client can switch to another conversation in the same process (`/clear`, `/resume`). Its hook reports
//! this, and the session changes. Several conversations at once in one process cannot be distinguished. In this
//! case, and if the process is unknown, the session is never guessed.

use std::collections::BTreeSet;

use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::location::{Location, LocationError};
use crate::process::Client;
use crate::{notes, own};

/// The end of the file's name, after the log's.
const FILE: &str = ".ties.jsonl";

/// The number of bytes from which the notes of clients that have ended are dropped.
const MANY: u64 = 64 * 1024;

/// A step of a session, as a client's hook reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Step {
    /// The session begins, and other sessions continue.
    Begins,
    /// The client switches to the session and leaves all others.
    Switches,
    /// Something happens in the session.
    Runs,
    /// The session ends.
    Ends,
    /// A server writes to the session because there are no hooks. Only one client at a time may do this.
    Serves,
}

impl From<hud_clients::Step> for Step {
    fn from(step: hud_clients::Step) -> Self {
        match step {
            hud_clients::Step::Begins => Self::Begins,
            hud_clients::Step::Switches => Self::Switches,
            hud_clients::Step::Runs => Self::Runs,
            hud_clients::Step::Ends => Self::Ends,
        }
    }
}

/// A note, which is a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    /// The client, or `None` if it is unknown.
    client: Option<Client>,
    session: SessionId,
    step: Step,
}

/// The reason why the session of a call is unknown. The message is for the agent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoSession {
    #[error(
        "nothing was done: {0}, and this call may be of any. Call again with the argument `session` \
         beside `tool`: the name behind **Session** in your HUD. (Or the user names one where the \
         client's server is configured: `{mcp}`.)",
        mcp = own::command("mcp --session NAME")
    )]
    Several(&'static str),
    #[error(
        "nothing was done: no session of this project is called `{0}`. Your HUD has its name behind **Session**"
    )]
    Unknown(String),
    #[error(
        "nothing was done: the session `{0}` is not of this client, and a call writes to its own alone. Leave \
         `session` out, or name the one behind **Session** in your HUD. (To have this server write to another one, \
         the user names it where the server is configured: `{mcp}`.)",
        mcp = own::command("mcp --session NAME")
    )]
    Foreign(String),
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// The session of a log that no hook writes to.
pub(crate) const MAIN: &str = "main";

/// The notes next to a log.
pub(crate) struct Ties {
    notes: Vec<Note>,
}

/// The sessions of one client, according to its notes.
#[derive(Debug, Default)]
struct Sessions {
    /// The running sessions.
    open: Vec<SessionId>,
    /// The sessions that the client has left. Later reports of their hooks are ignored.
    left: Vec<SessionId>,
    /// True if the client's server writes to a session without hooks.
    serves: bool,
}

impl Sessions {
    fn of<'n>(notes: impl IntoIterator<Item = &'n Note>) -> Self {
        let mut sessions = Self::default();
        for note in notes {
            sessions.take(&note.session, note.step);
        }
        sessions
    }

    fn take(&mut self, session: &SessionId, step: Step) {
        let is_left = self.left.contains(session);
        match step {
            Step::Runs if is_left => {}
            Step::Serves => self.serves = true,
            Step::Begins | Step::Runs | Step::Switches => {
                self.left.retain(|left| left != session);
                if step == Step::Switches {
                    self.left.append(&mut self.open);
                    self.left.retain(|left| left != session);
                }
                if !self.open.contains(session) {
                    self.open.push(session.clone());
                }
            }
            Step::Ends => {
                self.open.retain(|open| open != session);
                if !is_left {
                    self.left.push(session.clone());
                }
            }
        }
    }

    /// True if a step changes anything.
    fn is_news(&self, session: &SessionId, step: Step) -> bool {
        let (is_open, is_left) = (self.open.contains(session), self.left.contains(session));
        match step {
            Step::Begins => !is_open,
            Step::Runs => !is_open && !is_left,
            Step::Switches => !is_open || self.open.len() > 1,
            Step::Ends => is_open,
            Step::Serves => !self.serves,
        }
    }
}

impl Ties {
    /// Reads the notes next to a log.
    pub(crate) fn of(location: &Location) -> Result<Self, LocationError> {
        let notes = match location.opened_beside(FILE)? {
            Some(mut file) => {
                notes::read(&mut file, MANY).map_err(|error| location.failed(FILE, error))?
            }
            None => Vec::new(),
        };
        Ok(Self { notes })
    }

    /// Removes the notes about a session.
    pub(crate) fn forget(location: &Location, session: &SessionId) -> Result<(), LocationError> {
        let Some(mut file) = location.opened_beside(FILE)? else {
            return Ok(());
        };
        let is_of_other = |note: &Note| note.session != *session;
        notes::retain(&mut file, MANY, is_of_other).map_err(|error| location.failed(FILE, error))
    }

    fn sessions(&self, client: Option<&Client>) -> Sessions {
        Sessions::of(
            self.notes
                .iter()
                .filter(|note| note.client.as_ref() == client),
        )
    }

    /// Returns the sessions that run in clients.
    pub(crate) fn running(&self) -> Vec<SessionId> {
        let noted: BTreeSet<&SessionId> = self.notes.iter().map(|note| &note.session).collect();
        let runs = |session: &&SessionId| self.runs(session) == Some(true);
        noted.into_iter().filter(runs).cloned().collect()
    }

    /// True if a session runs in a client. False if its clients have ended or left it. `None` if no known
    /// client has reported the session.
    pub(crate) fn runs(&self, session: &SessionId) -> Option<bool> {
        let clients = self.notes.iter().filter(|note| note.session == *session);
        let runs =
            |client: &Client| client.runs() && self.sessions(Some(client)).open.contains(session);
        let clients: Vec<&Client> = clients.filter_map(|note| note.client.as_ref()).collect();
        (!clients.is_empty()).then(|| clients.into_iter().any(runs))
    }

    /// True if the client's process is enough to identify this session as the one of a call.
    pub(crate) fn tell(&self, client: Option<&Client>, session: &SessionId) -> bool {
        client.is_some() && self.sessions(client).open == [session.clone()]
    }

    /// Returns the session of a call that names none:
    ///
    /// 1. the one that runs in the client's process, according to its hooks,
    /// 2. the one in the environment of the server, if no hook has reported another,
    /// 3. `main`, for one client at a time, if no hooks run.
    ///
    /// # Errors
    ///
    /// [`NoSession`] if there is no such session, or more than one.
    pub(crate) fn session_of(
        &self,
        client: Option<&Client>,
        environment: Option<&SessionId>,
    ) -> Result<Found, NoSession> {
        let sessions = self.sessions(client);
        match sessions.open.as_slice() {
            [session] => return Ok(Found::Known(session.clone())),
            [] if !sessions.left.is_empty() => {
                return Err(NoSession::Several("this client's session is over"));
            }
            [] => {}
            _ => {
                return Err(NoSession::Several(
                    "several sessions run in this client at once",
                ));
            }
        }
        if let Some(session) = environment {
            return Ok(Found::Known(session.clone()));
        }
        let others = self.notes.iter().filter(|note| {
            note.client.as_ref() != client && note.client.as_ref().is_none_or(Client::runs)
        });
        let others = Sessions::of(others);
        if !others.open.is_empty() {
            return Err(NoSession::Several(
                "clients with hooks run in this project, and this server is of none that is known",
            ));
        }
        if others.serves {
            return Err(NoSession::Several(
                "another client without hooks runs in this project",
            ));
        }
        Ok(Found::Free)
    }

    /// Returns the session that a call names, by its [name in the HUD](token) or by its full name.
    ///
    /// A write needs a session that runs in the caller's own client, according to the client's hooks. If the
    /// hooks report none, a name from the HUD is valid too, because only the agent of that session sees it. The
    /// session that a call without a name would write to is always valid. A read can use every session that is
    /// `known`.
    ///
    /// # Errors
    ///
    /// [`NoSession::Unknown`] if there is no such session, and [`NoSession::Foreign`] if it belongs to another
    /// client.
    pub(crate) fn named(
        &self,
        name: &str,
        client: Option<&Client>,
        writes: bool,
        known: impl Fn(&SessionId) -> bool,
    ) -> Result<SessionId, NoSession> {
        let is_named = |session: &&SessionId| session.as_str() == name || token(session) == name;
        let own = self.sessions(client).open;
        if let Some(session) = own.iter().find(is_named) {
            return Ok(session.clone());
        }
        let shown = || name.chars().take(100).collect();
        let mut noted = self.notes.iter().map(|note| &note.session);
        let noted = noted.find(|session| token(session) == name).cloned();
        let session = SessionId::new(name).ok().filter(|session| known(session));
        let Some(session) = noted.clone().or(session) else {
            return Err(NoSession::Unknown(shown()));
        };
        let is_unnamed = || match self.session_of(client, None) {
            Ok(Found::Known(own)) => own == session,
            Ok(Found::Free) => session.as_str() == MAIN,
            Err(_) => false,
        };
        match !writes || (own.is_empty() && noted.is_some()) || is_unnamed() {
            true => Ok(session),
            false => Err(NoSession::Foreign(shown())),
        }
    }

    /// Adds a note if it changes anything.
    pub(crate) fn note(
        location: &Location,
        client: Option<Client>,
        session: &SessionId,
        step: Step,
    ) -> Result<Self, LocationError> {
        let mut ties = Self::of(location)?;
        if ties.sessions(client.as_ref()).is_news(session, step) {
            let session = session.clone();
            let note = Note {
                client,
                session,
                step,
            };
            let mut file = location.open_beside(FILE)?;
            notes::add(&mut file, &note, MANY, kept)
                .map_err(|error| location.failed(FILE, error))?;
            ties.notes.push(note);
        }
        Ok(ties)
    }
}

/// The session of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A known session.
    Known(SessionId),
    /// A session that no hook has reported. The server uses its own.
    Free,
}

/// Returns the short name of a session in the HUD, which is always the same.
pub(crate) fn token(session: &SessionId) -> String {
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, session.as_str().as_bytes());
    let mut text = hash.simple().to_string();
    text.truncate(8);
    text
}

/// Selects the notes to keep if there are many. These are the latest notes of running clients and of unknown
/// clients.
fn kept(mut notes: Vec<Note>) -> Vec<Note> {
    const LATEST: usize = 200;
    notes.retain(|note| note.client.as_ref().is_none_or(Client::runs));
    notes.split_off(notes.len().saturating_sub(LATEST))
}

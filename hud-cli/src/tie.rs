//! Which session a client's server works on.
//!
//! A client starts `hud mcp` once and does not say which of its conversations is calling; its hooks do. Each hook leaves a note of its client's process and its session beside the log, and the
//! server looks for those of the client that started it: see [`Ties::session_of`].
//!
//! A client may go on to another conversation in the same process (`/clear`, `/resume`): its hook says
//! so, and the session moves. Several conversations at once in one process can't be distinguished by it;
//! then, and where no process is known, the session is never guessed.

use std::collections::BTreeSet;

use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::location::{Location, LocationError};
use crate::process::Client;
use crate::{notes, own};

/// The end of the file's name, behind the log's.
const FILE: &str = ".ties.jsonl";

/// How many bytes of notes there are before those of clients that ended are dropped.
const MANY: u64 = 64 * 1024;

/// What a client's hook says of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Step {
    /// It begins, beside those that run already.
    Begins,
    /// The client goes on with it, and with no other.
    Switches,
    /// Something happens in it.
    Runs,
    /// It is over.
    Ends,
    /// A server writes to it because no hook says anything: one client at a time may.
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

/// A note: a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    /// Where no client is known, the note is of any.
    client: Option<Client>,
    session: SessionId,
    step: Step,
}

/// Why it is not known which session a call is of. What is said is for the agent.
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

/// The notes beside a log.
pub(crate) struct Ties {
    notes: Vec<Note>,
}

/// What is known of the sessions of one client.
#[derive(Debug, Default)]
struct Sessions {
    /// Those that run.
    open: Vec<SessionId>,
    /// Those that the client went on from: what their hooks still say is late.
    left: Vec<SessionId>,
    /// Whether its server writes to a session that no hook knows of.
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

    /// Whether a step changes anything.
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
    /// The notes beside a log.
    pub(crate) fn of(location: &Location) -> Result<Self, LocationError> {
        let notes = match location.opened_beside(FILE)? {
            Some(mut file) => {
                notes::read(&mut file, MANY).map_err(|error| location.failed(FILE, error))?
            }
            None => Vec::new(),
        };
        Ok(Self { notes })
    }

    /// Drops the notes on a session.
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

    /// The sessions that run in clients.
    pub(crate) fn running(&self) -> Vec<SessionId> {
        let noted: BTreeSet<&SessionId> = self.notes.iter().map(|note| &note.session).collect();
        let runs = |session: &&SessionId| self.runs(session) == Some(true);
        noted.into_iter().filter(runs).cloned().collect()
    }

    /// True if a session runs in a client, and false if the clients that it ran in ended or went on from it; `None` of one
    /// that no client's hook knows.
    pub(crate) fn runs(&self, session: &SessionId) -> Option<bool> {
        let clients = self.notes.iter().filter(|note| note.session == *session);
        let runs =
            |client: &Client| client.runs() && self.sessions(Some(client)).open.contains(session);
        let clients: Vec<&Client> = clients.filter_map(|note| note.client.as_ref()).collect();
        (!clients.is_empty()).then(|| clients.into_iter().any(runs))
    }

    /// Whether the server of a client can tell by the process that a call is of this session.
    pub(crate) fn tell(&self, client: Option<&Client>, session: &SessionId) -> bool {
        client.is_some() && self.sessions(client).open == [session.clone()]
    }

    /// The session of a call that says nothing of it itself:
    ///
    /// 1. the one that runs in the client's process, as its hooks say,
    /// 2. the one in the environment of the server, if no hook knows of another,
    /// 3. where no hooks run, `main`, for one client at a time.
    ///
    /// # Errors
    ///
    /// [`NoSession`] when that is none, or several.
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

    /// The session that a call names: by its [name in the HUD](token), or by its own.
    ///
    /// To write, a caller names a session that runs in its own client, as that client's hooks say. Where they say
    /// nothing, it is one by its name in the HUD, which is shown to who works in it alone, or the one that the call
    /// would be of without a name. To read, it is any that is `known`.
    ///
    /// # Errors
    ///
    /// [`NoSession::Unknown`] when there is none, [`NoSession::Foreign`] when it is somebody else's.
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

    /// Leaves a note, if it says anything new.
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
    /// This one.
    Known(SessionId),
    /// None that hooks know of: it is the server's own.
    Free,
}

/// What a session is called in the HUD, where its name has to be said: short, and always the same.
pub(crate) fn token(session: &SessionId) -> String {
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, session.as_str().as_bytes());
    let mut text = hash.simple().to_string();
    text.truncate(8);
    text
}

/// The notes that stay where there are many: those of clients that run, and the latest of those of no client.
fn kept(mut notes: Vec<Note>) -> Vec<Note> {
    const LATEST: usize = 200;
    notes.retain(|note| note.client.as_ref().is_none_or(Client::runs));
    notes.split_off(notes.len().saturating_sub(LATEST))
}

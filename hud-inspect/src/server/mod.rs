//! The page's server: on loopback, for one person, with a key that only they have.
//!
//! [`Server::bind`] takes an address of 127.0.0.1 and makes a [`Key`]; [`Server::url`] is what the person
//! opens. Each request passes the [guard](self) first:
//!
//! - `Host` is ours, once, or the answer is 421: a name of somebody else's that leads here is no way in.
//! - `Origin` and `Sec-Fetch-Site`, where they are, say that the request comes from the page, or 403.
//! - Below `/api/`, `Authorization` has the key, or 401. The key is in the fragment of the address, which
//!   no browser sends anywhere, and in no cookie, which every server on the machine would get.
//! - What writes is a `POST` of JSON of 64 KiB at most.
//!
//! No answer lets another page read it, and the page itself may run its own script and ask its own server,
//! and nothing else.

mod answer;
mod desk;
mod export;
mod guard;
mod key;
mod live;
mod mdast;
mod route;
mod undo;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use hud_agent::setup::Setup;
use hud_agent::tool::ToolError;
use hud_store::event::SessionId;
use hud_store::log::{Expected, LogError};
use hud_store::sqlite::SqliteLog;
use serde_json::Value;

use crate::model::Conversation;
pub use answer::Refused;
pub(crate) use desk::Desk;
pub use export::exported;
pub use key::Key;
use live::News;

/// What opens the log for reading. It is asked again when the file was replaced.
pub type Open = dyn Fn() -> Result<SqliteLog, String> + Send + Sync;

/// Says which file the log is: something else for one that takes its name.
pub type Which = dyn Fn() -> String + Send + Sync;

/// What a person asks to be done in a session: an operation of the `hud` tool with its arguments, and the version
/// that they saw. It is decided in the transaction that appends whether the session is still as they saw it.
pub type Act = dyn Fn(&SessionId, &Value, u64) -> Result<Value, ActError> + Send + Sync;

/// What takes out for good what an event of a session said, by its version, and says in words what came of that.
pub type Redact = dyn Fn(&SessionId, u64) -> Result<String, ActError> + Send + Sync;

/// Why what a person asks for is not done.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// Something was recorded since that they did not see.
    #[error(
        "something happened since: the session is at event {found}, and you saw {seen}; look again"
    )]
    Moved {
        /// The version that they saw.
        seen: u64,
        /// The one that it has.
        found: u64,
    },
    /// It can't be done.
    #[error("{0}")]
    Refused(String),
}

impl From<ToolError> for ActError {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Log(LogError::Conflict {
                expected: Expected::Exact(seen),
                found,
                ..
            }) => Self::Moved { seen, found },
            error => Self::Refused(error.to_string()),
        }
    }
}

/// Reads what was said in a session, as far as it has been written; nothing where no transcript of it is found.
pub type ReadSaid = dyn Fn(&SessionId) -> Result<Option<Arc<Conversation>>, String> + Send + Sync;

/// Where it is known what was said.
pub enum Said {
    /// What is looked at is the recording, with its turns.
    Recorded(Arc<Conversation>),
    /// Transcripts of clients, which are read when somebody asks. When something was said is what leads to its turn in
    /// the log.
    Transcripts(Box<ReadSaid>),
}

impl Said {
    /// What was said in a session.
    fn of(&self, session: &SessionId) -> Result<Option<Arc<Conversation>>, String> {
        match self {
            Self::Recorded(conversation) => Ok(Some(Arc::clone(conversation))),
            Self::Transcripts(read) => read(session),
        }
    }
}

/// What there is to look at.
pub struct Source {
    /// Opens the log for reading.
    pub open: Box<Open>,
    /// Says which file that is.
    pub which: Box<Which>,
    /// How sessions are shown.
    pub setup: Setup,
    /// Carries out what a person asks for; without it, nothing can be changed.
    pub act: Option<Box<Act>>,
    /// Takes out what an event said; without it, nothing can be taken out.
    pub redact: Option<Box<Redact>>,
    /// What was said; without it, that is not shown.
    pub said: Option<Said>,
    /// Whether others write to the log, so that there may be news.
    pub is_live: bool,
    /// What is looked at, for the head of the page.
    pub name: String,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What requests share.
pub(crate) struct Shared {
    pub(crate) key: Key,
    pub(crate) port: u16,
    pub(crate) desk: std::sync::Mutex<Desk>,
    pub(crate) act: Option<Box<Act>>,
    pub(crate) redact: Option<Box<Redact>>,
    pub(crate) said: Option<Said>,
    pub(crate) news: News,
    pub(crate) name: String,
}

impl Server {
    /// Listens on 127.0.0.1, at a port or at any that is free.
    ///
    /// # Errors
    /// The port is taken, or there is no randomness for a key, or the log can't be opened.
    pub fn bind(port: u16, source: Source) -> Result<Self, ServerError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|source| ServerError::Listen { port, source })?;
        listener.set_nonblocking(true).map_err(ServerError::Run)?;
        let address = listener.local_addr().map_err(ServerError::Run)?;
        let news = News::new();
        let (open, which): (Arc<Open>, Arc<Which>) = (source.open.into(), source.which.into());
        let desk = Desk::new(Arc::clone(&open), Arc::clone(&which), source.setup);
        let desk = desk.map_err(ServerError::Log)?;
        if source.is_live {
            news.follow(open, which, desk.newest().map_err(ServerError::Log)?)
                .map_err(ServerError::Run)?;
        }
        let shared = Shared {
            key: Key::random().map_err(ServerError::Key)?,
            port: address.port(),
            desk: std::sync::Mutex::new(desk),
            act: source.act,
            redact: source.redact,
            said: source.said,
            news,
            name: source.name,
        };
        Ok(Self {
            listener,
            address,
            shared: Arc::new(shared),
        })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a person opens: with the key behind `#`.
    pub fn url(&self) -> String {
        format!("http://{}/#key={}", self.address, self.shared.key.text())
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// The runtime can't be started, or nothing can be accepted any more.
    pub fn run(self) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            // One question is answered at a time.
            .max_blocking_threads(4)
            .build()
            .map_err(ServerError::Run)?;
        runtime
            .block_on(async {
                let listener = tokio::net::TcpListener::from_std(self.listener)?;
                axum::serve(listener, route::router(self.shared)).await
            })
            .map_err(ServerError::Run)
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port can't be had.
    #[error(
        "can't listen on 127.0.0.1:{port}: {source}; leave --port out to take any that is free"
    )]
    Listen {
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// There is no key without randomness.
    #[error("the system gives no random bytes for a key: {0}")]
    Key(String),
    /// The log can't be opened.
    #[error("{0}")]
    Log(String),
    /// The server can't run.
    #[error("the server stopped: {0}")]
    Run(io::Error),
}

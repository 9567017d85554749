//! The server of the page. It listens on loopback, for one user, with a key that only that user has.
//!
//! [`Server::bind`] listens on 127.0.0.1 and makes a [`Key`]. The user opens [`Server::url`]. Each
//! request first passes the [guard](self):
//!
//! - `Host` must be ours and occur once, or the response is 421. A foreign name that resolves to this address
//!   is refused.
//! - `Origin` and `Sec-Fetch-Site`, if present, must be those of the page, or the response is 403.
//! - Below `/api/`, `Authorization` must have the key, or the response is 401. The key is in the fragment of the
//!   address, which browsers send nowhere. It is not in a cookie, because every server on the machine would get
//!   that.
//! - A write must be a `POST` of JSON with at most 64 KiB.
//!
//! No response can be read by another page. The page may run only its own scripts and send requests only
//! to its own server.

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

/// Opens the log for reading. It is called again if the file was replaced.
pub type Open = dyn Fn() -> Result<SqliteLog, String> + Send + Sync;

/// Returns an id of the log's file. It changes if another file takes the same name.
pub type Which = dyn Fn() -> String + Send + Sync;

/// Carries out an operation of the `hud` tool that a user requests in a session, given its arguments and
/// the version that the user saw. The transaction that appends checks that the session still has that
/// version.
pub type Act = dyn Fn(&SessionId, &Value, u64) -> Result<Value, ActError> + Send + Sync;

/// Permanently removes the content of an event, given its session and version, and returns a description
/// of the result.
pub type Redact = dyn Fn(&SessionId, u64) -> Result<String, ActError> + Send + Sync;

/// The reason why a requested operation is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// Events were recorded that the user has not seen.
    #[error(
        "something happened since: the session is at event {found}, and you saw {seen}; look again"
    )]
    Moved {
        /// The version that the user saw.
        seen: u64,
        /// The version of the session.
        found: u64,
    },
    /// The operation is not possible.
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

/// Reads the conversation of a session, as far as it was written. Returns `None` if no transcript of it
/// is found.
pub type ReadSaid = dyn Fn(&SessionId) -> Result<Option<Arc<Conversation>>, String> + Send + Sync;

/// The source of the conversation.
pub enum Said {
    /// The recording that is inspected, with its turns.
    Recorded(Arc<Conversation>),
    /// Transcripts of clients, which are read on request. The time of a message leads to its turn in the
    /// log.
    Transcripts(Box<ReadSaid>),
}

impl Said {
    /// Returns the conversation of a session.
    fn of(&self, session: &SessionId) -> Result<Option<Arc<Conversation>>, String> {
        match self {
            Self::Recorded(conversation) => Ok(Some(Arc::clone(conversation))),
            Self::Transcripts(read) => read(session),
        }
    }
}

/// The log that is inspected, and its settings.
pub struct Source {
    /// Opens the log for reading.
    pub open: Box<Open>,
    /// Returns an id of the log's file.
    pub which: Box<Which>,
    /// The setup with which sessions are shown.
    pub setup: Setup,
    /// Carries out the user's operations. `None` if nothing can be changed.
    pub act: Option<Box<Act>>,
    /// Removes the content of an event. `None` if nothing can be removed.
    pub redact: Option<Box<Redact>>,
    /// The source of the conversation. `None` if it is not shown.
    pub said: Option<Said>,
    /// True if others write to the log, so that there may be news.
    pub is_live: bool,
    /// The title of the page.
    pub name: String,
}

/// A listening server.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// The state that requests share.
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
    /// Listens on 127.0.0.1 at a port, or at any free port.
    ///
    /// # Errors
    /// The port is in use, there are no random bytes for a key, or the log cannot be opened.
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

    /// Returns the address on which it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address that the user opens. It has the key after `#`.
    pub fn url(&self) -> String {
        format!("http://{}/#key={}", self.address, self.shared.key.text())
    }

    /// Serves requests until the process ends.
    ///
    /// # Errors
    /// The runtime cannot be started, or no more connections can be accepted.
    pub fn run(self) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            // One request is answered at a time.
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

/// The reason why the server does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port is not available.
    #[error(
        "can't listen on 127.0.0.1:{port}: {source}; leave --port out to take any that is free"
    )]
    Listen {
        /// The port.
        port: u16,
        /// The error of the system.
        source: io::Error,
    },
    /// There are no random bytes for a key.
    #[error("the system gives no random bytes for a key: {0}")]
    Key(String),
    /// The log cannot be opened.
    #[error("{0}")]
    Log(String),
    /// The server cannot run.
    #[error("the server stopped: {0}")]
    Run(io::Error),
}

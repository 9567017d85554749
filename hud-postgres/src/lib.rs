//! The log of a fleet on PostgreSQL (15 or newer), with the promises of [`Log`].
//!
//! Each log is a schema of a database. [`init`] creates it with its roles. Members of `NAME_writer` may read it and
//! append to it, members of `NAME_reader` may read it, and nobody else sees anything of it. Only an administrator of
//! the server can change stored events, and such changes are detected when the events are read.
//!
//! # Promises beyond those of [`Log`]
//! - An append is one round trip, except for the first on a connection.
//! - Acknowledged events are on the disk of the server, and of a standby if the server waits for one
//!   (`synchronous_standby_names`). If that wait was cut short, the error is [`LogError::Unconfirmed`], never a
//!   success. Appending the events again waits again.
//! - No call takes longer than its deadline. A restart of the server between two calls goes unnoticed.
//! - The log can be called inside and outside of an async runtime.
//!
//! ```no_run
//! use hud_postgres::{Address, Options, PgLog, init};
//! use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
//! use hud_store::log::{Expected, Log};
//!
//! let address: Address = "postgres://ada@db.example/fleet?log=team".parse()?;
//! init(&address, &Options::from_env())?; // once, by who may create roles
//!
//! let mut log = PgLog::open(&address, &Options::from_env())?;
//! let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
//! log.append(&SessionId::new("s")?, Expected::Any, &[NewEvent::now(1, Actor::Agent, note)])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sessions that several machines write
//! A program that appends here writes a session without a home. Any number of programs may append to it, and
//! [`append_onto`](hud_store::log::append_onto) decides again after a conflict. A session that a log sends with
//! `push` is written by that log only, until it is shared:
//!
//! ```no_run
//! use hud_postgres::{Address, Options, PgLog};
//! use hud_store::event::{Actor, DecisionRecord, NewEvent, SessionId};
//! use hud_store::log::{LogError, append_onto, state_of};
//!
//! let address: Address = "postgres://ada@db.example/fleet?log=team".parse()?;
//! let mut log = PgLog::open(&address, &Options::from_env())?;
//! let conventions = SessionId::new("conventions")?;
//! if let Some(home) = log.home(&conventions)?.filter(|home| home.log.is_some()) {
//!     log.claim(&conventions, None, home.epoch)?;
//! }
//! let mut state = state_of(&log, &conventions)?;
//! append_onto(&mut log, &conventions, &mut state, |state| {
//!     let decision = DecisionRecord {
//!         id: format!("d{}", state.decisions.len() + 1),
//!         summary: "Errors are typed".into(),
//!         details: None,
//!         weight: None,
//!     };
//!     Ok::<_, LogError>(vec![NewEvent::now(1, Actor::User, decision)])
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod append;
mod checkup;
mod fault;
mod follow;
mod health;
mod home;
mod link;
mod list;
mod many;
mod news;
mod password;
#[cfg(feature = "sqlite")]
mod pull;
#[cfg(feature = "sqlite")]
mod push;
mod query;
mod read;
mod redact;
mod row;
mod schema;
mod search;
mod server;
mod snapshot;
mod spans;
mod sum;
#[cfg(feature = "sqlite")]
mod sync;
mod tls;

pub use address::{Address, AddressError};
pub use checkup::{Checkup, Standby};
pub use health::Health;
pub use home::{Home, Machine, Part, Sent, SubAgent};
pub use password::Password;
#[cfg(feature = "sqlite")]
pub use pull::{Pulled, pull, pull_all, pull_sub_agents, take};
#[cfg(feature = "sqlite")]
pub use push::{Pushed, Renamed, push};
#[cfg(feature = "sqlite")]
pub use sync::SyncError;

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use hud_store::event::{ContentHash, NewEvent, SessionId, StoredEvent};
use hud_store::jsonl::Line;
use hud_store::log::{Appended, Expected, Listing, Log, LogError, Place, SessionInfo};
use hud_store::section::Sections;
use hud_store::state::HudState;

use append::Batch;
use link::Link;
use query::Query;
use read::{Pages, Scan};
use row::Raw;
use server::Server;

/// The options to open a log with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The password to connect with.
    pub password: Password,
    /// The maximum duration of a call, 10 s by default. Reading a page of events is one call.
    pub deadline: Duration,
    /// The sections of the program.
    pub sections: Sections,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            password: Password::none(),
            deadline: Duration::from_secs(10),
            sections: Sections::new(),
        }
    }
}

impl Options {
    /// The default, with [the password of the environment](Password::from_env).
    pub fn from_env() -> Self {
        Self {
            password: Password::from_env(),
            ..Self::default()
        }
    }

    fn server(&self, address: &Address) -> Server {
        Server::new(address.clone(), self.password.clone(), self.deadline)
    }
}

/// Creates the log at an address, with its roles, or migrates a log of an older program. Nothing changes if that
/// fails, or if the log is up to date.
///
/// The user needs the right to create roles, and schemas in the database, and becomes a member of the role
/// `NAME_owner`. To give others access, the same user runs `GRANT NAME_writer TO ada`.
///
/// # Errors
/// [`LogError::Denied`] if the user lacks the rights, [`LogError::Foreign`] if the schema belongs to something else,
/// [`LogError::Schema`] if roles of these names exist without the schema, [`LogError::Newer`], and
/// [`LogError::Unavailable`].
pub fn init(address: &Address, options: &Options) -> Result<(), LogError> {
    Link::new(options.server(address))?.call(async |server: &mut Server| server.init().await)
}

/// A log on a server.
pub struct PgLog {
    link: Link,
    sections: Sections,
}

impl fmt::Debug for PgLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PgLog({})", self.link.place())
    }
}

impl PgLog {
    /// Opens the log at an address.
    ///
    /// # Errors
    /// [`LogError::Unavailable`] if no server can be reached, [`LogError::Missing`] if there is no such log (see
    /// [`init`]), [`LogError::Denied`] if the user may not read it, [`LogError::ReadOnly`] if only standbys can be
    /// reached.
    pub fn open(address: &Address, options: &Options) -> Result<Self, LogError> {
        let link = Link::new(options.server(address))?;
        link.call(async |server: &mut Server| server.open().await)?;
        Ok(Self {
            link,
            sections: options.sections.clone(),
        })
    }

    /// Passes the result of `make` for each event to `each`, page by page.
    fn scan<T: Send + 'static>(
        &self,
        scan: Scan,
        from: u64,
        make: fn(Raw) -> Result<T, String>,
        each: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut rest = Pages::new(scan, from);
        while let Some(pages) = rest {
            let page = self
                .link
                .call(async move |server: &mut Server| pages.next(server, make).await)?;
            // An error is returned after the sound events before it, whatever the page boundaries.
            for event in page.events {
                if each(event).is_break() {
                    return Ok(());
                }
            }
            rest = page.rest?;
        }
        Ok(())
    }
}

impl Log for PgLog {
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError> {
        let batch = Batch::new(session, expected, events, &self.sections)?;
        self.link
            .call(async move |server: &mut Server| batch.append(server).await)
    }

    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.scan(
            Scan::Session(session.clone()),
            from_version,
            Raw::decode,
            each,
        )
    }

    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.scan(Scan::Log, from_seq, Raw::decode, each)
    }

    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
        let mut wanted = listing.clone();
        let mut sessions = Vec::new();
        while sessions.len() < listing.limit {
            // A page is a call with its own deadline, because a log may have any number of sessions.
            wanted.limit = (listing.limit - sessions.len()).min(list::PAGE);
            let asked = wanted.clone();
            let page = self
                .link
                .call(async move |server: &mut Server| list::page(server, &asked).await)?;
            let is_last = page.len() < wanted.limit;
            wanted.after = page.last().cloned();
            sessions.extend(page);
            if is_last {
                break;
            }
        }
        Ok(sessions)
    }

    fn session(&self, id: &SessionId) -> Result<Option<SessionInfo>, LogError> {
        let id = id.clone();
        self.link
            .call(async move |server: &mut Server| list::session(server, &id).await)
    }

    fn lines(
        &self,
        session: Option<&SessionId>,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let scan = session.map_or(Scan::Log, |session| Scan::Session(session.clone()));
        self.lines_of(scan, 1, each)
    }

    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        let hash = *hash;
        self.link.call(async move |server: &mut Server| {
            let rows = server
                .read(Query::Content, &[&&hash.as_bytes()[..]])
                .await?;
            let body = rows
                .first()
                .and_then(|row| row.try_get::<_, Vec<u8>>(0).ok());
            let text = body.and_then(|body| String::from_utf8(body).ok());
            // Any writer could have stored another text under this hash.
            Ok(text.filter(|text| ContentHash::of(text) == hash))
        })
    }

    fn sections(&self) -> &Sections {
        &self.sections
    }

    fn snapshot(&self, session: &SessionId) -> Option<HudState> {
        let (session, projector) = (session.clone(), self.sections.fingerprint());
        let found = self.link.call(async move |server: &mut Server| {
            snapshot::load(server, &session, projector).await
        });
        let (version, state) = found.ok()??;
        let state = self.sections.adopt(serde_json::from_str(&state).ok()?)?;
        (state.version == version).then_some(state)
    }

    fn save_snapshot(&self, session: &SessionId, state: &HudState) {
        let Ok(text) = serde_json::to_string(state) else {
            return;
        };
        let (session, projector) = (session.clone(), self.sections.fingerprint());
        let version = i64::try_from(state.version).unwrap_or(i64::MAX);
        // A snapshot is a cache. The next load of the session tries again.
        let _ = self.link.call(async move |server: &mut Server| {
            snapshot::save(server, &session, projector, version, &text).await
        });
    }
}

impl PgLog {
    /// The location as errors show it. A log that sends its events here records its progress under it.
    pub fn place(&self) -> &Place {
        self.link.place()
    }

    fn lines_of(
        &self,
        scan: Scan,
        from: u64,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut outcome = Ok(());
        self.scan(scan, from, Raw::line, &mut |mut line| {
            outcome = line.fill(|hash| self.content(hash));
            match outcome {
                Ok(()) => each(line),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome
    }
}

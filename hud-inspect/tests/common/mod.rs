//! A log in a file, and the page's server on it.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;

use hud_agent::replay::Replay;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_inspect::server::{Act, ActError, Redact, Server, Source};
use hud_store::event::{Actor, ErrorEncountered, EventId, HudEvent, NewEvent, SessionId};
use hud_store::log::{EventName, Expected, Log, Redact as _};
use hud_store::sqlite::SqliteLog;
use jiff::Timestamp;
use tempfile::TempDir;

/// An error that is open.
pub fn full_disk(id: &str) -> HudEvent {
    let error = ErrorEncountered {
        id: id.to_owned(),
        message: "the disk is full".to_owned(),
        tool: None,
        target: None,
        attempted: None,
    };
    error.into()
}

/// A log, which is there as long as this is.
pub struct Place {
    _folder: TempDir,
    pub log: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("hud.db");
        drop(SqliteLog::open(&log).unwrap());
        Self {
            _folder: folder,
            log,
        }
    }

    /// One with the example session.
    pub fn example() -> Self {
        let place = Self::new();
        place.repeat_example(1);
        place
    }

    /// Appends the events of the example session so many times, each time later.
    pub fn repeat_example(&self, times: u64) {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
        let session = SessionId::new("rate-limiter").unwrap();
        let mut replay = Replay::new(session.clone());
        let mut log = SqliteLog::open(&self.log).unwrap();
        let mut events = Vec::new();
        Transcript::open(&file)
            .unwrap()
            .read(&mut |entry| {
                events.extend(replay.observe(entry));
                Ok::<(), Box<dyn std::error::Error>>(())
            })
            .unwrap();
        for time in 0..times {
            let turns = time * replay.turn();
            let later = events.iter().cloned().map(|event| NewEvent {
                id: if time == 0 {
                    event.id
                } else {
                    EventId::now_v7()
                },
                turn: event.turn + turns,
                ..event
            });
            let later: Vec<NewEvent> = later.collect();
            log.append(&session, Expected::Any, &later).unwrap();
        }
    }

    pub fn append(&self, session: &str, turn: u64, events: impl IntoIterator<Item = HudEvent>) {
        self.append_by(&Actor::Agent, session, turn, events);
    }

    pub fn append_by(
        &self,
        actor: &Actor,
        session: &str,
        turn: u64,
        events: impl IntoIterator<Item = HudEvent>,
    ) {
        let events = events.into_iter();
        let events: Vec<NewEvent> = events
            .map(|event| NewEvent::now(turn, actor.clone(), event))
            .collect();
        let session = SessionId::new(session).unwrap();
        let mut log = SqliteLog::open(&self.log).unwrap();
        log.append(&session, Expected::Any, &events).unwrap();
    }

    pub fn source(&self, acts: bool) -> Source {
        let (reading, writing) = (self.log.clone(), self.log.clone());
        let act: Box<Act> = Box::new(move |session, made, seen| {
            let refused = |error: &dyn std::fmt::Display| ActError::Refused(error.to_string());
            let log = SqliteLog::open(&writing).map_err(|error| refused(&error))?;
            let session = Session::open(log, session.clone()).map_err(|error| refused(&error));
            Ok(session?.call_seen(&Actor::User, made, Timestamp::now(), seen)?)
        });
        let taken = self.log.clone();
        let redact: Box<Redact> = Box::new(move |session, version| {
            let refused = |error: &dyn std::fmt::Display| ActError::Refused(error.to_string());
            let mut log = SqliteLog::open(&taken).map_err(|error| refused(&error))?;
            let name = EventName::Version(session.clone(), version);
            let mut by = |happened| NewEvent::now(1, Actor::User, happened);
            log.redact(&name, None, &mut by)
                .map_err(|error| refused(&error))?;
            Ok(format!("Event {version} is redacted."))
        });
        let named = self.log.clone();
        Source {
            which: Box::new(move || {
                let file = std::fs::metadata(&named);
                file.map_or_else(|_| String::new(), |file| file.ino().to_string())
            }),
            open: Box::new(move || {
                SqliteLog::open_read_only(&reading).map_err(|error| error.to_string())
            }),
            setup: Setup::default(),
            act: acts.then_some(act),
            redact: acts.then_some(redact),
            said: None,
            is_live: true,
            name: "hud.db".to_owned(),
        }
    }

    /// Serves the page until the test ends, and gives its address.
    pub fn serve(&self, acts: bool) -> String {
        let server = Server::bind(0, self.source(acts)).unwrap();
        assert!(server.address().ip().is_loopback());
        let url = server.url();
        thread::spawn(move || server.run());
        url
    }
}

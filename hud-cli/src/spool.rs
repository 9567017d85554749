//! What could not be written to the log in time: it is kept in a file beside the log, and written by
//! whoever opens the log next, in the order in which it happened, with the time at which it happened, and
//! once, also when a process ends in the middle.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::thread;
use std::time::Duration;

use hud_agent::observation::Observation;
use hud_agent::reported::{Reported, happened};
use hud_agent::session::Session;
use hud_agent::tool::ToolError;
use hud_store::event::SessionId;
use hud_store::log::{LogError, begin};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::Origin;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::deadline::Until;
use crate::location::{Location, LocationError};
use crate::output;
use crate::own;

/// The ends of the files' names, behind the log's: what is kept, and who writes it to the log.
const FILE: &str = ".spool.jsonl";
const WRITER: &str = ".spool.lock";

/// How many bytes are kept at most.
const MOST: u64 = 16 * 1024 * 1024;

/// Something that is still to be written to the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// What its events are named after, so that they are there once.
    id: Uuid,
    /// When it happened.
    at: Timestamp,
    session: SessionId,
    #[serde(flatten)]
    what: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    /// The session has events.
    Runs(()),
    /// The session comes from others.
    Begins(Origin),
    /// A client's report.
    Observed(Observation),
    /// A call of the `hud` tool.
    Called(Value),
}

/// What makes something that happened the same thing, however often it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    id: Uuid,
    at: Timestamp,
}

impl Stamp {
    /// Something that happens now.
    pub(crate) fn now() -> Self {
        Self {
            id: Uuid::now_v7(),
            at: Timestamp::now(),
        }
    }

    /// When it happened.
    pub(crate) const fn at(&self) -> Timestamp {
        self.at
    }

    /// The same at the time that a client says, if that is not later.
    pub(crate) fn said_at(self, said: Option<Timestamp>) -> Self {
        Self {
            at: happened(said, self.at),
            ..self
        }
    }

    /// Something that has a name, which happened by now.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            id: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()),
            at: Timestamp::now(),
        }
    }

    /// The nth of several things that it consists of.
    fn nth(self, nth: usize) -> Self {
        Self {
            id: Uuid::new_v5(&self.id, &nth.to_be_bytes()),
            ..self
        }
    }
}

impl Report {
    fn of(Stamp { id, at }: Stamp, session: &SessionId, what: Content) -> Self {
        let session = session.clone();
        Self {
            id,
            at,
            session,
            what,
        }
    }

    /// A session is at work: it is in the log, whatever else is said of it.
    pub(crate) fn runs(stamp: Stamp, session: &SessionId) -> Self {
        Self::of(stamp, session, Content::Runs(()))
    }

    /// A session begins with what it takes over.
    pub(crate) fn begins(stamp: Stamp, session: &SessionId, origin: &Origin) -> Self {
        Self::of(stamp, session, Content::Begins(origin.clone()))
    }

    /// A client reports something, which may have happened before the stamp was made.
    pub(crate) fn observed(
        stamp: Stamp,
        session: &SessionId,
        reports: impl IntoIterator<Item = impl Into<Reported>>,
    ) -> Vec<Self> {
        let of = |(nth, report): (usize, Reported)| {
            let stamp = stamp.nth(nth).said_at(report.at);
            Self::of(stamp, session, Content::Observed(report.observation))
        };
        let reports = reports.into_iter().map(Into::into);
        reports.enumerate().map(of).collect()
    }

    /// An agent calls its tool, in a call that may have a name in the client's conversation.
    pub(crate) fn called(
        stamp: Stamp,
        session: &SessionId,
        call: &Value,
        name: Option<&str>,
    ) -> Vec<Self> {
        let name = name.map(str::to_owned);
        let cause = name.map(|name| Content::Observed(Observation::Cause { name }));
        let whats = cause.into_iter().chain([Content::Called(call.clone())]);
        whats.map(|what| Self::of(stamp, session, what)).collect()
    }

    /// Writes it to the log, unless it is there. Gives what a call is answered; `None` if it was made
    /// before.
    pub(crate) fn write(
        &self,
        session: &mut Session<SqliteLog>,
    ) -> Result<Option<Value>, ToolError> {
        let before = session.state().version;
        let mut answer = None;
        match &self.what {
            Content::Runs(()) => session.begin(self.at)?,
            Content::Begins(_) => {}
            Content::Observed(observation) => {
                session.observe_once(self.id, observation, self.at)?
            }
            Content::Called(call) => answer = session.call_once(self.id, call, self.at)?,
        }
        // It is recorded, and comes up with what the sub-agent records next if it does not now.
        let _ = session.hand_up(before, self.at);
        Ok(answer)
    }
}

/// Whether what was not written for that reason may be written later.
pub(crate) fn may_pass(error: &LogError) -> bool {
    matches!(
        error,
        LogError::Busy { .. }
            | LogError::Full { .. }
            | LogError::ReadOnly { .. }
            | LogError::CannotOpen { .. }
            | LogError::Unconfirmed { .. }
            | LogError::Unavailable { .. }
            | LogError::Denied { .. }
            | LogError::Storage { .. }
    )
}

/// Why nothing was kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpoolError {
    #[error(transparent)]
    Location(#[from] LocationError),
    #[error(
        "{MOST} bytes wait to be written already, and this does not join them: see that the log can be \
         written (`{}`)",
        own::command("doctor")
    )]
    Full,
    #[error("what waits to be written is locked by others: try again")]
    Locked,
}

/// Whether something waits to be written.
pub(crate) fn waits(location: &Location) -> bool {
    // Each turn asks, and nearly always there is nothing.
    if location.lacks_beside(FILE) {
        return false;
    }
    let file = location.opened_beside(FILE).ok().flatten();
    file.and_then(|file| file.metadata().ok())
        .is_some_and(|file| file.len() > 0)
}

/// Keeps reports, behind those that are kept already.
pub(crate) fn keep(
    location: &Location,
    reports: &[Report],
    until: Until,
) -> Result<(), SpoolError> {
    let mut text = Vec::new();
    for report in reports {
        serde_json::to_writer(&mut text, report).map_err(|error| failed(location, error.into()))?;
        text.push(b'\n');
    }
    let mut file = location.open_beside(FILE)?;
    lock(location, &file, until)?;
    let length = end_line(&mut file).map_err(|error| failed(location, error))?;
    if length.saturating_add(text.len() as u64) > MOST {
        return Err(SpoolError::Full);
    }
    let written = file.write_all(&text).and_then(|()| file.sync_data());
    // It is unlocked with the file's end.
    written.map_err(|error| failed(location, error))
}

/// Ends a line that was cut off when a process ended. Gives the length of the file.
fn end_line(file: &mut File) -> io::Result<u64> {
    let length = file.seek(io::SeekFrom::End(0))?;
    let mut last = [b'\n'];
    if length > 0 {
        file.seek(io::SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(length)
}

fn failed(location: &Location, error: io::Error) -> SpoolError {
    location.failed(FILE, error).into()
}

fn lock(location: &Location, file: &File, until: Until) -> Result<(), SpoolError> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(failed(location, error)),
            Err(TryLockError::WouldBlock) if until.left().is_zero() => {
                return Err(SpoolError::Locked);
            }
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Writes to the log what is kept. Gives whether nothing waits any more.
pub(crate) fn write_out(location: &Location, until: Until) -> Result<bool, SpoolError> {
    if !waits(location) {
        return Ok(true);
    }
    let writer = location.open_beside(WRITER)?;
    match writer.try_lock() {
        Ok(()) => {}
        // Another process is writing it.
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(failed(location, error)),
    }
    let Some(mut file) = location.opened_beside(FILE)? else {
        return Ok(true);
    };
    let mut sessions = HashMap::new();
    let mut done = 0;
    loop {
        match lock(location, &file, until) {
            Err(SpoolError::Locked) => return Ok(false),
            locked => locked?,
        }
        let text = rest(&mut file, done).map_err(|error| failed(location, error))?;
        if text.is_empty() {
            // Nothing was added since it was read.
            file.set_len(0).map_err(|error| failed(location, error))?;
            return Ok(true);
        }
        file.unlock().map_err(|error| failed(location, error))?;
        done += text.len() as u64;
        for line in text.split(|byte| *byte == b'\n') {
            let report: Report = match serde_json::from_slice(line) {
                Ok(report) => report,
                // A line that was cut off when a process ended is left out.
                Err(_) => continue,
            };
            if until.left().is_zero() {
                return Ok(false);
            }
            match write(location, &mut sessions, &report, until) {
                Ok(()) => {}
                Err(LocationError::Log(error)) if may_pass(&error) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn rest(file: &mut File, from: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.seek(io::SeekFrom::Start(from))?;
    file.take(MOST).read_to_end(&mut text)?;
    Ok(text)
}

fn write(
    location: &Location,
    sessions: &mut HashMap<SessionId, Session<SqliteLog>>,
    report: &Report,
    until: Until,
) -> Result<(), LocationError> {
    if let Content::Begins(origin) = &report.what {
        let mut log = location.write_within(Durability::Full, until.left())?;
        // It may have begun by itself meanwhile: then it goes on as it is.
        return match begin(&mut log, &report.session, origin, report.at) {
            Err(error) if may_pass(&error) => Err(error.into()),
            Err(error) => {
                output::problem(&error);
                Ok(())
            }
            Ok(_) => Ok(()),
        };
    }
    if !sessions.contains_key(&report.session) {
        let log = location.write_within(Durability::Full, until.left())?;
        let session = location.session(log, &report.session)?;
        sessions.insert(report.session.clone(), session);
    }
    let Some(session) = sessions.get_mut(&report.session) else {
        return Ok(());
    };
    session.log().set_patience(until.left())?;
    match report.write(session) {
        Ok(_) => Ok(()),
        Err(ToolError::Log(error)) => match error {
            // Another attempt would fail as well.
            error @ LogError::Invalid { .. } => {
                output::problem(&error);
                Ok(())
            }
            error => Err(error.into()),
        },
        // It fitted the session, as far as could be known, when it was kept, and no longer does.
        Err(error) => {
            output::problem(format_args!(
                "a call of {} that was kept: {error}",
                report.session
            ));
            Ok(())
        }
    }
}

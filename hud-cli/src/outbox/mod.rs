//! The outbox: reports that could not be written to the log in time. They are in a file beside the log, and are
//! written to it later, in their order and with their times. Each report takes effect once, even if a process ends
//! in the middle.
//!
//! A turn writes its own session's reports, as far as there is time. The rest is written by a server between its
//! requests ([`Background`]), by a hook after its answer, and by `hud doctor`. A session waits for its own reports
//! only.

mod file;
mod report;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use hud_agent::session::Session;
use hud_agent::tool::ToolError;
use hud_store::event::SessionId;
use hud_store::log::{LogError, begin};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::Origin;
use jiff::Timestamp;
use memchr::memmem;

use self::file::{ALL, Names, Outbox, of_session};
use self::report::Content;
pub(crate) use self::report::{Report, Stamp};
use crate::deadline::Until;
use crate::location::{Location, LocationError};
use crate::output::{self, count, size};
use crate::own;

/// The largest number of bytes that may wait.
const MOST: u64 = 16 * 1024 * 1024;

/// The number of sessions that are open at once while an outbox is written to the log.
const OPEN: usize = 16;

/// The time that the background writes before it checks whether it is still needed.
const SLICE: Duration = Duration::from_secs(1);

/// The time that the background waits before the next attempt, if nothing could be written.
const PAUSE: Duration = Duration::from_secs(1);

/// The time that the background writes before it lets others write for as long.
const STINT: Duration = Duration::from_millis(4);

/// True if a report that failed with this error may be written later.
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

/// The reason why nothing was kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutboxError {
    #[error(transparent)]
    Location(#[from] LocationError),
    #[error(
        "the outbox is full ({} wait to be written to the log): `{}` writes it to the log, or reports why it can't",
        size(MOST),
        own::command("doctor")
    )]
    Full,
    #[error("others are writing to the outbox: try again")]
    Locked,
}

/// The reason why a session can't be written to yet: its earlier reports come first.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("what this session recorded before waits in the outbox")]
pub(crate) struct Waits;

/// Reports that wait to be written to the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Backlog {
    pub(crate) reports: u64,
    pub(crate) bytes: u64,
    /// The time of the first report.
    pub(crate) since: Option<Timestamp>,
}

impl fmt::Display for Backlog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({})",
            count(self.reports, "report"),
            size(self.bytes)
        )
    }
}

/// The outcome of writing an outbox to the log.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// The number of reports that were written, or dropped because they can never be written.
    pub(crate) reports: u64,
    /// True if no report is left.
    pub(crate) is_all: bool,
}

/// The pace at which an outbox is written to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Without pauses. Returns at once if another process is writing.
    Fast,
    /// Without pauses, after waiting for another process that is writing.
    Patient,
    /// With pauses in which others write to the log.
    Gentle,
}

/// True if no report waits. It is a quick check, and may miss that all reports in the file were written.
pub(crate) fn is_empty(location: &Location) -> bool {
    ALL.iter().all(|names| {
        let outbox = Outbox::opened(location, names).ok().flatten();
        outbox.is_none_or(|outbox| outbox.is_empty())
    })
}

/// Adds reports to the outbox.
pub(crate) fn keep(
    location: &Location,
    reports: &[Report],
    until: Until,
) -> Result<(), OutboxError> {
    let mut text = Vec::new();
    for report in reports {
        serde_json::to_writer(&mut text, report)
            .map_err(|error| location.failed(file::NEW.lines, error.into()))?;
        text.push(b'\n');
    }
    let mut outbox = Outbox::made(location)?;
    match outbox.locked(until, |outbox| outbox.add(&text, MOST))? {
        true => Ok(()),
        false => Err(OutboxError::Full),
    }
}

/// Writes the earlier reports of a session before the session is written to. Uses only a part of the time for that.
pub(crate) fn make_way(
    location: &Location,
    session: &SessionId,
    origin: Option<&Origin>,
    until: Until,
) -> Result<(), Waits> {
    if is_empty(location) {
        return Ok(());
    }
    let mut sessions = vec![session];
    if let Some(origin) = origin {
        // The session inherits the state of these.
        let from = [
            &origin.resumes,
            &origin.parent,
            &origin.project,
            &origin.forks,
        ];
        sessions.extend(from.into_iter().flatten());
    }
    if !holds(location, &sessions, until) {
        return Ok(());
    }
    let half = Until::after(until.left() / 2);
    match write_out(location, half, Pace::Fast) {
        Ok(Written { is_all: true, .. }) => return Ok(()),
        Ok(_) => {}
        Err(error) => {
            // An outbox that can't be read must not block new events.
            output::problem(error);
            return Ok(());
        }
    }
    match holds(location, &sessions, until) {
        true => Err(Waits),
        false => Ok(()),
    }
}

/// True if a report of one of the sessions waits, or if that can't be determined in time.
fn holds(location: &Location, sessions: &[&SessionId], until: Until) -> bool {
    let wanted: Vec<Vec<u8>> = { sessions.iter() }
        .map(|session| of_session(session))
        .collect();
    ALL.iter()
        .any(|names| match waiting(location, names, until) {
            Ok(text) => wanted
                .iter()
                .any(|wanted| memmem::find(&text, wanted).is_some()),
            Err(OutboxError::Locked) => true,
            Err(error) => {
                output::problem(error);
                false
            }
        })
}

/// The lines of an outbox that were not written to the log.
fn waiting(
    location: &Location,
    names: &'static Names,
    until: Until,
) -> Result<Vec<u8>, OutboxError> {
    match Outbox::opened(location, names)? {
        Some(mut outbox) => outbox.locked(until, Outbox::rest),
        None => Ok(Vec::new()),
    }
}

/// Counts the reports that wait to be written to the log.
pub(crate) fn backlog(location: &Location, until: Until) -> Result<Backlog, OutboxError> {
    let mut backlog = Backlog::default();
    for names in &ALL {
        let text = waiting(location, names, until)?;
        backlog.bytes += text.len() as u64;
        for line in text.split(|byte| *byte == b'\n') {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            backlog.reports += 1;
            if backlog.since.is_none() {
                let report: Option<Report> = serde_json::from_slice(line).ok();
                backlog.since = report.map(|report| report.at);
            }
        }
    }
    Ok(backlog)
}

/// Writes the outbox to the log.
///
/// A report of a damaged session moves to the end, and those of other sessions are written.
pub(crate) fn write_out(
    location: &Location,
    until: Until,
    pace: Pace,
) -> Result<Written, OutboxError> {
    let mut all = Written {
        reports: 0,
        is_all: true,
    };
    for names in &ALL {
        let written = match write_one(location, names, until, pace) {
            Err(OutboxError::Locked) => Written::default(),
            written => written?,
        };
        all.reports += written.reports;
        all.is_all &= written.is_all;
        if !written.is_all {
            // The later reports wait for these.
            break;
        }
    }
    Ok(all)
}

fn write_one(
    location: &Location,
    names: &'static Names,
    until: Until,
    pace: Pace,
) -> Result<Written, OutboxError> {
    let mut written = Written::default();
    let nothing = Written {
        is_all: true,
        ..written
    };
    let Some(mut outbox) = Outbox::opened(location, names)?.filter(|outbox| !outbox.is_empty())
    else {
        return Ok(nothing);
    };
    let waits = (pace == Pace::Patient).then_some(until);
    let Some(_writer) = outbox.writer(waits)? else {
        return Ok(written);
    };
    let mut marking = outbox.marking()?;
    let mut sessions = Sessions {
        durability: match marking.can_be_fleeting() {
            true => Durability::Fast,
            false => Durability::Full,
        },
        ..Sessions::default()
    };
    let mut is_flushed = !outbox.locked(until, |outbox| Ok(outbox.is_fleeting()))?;
    let mut last = None;
    let mut stint = Instant::now();
    loop {
        // The log is flushed before lines are removed from the outbox.
        if !is_flushed && !sessions.flush(location, until)? {
            return Ok(written);
        }
        if let Some((at, line)) = last.take() {
            let line: Vec<u8> = line;
            let marked = marking.set_lasting(at, &line);
            marked.map_err(|error| location.failed(names.lines, error))?;
        }
        let next = outbox.locked(until, |outbox| outbox.next(&mut marking))?;
        let Some(chunk) = next else {
            written.is_all = true;
            return Ok(written);
        };
        let mut at = chunk.at;
        for line in chunk.text.split_inclusive(|byte| *byte == b'\n') {
            if until.left().is_zero() || sessions.is_seen(at) {
                return Ok(written);
            }
            if pace == Pace::Gentle && stint.elapsed() > STINT {
                thread::sleep(stint.elapsed());
                stint = Instant::now();
            }
            match sessions.write(location, line, until) {
                Ok(()) => written.reports += 1,
                Err(Refusal::Later) => return Ok(written),
                Err(Refusal::Never(error)) => return Err(error.into()),
                Err(Refusal::Session) => {
                    // Nothing is lost, because the session may be repaired.
                    outbox.locked(until, |outbox| {
                        outbox.add(line, u64::MAX)?;
                        sessions.set_aside(outbox.length()?, line);
                        Ok(())
                    })?;
                }
            }
            let marked = marking.set(at, line);
            marked.map_err(|error| location.failed(names.lines, error))?;
            is_flushed = false;
            last = Some((at, line.to_vec()));
            at = at.saturating_add(line.len() as u64);
        }
    }
}

/// Writes the outbox to the log when a server ends, within the given time and at most a second.
pub(crate) fn finish(location: &Location, time: Duration) {
    if !is_empty(location) {
        write_out(location, Until::after(time.min(SLICE)), Pace::Patient)
            .map(drop)
            .unwrap_or_else(output::problem);
    }
}

/// The reason why a line was not written to the log.
enum Refusal {
    /// The log accepts nothing now.
    Later,
    /// The log accepts nothing, because of this error.
    Never(LocationError),
    /// The log accepts nothing of this session.
    Session,
}

/// The sessions of an outbox while it is written to the log.
#[derive(Default)]
struct Sessions {
    durability: Durability,
    open: HashMap<SessionId, Session<SqliteLog>>,
    /// The sessions that accept nothing.
    damaged: HashSet<SessionId>,
    /// The offset of the first line that was set aside.
    aside: Option<u64>,
}

impl Sessions {
    /// True if the line at an offset was set aside, or comes after one that was.
    fn is_seen(&self, at: u64) -> bool {
        self.aside.is_some_and(|aside| at >= aside)
    }

    /// Notes that a line was added again at the end of a file, which now has this length.
    fn set_aside(&mut self, length: u64, line: &[u8]) {
        let begins = length.saturating_sub(line.len() as u64);
        self.aside.get_or_insert(begins);
    }

    /// Flushes the log to the disk. Returns true if that was done in time.
    fn flush(&mut self, location: &Location, until: Until) -> Result<bool, LocationError> {
        let flush = |log: &SqliteLog| {
            log.set_patience(until.left())?;
            log.flush()
        };
        let flushed = match self.open.values_mut().next() {
            Some(session) => flush(session.log()),
            None => match location.write_within(Durability::Full, until.left()) {
                Ok(log) => flush(&log),
                Err(LocationError::Log(error)) => Err(error),
                Err(error) => return Err(error),
            },
        };
        match flushed {
            Ok(()) => Ok(true),
            Err(error) if may_pass(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a line. A line that can't be parsed is reported and dropped.
    fn write(&mut self, location: &Location, line: &[u8], until: Until) -> Result<(), Refusal> {
        let report: Report = match serde_json::from_slice(line) {
            Ok(report) => report,
            Err(_) if line.iter().all(u8::is_ascii_whitespace) => return Ok(()),
            Err(error) => {
                output::problem(format_args!(
                    "a line of the outbox was cut off when a process ended, and is left out: {error}"
                ));
                return Ok(());
            }
        };
        if self.damaged.contains(&report.session) {
            return Err(Refusal::Session);
        }
        match self.record(location, &report, until) {
            Ok(()) => Ok(()),
            Err(LocationError::Log(error)) if may_pass(&error) => Err(Refusal::Later),
            Err(LocationError::Log(error @ LogError::Corrupt { .. })) => {
                output::problem(format_args!(
                    "{} waits in the outbox: {error}",
                    report.session
                ));
                self.open.remove(&report.session);
                self.damaged.insert(report.session);
                Err(Refusal::Session)
            }
            Err(error) => Err(Refusal::Never(error)),
        }
    }

    fn record(
        &mut self,
        location: &Location,
        report: &Report,
        until: Until,
    ) -> Result<(), LocationError> {
        if let Content::Begins(origin) = &report.what {
            let mut log = location.write_within(Durability::Full, until.left())?;
            // The session may have begun meanwhile, and then stays as it is.
            return match begin(&mut log, &report.session, origin, report.at) {
                Err(error) if may_pass(&error) => Err(error.into()),
                Err(error) => {
                    output::problem(&error);
                    Ok(())
                }
                Ok(_) => Ok(()),
            };
        }
        if !self.open.contains_key(&report.session) {
            if self.open.len() >= OPEN {
                self.open.clear();
            }
            let log = location.write_within(self.durability, until.left())?;
            let session = location.session(log, &report.session)?;
            self.open.insert(report.session.clone(), session);
        }
        let Some(session) = self.open.get_mut(&report.session) else {
            return Ok(());
        };
        session.log().set_patience(until.left())?;
        match report.write(session) {
            Ok(_) => Ok(()),
            Err(ToolError::Log(error @ LogError::Invalid { .. })) => {
                // Another attempt would fail too.
                output::problem(&error);
                Ok(())
            }
            Err(ToolError::Log(error)) => Err(error.into()),
            // The call fitted the session when it was kept, as far as that could be known, and no longer does.
            Err(error) => {
                output::problem(format_args!(
                    "a call of {} that was kept: {error}",
                    report.session
                ));
                Ok(())
            }
        }
    }
}

/// A thread that writes the outbox to the log while a server runs, in the pauses of other writers. It ends when the
/// last value that can wake it is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    wake: Sender<()>,
}

impl Background {
    /// Starts the thread, which writes the reports that already wait.
    pub(crate) fn begin(location: Location) -> Self {
        let (wake, woken) = mpsc::channel();
        thread::spawn(move || {
            while woken.recv().is_ok() {
                loop {
                    while woken.try_recv().is_ok() {}
                    let pause = match write_out(&location, Until::after(SLICE), Pace::Gentle) {
                        Ok(Written { is_all: true, .. }) => break,
                        Ok(Written { reports: 1.., .. }) => STINT,
                        Ok(_) => PAUSE,
                        Err(error) => {
                            output::problem(error);
                            break;
                        }
                    };
                    match woken.recv_timeout(pause) {
                        Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            }
        });
        let background = Self { wake };
        background.wake();
        background
    }

    /// Makes the thread check for waiting reports.
    pub(crate) fn wake(&self) {
        let _ = self.wake.send(());
    }
}

//! Checking a file, and repairing the parts that can be repaired.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use super::fault::Fault;
use super::files::beside;
use super::session::{self, Found};
use super::{SqliteLog, busy, content, read, schema, search, snapshot};
use crate::event::{HudEvent, SessionId};
use crate::fold::fold;
use crate::log::{Log, LogError, state_of};
use crate::state::HudState;

/// The result of checking a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The schema of the file.
    pub schema: u32,
    /// The version of SQLite that reads it.
    pub sqlite: String,
    /// The number of sessions.
    pub sessions: u64,
    /// The number of sound events, counted from the first.
    pub events: u64,
    /// The number of events with an archived payload.
    pub archived: u64,
    /// The number of events of each kind that this program doesn't know.
    pub unknown: BTreeMap<String, u64>,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The number of bytes of it that `vacuum` would free.
    pub free: u64,
    /// The size of the write-ahead log next to it.
    pub wal: u64,
    /// The problems, the worst first.
    pub problems: Vec<Problem>,
}

/// The size of a log's file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The number of bytes of it that `vacuum` would free.
    pub free: u64,
}

/// A problem of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The description.
    pub what: String,
    /// The way to fix it.
    pub mend: Mend,
}

/// The way to fix a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// Events are lost or damaged. Restore them from a backup.
    Restore,
    /// Only data that is derived from the events, or that guards them, is wrong. Fix it with
    /// [`SqliteLog::open_to_mend`] and [`SqliteLog::rebuild`].
    Rebuild,
}

/// The progress of a long operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The amount of work that is done.
    pub done: u64,
    /// The total amount of work.
    pub total: u64,
}

/// A callback that receives the progress of a long operation.
pub type Watcher<'w> = dyn FnMut(Progress) + 'w;

pub(super) fn size(log: &SqliteLog) -> Result<Size, Fault> {
    log.steps.renew();
    let number = |pragma: &str| {
        let value = log
            .conn
            .pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        value.map(i64::unsigned_abs)
    };
    let page = number("page_size")?;
    Ok(Size {
        bytes: number("page_count")? * page,
        free: number("freelist_count")? * page,
    })
}

pub(super) fn check(log: &SqliteLog, watcher: &mut Watcher<'_>) -> Result<Report, Fault> {
    log.steps.renew();
    // Others write meanwhile, so all reads must see the same snapshot of the database.
    let _moment = read::moment(&log.conn)?;
    let size = size(log)?;
    let mut report = Report {
        schema: log.schema,
        sqlite: rusqlite::version().to_owned(),
        bytes: size.bytes,
        free: size.free,
        wal: wal(&log.path),
        ..Report::default()
    };
    if log.schema >= 2 {
        report.archived = count(&log.conn, "event WHERE archive IS NOT NULL")?;
    }
    for difference in schema::differences(&log.conn, log.schema)? {
        report.problems.push(Problem {
            what: difference.what,
            mend: Mend::Rebuild,
        });
    }
    for fault in integrity(&log.conn, log.schema)? {
        // An index can be rebuilt from its table. A table can't be rebuilt.
        let is_derived = fault.contains(" index ") || fault.contains("search");
        report.problems.push(Problem {
            what: fault,
            mend: if is_derived {
                Mend::Rebuild
            } else {
                Mend::Restore
            },
        });
    }
    let sessions = read_through(log, &mut report, watcher)?;
    if log.schema >= 2 && report.problems.is_empty() {
        check_derived(log, &sessions, &mut report)?;
    }
    report
        .problems
        .sort_by_key(|problem| problem.mend == Mend::Rebuild);
    Ok(report)
}

/// A session as its events define it.
struct Seen {
    state: HudState,
    first: u64,
    last: u64,
}

/// Reads all events like any reader, and folds them.
fn read_through(
    log: &SqliteLog,
    report: &mut Report,
    watcher: &mut Watcher<'_>,
) -> Result<BTreeMap<SessionId, Seen>, Fault> {
    let total = read::last_seq(&log.conn)?.unsigned_abs();
    let mut sessions: BTreeMap<SessionId, Seen> = BTreeMap::new();
    let outcome = log.read_all(1, &mut |event| {
        report.events = event.seq;
        if let HudEvent::Other { kind, .. } = &event.event
            && !log.sections.knows(kind)
        {
            *report.unknown.entry(kind.clone()).or_default() += 1;
        }
        let seen = sessions
            .entry(event.session.clone())
            .or_insert_with(|| Seen {
                state: log.sections.empty_state(),
                first: event.seq,
                last: 0,
            });
        if event.version != seen.state.version + 1 {
            report.problems.push(Problem {
                what: format!(
                    "event {} is version {} of {} behind version {}",
                    event.seq, event.version, event.session, seen.state.version
                ),
                mend: Mend::Restore,
            });
        }
        seen.last = event.seq;
        seen.state = fold(std::mem::take(&mut seen.state), &event);
        if event.seq % 1000 == 0 || event.seq == total {
            watcher(Progress {
                done: event.seq,
                total,
            });
        }
        ControlFlow::Continue(())
    });
    report.sessions = sessions.len() as u64;
    match outcome {
        Ok(()) => {}
        Err(error @ (LogError::Corrupt { .. } | LogError::Damaged { .. })) => {
            report.problems.push(Problem {
                what: error.to_string(),
                mend: Mend::Restore,
            });
        }
        Err(error) => return Err(error.into()),
    }
    Ok(sessions)
}

/// Compares the tables that are derived from the events with them.
fn check_derived(
    log: &SqliteLog,
    sessions: &BTreeMap<SessionId, Seen>,
    report: &mut Report,
) -> Result<(), Fault> {
    log.steps.renew();
    let mut wrong = |what: String| {
        report.problems.push(Problem {
            what,
            mend: Mend::Rebuild,
        });
    };
    for (session, seen) in sessions {
        let is_known = match session::of(&log.conn, session.as_str())? {
            Some(Found::Sound(row)) => {
                (
                    row.ver.unsigned_abs(),
                    row.first.unsigned_abs(),
                    row.last.unsigned_abs(),
                ) == (seen.state.version, seen.first, seen.last)
            }
            Some(Found::Damaged(_)) | None => false,
        };
        if !is_known {
            wrong(format!("the list of sessions is wrong about {session}"));
        } else if let Some(kept) = snapshot::load(log, session) {
            let version = kept.version;
            let folded = if version == seen.state.version {
                None
            } else {
                Some(crate::log::state_while(log, session, |event| {
                    event.version <= version
                })?)
            };
            if kept != *folded.as_ref().unwrap_or(&seen.state) {
                wrong(format!("the snapshot of {session} is not its state"));
            }
        }
    }
    let listed = count(&log.conn, "session")?;
    if listed != sessions.len() as u64 {
        wrong(format!(
            "{listed} sessions are listed, and {} have events",
            sessions.len()
        ));
    }
    if log.schema >= content::SINCE {
        for (_, hash) in content::damaged(log)? {
            wrong(format!(
                "the kept output {hash} is damaged: recall says that it is gone"
            ));
        }
    }
    if !search::is_sound(log)? {
        wrong("the index for searching is not what the events say".to_owned());
    }
    Ok(())
}

fn count(conn: &Connection, from: &str) -> rusqlite::Result<u64> {
    let count: i64 = conn.query_row(&format!("SELECT count(*) FROM {from}"), [], |row| {
        row.get(0)
    })?;
    Ok(count.unsigned_abs())
}

/// The problems that SQLite's own check reports.
fn integrity(conn: &Connection, schema: u32) -> rusqlite::Result<Vec<String>> {
    if schema >= 2 {
        // FTS5 notices changes of the index by other connections when it is read, but not when it is checked. Without
        // this read it would check the new index against its memory of the old one.
        let mut look = conn.prepare_cached("SELECT rowid FROM search LIMIT 1")?;
        look.exists([])?;
    }
    let mut select = conn.prepare("PRAGMA integrity_check(20)")?;
    let found: Vec<String> = select
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

fn wal(path: &Path) -> u64 {
    std::fs::metadata(beside(path, "-wal")).map_or(0, |file| file.len())
}

/// Rebuilds all data that is derived from the events.
pub(super) fn rebuild(log: &SqliteLog) -> Result<(), Fault> {
    log.steps.renew();
    let tx = busy::begin_immediate(log)?;
    tx.execute_batch("REINDEX; DELETE FROM snapshot;")
        .and_then(|()| session::rebuild(&tx))
        .and_then(|()| search::forget(&tx))?;
    content::rebuild(log, &tx)?;
    tx.commit()?;
    for session in log.sessions()? {
        state_of(log, &session.id)?;
    }
    search::bring_up_to_date(log).map(drop)
}

/// The number of steps of SQLite's virtual machine that it takes to copy an event with its entries in other tables.
const STEPS_PER_EVENT: u64 = 12;

/// Frees the space of deleted data.
pub(super) fn vacuum(log: &mut SqliteLog, watcher: &mut Watcher<'_>) -> Result<(), Fault> {
    let total = read::last_seq(&log.conn)?;
    let total = total.unsigned_abs();
    let (conn, steps) = (&mut log.conn, &log.steps);
    steps.renew();
    // SQLite reports no progress, so the steps are polled from this thread.
    let outcome = thread::scope(|scope| {
        let (ending, ended) = mpsc::channel::<()>();
        let work = scope.spawn(move || {
            let _ending = ending;
            conn.execute_batch("VACUUM")?;
            conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        });
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let done = (steps.taken() / STEPS_PER_EVENT).min(total);
            watcher(Progress { done, total });
        }
        work.join()
    });
    match outcome {
        Ok(outcome) => outcome?,
        Err(panic) => std::panic::resume_unwind(panic),
    }
    watcher(Progress { done: total, total });
    Ok(())
}

/// The interval at which the progress of an operation is polled.
const LOOK: Duration = Duration::from_millis(100);

//! Programs that write a log.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use hud_store::log::{Log, LogError};
use hud_store::sqlite::SqliteLog;
use rusqlite::{Connection, OpenFlags};

use crate::check::contents;
use crate::{Batch, Disk, Mounted, Rng, Step, Workload};

/// How often an append is tried.
const TRIES: usize = 6;

/// Before which try there is room on the disk again.
const ROOM: usize = 2;

/// Before which try even a patient program opens the log anew.
const LAST_RESORT: usize = 4;

/// Does what the workload says until something fails. Returns how many events were
/// acknowledged.
pub fn until_error(mounted: &Mounted, workload: &Workload) -> u64 {
    let mut acked = 0;
    // The error is the power loss.
    let _ = write(mounted, workload, &mut acked);
    acked
}

fn write(mounted: &Mounted, workload: &Workload, acked: &mut u64) -> Result<(), LogError> {
    let open = || SqliteLog::open_with(mounted.path(), workload.durability);
    let mut log = open()?;
    // What is less durable than the workload promises is not waited for.
    let mut is_awaited = true;
    for step in &workload.steps {
        match step {
            Step::Append(batch) => {
                log.append(&batch.session, batch.expected, &batch.events)?;
                if is_awaited {
                    *acked = batch.last_seq;
                }
            }
            Step::Checkpoint(kind) => checkpoint(mounted, kind),
            Step::Durability(durability) => {
                log.set_durability(*durability)?;
                is_awaited = *durability == workload.durability;
            }
            Step::Reopen => {
                drop(log);
                log = open()?;
            }
        }
    }
    Ok(())
}

/// Another program asks for a checkpoint. Whether it gets one is not the log's business.
fn checkpoint(mounted: &Mounted, kind: &str) {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let _ = Connection::open_with_flags(mounted.path(), flags).and_then(|conn| {
        // As little flushing as SQLite does in WAL mode.
        conn.pragma_update(None, "synchronous", "NORMAL")?;
        conn.query_row(&format!("PRAGMA wal_checkpoint({kind})"), [], |_| Ok(()))
    });
}

/// What a program does when an append fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It tries again on the same connection.
    Patient,
    /// It starts anew and opens the log again, even while the disk is full.
    Restarting,
}

/// What programs met on their way.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How often they got which error, and what SQLite said of it.
    pub errors: BTreeMap<String, u64>,
    /// Errors that send the user on a wrong track.
    pub misleading: u64,
    /// Failed appends after which what was acknowledged could not be read on the connection.
    pub unreadable: u64,
    /// Appends that went well only after the log was opened anew, though the program was patient.
    pub reopened: u64,
    /// Appends that never went well.
    pub gave_up: u64,
    /// Descriptions of what should not have been.
    pub examples: Vec<String>,
}

impl Report {
    fn error(&mut self, error: &LogError) {
        let (kind, is_fair) = kind(error);
        let said = error.source().map(ToString::to_string);
        // Without the path: each disk has another.
        let said = said.as_deref().and_then(|said| said.split(": ").next());
        let key = said.map_or(kind.to_owned(), |said| format!("{kind}: {said}"));
        *self.errors.entry(key).or_default() += 1;
        if !is_fair {
            self.misleading += 1;
            self.examples.push(error.to_string());
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  misleading {}, unreadable {}, reopened {}, gave up {}",
            self.misleading, self.unreadable, self.reopened, self.gave_up
        )?;
        self.errors
            .iter()
            .try_for_each(|(error, times)| write!(f, "\n  {times:>5} {error}"))
    }
}

/// The name of an error, and whether it is a fair one for a failing disk.
fn kind(error: &LogError) -> (&'static str, bool) {
    match error {
        LogError::Full { .. } => ("Full", true),
        LogError::Unconfirmed { .. } => ("Unconfirmed", true),
        LogError::Storage { .. } => ("Storage", true),
        LogError::CannotOpen { .. } => ("CannotOpen", true),
        LogError::Corrupt { .. } => ("Corrupt", false),
        LogError::Damaged { .. } => ("Damaged", false),
        LogError::Foreign { .. } => ("Foreign", false),
        LogError::NoWal { .. } => ("NoWal", false),
        LogError::ReadOnly { .. } => ("ReadOnly", false),
        LogError::Busy { .. } => ("Busy", false),
        LogError::Conflict { .. } => ("Conflict", false),
        LogError::IdConflict { .. } => ("IdConflict", false),
        _ => ("other", false),
    }
}

/// Does all that the workload says. What fails is tried again. Returns what a power loss at the
/// end, before the log is closed, would leave.
pub fn insist(mounted: &Mounted, workload: &Workload, manner: Manner, report: &mut Report) -> Disk {
    let mut program = Program {
        mounted,
        workload,
        manner,
        log: None,
        acked: 0,
        report,
    };
    for step in &workload.steps {
        match step {
            Step::Append(batch) => program.append(batch),
            Step::Checkpoint(kind) => checkpoint(mounted, kind),
            // It insists on all of them alike.
            Step::Durability(_) => {}
            Step::Reopen => program.log = None,
        }
    }
    mounted.disk().after_power_loss(0, &mut Rng::new(0))
}

/// A program that doesn't give up easily.
struct Program<'a> {
    mounted: &'a Mounted,
    workload: &'a Workload,
    manner: Manner,
    /// Opened when it is needed.
    log: Option<SqliteLog>,
    acked: u64,
    report: &'a mut Report,
}

impl Program<'_> {
    fn append(&mut self, batch: &Batch) {
        for attempt in 0..TRIES {
            if attempt == ROOM {
                self.mounted.disk().heal();
            }
            if attempt == LAST_RESORT || (attempt == 1 && self.manner == Manner::Restarting) {
                self.log = None;
            }
            match self.try_append(batch) {
                Ok(()) => {
                    self.acked = batch.last_seq;
                    self.report.reopened += u64::from(attempt >= LAST_RESORT);
                    return;
                }
                Err(error) => {
                    self.report.error(&error);
                    self.look();
                }
            }
        }
        self.report.gave_up += 1;
    }

    fn try_append(&mut self, batch: &Batch) -> Result<(), LogError> {
        let mut log = match self.log.take() {
            Some(log) => log,
            None => SqliteLog::open_with(self.mounted.path(), self.workload.durability)?,
        };
        let outcome = log.append(&batch.session, batch.expected, &batch.events);
        self.log = Some(log);
        outcome.map(drop)
    }

    /// After an error the connection, if there is one, must give out what was acknowledged.
    fn look(&mut self) {
        let Some(log) = &self.log else { return };
        let stored = &self.workload.stored;
        let trouble = match contents(log) {
            Ok(events) if !stored.starts_with(&events) => "not what was written".to_owned(),
            Ok(events) if (events.len() as u64) < self.acked => {
                format!("{} of {}", events.len(), self.acked)
            }
            Ok(_) => return,
            Err(error) => error.to_string(),
        };
        self.report.unreadable += 1;
        self.report
            .examples
            .push(format!("read after an error: {trouble}"));
    }
}

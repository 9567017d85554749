//! What must hold for a log, whatever became of its disk.

use std::fmt;
use std::ops::ControlFlow;

use hud_store::event::StoredEvent;
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Durability, SqliteLog};
use rusqlite::{Connection, OpenFlags};

use crate::{Disk, Mounted, Rng, Tally, Workload};

/// All events of a log in order.
///
/// # Errors
/// As [`Log::read`].
pub fn contents(log: &dyn Log) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    for info in log.sessions()? {
        log.read(&info.id, 1, &mut |event| {
            events.push(event);
            ControlFlow::Continue(())
        })?;
    }
    events.sort_by_key(|event| event.seq);
    Ok(events)
}

/// What is wrong with a log.
#[derive(Debug)]
enum Flaw {
    Unopenable(LogError),
    Corrupt(String),
    Gap(usize),
    Torn(u64),
    Lost(u64),
    Stuck(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unopenable(error) => write!(f, "doesn't open: {error}"),
            Self::Corrupt(error) => write!(f, "is corrupt: {error}"),
            Self::Gap(events) => write!(f, "its {events} events are not the first ones"),
            Self::Torn(events) => write!(f, "ends amid a batch, after {events} events"),
            Self::Lost(events) => write!(f, "lost {events} acknowledged events"),
            Self::Stuck(error) => write!(f, "doesn't go on: {error}"),
        }
    }
}

impl Flaw {
    fn count(&self, tally: &mut Tally) {
        match self {
            Self::Unopenable(_) => tally.unopenable += 1,
            Self::Corrupt(_) => tally.corrupt += 1,
            Self::Gap(_) => tally.gaps += 1,
            Self::Torn(_) => tally.torn += 1,
            Self::Lost(events) => {
                tally.losing += 1;
                tally.most_lost = tally.most_lost.max(*events);
            }
            Self::Stuck(_) => tally.stuck += 1,
        }
    }
}

/// Counts what is wrong with the log on a disk of which `acked` events were acknowledged. The
/// name distinguishes the disk from others in a description.
///
/// All is tried that a program would do: open, read, append what is missing, close. Then power
/// fails again.
pub fn examine(disk: &Disk, workload: &Workload, acked: u64, name: &str, tally: &mut Tally) {
    tally.states += 1;
    let mut flaws = Vec::new();
    if let Err(flaw) = look(disk, workload, acked, &mut flaws) {
        flaws.push(flaw);
    }
    for flaw in flaws {
        flaw.count(tally);
        if matches!(flaw, Flaw::Lost(_)) && workload.durability == Durability::Fast {
            continue;
        }
        tally.describe(|| format!("{name}: {flaw}"));
    }
}

/// Looks for flaws; returns one after which there is no point in looking further.
fn look(disk: &Disk, workload: &Workload, acked: u64, flaws: &mut Vec<Flaw>) -> Result<(), Flaw> {
    let mounted = Mounted::new(disk.clone());
    let mut log =
        SqliteLog::open_with(mounted.path(), workload.durability).map_err(Flaw::Unopenable)?;
    let events = contents(&log).map_err(|e| Flaw::Corrupt(e.to_string()))?;
    integrity(&mounted).map_err(Flaw::Corrupt)?;
    if !workload.stored.starts_with(&events) {
        return Err(Flaw::Gap(events.len()));
    }
    let count = events.len() as u64;
    if count != 0 && workload.batches().all(|batch| batch.last_seq != count) {
        flaws.push(Flaw::Torn(count));
    }
    if count < acked {
        flaws.push(Flaw::Lost(acked - count));
    }
    repeat(&mut log, workload, count).map_err(Flaw::Stuck)?;
    drop(log);
    stays(disk, workload).map_err(Flaw::Stuck)
}

/// Asks SQLite whether the file is sound, its indices too.
fn integrity(mounted: &Mounted) -> Result<(), String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let answer = Connection::open_with_flags(mounted.path(), flags)
        .and_then(|conn| conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)));
    match answer {
        Ok(answer) if answer == "ok" => Ok(()),
        Ok(answer) => Err(answer),
        Err(error) => Err(error.to_string()),
    }
}

/// Appends all batches again: as many events as there were are duplicates.
fn repeat(log: &mut SqliteLog, workload: &Workload, before: u64) -> Result<(), String> {
    let mut duplicates = 0;
    for batch in workload.batches() {
        let appended = log
            .append(&batch.session, batch.expected, &batch.events)
            .map_err(|e| e.to_string())?;
        duplicates += appended.duplicates;
        if appended.last_seq != batch.last_seq {
            return Err(format!(
                "{} in place of {}",
                appended.last_seq, batch.last_seq
            ));
        }
    }
    if duplicates != before {
        return Err(format!("{duplicates} duplicates of {before} events"));
    }
    Ok(())
}

/// The log was closed with all events in it. It has them, and keeps them when power fails.
fn stays(disk: &Disk, workload: &Workload) -> Result<(), String> {
    let left = disk.after_power_loss(0, &mut Rng::new(0));
    for disk in [disk.clone(), left] {
        let mounted = Mounted::new(disk);
        let events = SqliteLog::open_with(mounted.path(), workload.durability)
            .and_then(|log| contents(&log))
            .map_err(|e| e.to_string())?;
        if events != workload.stored {
            return Err(format!("has {} events", events.len()));
        }
    }
    Ok(())
}

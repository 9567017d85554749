//! Waiting for a lock that others hold.
//!
//! SQLite's own timeout is not enough: its lock is not fair, and some steps (the switch to WAL)
//! don't wait at all. Users of other tools lost work to exactly that, so we go on asking.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::SqliteLog;
use super::fault::Fault;
use crate::event::EventId;
use crate::log::LogError;

/// How long SQLite waits by itself at most.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long we wait in all, unless a log is opened with another patience.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Has a connection wait by itself, but never longer than we wait in all.
pub(super) fn wait_by_itself(conn: &Connection, patience: Duration) -> rusqlite::Result<()> {
    conn.busy_timeout(patience.min(TIMEOUT))
}

/// Repeats an attempt while it finds the file at `path` locked.
pub(super) fn retry<T>(
    path: &Path,
    patience: Duration,
    mut attempt: impl FnMut() -> Result<T, Fault>,
) -> Result<T, LogError> {
    let start = Instant::now();
    loop {
        match attempt().map_err(|fault| fault.at(path)) {
            Err(LogError::Busy { .. }) if start.elapsed() < patience => thread::sleep(jitter()),
            outcome => return outcome,
        }
    }
}

/// Begins a transaction that has the write lock.
///
/// A deferred one that reads first and then writes fails at once when another writer came in
/// between, however long the timeout.
pub(super) fn begin_immediate(log: &SqliteLog) -> Result<Transaction<'_>, LogError> {
    begin(&log.conn, &log.path, log.patience.get())
}

/// The same, for a connection that is not a log yet.
pub(super) fn begin<'a>(
    conn: &'a Connection,
    path: &Path,
    patience: Duration,
) -> Result<Transaction<'a>, LogError> {
    retry(path, patience, || {
        Ok(Transaction::new_unchecked(
            conn,
            TransactionBehavior::Immediate,
        )?)
    })
}

/// 1 to 8 ms, so that those who wait don't come back all at once. The low bits of a fresh UUID
/// are random.
fn jitter() -> Duration {
    let random = EventId::now_v7().as_uuid().as_u64_pair().1;
    Duration::from_millis(1 + random % 8)
}

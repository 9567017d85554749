//! Waiting for a lock that others hold.
//!
//! SQLite's own timeout is not enough. Its lock is not fair, and some steps (such as the switch to WAL) don't wait at
//! all. Users of other tools lost work to this, so we retry.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::SqliteLog;
use super::fault::Fault;
use crate::event::EventId;
use crate::log::LogError;

/// The maximum time that SQLite itself waits.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The default total time to wait for a lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Sets SQLite's own timeout, which is at most `patience`.
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

/// Begins a transaction with the write lock.
///
/// A deferred transaction that reads first and writes later fails at once if another writer came in between, whatever
/// the timeout.
pub(super) fn begin_immediate(log: &SqliteLog) -> Result<Transaction<'_>, LogError> {
    begin(&log.conn, &log.path, log.patience.get())
}

/// Begins such a transaction on a connection that is not a log yet.
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

/// A random 1 to 8 ms, so that waiting processes don't retry all at once. The low bits of a new UUID are random.
fn jitter() -> Duration {
    let random = EventId::now_v7().as_uuid().as_u64_pair().1;
    Duration::from_millis(1 + random % 8)
}

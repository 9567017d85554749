//! What a server is set to and how it is doing, to be judged by whoever operates it.

use std::time::Duration;

use hud_store::log::LogError;
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::PgLog;
use crate::query::Query;
use crate::schema::SCHEMA;
use crate::server::Server;

/// What a server says of itself and of a log on it, to whoever may read that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkup {
    /// Its version, as it says it.
    pub version: String,
    /// The first number of its version.
    pub major: u32,
    /// The schema of the log.
    pub schema: u32,
    /// The schema that this program writes.
    pub supported: u32,
    /// How many events the log has.
    pub events: u64,
    /// Its settings without which a crash loses what was acknowledged, or the whole log, that are off.
    pub unsafe_settings: Vec<String>,
    /// For which standbys a commit waits: its setting `synchronous_standby_names`, empty where for none.
    pub waits_for: String,
    /// The standbys that are connected.
    pub standbys: Vec<Standby>,
    /// By how much its clock is ahead of ours, in milliseconds.
    pub clock_ahead: i64,
    /// By how much that can be wrong: half of the way there and back, in milliseconds.
    pub clock_doubt: u64,
    /// The indices of the log that are not used, since making them was broken off.
    pub invalid_indices: Vec<String>,
    /// Whether the trigger that refuses changes of events is on.
    pub is_guarded: bool,
    /// How many connections wait for a lock.
    pub waiting: u64,
    /// How long the oldest transaction has run, of those that the user may see.
    pub oldest_transaction: Duration,
}

/// A server that takes over what another one writes. What its user may not see is `None`: members of `pg_monitor`
/// see all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standby {
    /// What it calls itself.
    pub name: Option<String>,
    /// Whether commits count on it now.
    pub is_synchronous: Option<bool>,
    /// How much of what was written it has not on disk, in bytes.
    pub behind: Option<u64>,
    /// How long it took until it had the newest of what it has on disk.
    pub lag: Option<Duration>,
}

impl PgLog {
    /// Asks the server what it is set to and how it is doing.
    ///
    /// # Errors
    /// What the server reports.
    pub fn checkup(&self) -> Result<Checkup, LogError> {
        self.link.call(async |server: &mut Server| {
            let standbys = server.read(Query::Standbys, &[]).await?;
            // The statement is prepared before the way there and back counts.
            server.read(Query::Checkup, &[]).await?;
            let asked = Timestamp::now();
            let rows = server.read(Query::Checkup, &[]).await?;
            let answered = Timestamp::now();
            let found = rows.first().map(|row| {
                let standbys = standbys.iter().map(standby).collect::<Result<_, _>>()?;
                checkup(row, standbys, asked, answered)
            });
            let storage = |source| LogError::Storage {
                place: server.place(),
                source,
            };
            match found {
                Some(found) => found.map_err(|error: tokio_postgres::Error| storage(error.into())),
                None => Err(storage("it said nothing of itself".into())),
            }
        })
    }
}

fn checkup(
    row: &Row,
    standbys: Vec<Standby>,
    asked: Timestamp,
    answered: Timestamp,
) -> Result<Checkup, tokio_postgres::Error> {
    let unsigned = |column| -> Result<u64, tokio_postgres::Error> {
        Ok(row.try_get::<_, i64>(column)?.unsigned_abs())
    };
    let (asked, answered) = (asked.as_microsecond(), answered.as_microsecond());
    let way = answered.saturating_sub(asked);
    let there: i64 = row.try_get(4)?;
    let major: i32 = row.try_get(1)?;
    let schema: i32 = row.try_get(2)?;
    Ok(Checkup {
        version: row.try_get(0)?,
        major: major.unsigned_abs() / 10_000,
        schema: schema.unsigned_abs(),
        supported: SCHEMA,
        events: unsigned(3)?,
        unsafe_settings: row.try_get(5)?,
        waits_for: row.try_get(6)?,
        standbys,
        clock_ahead: there.saturating_sub(asked + way / 2) / 1000,
        clock_doubt: way.unsigned_abs() / 2000,
        invalid_indices: row.try_get(7)?,
        is_guarded: row.try_get(8)?,
        waiting: unsigned(9)?,
        oldest_transaction: Duration::from_secs(unsigned(10)?),
    })
}

fn standby(row: &Row) -> Result<Standby, tokio_postgres::Error> {
    let unsigned = |column| -> Result<Option<u64>, tokio_postgres::Error> {
        let found: Option<i64> = row.try_get(column)?;
        // The newest may have come while it was looked at.
        Ok(found.map(|number| u64::try_from(number).unwrap_or(0)))
    };
    Ok(Standby {
        name: row.try_get(0)?,
        is_synchronous: row.try_get(1)?,
        behind: unsigned(2)?,
        lag: unsigned(3)?.map(Duration::from_micros),
    })
}

//! The settings and the health of a server, for its operators.

use std::time::Duration;

use hud_store::log::LogError;
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::PgLog;
use crate::query::Query;
use crate::schema::SCHEMA;
use crate::server::Server;

/// The settings and the health of a server and of a log on it, for users with the right to read them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkup {
    /// The version that the server reports.
    pub version: String,
    /// The major version.
    pub major: u32,
    /// The schema of the log.
    pub schema: u32,
    /// The schema that this program writes.
    pub supported: u32,
    /// The number of events in the log.
    pub events: u64,
    /// The settings that are off although a crash can then lose acknowledged events or the whole log.
    pub unsafe_settings: Vec<String>,
    /// The standbys for which a commit waits: its setting `synchronous_standby_names`, empty for none.
    pub waits_for: String,
    /// The standbys that are connected.
    pub standbys: Vec<Standby>,
    /// The number of milliseconds by which its clock is ahead of ours.
    pub clock_ahead: i64,
    /// The possible error of `clock_ahead`: half of the round trip, in milliseconds.
    pub clock_doubt: u64,
    /// The indices of the log that are not used, because their creation was interrupted.
    pub invalid_indices: Vec<String>,
    /// True if the trigger that refuses changes of events is on.
    pub is_guarded: bool,
    /// The number of connections that wait for a lock.
    pub waiting: u64,
    /// The duration of the oldest transaction that the user may see.
    pub oldest_transaction: Duration,
}

/// A server that replicates another one. Fields that the user may not see are `None`. Members of `pg_monitor` see
/// all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standby {
    /// The name that it reports.
    pub name: Option<String>,
    /// True if commits wait for it now.
    pub is_synchronous: Option<bool>,
    /// The number of written bytes that it does not have on disk yet.
    pub behind: Option<u64>,
    /// The delay until it had the newest of its data on disk.
    pub lag: Option<Duration>,
}

impl PgLog {
    /// Reads the settings and the health of the server.
    ///
    /// # Errors
    /// The errors of the server.
    pub fn checkup(&self) -> Result<Checkup, LogError> {
        self.link.call(async |server: &mut Server| {
            let standbys = server.read(Query::Standbys, &[]).await?;
            // The first query prepares the statement, so that it does not count in the round trip.
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
        // The standby may have received newer data during the query.
        Ok(found.map(|number| u64::try_from(number).unwrap_or(0)))
    };
    Ok(Standby {
        name: row.try_get(0)?,
        is_synchronous: row.try_get(1)?,
        behind: unsigned(2)?,
        lag: unsigned(3)?.map(Duration::from_micros),
    })
}

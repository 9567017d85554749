//! How a server is doing, as far as anybody who reads the log may know.

use hud_store::log::LogError;
use jiff::Timestamp;

use crate::PgLog;
use crate::query::Query;
use crate::server::Server;

/// How a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Its version, as it says it.
    pub version: String,
    /// Whether a commit waits for another machine: `synchronous_standby_names` is set. Without it, what is
    /// acknowledged is on one machine.
    pub waits_for_standby: bool,
    /// By how many milliseconds its clock is ahead of ours; the way there and back is in it.
    pub clock_ahead: i64,
    /// How many connections wait for a lock at the moment: usually for that of a log.
    pub waiting: u64,
}

impl PgLog {
    /// How the server is doing.
    ///
    /// # Errors
    /// What the server reports.
    pub fn health(&self) -> Result<Health, LogError> {
        self.link.call(async |server: &mut Server| {
            let rows = server.read(Query::Health, &[]).await?;
            let now = Timestamp::now().as_microsecond();
            let found = rows.first().map(|row| {
                let (there, waiting): (i64, i64) = (row.try_get(2)?, row.try_get(3)?);
                Ok(Health {
                    version: row.try_get(0)?,
                    waits_for_standby: row.try_get(1)?,
                    clock_ahead: there.saturating_sub(now) / 1000,
                    waiting: waiting.unsigned_abs(),
                })
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

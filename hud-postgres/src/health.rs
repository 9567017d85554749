//! The health of a server, as far as every reader of the log may see it.

use hud_store::log::LogError;
use jiff::Timestamp;

use crate::PgLog;
use crate::query::Query;
use crate::server::Server;

/// The health of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The version that the server reports.
    pub version: String,
    /// True if a commit waits for another machine, because `synchronous_standby_names` is set. Otherwise acknowledged
    /// events are on one machine only.
    pub waits_for_standby: bool,
    /// The number of milliseconds by which its clock is ahead of ours, including the delay of the answer.
    pub clock_ahead: i64,
    /// The number of connections that wait for a lock now, usually for that of a log.
    pub waiting: u64,
}

impl PgLog {
    /// Reads the health of the server.
    ///
    /// # Errors
    /// The errors of the server.
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

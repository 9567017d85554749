//! Waiting for new events.
//!
//! A writer notifies a channel of the server after its commit, and a follower that receives the notification reads at
//! once. A notification is only a hint, because a pooler or a lost connection may lose it. So a follower also polls.

use std::ops::ControlFlow;
use std::time::Duration;

use hud_store::event::StoredEvent;
use hud_store::log::follow::Followed;
use hud_store::log::{Follow, LogError};

use crate::PgLog;
use crate::query::Query;
use crate::server::Server;

/// The polling interval, and the interval at which `idle` is called. It is the maximum delay until an event without a
/// notification is seen. A poll reads one row.
const INTERVAL: Duration = Duration::from_millis(100);

/// The number of polls without a new event after which polling becomes rarer.
const BUSY: u32 = 100;

/// The number of intervals between two polls from then on.
const RARE: u32 = 10;

impl Follow for PgLog {
    fn follow_on(
        &self,
        what: Followed<'_>,
        mut from: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let news = self.link.news();
        loop {
            // The count is read before the events, so that a change during the read is seen the next time.
            let mut heard = news.count();
            let seen = self.head()?;
            if what.read_on(self, &mut from, each)?.is_break() {
                return Ok(());
            }
            let mut waited = 0_u32;
            loop {
                if idle().is_break() {
                    return Ok(());
                }
                let count = news.wait(heard, INTERVAL);
                waited = waited.saturating_add(1);
                let is_due = count != heard || waited <= BUSY || waited.is_multiple_of(RARE);
                heard = count;
                if is_due && self.head()? != seen {
                    break;
                }
            }
        }
    }
}

impl PgLog {
    /// The seq of the newest event. The connection is notified of later ones.
    fn head(&self) -> Result<i64, LogError> {
        self.link.call(async |server: &mut Server| {
            server.listen().await?;
            let rows = server.read(Query::Head, &[]).await?;
            Ok(rows
                .first()
                .and_then(|row| row.try_get(0).ok())
                .unwrap_or(0))
        })
    }
}

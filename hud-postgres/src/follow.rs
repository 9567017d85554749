//! Waiting for what others append.
//!
//! Who appends says so on a channel of the server after the commit, and a follower that hears it looks at once. It
//! is a hint, which a pooler or a lost connection may swallow: a follower looks by itself, too.

use std::ops::ControlFlow;
use std::time::Duration;

use hud_store::event::StoredEvent;
use hud_store::log::follow::Followed;
use hud_store::log::{Follow, LogError};

use crate::PgLog;
use crate::query::Query;
use crate::server::Server;

/// How long it takes at most until somebody else's event is seen that was not told of, and how often a follower is
/// asked whether to go on. Looking is a read of one row.
const INTERVAL: Duration = Duration::from_millis(100);

/// After how many looks in vain they become rarer.
const BUSY: u32 = 100;

/// How many intervals there are between two looks then.
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
            // Asked for before reading: what comes while we read is read the next time.
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
    /// The place of the newest event. The connection is told of those behind it.
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

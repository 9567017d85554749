//! A log in memory that several threads use.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::MemoryLog;
use crate::event::{ContentHash, EventRedact, NewEvent, SessionId, StoredEvent};
use crate::jsonl::Line;
use crate::log::follow::Followed;
use crate::log::{
    AppendMany, Appended, Batch, EventName, Expected, Follow, Hit, Listing, Log, LogError, Query,
    Redact, Redacted, Search, SessionInfo,
};
use crate::section::Sections;

/// The number of events that are read in one go. The lock is not held while the caller handles them.
const PAGE: usize = 256;

/// The time that a follower waits before it calls `idle` again.
const INTERVAL: Duration = Duration::from_millis(20);

/// A [`MemoryLog`] that several threads read and write, each through its own handle.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Expected, Follow, Log};
/// use hud_store::memory::{MemoryLog, SharedLog};
///
/// let log = SharedLog::from(MemoryLog::new());
/// let (session, mut writer) = (SessionId::new("s")?, log.clone());
/// std::thread::spawn(move || {
///     let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
///     writer.append(&SessionId::new("s").unwrap(), Expected::Any, &[NewEvent::now(1, Actor::Agent, note)])
/// });
/// let mut each = |_| ControlFlow::Break(());
/// log.follow(&session, 1, &mut each, &mut || ControlFlow::Continue(()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SharedLog {
    shared: Arc<Shared>,
    sections: Sections,
}

#[derive(Debug)]
struct Shared {
    log: Mutex<MemoryLog>,
    /// Notified when something was appended.
    news: Condvar,
}

impl From<MemoryLog> for SharedLog {
    fn from(log: MemoryLog) -> Self {
        Self {
            sections: log.sections.clone(),
            shared: Arc::new(Shared {
                log: Mutex::new(log),
                news: Condvar::new(),
            }),
        }
    }
}

impl SharedLog {
    fn log(&self) -> MutexGuard<'_, MemoryLog> {
        // A poisoned lock is safe to use, because an append adds nothing before it has checked everything.
        self.shared
            .log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the log, and wakes its followers.
    fn change<T>(&self, change: impl FnOnce(&mut MemoryLog) -> T) -> T {
        let outcome = change(&mut self.log());
        self.shared.news.notify_all();
        outcome
    }

    /// Passes the items to `each` page by page. The log is not locked meanwhile, so `each` may use it.
    fn paged<T>(
        &self,
        mut from: u64,
        read: impl Fn(&MemoryLog, u64, &mut dyn FnMut(T) -> ControlFlow<()>) -> Result<(), LogError>,
        place: impl Fn(&T) -> u64,
        each: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        loop {
            let mut page = Vec::new();
            let outcome = read(&self.log(), from, &mut |item| {
                page.push(item);
                match page.len() < PAGE {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            let is_last = page.len() < PAGE;
            for item in page {
                from = place(&item).saturating_add(1);
                if each(item).is_break() {
                    return Ok(());
                }
            }
            outcome?;
            if is_last {
                return Ok(());
            }
        }
    }
}

impl Log for SharedLog {
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError> {
        self.change(|log| log.append(session, expected, events))
    }

    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.paged(
            from_version,
            |log, from, give| log.read(session, from, give),
            |event: &StoredEvent| event.version,
            each,
        )
    }

    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.paged(
            from_seq,
            MemoryLog::read_all,
            |event: &StoredEvent| event.seq,
            each,
        )
    }

    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
        self.log().list(listing)
    }

    fn lines(
        &self,
        session: Option<&SessionId>,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut lines = Vec::new();
        self.log().lines(session, &mut |line| {
            lines.push(line);
            ControlFlow::Continue(())
        })?;
        // The data is in memory already, and is held twice for a moment.
        let _ = lines.into_iter().try_for_each(each);
        Ok(())
    }

    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        self.log().content(hash)
    }

    fn sections(&self) -> &Sections {
        &self.sections
    }
}

impl AppendMany for SharedLog {
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError> {
        self.change(|log| log.append_many(batches))
    }
}

impl Search for SharedLog {
    fn search(&self, query: &Query) -> Result<Vec<Hit>, LogError> {
        self.log().search(query)
    }
}

impl Redact for SharedLog {
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError> {
        self.change(|log| log.redact(event, reason, by))
    }
}

impl Follow for SharedLog {
    fn follow_on(
        &self,
        what: Followed<'_>,
        mut from: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        loop {
            let seen = self.log().rows.len();
            if what.read_on(self, &mut from, each)?.is_break() || idle().is_break() {
                return Ok(());
            }
            let log = self.log();
            if log.rows.len() == seen {
                drop(self.shared.news.wait_timeout(log, INTERVAL));
            }
        }
    }
}

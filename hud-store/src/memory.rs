//! A log in memory, for tests and for previews that shall leave no trace.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::event::{EventId, NewEvent, SessionId, StoredEvent};
use crate::jsonl::Line;
use crate::log::{Appended, Expected, Log, LogError, Record, SessionInfo, project};

/// A log that is gone with the process.
///
/// It stores what the log in a file stores, in the same form: events come back from either the
/// same.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    /// The event of seq n is at n - 1.
    entries: Vec<Entry>,
    by_id: HashMap<EventId, usize>,
    /// For each session its entries, in order.
    by_session: HashMap<SessionId, Vec<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    session: SessionId,
    record: Record,
}

impl MemoryLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    fn of_session(&self, session: &SessionId) -> &[usize] {
        self.by_session.get(session).map_or(&[], Vec::as_slice)
    }

    fn event(&self, at: usize, version: u64) -> Result<StoredEvent, LogError> {
        let (entry, seq) = (&self.entries[at], place(at));
        let decoded = entry.record.clone().decode(seq, &entry.session, version);
        decoded.map_err(|reason| corrupt(seq, reason))
    }
}

impl Log for MemoryLog {
    fn append(
        &mut self,
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
    ) -> Result<Appended, LogError> {
        let found = place(self.of_session(session).len()) - 1;
        if events.is_empty() {
            expected.check(session, found)?;
        }
        let mut appended = Appended::default();
        // Nothing is entered before the last event was accepted.
        let mut fresh: Vec<Entry> = Vec::new();
        let mut fresh_ids = HashMap::new();
        for event in events {
            let entry = Entry {
                session: session.clone(),
                record: Record::encode(event)?,
            };
            let known = self.by_id.get(&event.id).or(fresh_ids.get(&event.id));
            let at = known.copied().unwrap_or(self.entries.len() + fresh.len());
            let seq = place(at);
            if known.is_none() {
                if fresh.is_empty() {
                    expected.check(session, found)?;
                }
                fresh_ids.insert(event.id, at);
                fresh.push(entry);
            } else if self.entries.iter().chain(&fresh).nth(at) == Some(&entry) {
                appended.duplicates += 1;
            } else {
                return Err(LogError::IdConflict { id: event.id, seq });
            }
            appended.count(seq);
        }
        let first = self.entries.len();
        self.entries.append(&mut fresh);
        self.by_id.extend(fresh_ids);
        let own = self.by_session.entry(session.clone()).or_default();
        own.extend(first..self.entries.len());
        appended.version = place(own.len()) - 1;
        Ok(appended)
    }

    fn read(
        &self,
        session: &SessionId,
        from_version: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        for (&at, version) in self.of_session(session).iter().zip(1..) {
            if version >= from_version && each(self.event(at, version)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_all(
        &self,
        from_seq: u64,
        each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut versions: HashMap<&SessionId, u64> = HashMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let version = versions.entry(&entry.session).or_default();
            *version += 1;
            if place(at) >= from_seq && each(self.event(at, *version)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn lines(
        &self,
        session: Option<&SessionId>,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        let mut versions: HashMap<&SessionId, u64> = HashMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let version = versions.entry(&entry.session).or_default();
            *version += 1;
            if session.is_some_and(|session| *session != entry.session) {
                continue;
            }
            let line = entry
                .record
                .clone()
                .line(place(at), &entry.session, *version);
            let line = line.map_err(|reason| corrupt(place(at), reason))?;
            if each(line).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn sessions(&self) -> Result<Vec<SessionInfo>, LogError> {
        let mut own: Vec<_> = self.by_session.values().filter(|o| !o.is_empty()).collect();
        own.sort_unstable();
        own.into_iter()
            .map(|own| {
                let (first, last) = (self.event(own[0], 1)?, own.len() - 1);
                let origin = project(self, &first.session)?.origin;
                Ok(SessionInfo {
                    origin: origin.unwrap_or_default(),
                    id: first.session,
                    events: place(last),
                    first_at: first.at,
                    last_at: self.event(own[last], place(last))?.at,
                })
            })
            .collect()
    }
}

fn corrupt(seq: u64, reason: String) -> LogError {
    LogError::Corrupt {
        path: PathBuf::from(":memory:"),
        seq,
        reason,
    }
}

/// The seq or version of what is at an index: they count from 1.
fn place(index: usize) -> u64 {
    index as u64 + 1
}

//! A log in memory, for tests and for previews that are to leave no trace.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::event::{ContentHash, EventId, NewEvent, SessionId, StoredEvent};
use crate::jsonl::Line;
use crate::log::record::{DELETE, Record};
use crate::log::{Appended, Expected, Log, LogError, Place, SessionInfo, state_of};
use crate::section::Sections;

/// A log that is gone with the process.
///
/// It stores what the log in a file stores, in the same form: events come back from either the
/// same.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    /// The event of seq n is at n - 1.
    rows: Vec<Row>,
    by_id: HashMap<EventId, usize>,
    /// For each session its rows, in order.
    by_session: HashMap<SessionId, Vec<usize>>,
    /// What events name by its hash.
    contents: HashMap<ContentHash, String>,
    sections: Sections,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    session: SessionId,
    record: Record,
}

impl MemoryLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// The log with those sections.
    #[must_use]
    pub fn with_sections(self, sections: Sections) -> Self {
        Self { sections, ..self }
    }

    fn of_session(&self, session: &SessionId) -> &[usize] {
        self.by_session.get(session).map_or(&[], Vec::as_slice)
    }

    fn event(&self, at: usize, version: u64) -> Result<StoredEvent, LogError> {
        let (row, seq) = (&self.rows[at], place(at));
        let decoded = row.record.clone().decode(seq, &row.session, version);
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
        let mut fresh: Vec<Row> = Vec::new();
        let mut fresh_ids = HashMap::new();
        for event in events {
            let row = Row {
                session: session.clone(),
                record: Record::encode(event, &self.sections)?,
            };
            let known = self.by_id.get(&event.id).or(fresh_ids.get(&event.id));
            let at = known.copied().unwrap_or(self.rows.len() + fresh.len());
            let seq = place(at);
            if known.is_none() {
                if fresh.is_empty() {
                    expected.check(session, found)?;
                }
                fresh_ids.insert(event.id, at);
                fresh.push(row);
            } else if self.rows.iter().chain(&fresh).nth(at) == Some(&row) {
                appended.duplicates += 1;
            } else {
                return Err(LogError::IdConflict { id: event.id, seq });
            }
            appended.count(seq);
        }
        for row in &mut fresh {
            let content = row.record.content.take();
            if let Some((hash, text)) =
                content.and_then(|content| Some((content.hash, content.text()?.to_owned())))
            {
                self.contents.insert(hash, text);
            }
        }
        let first = self.rows.len();
        self.rows.append(&mut fresh);
        self.by_id.extend(fresh_ids);
        let own = self.by_session.entry(session.clone()).or_default();
        own.extend(first..self.rows.len());
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
        for (at, row) in self.rows.iter().enumerate() {
            let version = versions.entry(&row.session).or_default();
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
        for (at, row) in self.rows.iter().enumerate() {
            let version = versions.entry(&row.session).or_default();
            *version += 1;
            if session.is_some_and(|session| *session != row.session) {
                continue;
            }
            let line = row.record.clone().line(place(at), &row.session, *version);
            let mut line = line.map_err(|reason| corrupt(place(at), reason))?;
            let event = self.event(at, *version)?.event;
            line.content = event
                .content()
                .and_then(|content| self.contents.get(&content.hash).cloned());
            if each(line).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        Ok(self.contents.get(hash).cloned())
    }

    fn sections(&self) -> &Sections {
        &self.sections
    }

    fn sessions(&self) -> Result<Vec<SessionInfo>, LogError> {
        let mut own: Vec<_> = self.by_session.values().filter(|o| !o.is_empty()).collect();
        own.sort_unstable();
        let is_deleted = |own: &&Vec<usize>| {
            let last = own.last().and_then(|at| self.rows.get(*at));
            last.is_some_and(|row| row.record.kind == DELETE)
        };
        own.into_iter()
            .filter(|own| !is_deleted(own))
            .map(|own| {
                let (first, last) = (self.event(own[0], 1)?, own.len() - 1);
                let origin = state_of(self, &first.session)?.origin;
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
        place: Place::memory(),
        seq,
        reason,
    }
}

/// The seq or version of what is at an index: they count from 1.
fn place(index: usize) -> u64 {
    index as u64 + 1
}

//! A log in memory, for tests and for previews that must not leave a trace.

mod shared;

pub use shared::SharedLog;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::event::{ContentHash, EventId, EventRedact, NewEvent, SessionId, StoredEvent};
use crate::jsonl::Line;
use crate::log::record::{DELETE, Record};
use crate::log::redact::{Texts, stand_in};
use crate::log::search::indexable;
use crate::log::{
    AppendMany, Appended, Batch, EventName, Expected, Hit, Listing, Log, LogError, Place, Query,
    Redact, Redacted, Search, SessionInfo, state_of,
};
use crate::section::Sections;

/// A log that ends with the process.
///
/// It stores events in the same form as the log in a file, so events read from either are the same.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    /// The event of seq n is at n - 1.
    rows: Vec<Row>,
    by_id: HashMap<EventId, usize>,
    /// The indices of each session's rows, in order.
    by_session: HashMap<SessionId, Vec<usize>>,
    /// The texts that events name by their hash.
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

    fn append_records(
        &mut self,
        session: &SessionId,
        expected: Expected,
        records: impl ExactSizeIterator<Item = Result<Record, LogError>>,
    ) -> Result<Appended, LogError> {
        let found = place(self.of_session(session).len()) - 1;
        if records.len() == 0 {
            expected.check(session, found)?;
        }
        let mut appended = Appended::default();
        // No row is added before the last event was accepted.
        let mut fresh: Vec<Row> = Vec::new();
        let mut fresh_ids = HashMap::new();
        for record in records {
            let row = Row {
                session: session.clone(),
                record: record?,
            };
            let id = row.record.id;
            let known = self.by_id.get(&id).or(fresh_ids.get(&id));
            let at = known.copied().unwrap_or(self.rows.len() + fresh.len());
            let seq = place(at);
            if known.is_none() {
                if fresh.is_empty() {
                    expected.check(session, found)?;
                }
                fresh_ids.insert(id, at);
                fresh.push(row);
            } else if self.rows.iter().chain(&fresh).nth(at) == Some(&row) {
                appended.duplicates += 1;
            } else {
                return Err(LogError::IdConflict { id, seq });
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

    /// Removes all events after the first `count`.
    fn take_back(&mut self, count: usize) {
        self.rows.truncate(count);
        self.by_id.retain(|_, at| *at < count);
        for own in self.by_session.values_mut() {
            own.retain(|at| *at < count);
        }
        self.forget_contents();
    }

    /// Removes the contents that no event names any more.
    fn forget_contents(&mut self) {
        let named = |row: &Row| Some(row.record.named()?.hash);
        let named: HashSet<ContentHash> = self.rows.iter().filter_map(named).collect();
        self.contents.retain(|hash, _| named.contains(hash));
    }

    /// The index of the event of that name.
    fn find(&self, name: &EventName) -> Option<usize> {
        match name {
            EventName::Id(id) => self.by_id.get(id).copied(),
            EventName::Version(session, version) => {
                let index = usize::try_from(version.checked_sub(1)?).ok()?;
                self.of_session(session).get(index).copied()
            }
        }
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
        let sections = self.sections.clone();
        let records = events.iter().map(|event| Record::encode(event, &sections));
        self.append_records(session, expected, records)
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
            line.fill(|hash| self.content(hash))?;
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

    fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
        let mut own: Vec<_> = self.by_session.values().filter(|o| !o.is_empty()).collect();
        own.sort_unstable();
        let is_deleted = |own: &&Vec<usize>| {
            let last = own.last().and_then(|at| self.rows.get(*at));
            last.is_some_and(|row| row.record.kind == DELETE)
        };
        let all = own
            .into_iter()
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
            .collect::<Result<_, LogError>>()?;
        Ok(listing.of(all))
    }
}

impl AppendMany for MemoryLog {
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError> {
        let count = self.rows.len();
        let append = |batch: &Batch| {
            let records = batch.records.iter().cloned().map(Ok);
            self.append_records(&batch.session, batch.expected, records)
        };
        let outcome: Result<Vec<_>, _> = batches.iter().map(append).collect();
        if outcome.is_err() {
            self.take_back(count);
        }
        outcome
    }
}

impl Redact for MemoryLog {
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError> {
        let missing = || LogError::NoEvent {
            place: Place::memory(),
            event: event.to_string(),
        };
        let at = self.find(event).ok_or_else(missing)?;
        let row = self.rows.get(at).ok_or_else(missing)?.clone();
        let Some(stand_in) = stand_in(&row.record) else {
            return Ok(Redacted::default());
        };
        let own = self.of_session(&row.session);
        let version = own.iter().position(|own| *own == at).map(place);
        let mut texts = Texts::of(&row.record);
        let named = row.record.named();
        if let Some(text) = named.and_then(|named| self.contents.get(&named.hash)) {
            texts.add(text);
        }
        let notice = by(EventRedact {
            version,
            kind: row.record.kind.clone(),
            reason,
        });
        self.append(&row.session, Expected::Any, &[notice])?;
        let stand_in = stand_in.encode().map_err(|error| LogError::Invalid {
            id: row.record.id,
            reason: error.to_string(),
        })?;
        let others = self.rows.iter().enumerate().take(self.rows.len() - 1);
        let also_in = others
            .filter(|(other, row)| *other != at && texts.are_in(&row.record))
            .map(|(other, _)| place(other))
            .collect();
        if let Some(row) = self.rows.get_mut(at) {
            row.record.kind = stand_in.kind;
            row.record.v = stand_in.v;
            row.record.payload = stand_in.payload;
        }
        self.forget_contents();
        Ok(Redacted {
            changed: true,
            also_in,
            lingers: false,
        })
    }
}

/// Without an index, a search scans all events, and the newest hit is the best.
impl Search for MemoryLog {
    fn search(&self, query: &Query) -> Result<Vec<Hit>, LogError> {
        let mut hits = Vec::new();
        self.read_all(1, &mut |event| {
            if query.includes(&event) {
                let mut said = event.event.clone();
                if let Some(content) = event.event.content() {
                    said.set_text(self.contents.get(&content.hash).cloned());
                }
                let snippet = indexable(&said).and_then(|said| query.snippet(&said));
                hits.extend(snippet.map(|snippet| Hit { event, snippet }));
            }
            ControlFlow::Continue(())
        })?;
        hits.reverse();
        hits.truncate(query.limit);
        Ok(hits)
    }
}

fn corrupt(seq: u64, reason: String) -> LogError {
    LogError::Corrupt {
        place: Place::memory(),
        seq,
        reason,
    }
}

/// The seq or version of the item at an index. They count from 1.
fn place(index: usize) -> u64 {
    index as u64 + 1
}

//! The state of other logs as this log knows it: its own id, the events sent to them, and the events received from
//! them.

use std::ops::ControlFlow;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use uuid::Uuid;

use super::append::{Writer, commit, head};
use super::delete::{self, Name};
use super::fault::Fault;
use super::{SqliteLog, busy, read, redact};
use crate::event::{
    EventId, EventRedact, HudEvent, NewEvent, RedactionEvent, SessionEvent, SessionId,
};
use crate::jsonl::Line;
use crate::log::record::{DELETE, Record};
use crate::log::{Appended, EventName, Expected, Log, LogError};

/// The replication state of a log in another log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remote {
    /// All events up to that seq are there.
    pub seq: u64,
    /// Events up to that seq were sent, and may be there.
    pub tried: u64,
    /// The time of the last confirmation; `None` before the first one.
    pub at: Option<Timestamp>,
    /// The error that has kept the rest back since.
    pub trouble: Option<String>,
}

/// The recorded counterpart of a session in another log. Without a record it is the session of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The name there.
    pub name: SessionId,
    /// The events up to that version came from there.
    pub since: u64,
    /// The epoch in which this log is its home.
    pub epoch: u64,
    /// The session there that it continues.
    pub resumes: Option<SessionId>,
}

impl Elsewhere {
    /// A session that has the same name there, and whose home is this log from its first event on.
    pub fn same(session: &SessionId) -> Self {
        Self {
            name: session.clone(),
            since: 0,
            epoch: 0,
            resumes: None,
        }
    }
}

impl SqliteLog {
    /// The id of the log among other logs. It is assigned when the log is created, and its backups have the same.
    ///
    /// # Errors
    /// The errors of SQLite. A log of an older program that was opened for reading has no id.
    pub fn id(&self) -> Result<Uuid, LogError> {
        let id = self
            .conn
            .query_row("SELECT id FROM self", [], |row| row.get::<_, [u8; 16]>(0));
        Ok(Uuid::from_bytes(self.named(id)?))
    }

    /// The seq of the newest event; 0 if there is none.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn last_seq(&self) -> Result<u64, LogError> {
        let select = "SELECT coalesce(max(seq), 0) FROM event";
        let last = self.conn.query_row(select, [], |row| row.get(0));
        Ok(unsigned(self.named(last)?))
    }

    /// The replication state of this log in the log at that address.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn remote(&self, url: &str) -> Result<Remote, LogError> {
        let select = "SELECT seq, tried, ts, trouble FROM remote WHERE url = ?1";
        let found = self
            .conn
            .prepare_cached(select)
            .and_then(|mut select| select.query_row([url], remote).optional());
        Ok(self.named(found)?.unwrap_or_default())
    }

    /// Records the replication state of this log in the log at that address.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn set_remote(&self, url: &str, remote: &Remote) -> Result<(), LogError> {
        let at = remote.at.map_or(0, Timestamp::as_microsecond);
        let put = "INSERT INTO remote (url, seq, tried, ts, trouble) VALUES (?1, ?2, ?3, ?4, ?5) \
                   ON CONFLICT (url) DO UPDATE SET seq = ?2, tried = ?3, ts = ?4, trouble = ?5";
        self.steps.renew();
        let put = self.conn.prepare_cached(put).and_then(|mut put| {
            put.execute(params![
                url,
                signed(remote.seq),
                signed(remote.tried),
                at,
                remote.trouble
            ])
        });
        self.named(put).map(drop)
    }

    /// The counterpart of a session in the log at that address, if one is recorded.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn elsewhere(&self, url: &str, session: &SessionId) -> Result<Option<Elsewhere>, LogError> {
        let select = "SELECT name, since, epoch, resumes FROM remote_session \
                      WHERE url = ?1 AND stream = ?2";
        let found = self.conn.prepare_cached(select).and_then(|mut select| {
            select
                .query_row([url, session.as_str()], |row| Ok(elsewhere(row, 0)))
                .optional()
        });
        match self.named(found)? {
            Some(found) => self.named(found.map(Some)),
            None => Ok(None),
        }
    }

    /// The sessions with a recorded counterpart in the log at that address, by their names here.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn all_elsewhere(&self, url: &str) -> Result<Vec<(SessionId, Elsewhere)>, LogError> {
        let read = || -> Result<Vec<_>, Fault> {
            let mut select = self.conn.prepare_cached(
                "SELECT stream, name, since, epoch, resumes FROM remote_session \
                 WHERE url = ?1 ORDER BY stream",
            )?;
            let mut rows = select.query([url])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push((named(row.get(0)?)?, elsewhere(row, 1)?));
            }
            Ok(all)
        };
        self.named(read())
    }

    /// Records the counterpart of a session in the log at that address.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn set_elsewhere(
        &self,
        url: &str,
        session: &SessionId,
        elsewhere: &Elsewhere,
    ) -> Result<(), LogError> {
        let put = "INSERT INTO remote_session (url, stream, name, since, epoch, resumes) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                   ON CONFLICT (url, stream) DO UPDATE \
                   SET name = ?3, since = ?4, epoch = ?5, resumes = ?6";
        self.steps.renew();
        let put = self.conn.prepare_cached(put).and_then(|mut put| {
            put.execute(params![
                url,
                session.as_str(),
                elsewhere.name.as_str(),
                signed(elsewhere.since),
                signed(elsewhere.epoch),
                elsewhere.resumes.as_ref().map(SessionId::as_str),
            ])
        });
        self.named(put).map(drop)
    }

    /// Passes the events of a session to `each` like [`Log::lines`], from a version on; or those of all sessions,
    /// from a seq on.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn lines_from(
        &self,
        session: Option<&SessionId>,
        from: u64,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.named(read::lines_from(self, session, from, each))
    }

    /// Imports the [lines](Log::lines) of a session from another log. They follow the events that the session has
    /// here. If one of them records the redaction of an earlier event, or the deletion of the session, the same is
    /// done here. If a line is refused, those before it stay.
    ///
    /// `id` returns the id that an event gets here if its own id belongs to an event that is in this log already.
    ///
    /// # Errors
    /// [`LogError::Conflict`] if the session's version is not `from`, [`LogError::IdConflict`], and the errors of
    /// SQLite.
    pub fn take_in(
        &mut self,
        session: &SessionId,
        from: u64,
        lines: Vec<Line>,
        id: impl Fn(EventId) -> EventId,
    ) -> Result<Appended, LogError> {
        let (mut version, mut batch) = (from, Vec::new());
        let mut done = Appended {
            version,
            ..Appended::default()
        };
        let mut is_cleaned = true;
        for mut line in lines {
            if self.contains(&line.id)? {
                line.id = id(line.id);
            }
            let taken_out = self.taken_out(version, &line)?;
            if taken_out.is_none() {
                let line_id = line.id;
                let invalid = |reason| LogError::Invalid {
                    id: line_id,
                    reason,
                };
                let (_, record) = Record::of_line(line, &self.sections).map_err(invalid)?;
                batch.push(record);
                continue;
            }
            done = self.put(session, version, std::mem::take(&mut batch))?;
            version = done.version;
            is_cleaned = false;
            done = match taken_out {
                Some(TakenOut::Event(of, redact, event)) => {
                    self.redact_above(session, of..=of, &event)?;
                    let name = EventName::Version(session.clone(), of);
                    let by = &mut |_| event.clone();
                    let redacted = self.named(redact::redact(self, &name, by, redact.reason))?;
                    match redacted.changed {
                        true => Appended {
                            version: version + 1,
                            ..done
                        },
                        false => self.append(session, Expected::Exact(version), &[event])?,
                    }
                }
                Some(TakenOut::Session(event)) => {
                    self.redact_above(session, 1..=version, &event)?;
                    self.named(delete::delete(self, session, Name::Stays, |_| event))?;
                    Appended {
                        version: version + 1,
                        ..done
                    }
                }
                None => done,
            };
            version = done.version;
        }
        if !batch.is_empty() {
            done = self.put(session, version, batch)?;
        }
        if !is_cleaned {
            self.named(redact::clean(self))?;
        }
        Ok(done)
    }

    fn put(
        &self,
        session: &SessionId,
        version: u64,
        records: Vec<Record>,
    ) -> Result<Appended, LogError> {
        let tx = busy::begin_immediate(self)?;
        let write = || -> Result<Appended, Fault> {
            let expected = Expected::Exact(version);
            let mut writer = Writer::new(self, &tx, session, expected, head(&tx)?)?;
            for record in &records {
                writer.write_record(record)?;
            }
            Ok(writer.finish()?.0)
        };
        let appended = self.named(write())?;
        commit(self, tx)?;
        Ok(appended)
    }

    /// The redaction or deletion that a line records, if the events are here.
    fn taken_out(&self, version: u64, line: &Line) -> Result<Option<TakenOut>, LogError> {
        if !matches!(line.kind.as_str(), REDACT | DELETE) {
            return Ok(None);
        }
        let Ok(event) = HudEvent::decode(&line.kind, line.v, line.payload.get()) else {
            return Ok(None);
        };
        let new = NewEvent {
            id: line.id,
            turn: line.turn,
            at: line.at,
            actor: line.actor.clone(),
            cause: line.cause,
            event: event.clone(),
        };
        Ok(match event {
            HudEvent::Redaction(RedactionEvent::Redact(redact)) => {
                let of = redact.version.filter(|of| *of <= version);
                of.map(|of| TakenOut::Event(of, redact, new))
            }
            HudEvent::Session(SessionEvent::Delete(_)) if version > 0 => {
                Some(TakenOut::Session(new))
            }
            _ => None,
        })
    }
}

/// The kind of event that records a redaction.
const REDACT: &str = "event.redact";

/// A redaction or deletion that an event records.
enum TakenOut {
    /// The text of the event of that version.
    Event(u64, EventRedact, NewEvent),
    /// The text of the whole session.
    Session(NewEvent),
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn remote(row: &Row<'_>) -> rusqlite::Result<Remote> {
    let at: i64 = row.get(2)?;
    Ok(Remote {
        seq: unsigned(row.get(0)?),
        tried: unsigned(row.get(1)?),
        at: Timestamp::from_microsecond(at).ok().filter(|_| at > 0),
        trouble: row.get(3)?,
    })
}

fn elsewhere(row: &Row<'_>, from: usize) -> Result<Elsewhere, Fault> {
    let resumes: Option<String> = row.get(from + 3)?;
    Ok(Elsewhere {
        name: named(row.get(from)?)?,
        since: unsigned(row.get(from + 1)?),
        epoch: unsigned(row.get(from + 2)?),
        resumes: resumes.map(named).transpose()?,
    })
}

/// The session of a stored name.
fn named(name: String) -> Result<SessionId, Fault> {
    SessionId::new(name).map_err(|error| {
        let reason = rusqlite::Error::FromSqlConversionFailure(
            0,
            rusqlite::types::Type::Text,
            Box::new(error),
        );
        Fault::Sqlite(reason)
    })
}

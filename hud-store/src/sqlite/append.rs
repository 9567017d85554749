//! Writing events.

use rusqlite::{CachedStatement, OptionalExtension, Transaction, params};

use super::checksum::{GENESIS, Sum, chain};
use super::fault::fault;
use super::{SqliteLog, busy, row};
use crate::event::{NewEvent, SessionId};
use crate::log::{Appended, Expected, LogError, Record};

/// Where a source of events puts them, one by one.
pub(super) type Put<'p> = dyn FnMut(&NewEvent) -> Result<(), LogError> + 'p;

/// Appends what `source` puts, in one transaction. Whatever ends it early (an error of the source
/// or of ours, a panic) drops the transaction, and that rolls it back.
pub(super) fn append<E: From<LogError>>(
    log: &SqliteLog,
    session: &SessionId,
    expected: Expected,
    source: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
) -> Result<Appended, E> {
    let tx = busy::begin_immediate(&log.conn, &log.path)?;
    let mut writer = Writer::new(log, &tx, session, expected).map_err(|e| fault(&log.path, e))?;
    source(&mut |event| writer.write(event))?;
    let appended = writer.finish()?;
    tx.commit().map_err(|source| LogError::Unconfirmed {
        path: log.path.clone(),
        source: source.into(),
    })?;
    Ok(appended)
}

/// One append under way.
struct Writer<'a> {
    log: &'a SqliteLog,
    session: &'a SessionId,
    expected: Expected,
    /// The last event of the log: its seq and sum.
    head: (i64, Sum),
    /// The version of the session's last event.
    version: i64,
    expectation_met: bool,
    appended: Appended,
    find: CachedStatement<'a>,
    insert: CachedStatement<'a>,
}

impl<'a> Writer<'a> {
    fn new(
        log: &'a SqliteLog,
        tx: &'a Transaction<'_>,
        session: &'a SessionId,
        expected: Expected,
    ) -> rusqlite::Result<Self> {
        let head = tx
            .prepare_cached("SELECT seq, sum FROM event ORDER BY seq DESC LIMIT 1")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let version = tx
            .prepare_cached("SELECT coalesce(max(ver), 0) FROM event WHERE stream = ?1")?
            .query_row([session.as_str()], |row| row.get(0))?;
        Ok(Self {
            log,
            session,
            expected,
            head: head.unwrap_or((0, GENESIS)),
            version,
            expectation_met: false,
            appended: Appended::default(),
            find: tx.prepare_cached(
                "SELECT id, turn, ts, kind, v, actor, cause, payload, seq, stream \
                 FROM event WHERE id = ?1",
            )?,
            insert: tx.prepare_cached(
                "INSERT INTO event \
                 (id, turn, ts, kind, v, actor, cause, payload, stream, ver, sum) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?,
        })
    }

    fn write(&mut self, event: &NewEvent) -> Result<(), LogError> {
        let record = Record::encode(event)?;
        // Looked up first: an INSERT ... ON CONFLICT DO NOTHING would use up a seq.
        let seq = match self.twin(&record)? {
            Some(seq) => {
                self.appended.duplicates += 1;
                seq
            }
            None => {
                self.meet_expectation()?;
                self.insert(&record)?
            }
        };
        self.appended.count(seq.unsigned_abs());
        Ok(())
    }

    /// The seq of the event with the same id, which then must be the same in all else.
    fn twin(&mut self, record: &Record) -> Result<Option<i64>, LogError> {
        let found = self
            .find
            .query_row([record.id.as_uuid().as_bytes()], |row| {
                let is_same = row::record(row).is_ok_and(|stored| stored == *record)
                    && row.get_ref(9)?.as_str() == Ok(self.session.as_str());
                Ok((row.get::<_, i64>(8)?, is_same))
            })
            .optional()
            .map_err(|e| fault(&self.log.path, e))?;
        match found {
            None => Ok(None),
            Some((seq, true)) => Ok(Some(seq)),
            Some((seq, false)) => Err(LogError::IdConflict {
                id: record.id,
                seq: seq.unsigned_abs(),
            }),
        }
    }

    fn meet_expectation(&mut self) -> Result<(), LogError> {
        if !self.expectation_met {
            self.expected
                .check(self.session, self.version.unsigned_abs())?;
            self.expectation_met = true;
        }
        Ok(())
    }

    fn insert(&mut self, record: &Record) -> Result<i64, LogError> {
        // Saturating: a damaged row may hold any number, and must not make us panic.
        let (version, next) = (
            self.version.saturating_add(1),
            self.head.0.saturating_add(1),
        );
        let sum = chain(&self.head.1, self.session.as_str(), version, record);
        let seq = self
            .insert
            .insert(params![
                record.id.as_uuid().as_bytes(),
                record.turn,
                record.at,
                record.kind,
                record.v,
                record.actor,
                record
                    .cause
                    .as_ref()
                    .map(|cause| cause.as_uuid().as_bytes()),
                record.payload,
                self.session.as_str(),
                version,
                sum,
            ])
            .map_err(|e| fault(&self.log.path, e))?;
        if seq != next {
            // AUTOINCREMENT remembers the highest seq that there ever was.
            return Err(self.log.corrupt(next, "it was removed"));
        }
        self.head = (seq, sum);
        self.version = version;
        Ok(seq)
    }

    fn finish(mut self) -> Result<Appended, LogError> {
        if self.appended.first_seq == 0 {
            self.meet_expectation()?;
        }
        self.appended.version = self.version.unsigned_abs();
        Ok(self.appended)
    }
}

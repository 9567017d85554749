//! Appending events.

use rusqlite::{CachedStatement, Error, OptionalExtension, Transaction, ffi, params};

use super::archive::Unpacked;
use super::checksum::{GENESIS, Sum, chain};
use super::fault::Fault;
use super::session::{self, SessionRow};
use super::{Durability, SqliteLog, busy, content, open, row};
use crate::event::{NewEvent, SessionId};
use crate::log::record::Record;
use crate::log::{Appended, Batch, Expected, LogError};

/// A function that appends one event.
pub(super) type Put<'p> = dyn FnMut(&NewEvent) -> Result<(), LogError> + 'p;

/// Appends the events that `source` puts, in one transaction. If it ends early (an error of the source or of the log,
/// a panic), the transaction is dropped and thereby rolled back.
pub(super) fn append<E: From<LogError>>(
    log: &SqliteLog,
    session: &SessionId,
    expected: Expected,
    source: impl FnOnce(&mut Put<'_>) -> Result<(), E>,
) -> Result<Appended, E> {
    let tx = busy::begin_immediate(log)?;
    let head = log.named(head(&tx))?;
    let mut writer = log.named(Writer::new(log, &tx, session, expected, head))?;
    source(&mut |event| log.named(writer.write(event)))?;
    let (appended, _) = log.named(writer.finish())?;
    commit(log, tx)?;
    Ok(appended)
}

/// Runs a function that may append many events in one transaction, with temporary data in memory.
///
/// SQLite keeps a statement journal to undo each INSERT alone. It is in memory until one INSERT needs more than 64
/// KiB of it. From then on it is in a file, which is written four times for each event that follows.
pub(super) fn in_bulk<T>(log: &SqliteLog, append: impl FnOnce() -> T) -> T {
    struct InMemory<'l>(&'l SqliteLog);

    impl InMemory<'_> {
        fn set(&self, store: &str) {
            // On an error the appends are only slower.
            let _ = self.0.conn.pragma_update(None, "temp_store", store);
        }
    }

    impl Drop for InMemory<'_> {
        fn drop(&mut self) {
            // A sort of a whole log, or a copy of it, would not fit in memory.
            self.set("default");
        }
    }

    let in_memory = InMemory(log);
    in_memory.set("memory");
    append()
}

/// Appends batches of several sessions, in one transaction.
pub(super) fn append_many(log: &SqliteLog, batches: &[Batch]) -> Result<Vec<Appended>, LogError> {
    let tx = busy::begin_immediate(log)?;
    let write = || -> Result<Vec<Appended>, Fault> {
        let mut newest = head(&tx)?;
        let mut done = Vec::with_capacity(batches.len());
        for batch in batches {
            let mut writer = Writer::new(log, &tx, &batch.session, batch.expected, newest)?;
            for record in &batch.records {
                writer.write_record(record)?;
            }
            let (appended, now) = writer.finish()?;
            newest = now;
            done.push(appended);
        }
        Ok(done)
    };
    let done = log.named(write())?;
    commit(log, tx)?;
    Ok(done)
}

/// Commits. If that fails, it is unknown whether the events are in the log.
pub(super) fn commit(log: &SqliteLog, tx: Transaction<'_>) -> Result<(), LogError> {
    tx.commit()
        .map_err(|source| match Fault::from(source).at(&log.path) {
            // The events have to be appended again here too, but not at once.
            full @ LogError::Full { .. } => full,
            LogError::Storage { place, source } => LogError::Unconfirmed { place, source },
            other => LogError::Unconfirmed {
                place: log.place(),
                source: other.into(),
            },
        })
}

/// Flushes all earlier commits to the disk. SQLite always flushes its whole write-ahead log.
pub(super) fn flush(log: &SqliteLog) -> Result<(), LogError> {
    let before: i64 = log.named(
        log.conn
            .pragma_query_value(None, "synchronous", |row| row.get(0)),
    )?;
    log.named(open::set_durability(&log.conn, Durability::Full))?;
    let flushed = busy::begin_immediate(log).and_then(|tx| {
        // SQLite does not flush a transaction that writes no page. This one writes the first page, unchanged.
        log.named(tx.pragma_update(None, "user_version", log.schema))?;
        commit(log, tx)
    });
    log.named(log.conn.pragma_update(None, "synchronous", before))?;
    flushed
}

/// The seq and the sum of the last event of a log.
pub(super) type Head = (i64, Sum);

pub(super) fn head(tx: &Transaction<'_>) -> rusqlite::Result<Head> {
    let head = tx
        .prepare_cached("SELECT seq, sum FROM event ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(head.unwrap_or((0, GENESIS)))
}

/// An append in progress.
pub(super) struct Writer<'a> {
    log: &'a SqliteLog,
    tx: &'a Transaction<'a>,
    session: &'a SessionId,
    expected: Expected,
    head: Head,
    row: Option<SessionRow>,
    expectation_met: bool,
    appended: Appended,
    insert: CachedStatement<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        log: &'a SqliteLog,
        tx: &'a Transaction<'a>,
        session: &'a SessionId,
        expected: Expected,
        head: Head,
    ) -> Result<Self, Fault> {
        let found = session::of(tx, session.as_str())?;
        let row = found.map(|found| found.sound(log)).transpose()?;
        let insert = tx.prepare_cached(
            "INSERT INTO event \
                 (id, turn, ts, kind, v, actor, cause, payload, stream, ver, sum) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        Ok(Self {
            log,
            tx,
            session,
            expected,
            head,
            row,
            expectation_met: false,
            appended: Appended::default(),
            insert,
        })
    }

    fn version(&self) -> i64 {
        self.row.as_ref().map_or(0, |row| row.ver)
    }

    pub(super) fn write(&mut self, event: &NewEvent) -> Result<(), Fault> {
        self.write_record(&Record::encode(event, &self.log.sections)?)
    }

    pub(super) fn write_record(&mut self, record: &Record) -> Result<(), Fault> {
        self.log.steps.renew();
        let seq = match self.insert_new(record)? {
            Some(seq) => seq,
            None => {
                self.appended.duplicates += 1;
                self.twin(record)?
            }
        };
        self.appended.count(seq.unsigned_abs());
        Ok(())
    }

    /// Inserts a record; `None` if its id is in the log already.
    fn insert_new(&mut self, record: &Record) -> Result<Option<i64>, Fault> {
        if !self.expectation_met {
            // The expectation applies to the first event that is not a duplicate.
            if self.has(record)? {
                return Ok(None);
            }
            self.meet_expectation()?;
        }
        self.insert(record)
    }

    fn has(&self, record: &Record) -> Result<bool, Fault> {
        let exists = self
            .tx
            .prepare_cached("SELECT 1 FROM event WHERE id = ?1")
            .and_then(|mut select| select.exists([record.id.as_uuid().as_bytes()]));
        Ok(exists?)
    }

    /// The seq of the event with the same id, which must be the same in every other field.
    fn twin(&self, record: &Record) -> Result<i64, Fault> {
        let columns = row::columns(self.log.schema);
        let mut find = self
            .tx
            .prepare_cached(&format!("SELECT {columns} FROM event WHERE id = ?1"))?;
        let (seq, stored) = find.query_row([record.id.as_uuid().as_bytes()], |row| {
            Ok((row.get::<_, i64>(row::SEQ)?, row::raw(row)))
        })?;
        let is_same = stored.is_ok_and(|mut stored| {
            Unpacked::new(self.tx).restore(&mut stored).is_ok()
                && stored.record == *record
                && stored.session == self.session.as_str()
        });
        if is_same {
            return Ok(seq);
        }
        Err(Fault::from(LogError::IdConflict {
            id: record.id,
            seq: seq.unsigned_abs(),
        }))
    }

    fn meet_expectation(&mut self) -> Result<(), Fault> {
        if !self.expectation_met {
            self.expected
                .check(self.session, self.version().unsigned_abs())?;
            self.expectation_met = true;
        }
        Ok(())
    }

    fn insert(&mut self, record: &Record) -> Result<Option<i64>, Fault> {
        // Saturating, because a damaged row may hold any number and must not make this panic.
        let (version, next) = (
            self.version().saturating_add(1),
            self.head.0.saturating_add(1),
        );
        let sum = chain(&self.head.1, self.session.as_str(), version, record);
        let inserted = self.insert.insert(params![
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
        ]);
        let seq = match inserted {
            Ok(seq) => seq,
            // The id is looked up only after SQLite refused the row. Looking up each id first would cost as much as
            // the insert. A refused plain INSERT uses up no seq.
            Err(error) if is_taken(&error) && self.has(record)? => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if seq != next {
            // AUTOINCREMENT remembers the highest seq that ever existed.
            return Err(self.log.corrupt(next, "it was removed").into());
        }
        if let Some(content) = &record.content {
            content::keep(self.tx, seq, content)?;
        }
        self.head = (seq, sum);
        self.row = Some(SessionRow::with(self.row.take(), seq, version, record));
        Ok(Some(seq))
    }

    pub(super) fn finish(mut self) -> Result<(Appended, Head), Fault> {
        if self.appended.first_seq == 0 {
            self.meet_expectation()?;
        }
        if let Some(row) = &self.row
            && self.expectation_met
        {
            row.save(self.tx, self.session.as_str())?;
        }
        self.appended.version = self.version().unsigned_abs();
        Ok((self.appended, self.head))
    }
}

/// True if a row was refused because of a duplicate value, either by the index or by the trigger that guards against
/// replacing.
fn is_taken(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| {
        matches!(
            error.extended_code,
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_TRIGGER
        )
    })
}

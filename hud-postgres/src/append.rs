//! Appending events: a batch in one round trip.

use std::collections::HashMap;

use hud_store::event::{EventId, NewEvent, SessionId};
use hud_store::log::record::Record;
use hud_store::log::{Appended, Expected, LogError, Place};
use hud_store::section::Sections;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use uuid::Uuid;

use crate::fault::refused;
use crate::query::Query;
use crate::row::Raw;
use crate::schema::ID_CLASH;
use crate::server::Server;

/// The events to append to a session.
pub(crate) struct Batch {
    pub(crate) session: SessionId,
    pub(crate) expected: Expected,
    pub(crate) records: Vec<Record>,
}

impl From<hud_store::log::Batch> for Batch {
    fn from(batch: hud_store::log::Batch) -> Self {
        Self {
            session: batch.session,
            expected: batch.expected,
            records: batch.records,
        }
    }
}

impl Batch {
    /// The batch, if all its events can be stored without loss.
    pub(crate) fn new(
        session: &SessionId,
        expected: Expected,
        events: &[NewEvent],
        sections: &Sections,
    ) -> Result<Self, LogError> {
        let records = events.iter().map(|event| Record::encode(event, sections));
        let mut records: Vec<Record> = records.collect::<Result<_, _>>()?;
        adopt_of_first(&mut records);
        Ok(Self {
            session: session.clone(),
            expected,
            records,
        })
    }

    /// Appends the batch.
    pub(crate) async fn append(mut self, server: &mut Server) -> Result<Appended, LogError> {
        let place = server.place();
        loop {
            let error = match self.send(server).await? {
                Ok(rows) => return self.answer(&place, &rows),
                Err(error) => error,
            };
            let Some((id, seq)) = clash(&error) else {
                return Err(refused(&place, error));
            };
            // It may be the same event with other white space. It is then sent again with the stored payload.
            if !self.adopt(server, id).await? {
                return Err(LogError::IdConflict { id, seq });
            }
        }
    }

    /// The expected version, if there is one.
    pub(crate) fn demanded(&self) -> Option<i64> {
        match self.expected {
            Expected::Any => None,
            Expected::NoStream => Some(0),
            Expected::Exact(version) => Some(i64::try_from(version).unwrap_or(i64::MAX)),
        }
    }

    /// True if one of its events has that id.
    pub(crate) fn has(&self, id: EventId) -> bool {
        self.records.iter().any(|record| record.id == id)
    }

    async fn send(&self, server: &mut Server) -> Result<Result<Vec<Row>, Error>, LogError> {
        let expected = self.demanded();
        let patience = server.patience();
        let columns = Columns::of(&self.records);
        let session = self.session.as_str();
        let mut params: Vec<&(dyn ToSql + Sync)> =
            vec![&session, &expected, &patience, &columns.ids];
        params.extend(columns.params());
        server.write(Query::Append, &params).await
    }

    /// The result in the server's answer.
    fn answer(&self, place: &Place, rows: &[Row]) -> Result<Appended, LogError> {
        let storage = |source| LogError::Storage {
            place: place.clone(),
            source,
        };
        let row = rows
            .first()
            .ok_or_else(|| storage("it gave no answer to an append".into()))?;
        let number = |column| -> Result<u64, LogError> {
            let number: i64 = row.try_get(column).map_err(|error| storage(error.into()))?;
            Ok(number.unsigned_abs())
        };
        let is_met: bool = row.try_get(0).map_err(|error| storage(error.into()))?;
        let version = number(1)?;
        let moved_to: Option<Uuid> = row.try_get(5).map_err(|error| storage(error.into()))?;
        if let Some(home) = moved_to {
            return Err(LogError::Moved {
                place: place.clone(),
                session: self.session.clone(),
                home: home.to_string(),
            });
        }
        if !is_met {
            return Err(LogError::Conflict {
                session: self.session.clone(),
                expected: self.expected,
                found: version,
            });
        }
        Ok(Appended {
            version,
            first_seq: number(2)?,
            last_seq: number(3)?,
            duplicates: number(4)?,
        })
    }

    /// Replaces the payload of the event with that id by the stored one, if they are the same event. Returns true if
    /// the payload changed.
    pub(crate) async fn adopt(
        &mut self,
        server: &mut Server,
        id: EventId,
    ) -> Result<bool, LogError> {
        let rows = server.read(Query::Event, &[id.as_uuid()]).await?;
        let Some(Ok(stored)) = rows.first().map(|row| Raw::of(row, 0)) else {
            return Ok(false);
        };
        let mut is_adopted = false;
        for record in self.records.iter_mut().filter(|record| record.id == id) {
            if stored.session != self.session.as_str() || stored.record != *record {
                return Ok(false);
            }
            is_adopted |= stored.record.payload != record.payload;
            record.payload.clone_from(&stored.record.payload);
        }
        Ok(is_adopted)
    }
}

/// Gives equal events of a batch the payload of the first one. The server compares payloads byte by byte, but white
/// space in them is ignored.
pub(crate) fn adopt_of_first<'r>(records: impl IntoIterator<Item = &'r mut Record>) {
    let mut first_of: HashMap<EventId, &Record> = HashMap::new();
    for record in records {
        match first_of.get(&record.id) {
            Some(first) if **first == *record => record.payload.clone_from(&first.payload),
            Some(_) => {}
            None => {
                first_of.insert(record.id, record);
            }
        }
    }
}

/// Records in the form that the server takes: a column for each field.
pub(crate) struct Columns<'r> {
    pub(crate) ids: Vec<Uuid>,
    turns: Vec<i64>,
    times: Vec<i64>,
    kinds: Vec<&'r str>,
    versions: Vec<i64>,
    actors: Vec<&'r str>,
    causes: Vec<Option<Uuid>>,
    payloads: Vec<&'r str>,
    hashes: Vec<Option<&'r [u8]>>,
    bodies: Vec<Option<&'r [u8]>>,
}

impl<'r> Columns<'r> {
    pub(crate) fn of(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut columns = Self {
            ids: Vec::new(),
            turns: Vec::new(),
            times: Vec::new(),
            kinds: Vec::new(),
            versions: Vec::new(),
            actors: Vec::new(),
            causes: Vec::new(),
            payloads: Vec::new(),
            hashes: Vec::new(),
            bodies: Vec::new(),
        };
        for record in records {
            let content = record.content.as_ref();
            columns.ids.push(*record.id.as_uuid());
            columns.turns.push(record.turn);
            columns.times.push(record.at);
            columns.kinds.push(&record.kind);
            columns.versions.push(i64::from(record.v));
            columns.actors.push(&record.actor);
            columns.causes.push(record.cause.map(|id| *id.as_uuid()));
            columns.payloads.push(&record.payload);
            columns
                .hashes
                .push(content.map(|content| &content.hash.as_bytes()[..]));
            let text = content.and_then(|content| content.text());
            columns.bodies.push(text.map(str::as_bytes));
        }
        columns
    }

    /// The columns after the ids, in the order of the functions' parameters.
    pub(crate) fn params(&self) -> [&(dyn ToSql + Sync); 9] {
        [
            &self.turns,
            &self.times,
            &self.kinds,
            &self.versions,
            &self.actors,
            &self.causes,
            &self.payloads,
            &self.hashes,
            &self.bodies,
        ]
    }
}

/// The id that names another event, and the seq of that event.
pub(crate) fn clash(error: &Error) -> Option<(EventId, u64)> {
    let db = error
        .as_db_error()
        .filter(|db| db.code().code() == ID_CLASH)?;
    let (id, seq) = db.detail()?.split_once(' ')?;
    Some((EventId::from_uuid(id.parse().ok()?), seq.parse().ok()?))
}

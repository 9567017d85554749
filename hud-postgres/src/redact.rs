//! Redacting an event of a session that is written here. If the session's home is another log, the event is redacted
//! there, and here with the next push.

use std::ops::ControlFlow;

use hud_store::event::{EventRedact, NewEvent, SessionId};
use hud_store::log::record::Record;
use hud_store::log::redact::{Texts, stand_in};
use hud_store::log::{EventName, Log as _, LogError, Redact, Redacted};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::PgLog;
use crate::append::{Columns, clash};
use crate::fault::refused;
use crate::query::{Query, SAYING};
use crate::read::{Scan, corrupt};
use crate::row::Raw;
use crate::server::Server;

/// The number of events that are searched in one call for the redacted text.
const SPAN: i64 = 50_000;

impl Redact for PgLog {
    fn redact(
        &mut self,
        event: &EventName,
        reason: Option<String>,
        by: &mut dyn FnMut(EventRedact) -> NewEvent,
    ) -> Result<Redacted, LogError> {
        let missing = || LogError::NoEvent {
            place: self.place().clone(),
            event: event.to_string(),
        };
        let raw = self.named(event)?.ok_or_else(missing)?;
        let invalid = |reason: String| LogError::Invalid {
            id: raw.record.id,
            reason,
        };
        let lingering = Redacted {
            lingers: true,
            ..Redacted::default()
        };
        let Some(stand_in) = stand_in(&raw.record) else {
            return Ok(lingering);
        };
        let stand_in = stand_in
            .encode()
            .map_err(|error| invalid(error.to_string()))?;
        let session = SessionId::new(raw.session.clone())
            .map_err(|error| corrupt(self.place(), raw.seq, error.to_string()))?;
        let version = raw.version.unsigned_abs();
        // A redaction must not compute new checksums over damaged events.
        self.scan(
            Scan::Session(session.clone()),
            version,
            |_| Ok(()),
            &mut |()| ControlFlow::Continue(()),
        )?;
        let mut texts = Texts::of(&raw.record);
        if let Some(named) = raw.record.named()
            && let Some(text) = self.content(&named.hash)?
        {
            texts.add(&text);
        }
        let also_in = self.saying(&texts, raw.seq)?;
        let notice = by(EventRedact {
            version: Some(version),
            kind: raw.record.kind,
            reason,
        });
        let notice = Record::encode(&notice, &self.sections)?;
        let v = i64::from(stand_in.v);
        let payload = stand_in.payload;
        let of = session.clone();
        let (outcome, home): (String, Option<Uuid>) =
            self.link.call(async move |server: &mut Server| {
                let (patience, version) = (server.patience(), raw.version);
                let columns = Columns::of([&notice]);
                let session = of.as_str();
                let mut params: Vec<&(dyn ToSql + Sync)> =
                    vec![&patience, &session, &version, &v, &payload, &columns.ids];
                params.extend(columns.params());
                let place = server.place();
                let rows = match server.write(Query::Redact, &params).await? {
                    Ok(rows) => rows,
                    Err(error) => {
                        return Err(match clash(&error) {
                            Some((id, seq)) => LogError::IdConflict { id, seq },
                            None => refused(&place, error),
                        });
                    }
                };
                let row = rows
                    .first()
                    .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
                let storage = |source| LogError::Storage { place, source };
                match row {
                    Some(row) => row.map_err(|error: tokio_postgres::Error| storage(error.into())),
                    None => Err(storage("it gave no answer to a redaction".into())),
                }
            })?;
        match (outcome.as_str(), home) {
            ("done", _) => Ok(Redacted {
                changed: true,
                also_in,
                ..lingering
            }),
            ("before", _) => Ok(lingering),
            ("moved", Some(home)) => Err(LogError::Moved {
                place: self.place().clone(),
                session,
                home: home.to_string(),
            }),
            _ => Err(missing()),
        }
    }
}

impl PgLog {
    /// The event of that name, as it is stored.
    fn named(&self, name: &EventName) -> Result<Option<Raw>, LogError> {
        let name = name.clone();
        self.link.call(async move |server: &mut Server| {
            let rows = match &name {
                EventName::Id(id) => server.read(Query::Event, &[id.as_uuid()]).await?,
                EventName::Version(session, version) => {
                    let version = i64::try_from(*version).unwrap_or(i64::MAX);
                    let params: [&(dyn ToSql + Sync); 2] = [&session.as_str(), &version];
                    server.read(Query::EventOf, &params).await?
                }
            };
            let found = rows.first().map(|row| Raw::of(row, 0)).transpose();
            found.map_err(|error| LogError::Storage {
                place: server.place(),
                source: error.into(),
            })
        })
    }

    /// The seqs of the events that contain one of the texts, except for one event.
    fn saying(&self, texts: &Texts, but: i64) -> Result<Vec<u64>, LogError> {
        let written = texts.written().to_vec();
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let head: i64 = self.link.call(async |server: &mut Server| {
            let rows = server.read(Query::Head, &[]).await?;
            Ok(rows
                .first()
                .and_then(|row| row.try_get(0).ok())
                .unwrap_or(0))
        })?;
        let (mut found, mut from) = (Vec::new(), 0);
        while from < head {
            let until = from.saturating_add(SPAN);
            let written = written.clone();
            let page = self.link.call(async move |server: &mut Server| {
                let params: [&(dyn ToSql + Sync); 3] = [&from, &until, &written];
                let rows = server.read(Query::Saying, &params).await?;
                let raws: Result<Vec<Raw>, _> = rows.iter().map(|row| Raw::of(row, 0)).collect();
                raws.map_err(|error| LogError::Storage {
                    place: server.place(),
                    source: error.into(),
                })
            })?;
            // More events may follow a full page.
            from = match page.last() {
                Some(last) if page.len() == SAYING => last.seq,
                _ => until,
            };
            found.extend(
                page.iter()
                    .filter(|raw| raw.seq != but && texts.are_in(&raw.record))
                    .map(|raw| raw.seq.unsigned_abs()),
            );
        }
        Ok(found)
    }
}

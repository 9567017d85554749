//! Homes: which log writes a session, and what a log sends of its own.

use std::ops::ControlFlow;
use std::time::Duration;

use hud_store::event::SessionId;
use hud_store::jsonl::Line;
use hud_store::log::LogError;
use hud_store::log::record::Record;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::PgLog;
use crate::append::{Columns, clash};
use crate::fault::{Source, refused};
use crate::query::Query;
use crate::read::Scan;
use crate::server::Server;

/// Which log writes a session. Only what comes from there is taken, so that versions are the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Home {
    /// The id of the log that writes it; `None` where its events are appended to the log of the fleet.
    pub log: Option<Uuid>,
    /// How often that has changed.
    pub epoch: u64,
    /// How many events the session has.
    pub version: u64,
}

/// A log that sends its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The id of the log.
    pub log: Uuid,
    /// What its machine calls itself.
    pub name: String,
    /// The user of the server that it sends as.
    pub user: String,
    /// How long ago it was heard of, by the server's clock.
    pub silent: Duration,
    /// How many sessions have it as their home.
    pub sessions: u64,
}

/// A session of a sub-agent whose parent's session has another home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubAgent {
    /// Its name on the server.
    pub session: SessionId,
    /// How many events it has.
    pub version: u64,
    /// The place of its newest event in the log.
    pub seq: u64,
    /// The name of its parent's session on the server.
    pub parent: SessionId,
}

/// Some events of one session, to be sent by its home.
#[derive(Debug)]
pub struct Part {
    /// The session, by its name on the server.
    pub session: SessionId,
    /// The version behind which the first of the events comes; `None` where all of them are there already, and
    /// are sent because their words were taken out.
    pub expected: Option<u64>,
    /// The epoch in which the log is the session's home.
    pub epoch: u64,
    /// The session that it goes on from, if it is a new one for what the former home of that recorded later.
    pub resumes: Option<SessionId>,
    /// The events, as they are stored.
    pub events: Vec<Record>,
}

/// What became of a [`Part`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// All of it is there.
    Appended {
        /// How many of its events were there before.
        duplicates: u64,
    },
    /// The session has another version than is expected. Nothing was appended.
    Unmet {
        /// The version that it has.
        version: u64,
    },
    /// The session's home is another log. Nothing was appended.
    Moved {
        /// The home, and the version that the session has.
        home: Home,
        /// How many of the events, from the first on, are there already.
        shared: u64,
    },
}

impl PgLog {
    /// The home of a session; `None` if there is no session of that name.
    ///
    /// # Errors
    /// What the server reports.
    pub fn home(&self, session: &SessionId) -> Result<Option<Home>, LogError> {
        let session = session.clone();
        self.link.call(async move |server: &mut Server| {
            let rows = server.read(Query::Home, &[&session.as_str()]).await?;
            let found = rows.first().map(|row| home(row, 0));
            found.transpose().map_err(|error| storage(server, error))
        })
    }

    /// The logs that send their events to this one, the one that was heard of last first.
    ///
    /// # Errors
    /// What the server reports.
    pub fn machines(&self) -> Result<Vec<Machine>, LogError> {
        self.link.call(async |server: &mut Server| {
            let rows = server.read(Query::Homes, &[]).await?;
            let machines: Result<_, _> = rows.iter().map(machine).collect();
            machines.map_err(|error| storage(server, error))
        })
    }

    /// The sessions of sub-agents elsewhere whose parents' home is a log, as far as they have events behind the place
    /// `since`; or one of them, if that is one. They come in the order of their newest events.
    ///
    /// A sub-agent says which session its parent's is by the name that this one has where the sub-agent is: the one
    /// that it has here, or, as a copy there whose name was taken, that with the log's id.
    ///
    /// # Errors
    /// What the server reports.
    pub fn sub_agents(
        &self,
        home: Uuid,
        one: Option<&SessionId>,
        since: u64,
    ) -> Result<Vec<SubAgent>, LogError> {
        let one = one.cloned();
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        self.link.call(async move |server: &mut Server| {
            let name = one.as_ref().map(SessionId::as_str);
            let query = Query::SubAgents {
                is_one: one.is_some(),
            };
            let mut params: Vec<&(dyn ToSql + Sync)> = vec![&home, &since];
            if one.is_some() {
                params.push(&name);
            }
            let rows = server.read(query, &params).await?;
            let found: Result<_, Source> = rows.iter().map(sub_agent).collect();
            found.map_err(|source| LogError::Storage {
                place: server.place(),
                source,
            })
        })
    }

    /// Makes a log the home of a session, or the log of the fleet if it is `None`, unless its epoch is another
    /// by now. Says what its home is then, and whether that is by this call.
    ///
    /// # Errors
    /// [`LogError::NoSession`], and what the server reports. After [`LogError::Unconfirmed`] see
    /// [what its home is](Self::home).
    pub fn claim(
        &mut self,
        session: &SessionId,
        by: Option<Uuid>,
        epoch: u64,
    ) -> Result<(bool, Home), LogError> {
        let session = session.clone();
        let epoch = i64::try_from(epoch).unwrap_or(i64::MAX);
        self.link.call(async move |server: &mut Server| {
            let patience = server.patience();
            let params: [&(dyn ToSql + Sync); 4] = [&session.as_str(), &by, &epoch, &patience];
            let rows = match server.write(Query::Claim, &params).await? {
                Ok(rows) => rows,
                Err(error) => return Err(refused(&server.place(), error)),
            };
            let row = rows.first();
            let version = row.and_then(|row| row.try_get::<_, Option<i64>>(1).ok()?);
            let (Some(row), Some(_)) = (row, version) else {
                return Err(LogError::NoSession { session });
            };
            let taken = || Ok((row.try_get(0)?, home(row, 1)?));
            taken().map_err(|error| storage(server, error))
        })
    }

    /// Sends events of sessions whose home is the log of that id, in one round trip. What is answered for one
    /// part keeps no other back; `machine` is what others see of where it comes from.
    ///
    /// An id that is an event's of another session on the server is replaced there by one that follows from it
    /// and from the log's.
    ///
    /// # Errors
    /// [`LogError::IdConflict`] if an id names another event of the same session, and what the server reports.
    /// Nothing was appended then, but after [`LogError::Unconfirmed`] that is not known: send the same again.
    pub fn send(
        &mut self,
        from: Uuid,
        machine: &str,
        parts: Vec<Part>,
    ) -> Result<Vec<Sent>, LogError> {
        let machine = machine.to_owned();
        self.link
            .call(async move |server: &mut Server| send(server, from, &machine, &parts).await)
    }

    /// Gives the events of a session as [`lines`](hud_store::log::Log::lines) does, but from a version on.
    ///
    /// # Errors
    /// As [`Log::read`](hud_store::log::Log::read).
    pub fn lines_from(
        &self,
        session: &SessionId,
        version: u64,
        each: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        self.lines_of(Scan::Session(session.clone()), version, each)
    }
}

async fn send(
    server: &mut Server,
    from: Uuid,
    machine: &str,
    parts: &[Part],
) -> Result<Vec<Sent>, LogError> {
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let patience = server.patience();
    let sessions: Vec<&str> = parts.iter().map(|part| part.session.as_str()).collect();
    let expected: Vec<Option<i64>> = parts.iter().map(|p| p.expected.map(signed)).collect();
    let epochs: Vec<i64> = parts.iter().map(|part| signed(part.epoch)).collect();
    let resumed: Vec<Option<&str>> = parts
        .iter()
        .map(|part| part.resumes.as_ref().map(SessionId::as_str))
        .collect();
    let counts: Vec<i32> = parts
        .iter()
        .map(|part| i32::try_from(part.events.len()).unwrap_or(i32::MAX))
        .collect();
    let columns = Columns::of(parts.iter().flat_map(|part| &part.events));
    let spares: Vec<Uuid> = columns.ids.iter().map(|id| spare(from, *id)).collect();
    let mut params: Vec<&(dyn ToSql + Sync)> = vec![
        &from,
        &machine,
        &patience,
        &sessions,
        &expected,
        &epochs,
        &resumed,
        &counts,
        &columns.ids,
        &spares,
    ];
    params.extend(columns.params());
    let place = server.place();
    let rows = match server.write(Query::AppendMany, &params).await? {
        Ok(rows) => rows,
        Err(error) => {
            return Err(match clash(&error) {
                Some((id, seq)) => LogError::IdConflict { id, seq },
                None => refused(&place, error),
            });
        }
    };
    if rows.len() != parts.len() {
        let source = "it gave no answer to some of what was sent".into();
        return Err(LogError::Storage { place, source });
    }
    let sent: Result<_, _> = rows.iter().map(sent).collect();
    sent.map_err(|source| LogError::Storage { place, source })
}

/// The id that an event has where its own is taken.
pub(crate) fn spare(log: Uuid, id: Uuid) -> Uuid {
    Uuid::new_v5(&log, id.as_bytes())
}

fn sent(row: &Row) -> Result<Sent, Source> {
    let number = |column| -> Result<u64, tokio_postgres::Error> {
        Ok(row.try_get::<_, i64>(column)?.unsigned_abs())
    };
    let outcome: &str = row.try_get(0)?;
    Ok(match outcome {
        "met" => Sent::Appended {
            duplicates: number(4)?,
        },
        "unmet" => Sent::Unmet {
            version: number(1)?,
        },
        "moved" => Sent::Moved {
            home: Home {
                log: row.try_get(5)?,
                epoch: number(6)?,
                version: number(1)?,
            },
            shared: number(4)?,
        },
        other => return Err(format!("it answered `{other}` to an append").into()),
    })
}

/// The home in the columns from that one on.
fn home(row: &Row, from: usize) -> Result<Home, tokio_postgres::Error> {
    Ok(Home {
        version: row.try_get::<_, i64>(from)?.unsigned_abs(),
        log: row.try_get(from + 1)?,
        epoch: row.try_get::<_, i64>(from + 2)?.unsigned_abs(),
    })
}

fn sub_agent(row: &Row) -> Result<SubAgent, Source> {
    Ok(SubAgent {
        session: SessionId::new(row.try_get::<_, &str>(0)?)?,
        version: row.try_get::<_, i64>(1)?.unsigned_abs(),
        seq: row.try_get::<_, i64>(2)?.unsigned_abs(),
        parent: SessionId::new(row.try_get::<_, &str>(3)?)?,
    })
}

fn machine(row: &Row) -> Result<Machine, tokio_postgres::Error> {
    let silent: i64 = row.try_get(3)?;
    Ok(Machine {
        log: row.try_get(0)?,
        name: row.try_get(1)?,
        user: row.try_get(2)?,
        silent: Duration::from_micros(u64::try_from(silent).unwrap_or(0)),
        sessions: row.try_get::<_, i64>(4)?.unsigned_abs(),
    })
}

fn storage(server: &Server, error: tokio_postgres::Error) -> LogError {
    LogError::Storage {
        place: server.place(),
        source: error.into(),
    }
}

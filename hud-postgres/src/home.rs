//! Homes of sessions, and the events that a log sends of the sessions it is the home of.

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

/// The log that writes a session. Events are accepted only from there, so that versions are the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Home {
    /// The id of the log that writes it; `None` if its events are appended to the log of the fleet.
    pub log: Option<Uuid>,
    /// The number of times that the home has changed.
    pub epoch: u64,
    /// The number of events of the session.
    pub version: u64,
}

/// A log that sends its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The id of the log.
    pub log: Uuid,
    /// The name that its machine reports.
    pub name: String,
    /// The user of the server as whom it sends.
    pub user: String,
    /// The time since it last sent something, by the server's clock.
    pub silent: Duration,
    /// The number of sessions that have it as their home.
    pub sessions: u64,
}

/// A session of a sub-agent whose parent's session has another home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubAgent {
    /// The name on the server.
    pub session: SessionId,
    /// The number of events.
    pub version: u64,
    /// The seq of its newest event in the log.
    pub seq: u64,
    /// The name of its parent's session on the server.
    pub parent: SessionId,
}

/// Some events of one session, to be sent by its home.
#[derive(Debug)]
pub struct Part {
    /// The name of the session on the server.
    pub session: SessionId,
    /// The version of the session before the first of the events; `None` if all of them are there already and are
    /// sent again because their text was redacted.
    pub expected: Option<u64>,
    /// The epoch in which the log is the session's home.
    pub epoch: u64,
    /// The session that it continues, if it is a new session for events that the former home of that one recorded
    /// later.
    pub resumes: Option<SessionId>,
    /// The events, as they are stored.
    pub events: Vec<Record>,
}

/// The result of sending a [`Part`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// All events are there.
    Appended {
        /// The number of its events that were there before.
        duplicates: u64,
    },
    /// The session has another version than expected. Nothing was appended.
    Unmet {
        /// The session's version.
        version: u64,
    },
    /// The session's home is another log. Nothing was appended.
    Moved {
        /// The home, and the session's version.
        home: Home,
        /// The number of the events, from the first on, that are there already.
        shared: u64,
    },
}

impl PgLog {
    /// The home of a session; `None` if there is no session of that name.
    ///
    /// # Errors
    /// The errors of the server.
    pub fn home(&self, session: &SessionId) -> Result<Option<Home>, LogError> {
        let session = session.clone();
        self.link.call(async move |server: &mut Server| {
            let rows = server.read(Query::Home, &[&session.as_str()]).await?;
            let found = rows.first().map(|row| home(row, 0));
            found.transpose().map_err(|error| storage(server, error))
        })
    }

    /// The logs that send their events to this one, the most recently active first.
    ///
    /// # Errors
    /// The errors of the server.
    pub fn machines(&self) -> Result<Vec<Machine>, LogError> {
        self.link.call(async |server: &mut Server| {
            let rows = server.read(Query::Homes, &[]).await?;
            let machines: Result<_, _> = rows.iter().map(machine).collect();
            machines.map_err(|error| storage(server, error))
        })
    }

    /// The sessions of sub-agents on other machines whose parents' home is the log `home`, if they have events after
    /// the seq `since`. With `one`, only that session, if it is one of them. They are in the order of their newest
    /// events.
    ///
    /// A sub-agent's session names its parent's session as the parent is called where the sub-agent is. That is the
    /// name that the parent has here, or, for a copy whose name was taken there, the name with the log's id.
    ///
    /// # Errors
    /// The errors of the server.
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

    /// Makes a log the home of a session, or the log of the fleet if `by` is `None`, unless the session's epoch has
    /// changed. Returns true if this call did it, and the home of the session.
    ///
    /// # Errors
    /// [`LogError::NoSession`], and the errors of the server. After [`LogError::Unconfirmed`] read
    /// [the home](Self::home).
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

    /// Sends events of sessions whose home is the log of that id, in one round trip. A part that is refused does not
    /// affect the others. `machine` is the name of the sending machine that others see.
    ///
    /// If an id belongs to an event of another session on the server, the event is stored there under an id that is
    /// derived from it and the log's id.
    ///
    /// # Errors
    /// [`LogError::IdConflict`] if an id names another event of the same session, and the errors of the server.
    /// Nothing was appended then, except that after [`LogError::Unconfirmed`] this is unknown. Send the same again.
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

    /// Passes the events of a session to `each` like [`lines`](hud_store::log::Log::lines), from a version on.
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

/// The id of an event whose own id is taken.
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

/// The home in the columns from `from` on.
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

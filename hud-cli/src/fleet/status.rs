//! `hud fleet status`: shows how much of the log was sent, which machines send, and the state of the server.

use std::ops::ControlFlow;
use std::time::Duration;

use hud_postgres::{Health, Machine, PgLog};
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Elsewhere, Remote, SqliteLog};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::args::Status;
use super::{address, url};
use crate::app::App;
use crate::opened::{FileOnly, server};
use crate::output::{Failure, Output, count};

/// The time after which a silent machine counts as away. A machine that sends is heard of every minute.
const AWAY: Duration = Duration::from_secs(600);

/// The largest difference of two clocks that is not reported, in milliseconds.
const SKEW: u64 = 5_000;

/// The state of a fleet, as seen from this machine.
#[derive(Serialize)]
pub(super) struct Found {
    log: String,
    place: String,
    pub(super) waiting: u64,
    pub(super) waiting_seconds: u64,
    pub(super) unconfirmed: u64,
    #[serde(rename = "heard_at")]
    pub(super) heard: Option<Timestamp>,
    trouble: Option<String>,
    elsewhere: Vec<There>,
    pub(super) server: Option<Served>,
}

#[derive(Serialize)]
struct There {
    session: String,
    name: String,
    copied: u64,
    epoch: u64,
    resumes: Option<String>,
}

/// The state of the fleet's server.
#[derive(Serialize)]
pub(super) struct Served {
    version: String,
    pub(super) waits_for_standby: bool,
    pub(super) clock_ahead_ms: i64,
    pub(super) waiting_for_locks: u64,
    pub(super) machines: Vec<Sender>,
}

/// A log that sends its events to the server.
#[derive(Serialize)]
pub(super) struct Sender {
    log: String,
    name: String,
    user: String,
    sessions: u64,
    silent_seconds: u64,
    is_this: bool,
    pub(super) is_away: bool,
}

pub(crate) fn run(args: &Status, app: &App) -> Result<(), Failure> {
    #[cfg(not(feature = "telemetry"))]
    if args.prometheus {
        return Err(super::unmeasured());
    }
    let location = args.db.file(FileOnly::Sync, app)?;
    drop(location.read()?);
    // A log that is only read would suffice, but a log of an older program has to be updated first.
    let log = location.write(hud_store::sqlite::Durability::Full)?;
    let address = address(args.to.as_ref(), "--to", &log, &location, app)?;
    let place = url(&address);
    let id = log.id()?;
    let mut found = here(&log, id, &place)?;
    drop(log);
    let asked = server(&address, location.directory(), app).and_then(|to| there(&to, id));
    let failed = match asked {
        Ok(server) => {
            found.server = Some(server);
            None
        }
        Err(error) => Some(error),
    };
    let mut output = Output::new();
    match args.json {
        true => output.json(&found)?,
        #[cfg(feature = "telemetry")]
        false if args.prometheus => output.text(super::telemetry::gauges(&found).trim_end())?,
        false => show(&found, &mut output)?,
    }
    output.flush()?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

/// The state as the log here knows it.
pub(super) fn here(log: &SqliteLog, id: Uuid, place: &str) -> Result<Found, LogError> {
    let Remote {
        seq,
        tried,
        at,
        trouble,
    } = log.remote(place)?;
    let mut oldest = None;
    log.read_all(seq + 1, &mut |event| {
        oldest = Some(event.at);
        ControlFlow::Break(())
    })?;
    let seconds = oldest.map_or(0, |at| Timestamp::now().as_second() - at.as_second());
    let elsewhere = log.all_elsewhere(place)?.into_iter();
    Ok(Found {
        log: id.to_string(),
        place: place.to_owned(),
        waiting: log.last_seq()?.saturating_sub(seq),
        waiting_seconds: u64::try_from(seconds).unwrap_or(0),
        unconfirmed: tried.saturating_sub(seq),
        heard: at,
        trouble,
        elsewhere: elsewhere
            .map(|(session, known)| {
                let Elsewhere {
                    name,
                    since,
                    epoch,
                    resumes,
                } = known;
                There {
                    session: session.to_string(),
                    name: name.to_string(),
                    copied: since,
                    epoch,
                    resumes: resumes.map(|former| former.to_string()),
                }
            })
            .collect(),
        server: None,
    })
}

/// The state as the server reports it.
pub(super) fn there(to: &PgLog, id: Uuid) -> Result<Served, LogError> {
    let Health {
        version,
        waits_for_standby,
        clock_ahead,
        waiting,
    } = to.health()?;
    let sender = |machine: Machine| Sender {
        is_this: machine.log == id,
        is_away: machine.silent > AWAY,
        silent_seconds: machine.silent.as_secs(),
        log: machine.log.to_string(),
        name: machine.name,
        user: machine.user,
        sessions: machine.sessions,
    };
    Ok(Served {
        version,
        waits_for_standby,
        clock_ahead_ms: clock_ahead,
        waiting_for_locks: waiting,
        machines: to.machines()?.into_iter().map(sender).collect(),
    })
}

fn show(found: &Found, output: &mut Output) -> Result<(), Failure> {
    output.text(&format!("log {} to {}", found.log, found.place))?;
    output.text(&match found.waiting {
        0 => "  all of it is there".to_owned(),
        waiting => format!(
            "  {} to be sent, the oldest recorded {} s ago",
            count(waiting, "event"),
            found.waiting_seconds
        ),
    })?;
    if found.unconfirmed > 0 {
        let events = count(found.unconfirmed, "event");
        output.text(&format!(
            "  {events} of them may be there: the next push finds out"
        ))?;
    }
    if let Some(at) = &found.heard {
        output.text(&format!("  heard of last at {at}"))?;
    }
    if let Some(trouble) = &found.trouble {
        output.text(&format!("  not sent because: {trouble}"))?;
    }
    for there in &found.elsewhere {
        let copied = match there.copied {
            0 => String::new(),
            copied => format!(", {} from there", count(copied, "event")),
        };
        let resumes = there.resumes.as_ref();
        let resumes = resumes.map_or(String::new(), |former| format!(", goes on from {former}"));
        output.text(&format!(
            "  session {} is {} there{copied}{resumes}",
            there.session, there.name
        ))?;
    }
    let Some(server) = &found.server else {
        return Ok(());
    };
    output.text(&format!("server: PostgreSQL {}", server.version))?;
    if !server.waits_for_standby {
        output.text(
            "  commits are on one machine: set synchronous_standby_names to have them on two",
        )?;
    }
    if server.clock_ahead_ms.unsigned_abs() > SKEW {
        output.text(&format!(
            "  its clock is {} ms ahead of this machine's: set one of them right",
            server.clock_ahead_ms
        ))?;
    }
    if server.waiting_for_locks > 0 {
        let waiting = count(server.waiting_for_locks, "connection");
        output.text(&format!("  {waiting} waiting for a lock"))?;
    }
    for machine in &server.machines {
        output.text(&format!(
            "{}{}  {}, by {}, heard of {} s ago{}",
            machine.name,
            match machine.is_this {
                true => " (this one)",
                false => "",
            },
            count(machine.sessions, "session"),
            machine.user,
            machine.silent_seconds,
            match machine.is_away {
                true => ": away",
                false => "",
            }
        ))?;
    }
    Ok(())
}

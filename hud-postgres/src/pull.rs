//! Copying sessions from the log of a fleet, and becoming their home.

use std::ops::ControlFlow;

use hud_store::event::{EventId, SessionId};
use hud_store::jsonl::Line;
use hud_store::log::{Log, LogError};
use hud_store::sqlite::{Elsewhere, SqliteLog};
use jiff::Timestamp;
use uuid::Uuid;

use crate::PgLog;
use crate::home::{Home, SubAgent, spare};
use crate::sync::{SyncError, other_name, page};

/// The result of copying a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// The name here. It differs from the name there if another session of this log has that name.
    pub session: SessionId,
    /// The name in the log of the fleet.
    pub name: SessionId,
    /// The number of events that are new here.
    pub events: u64,
    /// The number of events of the session.
    pub version: u64,
}

/// Copies a session of the fleet, or its events since the last copy. The events have the same ids, versions and
/// contents here, and events that were redacted there are redacted here.
///
/// Only its home appends to a session. Events that are appended to the copy are sent as a separate session by the
/// next [`push`](crate::push), unless this log [becomes the session's home](take) before.
///
/// The events of a sub-agent are propagated to its parent, if this log is the home of the parent's session. See
/// [`SqliteLog::hand_up`].
///
/// # Errors
/// [`SyncError`]. Events that were copied before stay.
pub fn pull(to: &mut SqliteLog, from: &PgLog, name: &SessionId) -> Result<Pulled, SyncError> {
    let pulled = copy(to, from, name)?;
    let copied = to.session(&pulled.session)?;
    if copied.is_some_and(|info| info.origin.parent.is_some()) {
        for child in from.sub_agents(to.id()?, Some(name), 0)? {
            hand_up(to, from, &child, &pulled.session)?;
        }
    }
    Ok(pulled)
}

/// Copies the sessions of sub-agents on other machines whose parents' home is this log, if they have events after the
/// seq `since` in the log of the fleet. Propagates their events to the parents, and advances `since`. Passes the
/// result of each copy to `each`, like [`pull_all`].
///
/// # Errors
/// [`SyncError`], if it is not about a single session.
pub fn pull_sub_agents(
    to: &mut SqliteLog,
    from: &PgLog,
    since: &mut u64,
    each: &mut dyn FnMut(Result<Pulled, SyncError>),
) -> Result<(), SyncError> {
    let url = from.place().to_string();
    for child in from.sub_agents(to.id()?, None, *since)? {
        let mut all = to.all_elsewhere(&url)?.into_iter();
        let known = all.find(|(_, there)| there.name == child.session);
        let pulled = match known {
            // A process may have copied it and ended before it propagated the events.
            Some((session, there)) if there.since >= child.version => {
                hand_up(to, from, &child, &session)?;
                None
            }
            _ => Some(copy(to, from, &child.session).and_then(|pulled| {
                hand_up(to, from, &child, &pulled.session)?;
                Ok(pulled)
            })),
        };
        if let Some(pulled) = pulled {
            let pulled = of_one(pulled)?;
            each(pulled);
        }
        *since = child.seq;
    }
    Ok(())
}

/// Propagates the events of a copied session of a sub-agent to its parent.
fn hand_up(
    to: &mut SqliteLog,
    from: &PgLog,
    child: &SubAgent,
    copy: &SessionId,
) -> Result<(), LogError> {
    let mut all = to.all_elsewhere(&from.place().to_string())?.into_iter();
    let known = all.find(|(_, there)| there.name == child.parent);
    let parent = known.map_or_else(|| child.parent.clone(), |(session, _)| session);
    to.hand_up(copy, &parent, 0, Timestamp::now()).map(drop)
}

/// The result for one session among others. An error that affects all sessions is returned as the outer error.
fn of_one<T>(outcome: Result<T, SyncError>) -> Result<Result<T, SyncError>, SyncError> {
    match outcome {
        Err(SyncError::Log(error))
            if !matches!(
                error,
                LogError::NoSession { .. } | LogError::Corrupt { .. } | LogError::Invalid { .. }
            ) =>
        {
            Err(error.into())
        }
        outcome => Ok(outcome),
    }
}

fn copy(to: &mut SqliteLog, from: &PgLog, name: &SessionId) -> Result<Pulled, SyncError> {
    let url = from.place().to_string();
    let home = known_home(from, name)?;
    let (session, mut known) = local(to, from, &url, name, &home)?;
    let mut version = version_of(to, &session)?;
    let mut pulled = Pulled {
        session: session.clone(),
        name: name.clone(),
        events: 0,
        version,
    };
    if home.log == Some(to.id()?) && version >= home.version {
        return Ok(pulled);
    }
    check_shared(to, from, &session, name, version)?;
    loop {
        let lines = page(|each| from.lines_from(name, version + 1, each))?;
        if lines.is_empty() {
            break;
        }
        let done = to.take_in(&session, version, renamed(lines, &session), copied)?;
        pulled.events += done.version - version;
        version = done.version;
        known.since = version;
        to.set_elsewhere(&url, &session, &known)?;
    }
    if known.since < version {
        known.since = version;
        to.set_elsewhere(&url, &session, &known)?;
    }
    pulled.version = version;
    Ok(pulled)
}

/// Copies all sessions of the fleet whose home is another log, and passes each result to `each`. The error of a
/// session that has diverged does not stop the others.
///
/// # Errors
/// [`SyncError`], if it is not about a single session.
pub fn pull_all(
    to: &mut SqliteLog,
    from: &PgLog,
    each: &mut dyn FnMut(Result<Pulled, SyncError>) -> ControlFlow<()>,
) -> Result<(), SyncError> {
    for info in from.sessions()? {
        if each(of_one(pull(to, from, &info.id))?).is_break() {
            break;
        }
    }
    Ok(())
}

/// Makes a log the home of a session of the fleet, with all its events. If several logs try at once, one succeeds. If
/// it is the home already, only a copy is made.
///
/// Events that the former home recorded and did not send are sent by it as a separate session.
///
/// # Errors
/// [`SyncError::Raced`] if another log was faster, and the errors of [`pull`]. A repeated call continues.
pub fn take(to: &mut SqliteLog, from: &mut PgLog, name: &SessionId) -> Result<Pulled, SyncError> {
    let id = to.id()?;
    let url = from.place().to_string();
    let before = pull(to, from, name)?;
    let mut home = known_home(from, name)?;
    if home.log != Some(id) {
        let (is_taken, now) = from.claim(name, Some(id), home.epoch)?;
        if !is_taken && now.log != Some(id) {
            return Err(SyncError::Raced {
                session: name.clone(),
                by: now
                    .log
                    .map_or_else(|| "the fleet".to_owned(), |log| log.to_string()),
            });
        }
        home = now;
    }
    let known = to.elsewhere(&url, &before.session)?;
    let mut known = known.unwrap_or_else(|| Elsewhere::same(&before.session));
    known.epoch = home.epoch;
    // Copies the events that were sent before the claim. No others follow.
    let behind = copy_rest(to, from, &before.session, &known)?;
    known.since = known.since.max(behind);
    to.set_elsewhere(&url, &before.session, &known)?;
    Ok(Pulled {
        events: before.events + behind.saturating_sub(before.version),
        version: behind,
        ..before
    })
}

/// Copies the events between the copy and the claim. Returns the version of the last event.
fn copy_rest(
    to: &mut SqliteLog,
    from: &PgLog,
    session: &SessionId,
    known: &Elsewhere,
) -> Result<u64, SyncError> {
    let mut version = version_of(to, session)?;
    check_shared(to, from, session, &known.name, version)?;
    loop {
        let lines = page(|each| from.lines_from(&known.name, version + 1, each))?;
        if lines.is_empty() {
            return Ok(version);
        }
        let done = to.take_in(session, version, renamed(lines, session), copied)?;
        version = done.version;
    }
}

/// The id that an event of the fleet gets here if its own id belongs to another session.
fn copied(id: EventId) -> EventId {
    EventId::from_uuid(spare(Uuid::nil(), *id.as_uuid()))
}

fn known_home(from: &PgLog, name: &SessionId) -> Result<Home, LogError> {
    from.home(name)?.ok_or_else(|| LogError::NoSession {
        session: name.clone(),
    })
}

fn version_of(log: &SqliteLog, session: &SessionId) -> Result<u64, LogError> {
    Ok(log.session(session)?.map_or(0, |info| info.events))
}

/// The lines as lines of a session of that name.
fn renamed(lines: Vec<Line>, session: &SessionId) -> Vec<Line> {
    let rename = |mut line: Line| {
        line.session.clone_from(session);
        line
    };
    lines.into_iter().map(rename).collect()
}

/// The name of the session here.
fn local(
    to: &SqliteLog,
    from: &PgLog,
    url: &str,
    name: &SessionId,
    home: &Home,
) -> Result<(SessionId, Elsewhere), SyncError> {
    let mut all = to.all_elsewhere(url)?.into_iter();
    if let Some(known) = all.find(|(_, elsewhere)| elsewhere.name == *name) {
        return Ok(known);
    }
    let here = first(|each| to.lines_from(Some(name), 1, each))?;
    let there = first(|each| from.lines_from(name, 1, each))?;
    let session = match (here, there) {
        (Some(here), Some(there)) if here.id != there.id => other_name(name, home.log, 1),
        _ => name.clone(),
    };
    let is_own = home.log == Some(to.id()?);
    let elsewhere = Elsewhere {
        epoch: if is_own { home.epoch } else { 0 },
        ..Elsewhere::same(name)
    };
    Ok((session, elsewhere))
}

fn first(
    read: impl FnOnce(&mut dyn FnMut(Line) -> ControlFlow<()>) -> Result<(), LogError>,
) -> Result<Option<Line>, LogError> {
    let mut found = None;
    read(&mut |line| {
        found = Some(line);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// Refuses a session that has other events here than there.
fn check_shared(
    to: &SqliteLog,
    from: &PgLog,
    session: &SessionId,
    name: &SessionId,
    version: u64,
) -> Result<(), SyncError> {
    if version == 0 {
        return Ok(());
    }
    let here = first(|each| to.lines_from(Some(session), version, each))?;
    let there = first(|each| from.lines_from(name, version, each))?;
    let own = to.id()?;
    let is_same = match (&here, &there) {
        (Some(here), Some(there)) => {
            let sent = EventId::from_uuid(spare(own, *here.id.as_uuid()));
            there.id == here.id || there.id == sent || copied(there.id) == here.id
        }
        _ => false,
    };
    match is_same {
        true => Ok(()),
        false => Err(SyncError::Diverged {
            session: session.clone(),
            version: to
                .elsewhere(&from.place().to_string(), session)?
                .map_or(version, |known| known.since),
        }),
    }
}

//! Propagating the events of sub-agents to their parent session.

use std::ops::{ControlFlow, RangeInclusive};

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row};
use uuid::Uuid;

use super::{SqliteLog, redact};
use crate::event::{Actor, EventId, EventRedact, HudEvent, NewEvent, SessionId, StoredEvent};
use crate::log::{EventName, Log, LogError, append_with};

/// The actor of propagated events in the parent.
const SUB_AGENT: &str = "sub-agent";

/// The number of a session's newest events that are searched first for events that are not propagated yet.
const FIRST: u64 = 256;

/// The maximum number of bytes of a session's name in the names of its items. A longer name is shortened.
const LONGEST: usize = 12;

/// The maximum number of attempts after another process propagated the same events.
const TRIES: u32 = 10;

impl SqliteLog {
    /// Propagates the new events of a sub-agent to its parent session, if their section
    /// [propagates them](crate::section::Section::handed_up): decisions, findings, notes and blockers, and later changes of them.
    /// Those of the sub-agent's own sub-agents are included. Nothing is done if the sub-agent recorded no such event
    /// after the version `since`. Returns the number of new events.
    ///
    /// Events that were derived from the sub-agent's conversation, or inherited when it began, are not propagated. An
    /// item's name gets the sub-agent's name as a suffix, such as `d1@tester`, so that later events of the sub-agent
    /// find it. Items that the parent removed do not come back, and nothing is propagated to a session that does not
    /// exist.
    ///
    /// ```
    /// use hud_store::event::{Actor, DecisionRecord, NewEvent, NoteAdd, SessionId};
    /// use hud_store::log::{Expected, Log, begin, state_of};
    /// use hud_store::sqlite::SqliteLog;
    /// use hud_store::state::Origin;
    /// use jiff::Timestamp;
    ///
    /// let mut log = SqliteLog::open_in_memory()?;
    /// let (main, tester) = (SessionId::new("main")?, SessionId::new("tester")?);
    /// let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
    /// log.append(&main, Expected::Any, &[NewEvent::now(1, Actor::Agent, note)])?;
    /// let origin = Origin { parent: Some(main.clone()), ..Origin::default() };
    /// begin(&mut log, &tester, &origin, Timestamp::now())?;
    ///
    /// let decision = DecisionRecord {
    ///     id: "d1".into(),
    ///     summary: "Test against redis 7".into(),
    ///     details: None,
    ///     weight: None,
    /// };
    /// log.append(&tester, Expected::Any, &[NewEvent::now(1, Actor::Agent, decision)])?;
    /// assert_eq!(log.hand_up(&tester, &main, 0, Timestamp::now())?, 1);
    /// assert_eq!(state_of(&log, &main)?.decisions[0].id, "d1@tester");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of reading the sub-agent's session and of appending to the parent. Nothing was recorded then.
    pub fn hand_up(
        &mut self,
        child: &SessionId,
        parent: &SessionId,
        since: u64,
        at: Timestamp,
    ) -> Result<u64, LogError> {
        let is_over = self.session(parent)?.is_none();
        if is_over
            || self
                .handed_up_of(child, since.saturating_add(1))?
                .is_empty()
        {
            return Ok(0);
        }
        for attempt in 1.. {
            let new = self.not_handed_up(child)?;
            if new.is_empty() {
                break;
            }
            let handed = append_with(self, parent, |state| {
                let event = |(id, event): &(EventId, HudEvent)| NewEvent {
                    id: *id,
                    turn: state.turn,
                    at,
                    actor: Actor::Other(SUB_AGENT.to_owned()),
                    cause: None,
                    event: event.clone(),
                };
                Ok::<_, LogError>(new.iter().map(event).collect())
            });
            match handed {
                Ok((_, appended)) => return Ok(new.len() as u64 - appended.duplicates),
                // Another process was faster, in another turn of the parent.
                Err(LogError::IdConflict { .. }) if attempt < TRIES => {}
                Err(error) => return Err(error),
            }
        }
        Ok(0)
    }

    /// True if all events of a session were copied from another log, which is the session's home.
    ///
    /// # Errors
    /// The errors of SQLite.
    pub fn is_copy(&self, session: &SessionId) -> Result<bool, LogError> {
        let select = "SELECT EXISTS (SELECT 1 FROM remote_session r JOIN session s ON s.stream = r.stream \
                      WHERE r.stream = ?1 AND r.epoch = 0 AND r.since >= s.ver)";
        let found = self
            .conn
            .prepare_cached(select)
            .and_then(|mut select| select.query_row([session.as_str()], |row| row.get(0)));
        self.named(found)
    }

    /// Redacts the events in a parent session that were propagated from some versions of a session, because the event
    /// `because` redacts or deletes the originals.
    pub(super) fn redact_above(
        &mut self,
        child: &SessionId,
        versions: RangeInclusive<u64>,
        because: &NewEvent,
    ) -> Result<(), LogError> {
        let mut above = Vec::new();
        self.read(child, *versions.start(), &mut |event| {
            if event.version > *versions.end() {
                return ControlFlow::Break(());
            }
            above.push(id_of(event.id));
            ControlFlow::Continue(())
        })?;
        for id in above {
            // The home of a copied session redacts the event, and the copy receives the redaction with its next pull.
            let Some(parent) = self.session_of(&id)? else {
                continue;
            };
            if !self.is_copy(&parent)? {
                let by = &mut |redact: EventRedact| NewEvent {
                    id: EventId::now_v7(),
                    event: redact.into(),
                    ..because.clone()
                };
                self.named(redact::redact(self, &EventName::Id(id), by, None))?;
            }
        }
        Ok(())
    }

    /// The session of an event; `None` if it is not in the log.
    fn session_of(&self, id: &EventId) -> Result<Option<SessionId>, LogError> {
        let select = "SELECT stream FROM event WHERE id = ?1";
        let found = self.conn.prepare_cached(select).and_then(|mut select| {
            let name = |row: &Row<'_>| row.get::<_, String>(0);
            select.query_row([id.as_uuid().as_bytes()], name).optional()
        });
        // Readers of the session report an invalid name.
        Ok(self
            .named(found)?
            .and_then(|name| SessionId::new(name).ok()))
    }

    /// The events of a session that have to be propagated and are not yet. Events are propagated in order, so all
    /// before the newest one that was propagated are done.
    fn not_handed_up(&self, child: &SessionId) -> Result<Vec<(EventId, HudEvent)>, LogError> {
        let newest = self.session(child)?.map_or(0, |info| info.events);
        let mut looked = FIRST;
        loop {
            let from = newest.saturating_sub(looked) + 1;
            let mut all = self.handed_up_of(child, from)?;
            for nth in (0..all.len()).rev() {
                if let Some((id, _)) = all.get(nth)
                    && self.contains(id)?
                {
                    return Ok(all.split_off(nth + 1));
                }
            }
            if from == 1 {
                return Ok(all);
            }
            looked = looked.saturating_mul(16);
        }
    }

    /// The events of a session to propagate from a version on, with their ids in the parent.
    fn handed_up_of(
        &self,
        child: &SessionId,
        from: u64,
    ) -> Result<Vec<(EventId, HudEvent)>, LogError> {
        let mut all = Vec::new();
        let behind = behind(child);
        let name = |id: &str| format!("{id}{behind}");
        self.read(child, from, &mut |event| {
            if is_recorded(&event)
                && let Some(up) = self.sections.handed_up(&event.event, &name)
            {
                all.push((id_of(event.id), up));
            }
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }
}

/// True if somebody recorded the event. Other events are derived from a conversation.
fn is_recorded(event: &StoredEvent) -> bool {
    !matches!(
        event.actor,
        Actor::Derived | Actor::Summary | Actor::Distilled
    )
}

/// The id of the propagated event, which is the same in every log.
fn id_of(event: EventId) -> EventId {
    EventId::from_uuid(Uuid::new_v5(event.as_uuid(), SUB_AGENT.as_bytes()))
}

/// The suffix of the names of a session's items in the parent.
fn behind(child: &SessionId) -> String {
    let name = child.as_str();
    if name.len() <= LONGEST {
        return format!("@{name}");
    }
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes());
    let short: String = hash.simple().to_string().chars().take(6).collect();
    format!("@{short}")
}

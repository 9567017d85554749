//! What sub-agents recorded comes up to the session that made them.

use std::ops::{ControlFlow, RangeInclusive};

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row};
use uuid::Uuid;

use super::{SqliteLog, redact};
use crate::event::{Actor, EventId, EventRedact, HudEvent, NewEvent, SessionId, StoredEvent};
use crate::log::{EventName, Log, LogError, append_with};

/// Who recorded what comes up, as the parent has it.
const SUB_AGENT: &str = "sub-agent";

/// How many of a session's newest events are looked at first for those that did not come up yet.
const FIRST: u64 = 256;

/// How long a session's name may be to be a part of its items' names; a longer one is shortened.
const LONGEST: usize = 12;

/// How often it is looked anew because another process handed up the same meanwhile.
const TRIES: u32 = 10;

impl SqliteLog {
    /// Records in a session what a sub-agent of it recorded, as far as that is not there yet and its section
    /// [has it come up](crate::section::Section::handed_up): decisions, findings, notes and blockers, those of the
    /// sub-agent's own sub-agents among them, and what became of them. Nothing is
    /// looked for where the sub-agent recorded none behind the version `since`. Gives how many events are new.
    ///
    /// What was derived from the sub-agent's conversation, or taken over when it began, stays with it. An item has
    /// the sub-agent's name behind its own, as `d1@tester`: by that, what the sub-agent says of it later finds it. What
    /// the parent removed does not come again, and nothing comes up to a session that is not there.
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
    /// What reading the one and appending to the other report. Nothing was recorded then.
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
                // Another process was quicker, in another turn of the parent.
                Err(LogError::IdConflict { .. }) if attempt < TRIES => {}
                Err(error) => return Err(error),
            }
        }
        Ok(0)
    }

    /// Whether all that there is of a session was copied from another log, which goes on with it.
    ///
    /// # Errors
    /// What SQLite reports.
    pub fn is_copy(&self, session: &SessionId) -> Result<bool, LogError> {
        let select = "SELECT EXISTS (SELECT 1 FROM remote_session r JOIN session s ON s.stream = r.stream \
                      WHERE r.stream = ?1 AND r.epoch = 0 AND r.since >= s.ver)";
        let found = self
            .conn
            .prepare_cached(select)
            .and_then(|mut select| select.query_row([session.as_str()], |row| row.get(0)));
        self.named(found)
    }

    /// Takes out of the session above what came up of a session's events of some versions, because an event says that
    /// it is taken out of the session itself.
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
            // The home of a copied session redacts it, and the copy follows with its next pull.
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
        // A name that is none is found by those who read the session.
        Ok(self
            .named(found)?
            .and_then(|name| SessionId::new(name).ok()))
    }

    /// What is to come up of a session and did not yet. All of it comes up in its order: what is before the newest
    /// that did has done so as well.
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

    /// What is to come up of a session from a version on, by the ids that it has there.
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

/// Whether somebody recorded an event; the others are derived from a conversation.
fn is_recorded(event: &StoredEvent) -> bool {
    !matches!(
        event.actor,
        Actor::Derived | Actor::Summary | Actor::Distilled
    )
}

/// The id of what comes up of an event, in every log.
fn id_of(event: EventId) -> EventId {
    EventId::from_uuid(Uuid::new_v5(event.as_uuid(), SUB_AGENT.as_bytes()))
}

/// What is behind the names of a session's items where they come up.
fn behind(child: &SessionId) -> String {
    let name = child.as_str();
    if name.len() <= LONGEST {
        return format!("@{name}");
    }
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes());
    let short: String = hash.simple().to_string().chars().take(6).collect();
    format!("@{short}")
}

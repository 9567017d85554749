//! Decisions on a state that are appended only if the session has not changed since.

use super::{Appended, Expected, Log, LogError, newer, state_of};
use crate::event::{HudEvent, NewEvent, SessionId};
use crate::fold::fold;
use crate::section::built_in_kinds;
use crate::state::HudState;

/// The maximum number of attempts before the conflict is reported. A session with that many conflicts in a row is
/// written to without a pause.
const ATTEMPTS: u32 = 100;

/// Loads the state of a session, calls `decide` for the events that follow from it, and appends them if nobody else
/// appended anything since. After a conflict it calls `decide` again with the newest state. Returns the state with
/// the events folded into it.
///
/// The events of the last call of `decide` are appended. `decide` must depend only on the state that it receives, not
/// on its earlier calls.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, SessionId, StepAdd};
/// use hud_store::log::{LogError, append_with};
/// use hud_store::memory::MemoryLog;
///
/// let mut log = MemoryLog::new();
/// let session = SessionId::new("s")?;
/// for description in ["read", "write"] {
///     append_with(&mut log, &session, |state| {
///         let id = format!("s{}", state.next_steps.len() + 1);
///         let step = StepAdd { id, description: description.into() };
///         Ok::<_, LogError>(vec![NewEvent::now(1, Actor::Agent, step)])
///     })?;
/// }
/// let (state, appended) = append_with(&mut log, &session, |_| Ok::<_, LogError>(vec![]))?;
/// assert_eq!((state.next_steps[1].id.as_str(), appended.version), ("s2", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of `decide`, those of [`Log::append`] except conflicts, and [`LogError::Conflict`] after a hundred
/// conflicts in a row.
pub fn append_with<L: Log + ?Sized, E: From<LogError>>(
    log: &mut L,
    session: &SessionId,
    decide: impl FnMut(&HudState) -> Result<Vec<NewEvent>, E>,
) -> Result<(HudState, Appended), E> {
    let mut state = state_of(log, session)?;
    let appended = decided(log, session, &mut state, true, decide)?;
    Ok((state, appended))
}

/// Does the same as [`append_with`] with a state of the session that the caller has already. The state may be out of
/// date. It is brought up to date, and the events are folded into it.
///
/// If the state is the newest one, this takes a single append. The session is read, and `decide` called again, only
/// if somebody else appended something or if `decide` returns no events or an error.
///
/// # Errors
/// As [`append_with`]. The state is then one that the session had, either the one passed in or a later one.
pub fn append_onto<L: Log + ?Sized, E: From<LogError>>(
    log: &mut L,
    session: &SessionId,
    state: &mut HudState,
    decide: impl FnMut(&HudState) -> Result<Vec<NewEvent>, E>,
) -> Result<Appended, E> {
    decided(log, session, state, false, decide)
}

/// `is_newest` is true if the state was just read.
fn decided<L: Log + ?Sized, E: From<LogError>>(
    log: &mut L,
    session: &SessionId,
    state: &mut HudState,
    mut is_newest: bool,
    mut decide: impl FnMut(&HudState) -> Result<Vec<NewEvent>, E>,
) -> Result<Appended, E> {
    let mut attempt = 1;
    loop {
        let events = decide(state);
        let is_settled = events.as_ref().is_ok_and(|events| !events.is_empty());
        if !is_settled && !is_newest {
            // Without an append there is no conflict that would show newer events, so the log is read.
            is_newest = true;
            if follow(log, session, state)? {
                continue;
            }
        }
        let events = events?;
        if events.is_empty() {
            return Ok(Appended {
                version: state.version,
                ..Appended::default()
            });
        }
        match append(log, session, Expected::Exact(state.version), &events) {
            Ok(appended) => {
                fold_appended(log, session, state, events, &appended)?;
                return Ok(appended);
            }
            Err(LogError::Conflict { .. }) if attempt < ATTEMPTS => {}
            // Ids derived from the past may already belong to events that somebody appended meanwhile.
            Err(error @ LogError::IdConflict { .. }) if !is_newest => {
                if !follow(log, session, state)? {
                    return Err(error.into());
                }
                is_newest = true;
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        attempt += 1;
        follow(log, session, state)?;
        is_newest = true;
    }
}

/// Brings a state up to date, and returns true if it was out of date. On an error the state is unchanged.
fn follow<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: &mut HudState,
) -> Result<bool, LogError> {
    let newer = newer(log, session, state)?;
    let is_older = newer.is_some();
    if let Some(newer) = newer {
        *state = newer;
    }
    Ok(is_older)
}

/// Appends events. If the outcome is unknown, it appends them once more; those that are in the log already count as
/// duplicates.
fn append<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    expected: Expected,
    events: &[NewEvent],
) -> Result<Appended, LogError> {
    match log.append(session, expected, events) {
        Err(LogError::Unconfirmed { .. }) => log.append(session, expected, events),
        outcome => outcome,
    }
}

/// Folds events that were just appended into a state, without reading them from the log. `appended` is the result of
/// the append, which expected the state's version.
///
/// # Errors
/// As [`Log::read`]. The events have to be read if some were in the log already, or if reading them gives other
/// values than were appended. The state is then unchanged.
pub(super) fn fold_appended<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: &mut HudState,
    events: Vec<NewEvent>,
    appended: &Appended,
) -> Result<(), LogError> {
    // An event of a built-in kind that was appended as `HudEvent::Other` is read back as the built-in event.
    let is_raw = |new: &NewEvent| match &new.event {
        HudEvent::Other { kind, .. } => built_in_kinds().any(|(known, _)| known == kind),
        _ => false,
    };
    let count = events.len() as u64;
    let is_plain = appended.duplicates == 0
        && state.version.checked_add(count) == Some(appended.version)
        && appended.first_seq.checked_add(count - 1) == Some(appended.last_seq)
        && !events.iter().any(is_raw);
    if !is_plain {
        return follow(log, session, state).map(drop);
    }
    let (first, version) = (appended.first_seq, state.version);
    let stored = (0..)
        .zip(events)
        .map(|(nth, new)| new.stored(first + nth, session, version + 1 + nth));
    // The folds of registered sections are custom code. If one panics, the state must be unchanged.
    let before = match state.sections.is_empty() {
        true => std::mem::take(state),
        false => state.clone(),
    };
    *state = stored.fold(before, |state, event| fold(state, &event));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ops::ControlFlow;

    use super::*;
    use crate::event::{Actor, EventId, NoteAdd, StoredEvent};
    use crate::log::{Listing, SessionInfo};
    use crate::memory::MemoryLog;

    /// A log that counts its calls.
    struct Counted {
        log: MemoryLog,
        reads: Cell<u32>,
        appends: u32,
    }

    impl Log for Counted {
        fn append(
            &mut self,
            session: &SessionId,
            expected: Expected,
            events: &[NewEvent],
        ) -> Result<Appended, LogError> {
            self.appends += 1;
            self.log.append(session, expected, events)
        }

        fn read(
            &self,
            session: &SessionId,
            from_version: u64,
            each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.reads.set(self.reads.get() + 1);
            self.log.read(session, from_version, each)
        }

        fn read_all(
            &self,
            from_seq: u64,
            each: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
        ) -> Result<(), LogError> {
            self.log.read_all(from_seq, each)
        }

        fn list(&self, listing: &Listing) -> Result<Vec<SessionInfo>, LogError> {
            self.log.list(listing)
        }
    }

    #[test]
    fn who_has_the_newest_state_asks_the_log_once() {
        let session = SessionId::new("s").unwrap();
        let mut log = Counted {
            log: MemoryLog::new(),
            reads: Cell::new(0),
            appends: 0,
        };
        let decide = |state: &HudState| {
            let n = state.version + 1;
            let (id, content) = (format!("n{n}"), format!("redis of {n}"));
            let note = NewEvent::now(1, Actor::Agent, NoteAdd { id, content });
            Ok::<_, LogError>(vec![note])
        };
        let mut state = HudState::default();
        for _ in 0..3 {
            append_onto(&mut log, &session, &mut state, decide).unwrap();
        }
        assert_eq!((log.appends, log.reads.get(), state.notes.len()), (3, 0, 3));
        // An older state costs a refused append and a read of the events since.
        let mut older = HudState::default();
        append_onto(&mut log, &session, &mut older, decide).unwrap();
        assert_eq!((log.appends, log.reads.get(), older.notes.len()), (5, 1, 4));
    }

    #[test]
    fn an_id_that_another_took_meanwhile_is_no_contradiction() {
        let (mut log, session) = (MemoryLog::new(), SessionId::new("s").unwrap());
        let id = EventId::of_name("begun");
        let decide = |state: &HudState| {
            let note = NoteAdd {
                id: "n1".to_owned(),
                content: format!("decided at version {}", state.version),
            };
            let event = NewEvent::now(1, Actor::Agent, note);
            let is_there = state.version > 1;
            Ok::<_, LogError>(
                (!is_there)
                    .then_some(NewEvent { id, ..event })
                    .into_iter()
                    .collect(),
            )
        };
        let mut state = HudState::default();
        let other = NewEvent::now(
            1,
            Actor::Agent,
            NoteAdd {
                id: "n9".into(),
                content: "redis".into(),
            },
        );
        log.append(&session, Expected::Any, &[other]).unwrap();
        append_with(&mut log, &session, decide).unwrap();
        let appended = append_onto(&mut log, &session, &mut state, decide).unwrap();
        assert_eq!((appended.version, state.version), (2, 2));
    }

    #[test]
    fn a_state_follows_what_others_appended_even_where_nothing_is_decided() {
        let (mut log, session) = (MemoryLog::new(), SessionId::new("s").unwrap());
        let note = |id: &str| {
            let (id, content) = (id.to_owned(), format!("redis of {id}"));
            Ok::<_, LogError>(vec![NewEvent::now(
                1,
                Actor::Agent,
                NoteAdd { id, content },
            )])
        };
        let mut state = HudState::default();
        append_onto(&mut log, &session, &mut state, |_| note("n1")).unwrap();
        let mut other = HudState::default();
        append_onto(&mut log, &session, &mut other, |state| {
            note(&format!("n{}", state.notes.len() + 1))
        })
        .unwrap();
        assert_eq!((state.version, other.version, other.notes.len()), (1, 2, 2));

        let refused = append_onto(&mut log, &session, &mut state, |state| {
            Expected::NoStream
                .check(&session, state.version)
                .map(|()| Vec::new())
        });
        assert!(refused.is_err());
        assert_eq!(state, other);
    }
}

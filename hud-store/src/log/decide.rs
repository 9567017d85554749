//! Deciding on a state, and appending what was decided before anybody else changes it.

use super::{Appended, Expected, Log, LogError, catch_up, state_of};
use crate::event::{HudEvent, NewEvent, SessionId};
use crate::fold::fold;
use crate::section::built_in_kinds;
use crate::state::HudState;

/// How often a decision is made anew before the conflict is reported: with so many in between, the
/// session is being written to without a pause.
const ATTEMPTS: u32 = 100;

/// Loads the state of a session, asks `decide` for the events that follow from it, and appends them
/// if nobody else appended anything since. If somebody did, `decide` is asked again with the state
/// as it then is. Gives the state with the events in it.
///
/// What `decide` returned last is what was appended: it must decide on the state that it is given
/// and on nothing that it did before.
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
/// What `decide` returns, what [`Log::append`] reports but for conflicts, and
/// [`LogError::Conflict`] when others were quicker a hundred times in a row.
pub fn append_with<L: Log + ?Sized, E: From<LogError>>(
    log: &mut L,
    session: &SessionId,
    decide: impl FnMut(&HudState) -> Result<Vec<NewEvent>, E>,
) -> Result<(HudState, Appended), E> {
    let state = state_of(log, session)?;
    append_onto(log, session, state, decide)
}

/// As [`append_with`], for one who has a state of the session already, which may be an older one.
///
/// # Errors
/// As [`append_with`].
pub fn append_onto<L: Log + ?Sized, E: From<LogError>>(
    log: &mut L,
    session: &SessionId,
    state: HudState,
    mut decide: impl FnMut(&HudState) -> Result<Vec<NewEvent>, E>,
) -> Result<(HudState, Appended), E> {
    let mut state = catch_up(log, session, state)?;
    let mut attempt = 1;
    loop {
        let events = decide(&state)?;
        if events.is_empty() {
            // There is nothing to write, so no lock is taken.
            let appended = Appended {
                version: state.version,
                ..Appended::default()
            };
            return Ok((state, appended));
        }
        match append(log, session, Expected::Exact(state.version), &events) {
            Ok(appended) => {
                let state = fold_appended(log, session, state, events, &appended)?;
                return Ok((state, appended));
            }
            Err(LogError::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error.into()),
        }
        state = catch_up(log, session, state)?;
    }
}

/// Appends. Where the outcome is not known, it appends once more: what was appended already is a duplicate.
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

/// Folds events that were just appended to a state, without reading them again. `appended` is what the
/// append did, which expected the state's version.
///
/// # Errors
/// As [`Log::read`], where they have to be read after all: when some were in the log already, or when
/// what is read is not what was appended.
pub(super) fn fold_appended<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: HudState,
    events: Vec<NewEvent>,
    appended: &Appended,
) -> Result<HudState, LogError> {
    // An event of a built-in kind that somebody hands over as that of another is read as what it is.
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
        return catch_up(log, session, state);
    }
    let (first, version) = (appended.first_seq, state.version);
    let stored = (0..)
        .zip(events)
        .map(|(nth, new)| new.stored(first + nth, session, version + 1 + nth));
    Ok(stored.fold(state, |state, event| fold(state, &event)))
}

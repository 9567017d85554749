//! The sessions of the log, for the user to choose one.

use hud_store::event::SessionId;
use hud_store::log::{Log, LogError, state_of};
use jiff::Timestamp;

/// The number of sessions whose tasks are shown. These are the sessions with the latest events.
const TOLD: usize = 50;

/// A list of sessions, and the position of the user in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sessions {
    pub(super) rows: Vec<SessionRow>,
    pub(super) at: usize,
}

/// A session in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SessionRow {
    pub(super) id: SessionId,
    pub(super) events: u64,
    pub(super) last_at: Timestamp,
    /// The task, or the error if it cannot be read. It is empty if no task is recorded.
    pub(super) about: String,
}

impl Sessions {
    /// Moves by a number of sessions, up to the ends of the list.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Returns the current session.
    pub(super) fn chosen(&self) -> Option<&SessionId> {
        self.rows.get(self.at).map(|row| &row.id)
    }
}

/// Returns the sessions of a log. Those with the latest events come first.
pub(super) fn listed<L: Log + ?Sized>(log: &L, own: &SessionId) -> Result<Sessions, LogError> {
    let mut all = log.sessions()?;
    all.sort_by(|one, other| (other.last_at, &one.id).cmp(&(one.last_at, &other.id)));
    let rows = all.into_iter().enumerate().map(|(nth, info)| {
        let about = match (nth < TOLD).then(|| state_of(log, &info.id)) {
            Some(Ok(state)) => state.task.map_or_else(String::new, |task| task.description),
            Some(Err(error)) => error.to_string(),
            None => String::new(),
        };
        SessionRow {
            events: info.events,
            last_at: info.last_at,
            about,
            id: info.id,
        }
    });
    let rows: Vec<SessionRow> = rows.collect();
    let at = rows.iter().position(|row| row.id == *own).unwrap_or(0);
    Ok(Sessions { rows, at })
}

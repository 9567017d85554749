//! The sessions of the log, to choose one of.

use hud_store::event::SessionId;
use hud_store::log::{Log, LogError, state_of};
use jiff::Timestamp;

/// Of how many sessions it is said what they are about: of those with the latest events.
const TOLD: usize = 50;

/// A list of sessions, and where the reader is in it.
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
    /// What it is about, or why that can't be read; nothing where no task is recorded.
    pub(super) about: String,
}

impl Sessions {
    /// Moves on or back by so many, as far as there are sessions.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// The session that the reader is at.
    pub(super) fn chosen(&self) -> Option<&SessionId> {
        self.rows.get(self.at).map(|row| &row.id)
    }
}

/// The sessions of a log, those with the latest events first.
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

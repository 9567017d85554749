//! States and events of the past.

use std::fmt;
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::{Log, LogError, project_while};
use crate::event::{SessionId, StoredEvent};
use crate::project::fold;
use crate::state::{Change, HudState, changes};

/// A moment of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// After the event of that version; 0 is before the first.
    Version(u64),
    /// After the last event of that turn.
    Turn(u64),
    /// After the last event before the first that happened later than that.
    Time(Timestamp),
}

impl Moment {
    /// Whether the event had happened.
    pub fn includes(self, event: &StoredEvent) -> bool {
        match self {
            Self::Version(version) => event.version <= version,
            Self::Turn(turn) => event.turn <= turn,
            Self::Time(time) => event.at <= time,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "version {version}"),
            Self::Turn(turn) => write!(f, "turn {turn}"),
            Self::Time(time) => time.fmt(f),
        }
    }
}

/// The state of a session at a moment. At one that has not come it is the state now.
///
/// # Errors
/// As [`Log::read`].
pub fn state_at<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    moment: Moment,
) -> Result<HudState, LogError> {
    project_while(log, session, |event| moment.includes(event))
}

/// What lies between two moments.
#[derive(Debug, Clone)]
pub struct Diff {
    /// The state at the first.
    pub before: HudState,
    /// The state at the second.
    pub after: HudState,
    /// The events behind the first, up to the second.
    pub events: Vec<StoredEvent>,
}

impl Diff {
    /// What of the state is different.
    pub fn changes(&self) -> Vec<Change> {
        changes(&self.before, &self.after)
    }
}

/// What lies between two moments of a session; nothing if the second is not behind the first.
///
/// # Errors
/// As [`Log::read`].
pub fn diff<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    from: Moment,
    to: Moment,
) -> Result<Diff, LogError> {
    let before = state_at(log, session, from)?;
    let mut diff = Diff {
        after: before.clone(),
        events: Vec::new(),
        before,
    };
    log.read(session, diff.before.version + 1, &mut |event| {
        if !to.includes(&event) {
            return ControlFlow::Break(());
        }
        diff.after = fold(std::mem::take(&mut diff.after), &event);
        diff.events.push(event);
        ControlFlow::Continue(())
    })?;
    Ok(diff)
}

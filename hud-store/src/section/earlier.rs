//! The earlier sessions of the project, and the work that the last of them left unfinished.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Section};
use crate::bounded::first;
use crate::event::{Clip, SessionId};
use crate::state::Change;

/// The number of earlier sessions that are kept.
pub const EARLIER_CAP: usize = 8;

/// The number of files that are kept.
const FILES: usize = 15;

/// The number of steps of unfinished work that are kept.
const STEPS: usize = 50;

crate::events! {@built_in
    /// Events of the earlier sessions of the project.
    pub enum EarlierEvent {
        /// a session begins in a project that has earlier ones.
        "earlier.inherit" 1 Inherit(
            /// Names the earlier sessions of the project, and quotes the work that the last of them left unfinished.
            EarlierInherit {
                /// The latest ones, the newest first.
                #[serde(deserialize_with = "first::<_, _, EARLIER_CAP>")]
                sessions: Vec<EarlierSession>,
                /// Those that the session inherits rules, notes and memory from.
                #[serde(default, deserialize_with = "first::<_, _, EARLIER_CAP>")]
                from: Vec<SessionId>,
                /// The work that one of them left unfinished.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                unfinished: Option<Unfinished>,
                /// The files that were changed last, the latest at the end.
                #[serde(default, deserialize_with = "first::<_, _, FILES>")]
                files: Vec<String>,
                /// The number of items that the budget has no room for.
                #[serde(default)]
                omitted: u32,
            }
        ),
        /// the unfinished work of an earlier session is not wanted, or was resumed.
        "earlier.forget" 1 Forget(
            /// Drops the unfinished work of an earlier session.
            EarlierForget {}
        ),
    }
}

/// An earlier session of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlierSession {
    /// Its name.
    pub session: SessionId,
    /// The time of its last event.
    pub at: Timestamp,
    /// Its task.
    pub task: String,
    /// True if it was still running.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub runs: bool,
}

/// Work that an earlier session left unfinished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unfinished {
    /// The session.
    pub session: SessionId,
    /// The time of its last event.
    pub at: Timestamp,
    /// Its task.
    pub task: String,
    /// The steps of its plan that were not completed.
    #[serde(default, deserialize_with = "first::<_, _, STEPS>")]
    pub steps: Vec<String>,
    /// The branch that it was on, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

impl Clip for EarlierSession {
    fn is_long(&self) -> bool {
        self.task.is_long()
    }

    fn clipped(&self) -> Self {
        Self {
            task: self.task.clipped(),
            ..self.clone()
        }
    }
}

impl Clip for Unfinished {
    fn is_long(&self) -> bool {
        self.task.is_long() || self.steps.is_long() || self.branch.is_long()
    }

    fn clipped(&self) -> Self {
        Self {
            task: self.task.clipped(),
            steps: self.steps.clipped(),
            branch: self.branch.clipped(),
            ..self.clone()
        }
    }
}

/// The section: empty for a session that inherits nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Earlier {
    /// The time at which this session began; `None` if it inherits nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<Timestamp>,
    /// The latest sessions before it, the newest first; at most [`EARLIER_CAP`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<EarlierSession>,
    /// Those that the session inherits rules, notes and memory from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<SessionId>,
    /// The work that one of them left unfinished, until it is resumed or forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
    /// The files that were changed last, the latest at the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// True if that was not wanted, or was resumed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
    /// The number of items that the budget has no room for.
    pub omitted: u32,
}

impl Section for Earlier {
    const NAME: &'static str = "earlier";
    const ITEM: &'static str = "earlier session";
    const PACE: Pace = Pace::Working;
    type Event = EarlierEvent;

    fn apply(&mut self, event: &EarlierEvent, when: &Happened<'_>) {
        match event {
            EarlierEvent::Inherit(e) => {
                *self = Self {
                    begun: Some(when.at),
                    sessions: e.sessions.clone(),
                    from: e.from.clone(),
                    unfinished: e.unfinished.clone(),
                    files: e.files.clone(),
                    forgotten: false,
                    omitted: e.omitted,
                };
                self.bound();
            }
            EarlierEvent::Forget(_) => self.forgotten = self.unfinished.take().is_some(),
        }
    }

    fn items(&self) -> Vec<Item> {
        let sessions = self.sessions.iter();
        let sessions = sessions.map(|earlier| Item::named(earlier.session.as_str(), &earlier.task));
        let unfinished = self.unfinished.iter();
        let unfinished = unfinished.map(|left| Item::new("unfinished", &left.task));
        sessions.chain(unfinished).collect()
    }

    /// It is shown when the session begins.
    fn is_news(&self, _: &Change) -> bool {
        false
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        self.bound();
    }
}

impl Earlier {
    fn bound(&mut self) {
        self.sessions.truncate(EARLIER_CAP);
        self.from.truncate(EARLIER_CAP);
        self.files.truncate(FILES);
        if let Some(left) = &mut self.unfinished {
            left.steps.truncate(STEPS);
        }
    }
}

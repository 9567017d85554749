//! What failed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{Happened, Item, Pace, Relation, Section, Taking, with};

/// How many errors are kept. As many as decisions.
pub const ERRORS_CAP: usize = 10;

crate::events! {@built_in
    /// What happens to errors.
    pub enum ErrorEvent {
        /// something failed.
        "error.encountered" 1 Encountered(
            /// Something failed.
            ErrorEncountered {
                /// Names it within the session. The same id again means that it is back.
                id: String,
                /// What the failure said.
                message: String,
                /// The tool that failed.
                #[serde(skip_serializing_if = "Option::is_none")]
                tool: Option<String>,
                /// What it failed on: a file, a test, a command.
                #[serde(skip_serializing_if = "Option::is_none")]
                target: Option<String>,
            }
        ) item id names id words [tool, target, message],
        /// what failed works again.
        "error.resolved" 1 Resolved(
            /// A failure is mended.
            ErrorResolved {
                /// Which one.
                id: String,
                /// How it was mended.
                #[serde(skip_serializing_if = "Option::is_none")]
                resolution: Option<String>,
            }
        ) item id words [resolution],
    }
}

/// Something that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorRecord {
    /// Names it within the session.
    pub id: String,
    /// What the failure said.
    pub message: String,
    /// The tool that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What it failed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// When it last failed.
    pub encountered_at: Timestamp,
    /// The turn in which it last failed.
    pub turn: u64,
    /// When it was mended; `None` while it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// How it was mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
}

impl ErrorRecord {
    /// Whether it was mended.
    pub fn is_resolved(&self) -> bool {
        self.resolved_at.is_some()
    }
}

/// The section: failures, least recent first; at most [`ERRORS_CAP`].
pub type Errors = Vec<ErrorRecord>;

impl Section for Errors {
    const NAME: &'static str = "errors";
    const ITEM: &'static str = "error";
    const PACE: Pace = Pace::Working;
    type Event = ErrorEvent;

    fn apply(&mut self, event: &ErrorEvent, when: &Happened<'_>) {
        match event {
            ErrorEvent::Encountered(e) => encounter(self, e, when),
            ErrorEvent::Resolved(e) => resolve(self, e, when.at),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |error: &ErrorRecord| {
            let mut text = match &error.target {
                Some(target) => with(target, ": ", Some(&error.message)),
                None => error.message.clone(),
            };
            if error.is_resolved() {
                text.push_str(" (resolved)");
            }
            Item::new(&error.id, text)
        };
        self.iter().map(said).collect()
    }

    /// The errors that are open.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<ErrorEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let mut open: Vec<_> = self.iter().filter(|error| !error.is_resolved()).collect();
        newest(&mut open, ERRORS_CAP.saturating_sub(own.len()));
        let event = |error: &ErrorRecord| {
            let encountered = ErrorEncountered {
                id: taking.name(&error.id),
                message: error.message.clone(),
                tool: error.tool.clone(),
                target: error.target.clone(),
            };
            encountered.into()
        };
        open.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, ERRORS_CAP);
    }
}

/// Records a failure as the most recent one. One that was known under the same id is back,
/// resolved or not.
fn encounter(errors: &mut Errors, event: &ErrorEncountered, when: &Happened<'_>) {
    errors.retain(|error| error.id != event.id);
    while errors.len() >= ERRORS_CAP {
        let mended = errors.iter().position(ErrorRecord::is_resolved);
        errors.remove(mended.unwrap_or(0));
    }
    errors.push(ErrorRecord {
        id: event.id.clone(),
        message: event.message.clone(),
        tool: event.tool.clone(),
        target: event.target.clone(),
        encountered_at: when.at,
        turn: when.turn,
        resolved_at: None,
        resolution: None,
    });
}

/// Marks a failure as mended; saying so again may add how.
fn resolve(errors: &mut [ErrorRecord], event: &ErrorResolved, at: Timestamp) {
    let Some(error) = errors.iter_mut().find(|error| error.id == event.id) else {
        return;
    };
    if error.is_resolved() && event.resolution.is_none() {
        return;
    }
    error.resolved_at = error.resolved_at.or(Some(at));
    error.resolution.clone_from(&event.resolution);
}

//! What failed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::list::newest;
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking, with};
use crate::event::Clip;

/// How many errors are kept. As many as decisions.
pub const ERRORS_CAP: usize = 10;

/// What was attempted when something failed. Together with the target it says what has to work for
/// the failure to be over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Attempted {
    /// To read the file that is the target.
    Read,
    /// To write, change, remove or rename the file that is the target.
    Edit,
    /// To run the command that is the target.
    Run,
    /// To call the tool, for anything else.
    Call,
}

impl Clip for Attempted {}

crate::events! {@built_in
    /// What happens to errors.
    pub enum ErrorEvent {
        /// something failed.
        "error.encountered" 2 Encountered(
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
                /// What was attempted, where whoever recorded the failure knows it.
                #[serde(skip_serializing_if = "Option::is_none")]
                attempted: Option<Attempted>,
            }
        ) item id names id words [tool, target, message] from [say_what_was_attempted],
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// What was attempted, where whoever recorded the failure knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempted: Option<Attempted>,
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
    /// How it bears on the work: it is open until it is resolved.
    pub const fn bearing(&self) -> Bearing {
        Bearing::holds(self.turn).when(self.resolved_at.is_none())
    }

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
    const VERSION: u32 = 2;
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

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(ErrorRecord::bearing).collect()
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
                attempted: error.attempted,
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
        attempted: event.attempted,
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

/// An error as it was stored before it said what was attempted: the word for the tool said it.
pub(crate) fn say_what_was_attempted(mut error: Value) -> Value {
    let attempted = match error["tool"].as_str() {
        Some("Read") => "read",
        Some("Edit") => "edit",
        Some("Bash") => "run",
        Some(_) => "call",
        None => return error,
    };
    if let Some(fields) = error.as_object_mut() {
        fields.insert("attempted".to_owned(), json!(attempted));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Events, HudEvent, SessionEvent};
    use crate::state::HudState;

    const OLD: &str = r#"{"id":"e1","message":"x","tool":"Bash","target":"make"}"#;

    #[test]
    fn an_error_of_an_older_log_says_what_was_attempted() {
        let read = ErrorEvent::decode("error.encountered", 1, OLD).unwrap();
        let ErrorEvent::Encountered(error) = read.unwrap() else {
            panic!("an error was encountered");
        };
        assert_eq!(error.attempted, Some(Attempted::Run));
        let written = HudEvent::from(error).encode().unwrap();
        assert_eq!(written.v, 2);
        assert!(written.payload.contains(r#""attempted":"run""#));
    }

    #[test]
    fn so_does_one_that_an_older_log_goes_back_to() {
        let at = "2026-11-20T12:00:00Z";
        let mut error: Value = serde_json::from_str(OLD).unwrap();
        error["encountered_at"] = json!(at);
        error["turn"] = json!(1);
        let mut state = serde_json::to_value(HudState::default()).unwrap();
        state["errors"] = json!([error]);
        let payload = json!({ "version": 1, "state": state }).to_string();
        let read = SessionEvent::decode("session.restore", 1, &payload).unwrap();
        let SessionEvent::Restore(restored) = read.unwrap() else {
            panic!("a session was restored");
        };
        assert_eq!(restored.state.errors[0].attempted, Some(Attempted::Run));
    }
}

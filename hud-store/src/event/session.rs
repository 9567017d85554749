//! The session itself: where it comes from, and from which state it goes on.

use serde_json::Value;

use super::SessionId;
use crate::section::{name_outputs, say_what_was_attempted};
use crate::state::HudState;

crate::events! {@built_in
    /// What happens to the session itself.
    pub enum SessionEvent {
        /// a session begins.
        "session.start" 1 Start(
            /// A session begins, and where it comes from.
            SessionStart {
                /// The session that it continues.
                #[serde(skip_serializing_if = "Option::is_none")]
                resumes: Option<SessionId>,
                /// The session that made it: it is a sub-agent's.
                #[serde(skip_serializing_if = "Option::is_none")]
                parent: Option<SessionId>,
                /// The session that holds what all sessions of the project begin with.
                #[serde(skip_serializing_if = "Option::is_none")]
                project: Option<SessionId>,
            }
        ),
        /// the session goes on from an earlier state.
        "session.restore" 3 Restore(
            /// The session goes on from the state that it had after an earlier version, because its
            /// conversation was rewound to there; or from another session's, that it was forked from.
            SessionRestore {
                /// The session whose state it is; itself when absent.
                #[serde(skip_serializing_if = "Option::is_none")]
                session: Option<SessionId>,
                /// The version of that session; 0 is before its first event.
                version: u64,
                /// The state at that version, so that one event says all that it brings back.
                state: Box<HudState>,
            }
        ) from [say_what_errors_attempted, name_outputs],
        /// what the session said is taken out of the log.
        "session.delete" 1 Delete(
            /// The session was deleted: its events say nothing any more, and its state is empty. A client that
            /// goes on with it begins anew.
            SessionDelete {
                /// How many events it had.
                events: u64,
            }
        ),
    }
}

/// A state as it was stored before its errors said what was attempted.
fn say_what_errors_attempted(mut restored: Value) -> Value {
    let errors = restored.pointer_mut("/state/errors");
    for error in errors.and_then(Value::as_array_mut).into_iter().flatten() {
        *error = say_what_was_attempted(error.take());
    }
    restored
}

//! Kept outputs of tools that are no longer in the conversation.

use std::ops::ControlFlow;

use super::{Log, LogError};
use crate::event::{HudEvent, OutputEvent, SessionId, StoredEvent};
use crate::state::PrunedOutput;

/// The event that keeps a tool output which is no longer in the conversation of a session; `None` if there is none.
/// `left` names it by the version in its session. If an older program did not record the version, it is the newest
/// event that keeps an output of that call, and the whole session is read.
///
/// # Errors
/// As [`Log::read`].
pub fn kept<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    left: &PrunedOutput,
) -> Result<Option<StoredEvent>, LogError> {
    let session = left.session.as_ref().unwrap_or(session);
    let mut found = None;
    log.read(session, left.version.unwrap_or(1), &mut |event| {
        let is_it = match (left.version, &event.event) {
            (Some(version), _) => event.version == version,
            (None, HudEvent::Output(OutputEvent::Keep(keep))) => {
                keep.call.as_ref() == Some(&left.call)
            }
            (None, _) => false,
        };
        if is_it {
            found = Some(event);
        }
        match left.version {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    })?;
    Ok(found)
}

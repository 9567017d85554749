//! Where outputs of tools are kept that left the conversation.

use std::ops::ControlFlow;

use super::{Log, LogError};
use crate::event::{HudEvent, OutputEvent, SessionId, StoredEvent};
use crate::state::PrunedOutput;

/// The event that keeps an output which left the conversation of a session; `None` if there is none. It is
/// named by its session's version, or is, where an older program did not say that, the newest that keeps an
/// output of that call. Then the session is read whole.
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

//! The errors section.

use crate::event::{ErrorEncountered, ErrorResolved};
use crate::state::{ErrorRecord, Touch};

/// How many errors are kept. As many as decisions.
pub const ERRORS_CAP: usize = 10;

/// Records a failure as the most recent one. One that was there under the same id is back,
/// resolved or not.
pub(super) fn encounter(
    errors: &mut Vec<ErrorRecord>,
    event: &ErrorEncountered,
    now: Touch,
) -> bool {
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
        encountered_at: now.at,
        turn: now.turn,
        resolved_at: None,
        resolution: None,
    });
    true
}

/// Marks a failure as mended; saying so again may add how.
pub(super) fn resolve(errors: &mut [ErrorRecord], event: &ErrorResolved, now: Touch) -> bool {
    let Some(error) = errors.iter_mut().find(|error| error.id == event.id) else {
        return false;
    };
    if error.is_resolved() && (event.resolution.is_none() || error.resolution == event.resolution) {
        return false;
    }
    error.resolved_at = error.resolved_at.or(Some(now.at));
    error.resolution = event.resolution.clone();
    true
}

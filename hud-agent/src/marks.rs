//! Adds the ids of items to the texts of changes, as in the HUD. With an id, the agent can review an item that
//! it did not record itself.

use hud_components::text::line;
use hud_store::event::Actor;
use hud_store::section::{Constraints, Decisions, Findings, Requests, Section as _};
use hud_store::state::{Change, ErrorRecord, HudState};

/// The maximum number of characters of a text before its id.
const SAID: usize = 280;

/// Appends the id of each item to its new text.
pub(crate) fn mark(changes: &mut [Change], state: &HudState) {
    for change in changes {
        let by = by(change, state);
        let is_stated = [Constraints::NAME, Requests::NAME].contains(&change.section);
        if let (true, Some(by @ (Actor::Agent | Actor::Summary)), Some(after)) =
            (is_stated, by, change.after.as_mut())
        {
            *after = format!("{} ({by})", line(after, SAID));
            continue;
        }
        let Some(after) = change.after.as_mut().filter(|_| by.is_some_and(is_marked)) else {
            continue;
        };
        let distilled = match by {
            Some(Actor::Distilled) => ", distilled",
            _ => "",
        };
        *after = format!("{} ({}{distilled})", line(after, SAID), change.id);
    }
}

/// True if items of this actor have an id. The agent's own items, from the tool or a summary, have none.
fn is_marked(by: &Actor) -> bool {
    !by.is_agent() && *by != Actor::Summary
}

/// Returns the actor that recorded the item of a change, if the item can be reviewed.
fn by<'s>(change: &Change, state: &'s HudState) -> Option<&'s Actor> {
    macro_rules! of {
        ($items:expr) => {
            $items
                .iter()
                .find(|item| item.id == change.id)
                .map(|item| &item.by)
        };
    }
    match change.section {
        // The HUD has no mark on the user's own rules.
        Constraints::NAME => of!(state.constraints).filter(|by| **by != Actor::User),
        Decisions::NAME => of!(state.decisions),
        Findings::NAME => of!(state.findings),
        Requests::NAME => of!(state.requests),
        Vec::<ErrorRecord>::NAME => {
            let mut errors = state.errors.iter();
            let open = errors.find(|error| error.id == change.id && error.resolved_at.is_none());
            open.map(|_| &Actor::Derived)
        }
        _ => None,
    }
}

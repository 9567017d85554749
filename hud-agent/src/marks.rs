//! The ids of items in what is said of changes, where the HUD shows them, too: by them the agent reviews what it
//! did not record itself.

use hud_components::text::line;
use hud_store::event::Actor;
use hud_store::section::{Constraints, Decisions, Findings, Requests, Section as _};
use hud_store::state::{Change, ErrorRecord, HudState};

/// How much of a text is said before its id.
const SAID: usize = 280;

/// Says the id of each item behind what it says now.
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

/// What the agent said itself, with the tool or in a summary, is its own.
fn is_marked(by: &Actor) -> bool {
    !by.is_agent() && *by != Actor::Summary
}

/// Who recorded what a change is of, where it can be reviewed.
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
        // The HUD shows none of the user's own rules.
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

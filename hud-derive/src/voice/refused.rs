//! Notes of calls that the user refused, and their end.

use hud_observe::action::Action;
use hud_store::event::{HudEvent, NoteRemove};
use hud_store::state::{HudState, Note};

/// The beginning of a note of a call that the user refused.
pub(crate) const REFUSED: &str = "User declined ";

/// The number of turns after which such a note is removed.
const REFUSED_TURNS: u64 = 12;

/// The notes of calls that the user refused.
pub(super) fn refusals(state: &HudState) -> impl Iterator<Item = &Note> {
    let is_refusal = |note: &&Note| !note.by.is_agent() && note.content.starts_with(REFUSED);
    state.notes.iter().filter(is_refusal)
}

/// Removes the notes of calls that the user refused many turns ago.
pub(crate) fn outlived(turn: u64, state: &HudState) -> impl Iterator<Item = HudEvent> {
    let is_long_ago = move |note: &&Note| note.turn.saturating_add(REFUSED_TURNS) <= turn;
    let refused = refusals(state).filter(is_long_ago);
    refused.map(|note| {
        NoteRemove {
            id: note.id.clone(),
        }
        .into()
    })
}

/// Removes the note of a call that the user refused and that ran later.
pub(crate) fn allowed(action: &Action, state: &HudState) -> impl Iterator<Item = HudEvent> {
    let is_of_it = |note: &&Note| {
        let call = note.content.strip_prefix(REFUSED);
        let rest = call.and_then(|call| call.strip_prefix(&*action.label()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    let allowed = refusals(state).filter(is_of_it);
    allowed.map(|note| {
        NoteRemove {
            id: note.id.clone(),
        }
        .into()
    })
}

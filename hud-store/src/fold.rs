//! `state = fold(events)`: the only function that changes a state.
//!
//! [`fold`] is pure (no clock, no randomness, no input but its arguments), total (every state accepts every event)
//! and deterministic (integers only). So any machine can rebuild the same bytes of a state from any prefix of a log.
//!
//! # Items that are dropped when a section is full
//!
//! Sections are bounded. The log keeps the items that a section drops. The default rule is first in, first out. Where
//! that rule would drop an item that still matters and keep one that is done, the item that is done is dropped first:
//!
//! | section | cap | dropped first |
//! | --- | --- | --- |
//! | decisions, notes, blockers | 10, 20, 10 | the oldest |
//! | dropped items | 60 | the oldest |
//! | entries of the record | 200 of each sort, and 16 to 64 KiB; 8 KiB of each text | the oldest, except the user's first message |
//! | steps | 500: a plan is kept whole | the first completed, else the last pending; the one in progress stays |
//! | errors | 10 | the least recent resolved, else the least recent |
//! | files | 15 | the least recently touched that isn't being edited, else the least recently touched |
//! | dependencies | 20 | the oldest |
//! | knowledge | 500 values, 256 KiB | the lowest weight, then the oldest |
//! | working memory | 50 | any item that scores under 0.01, then the lowest score |
//! | core memory | 1000, 2000, 1500 characters, or the number in an event | when text is appended, the oldest lines; a text that replaces a block is kept whole |
//! | custom blocks of core memory | 20 | the block that was written first |
//!
//! A state holds the first 64 KiB of each text. The log keeps the whole text.
//!
//! # Events that are ignored
//!
//! An event that names an unknown item does nothing. Adding a decision, note or blocker with the same text as another
//! one does nothing, except that the details of a decision are updated. Adding one of these, or a step, under an id
//! that exists rewrites that item in place. Two steps of a plan may have the same text.

pub use crate::section::{
    BLOCKERS_CAP, CHANGED_NAMES_CAP, CHECKS_CAP, COMMITS_CAP, CONSTRAINTS_CAP, DECISIONS_CAP,
    DEPENDENCIES_CAP, DROPPED_CAP, ERRORS_CAP, FILES_CAP, FINDINGS_CAP, KNOWLEDGE_CAP, NOTES_CAP,
    RECORD_ENTRIES_CAP, RECORD_TEXT_CAP, REMOVED_FILES_CAP, REQUESTS_CAP, STEPS_CAP,
};

use crate::event::{
    CompactEvent, ContextEvent, HudEvent, SessionEvent, SessionRestore, StoredEvent,
};
use crate::section;
use crate::state::{Epoch, HudState};

/// The version of the part of the fold that belongs to no section. It is raised whenever the same events would give
/// another state, so that a snapshot of an older program is not used. Each section has its own version.
pub const VERSION: u32 = 5;

/// Returns the state after one more event.
///
/// Events of a session are folded in the order of their versions, each once.
///
/// ```
/// use hud_store::event::{Actor, EventId, SessionId, StoredEvent, TaskSet};
/// use hud_store::fold::fold;
/// use hud_store::state::HudState;
///
/// let event = StoredEvent {
///     seq: 1,
///     session: SessionId::new("s")?,
///     version: 1,
///     id: EventId::now_v7(),
///     turn: 1,
///     at: "2026-11-20T12:00:00Z".parse()?,
///     actor: Actor::User,
///     cause: None,
///     event: TaskSet { description: "Implement auth".into() }.into(),
/// };
/// let state = fold(HudState::default(), &event);
/// assert_eq!(state.task.unwrap().description, "Implement auth");
/// assert_eq!(state.version, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the state given is consumed; this is the new one"]
pub fn fold(mut state: HudState, event: &StoredEvent) -> HudState {
    fold_into(&mut state, event);
    state
}

/// Folds an event into a state in place, like [`fold`]. A state is large, and this avoids moving it for each of many
/// events.
pub fn fold_into(state: &mut HudState, event: &StoredEvent) {
    state.turn = state.turn.max(event.turn);
    state.version = event.version;
    if event.cause.is_some_and(|cause| cause.is_of_name()) {
        state.cause = event.cause;
    }
    // A turn above 0 means that the model was called and has seen the state.
    if event.turn > 0 && state.epoch.is_none() {
        state.epoch = Epoch::of(state);
    }
    let reads_anew = reads_anew(state, &event.event);
    let clipped = event.event.clipped();
    let happened = clipped.as_ref().unwrap_or(&event.event);
    section::apply(state, happened, event);
    if let HudEvent::Session(SessionEvent::Restore(restored)) = happened {
        go_back(state, restored);
    }
    if let HudEvent::Session(SessionEvent::Delete(_)) = happened {
        empty(state);
        return;
    }
    if reads_anew {
        state.epoch = Epoch::of(state);
    }
}

/// True if the provider has nothing of the conversation in its cache from this event on, because the conversation was
/// compacted or another model continues it.
fn reads_anew(state: &HudState, event: &HudEvent) -> bool {
    let known = state
        .context
        .as_ref()
        .and_then(|usage| usage.model.as_ref());
    match event {
        HudEvent::Compact(CompactEvent::After(_)) => true,
        HudEvent::Context(ContextEvent::Snapshot(e)) => {
            known.is_some() && e.model.is_some() && known != e.model.as_ref()
        }
        _ => false,
    }
}

/// Empties the state of a deleted session. The version and the turn continue with the log, and the sections stay
/// without items.
fn empty(state: &mut HudState) {
    *state = HudState {
        version: state.version,
        turn: state.turn,
        sections: state.sections.emptied(),
        ..HudState::default()
    };
}

/// Restores a session to the state in the event. The counters of the log continue: versions, turns, and the numbers
/// of names.
fn go_back(state: &mut HudState, event: &SessionRestore) {
    section::restore(state, event);
    state.turn = state.turn.max(event.state.turn);
    state.numbers.see_all(&event.state.numbers);
    state.cause = event.state.cause;
}

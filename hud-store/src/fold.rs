//! `state = fold(events)`: the one function that changes a state.
//!
//! [`fold`] is pure (no clock, no randomness, no input but its arguments), total (every event is
//! accepted in every state) and deterministic (integers only), so a state can be rebuilt from any
//! prefix of a log, on any machine, to the same bytes.
//!
//! # What leaves when a section is full
//!
//! Sections are bounded; what leaves stays in the log. The plain rule
//! is first in, first out. Where that would drop what still matters in favour of what is
//! over, we drop what is over first:
//!
//! | section | cap | leaves first |
//! | --- | --- | --- |
//! | decisions, notes, blockers | 10, 20, 10 | the oldest |
//! | dropped items | 60 | the oldest |
//! | entries of the record | of each sort 200, and 16 to 64 KiB; 8 KiB of each text | the oldest, but for the user's first message |
//! | steps | 500: a plan is kept whole | the first completed, else the last pending; the one in progress stays |
//! | errors | 10 | the least recent resolved, else the least recent |
//! | files | 15 | the least recently touched that isn't being edited, else the least recently touched |
//! | dependencies | 20 | the oldest |
//! | knowledge | 500 values, 256 KiB | what is worth least, of that the oldest |
//! | working memory | 50 | whatever scores under 0.01, then the lowest score |
//! | core memory | 1000, 2000, 1500 characters, or as many as an event says | appended: the oldest lines; what replaces a block is kept whole |
//! | blocks of core memory of one's own | 20 | the one that was written first |
//!
//! Of a text, the first 64 KiB are in a state; all of it stays in the log.
//!
//! # What is ignored
//!
//! An event that names an unknown item does nothing. Adding a decision, note or blocker that says what
//! another one says does nothing (a decision's details are taken over); adding one, or a step, under an
//! id that is taken rewrites it in place. Two steps of a plan may have the same text.

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

/// The version of what of the fold is in no section: raised whenever the same events would give
/// another state, so that no snapshot of an older program is taken for one of this. A section has a
/// version of its own.
pub const VERSION: u32 = 5;

/// The state after one more event.
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

/// The same in the place of the state, which is large: for many events it need not be moved for each.
pub fn fold_into(state: &mut HudState, event: &StoredEvent) {
    state.turn = state.turn.max(event.turn);
    state.version = event.version;
    if event.cause.is_some_and(|cause| cause.is_of_name()) {
        state.cause = event.cause;
    }
    // The model was called, and has been shown what there was.
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

/// Whether the provider has nothing of the conversation in its cache from the event on: it was
/// compacted, or another model goes on with it.
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

/// Leaves of the state of a session that was deleted what counts the log, which goes on.
fn empty(state: &mut HudState) {
    *state = HudState {
        version: state.version,
        turn: state.turn,
        sections: state.sections.emptied(),
        ..HudState::default()
    };
}

/// Takes a session back to the event's state. What counts the log and not the conversation goes on:
/// versions, turns, the numbers of names.
fn go_back(state: &mut HudState, event: &SessionRestore) {
    section::restore(state, event);
    state.turn = state.turn.max(event.state.turn);
    state.numbers.see_all(&event.state.numbers);
    state.cause = event.state.cause;
}

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
//! | steps | 500: a plan is kept whole | the first completed, else the last pending; the one in progress stays |
//! | errors | 10 | the least recent resolved, else the least recent |
//! | files | 15 | the least recently touched that isn't being edited, else the least recently touched |
//! | slots of working memory | 3, 5, 3, 3 | the oldest |
//! | pool | 50 | whatever scores under 0.01, then the lowest score |
//! | core memory | 1000, 2000, 1500 characters | replaced: the end of the text; appended: the oldest lines |
//!
//! Of a text, the first 64 KiB are in a state; all of it stays in the log.
//!
//! # What is ignored
//!
//! An event that names an unknown item does nothing. Adding a decision, note or blocker whose text is
//! there already does nothing (a decision's details are taken over); adding one, or a step, under an
//! id that is there rewrites it in place. Two steps of a plan may have the same text.

mod compaction;
mod errors;
mod files;
mod list;
mod memory;
mod restore;
mod steps;
mod task;

pub use errors::ERRORS_CAP;
pub use files::FILES_CAP;
pub use list::{BLOCKERS_CAP, DECISIONS_CAP, NOTES_CAP};
pub use steps::STEPS_CAP;

use crate::event::{
    BlockerAdd, DecisionRecord, ErrorEncountered, HudEvent, NoteAdd, StepAdd, StoredEvent,
};
use crate::state::{Blocker, Decision, Epoch, HudState, Note, Origin, Step, StepStatus, Touch};

/// The version of the projection: raised whenever the same events would give another state, so
/// that no snapshot of an older program is taken for one of this.
pub const VERSION: u32 = 4;

/// The state after one more event.
///
/// Events of a session are folded in the order of their versions, each once.
///
/// ```
/// use hud_store::event::{Actor, EventId, SessionId, StoredEvent, TaskSet};
/// use hud_store::project::fold;
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
    state.turn = state.turn.max(event.turn);
    state.version = event.version;
    if event.cause.is_some_and(|cause| cause.is_of_name()) {
        state.cause = event.cause;
    }
    // The model was called, and has been shown what there was.
    if event.turn > 0 && state.epoch.is_none() {
        state.epoch = Epoch::of(&state);
    }
    let reads_anew = reads_anew(&state, &event.event);
    match event.event.clipped() {
        None => apply(&mut state, event),
        Some(clipped) => {
            let event = StoredEvent {
                session: event.session.clone(),
                actor: event.actor.clone(),
                event: clipped,
                ..*event
            };
            apply(&mut state, &event);
        }
    }
    if reads_anew {
        state.epoch = Epoch::of(&state);
    }
    state
}

/// Whether the provider has nothing of the conversation in its cache from the event on: it was
/// compacted, or another model goes on with it.
fn reads_anew(state: &HudState, event: &HudEvent) -> bool {
    let known = state
        .context
        .as_ref()
        .and_then(|usage| usage.model.as_ref());
    match event {
        HudEvent::CompactAfter(_) => true,
        HudEvent::ContextSnapshot(e) => {
            known.is_some() && e.model.is_some() && known != e.model.as_ref()
        }
        _ => false,
    }
}

/// Changes the sections that the event is about, and marks those that did change.
fn apply(state: &mut HudState, event: &StoredEvent) {
    let now = Touch {
        at: event.at,
        turn: event.turn,
    };
    if let HudEvent::DecisionRecord(DecisionRecord { id, .. })
    | HudEvent::NoteAdd(NoteAdd { id, .. })
    | HudEvent::StepAdd(StepAdd { id, .. })
    | HudEvent::BlockerAdd(BlockerAdd { id, .. })
    | HudEvent::ErrorEncountered(ErrorEncountered { id, .. }) = &event.event
    {
        state.numbers.see(id);
    }
    let touched = &mut state.touched;
    let (changed, section) = match &event.event {
        HudEvent::SessionStart(e) => {
            state.origin = Some(Origin {
                resumes: e.resumes.clone(),
                parent: e.parent.clone(),
                project: e.project.clone(),
                forks: state.origin.take().and_then(|known| known.forks),
            });
            return;
        }
        HudEvent::SessionRestore(e) => return restore::restore(state, e),
        HudEvent::TaskSet(e) => (task::set(&mut state.task, e, now), &mut touched.task),
        HudEvent::TaskUpdate(e) => (task::update(&mut state.task, e, now), &mut touched.task),

        HudEvent::DecisionRecord(e) => {
            let decision = Decision {
                id: e.id.clone(),
                summary: e.summary.clone(),
                details: e.details.clone(),
                recorded_at: now.at,
            };
            let changed = list::add(&mut state.decisions, decision, DECISIONS_CAP);
            (changed, &mut touched.decisions)
        }
        HudEvent::DecisionRemove(e) => (
            list::remove(&mut state.decisions, &e.id),
            &mut touched.decisions,
        ),

        HudEvent::NoteAdd(e) => {
            let note = Note {
                id: e.id.clone(),
                content: e.content.clone(),
                updated_at: now.at,
            };
            (
                list::add(&mut state.notes, note, NOTES_CAP),
                &mut touched.notes,
            )
        }
        HudEvent::NoteUpdate(e) => (
            list::rewrite(&mut state.notes, e, now.at),
            &mut touched.notes,
        ),
        HudEvent::NoteRemove(e) => (list::remove(&mut state.notes, &e.id), &mut touched.notes),

        HudEvent::FileOpen(e) => (
            files::open(&mut state.active_files, &e.path, now),
            &mut touched.active_files,
        ),
        HudEvent::FileEdit(e) => (
            files::edit(&mut state.active_files, &e.path, now),
            &mut touched.active_files,
        ),
        HudEvent::FileClose(e) => (
            files::close(&mut state.active_files, &e.path, now),
            &mut touched.active_files,
        ),

        HudEvent::StepAdd(e) => {
            let step = Step {
                id: e.id.clone(),
                description: e.description.clone(),
                status: StepStatus::Pending,
            };
            (
                steps::add(&mut state.next_steps, step),
                &mut touched.next_steps,
            )
        }
        HudEvent::StepStart(e) => (
            steps::start(&mut state.next_steps, &e.id),
            &mut touched.next_steps,
        ),
        HudEvent::StepComplete(e) => (
            steps::complete(&mut state.next_steps, &e.id),
            &mut touched.next_steps,
        ),
        HudEvent::StepRemove(e) => (
            steps::remove(&mut state.next_steps, &e.id),
            &mut touched.next_steps,
        ),
        HudEvent::StepReorder(e) => (
            steps::reorder(&mut state.next_steps, &e.ids),
            &mut touched.next_steps,
        ),

        HudEvent::ErrorEncountered(e) => (
            errors::encounter(&mut state.errors, e, now),
            &mut touched.errors,
        ),
        HudEvent::ErrorResolved(e) => (
            errors::resolve(&mut state.errors, e, now),
            &mut touched.errors,
        ),

        HudEvent::BlockerAdd(e) => {
            let blocker = Blocker {
                id: e.id.clone(),
                description: e.description.clone(),
                added_at: now.at,
            };
            let changed = list::add(&mut state.blockers, blocker, BLOCKERS_CAP);
            (changed, &mut touched.blockers)
        }
        HudEvent::BlockerRemove(e) => (
            list::remove(&mut state.blockers, &e.id),
            &mut touched.blockers,
        ),

        HudEvent::ContextSnapshot(e) => {
            // The model is called and the conversation is as it was: the compaction never came.
            if touched.compacted.is_some_and(|begun| begun.turn < now.turn) {
                state.compacting = None;
            }
            let changed = compaction::reading(&mut state.context, e, now);
            (changed, &mut touched.context)
        }
        HudEvent::CompactBefore(e) => {
            let used = state.context.as_ref().map(|context| context.used);
            state.compacting = Some(compaction::begin(e, used, now));
            (true, &mut touched.compacted)
        }
        HudEvent::OutputKeep(e) => {
            if let Some(call) = &e.call {
                compaction::prune(&mut state.pruned, call, event.seq);
            }
            return;
        }
        HudEvent::CompactAfter(e) => {
            // The calls left the conversation with the messages that they were in.
            state.pruned.clear();
            let begun = state.compacting.take();
            let is_read = |since| touched.context.is_some_and(|read: Touch| read.at > since);
            let ended = touched.compacted.filter(|_| begun.is_none());
            let is_again = ended.is_some_and(|end| end.turn == now.turn && !is_read(end.at));
            compaction::end(
                &mut state.compacted,
                begun,
                is_again,
                &state.context,
                e,
                now,
            );
            if compaction::forget_readings(&mut state.context, e.tokens_after, now) {
                touched.context = Some(now);
            }
            (true, &mut touched.compacted)
        }

        HudEvent::MemoryCoreUpdate(e) => (
            memory::write(&mut state.core_memory, e, now),
            &mut touched.core_memory,
        ),
        HudEvent::MemoryItemAdd(e) => (
            memory::add(&mut state.working_memory, e, now),
            &mut touched.working_memory,
        ),
        HudEvent::MemoryItemRemove(e) => (
            memory::remove(&mut state.working_memory, &e.content),
            &mut touched.working_memory,
        ),
        HudEvent::MemoryClear(e) => (
            memory::clear(&mut state.working_memory, e.place),
            &mut touched.working_memory,
        ),

        HudEvent::EventRedact(_) | HudEvent::EventRedacted(_) => return,
        HudEvent::Unknown { .. } => {
            state.unknown_events = state.unknown_events.saturating_add(1);
            return;
        }
    };
    if changed {
        *section = Some(now);
    }
}

//! A session that goes on from an earlier state.

use super::{BLOCKERS_CAP, DECISIONS_CAP, ERRORS_CAP, FILES_CAP, NOTES_CAP, STEPS_CAP, memory};
use crate::event::SessionRestore;
use crate::state::{HudState, Numbers, Step, StepStatus};

/// Puts the event's state in the place of the session's. What counts the log and not the
/// conversation goes on: versions, turns, the numbers of names, and which outputs left.
pub(super) fn restore(state: &mut HudState, event: &SessionRestore) {
    let known = std::mem::replace(state, bounded((*event.state).clone()));
    state.version = known.version;
    state.turn = known.turn.max(state.turn);
    state.numbers = highest(known.numbers, state.numbers);
    state.unknown_events = known.unknown_events;
    state.compacting = None;
    for output in known.pruned {
        if !state.pruned.iter().any(|other| other.call == output.call) {
            state.pruned.push(output);
        }
    }
    match &event.session {
        None => state.origin = known.origin.or(state.origin.take()),
        Some(from) => {
            let mut origin = known.origin.unwrap_or_default();
            origin.forks = Some(from.clone());
            state.origin = Some(origin);
        }
    }
}

fn highest(one: Numbers, other: Numbers) -> Numbers {
    Numbers {
        decision: one.decision.max(other.decision),
        note: one.note.max(other.note),
        step: one.step.max(other.step),
        blocker: one.blocker.max(other.blocker),
        error: one.error.max(other.error),
    }
}

/// The state within its caps, which an event that somebody else wrote may not keep to.
fn bounded(mut state: HudState) -> HudState {
    newest(&mut state.decisions, DECISIONS_CAP);
    newest(&mut state.notes, NOTES_CAP);
    newest(&mut state.active_files, FILES_CAP);
    newest(&mut state.blockers, BLOCKERS_CAP);
    newest(&mut state.errors, ERRORS_CAP);
    steps(&mut state.next_steps);
    if let Some(epoch) = &mut state.epoch {
        newest(&mut epoch.decisions, DECISIONS_CAP);
        steps(&mut epoch.next_steps);
    }
    memory::bound(&mut state.core_memory, &mut state.working_memory);
    state
}

fn newest<T>(items: &mut Vec<T>, cap: usize) {
    items.drain(..items.len().saturating_sub(cap));
}

/// No more than the plan holds, and one at work.
fn steps(steps: &mut Vec<Step>) {
    newest(steps, STEPS_CAP);
    let at_work = |step: &&mut Step| step.status == StepStatus::InProgress;
    for step in steps.iter_mut().filter(at_work).skip(1) {
        step.status = StepStatus::Pending;
    }
}

//! The next steps section.

use crate::state::{Step, StepStatus};

/// How many steps are kept. A plan is kept whole, however few of its steps are shown: one that had
/// lost steps would count wrongly, and a step that left could not be started.
pub const STEPS_CAP: usize = 500;

/// Adds a step at the end of the plan. Two steps may have the same text: a plan may well say "run the
/// tests" twice.
pub(super) fn add(steps: &mut Vec<Step>, step: Step) -> bool {
    if let Some(known) = steps.iter_mut().find(|known| known.id == step.id) {
        let changed = known.description != step.description;
        known.description = step.description;
        return changed;
    }
    while steps.len() >= STEPS_CAP {
        steps.remove(leaves_first(steps));
    }
    steps.push(step);
    true
}

/// Removes the step with that id.
pub(super) fn remove(steps: &mut Vec<Step>, id: &str) -> bool {
    let before = steps.len();
    steps.retain(|step| step.id != id);
    steps.len() != before
}

/// What is done matters least, then what comes last.
fn leaves_first(steps: &[Step]) -> usize {
    let done = |step: &Step| step.status == StepStatus::Completed;
    let waits = |step: &Step| step.status == StepStatus::Pending;
    let first = steps.iter().position(done);
    first.or_else(|| steps.iter().rposition(waits)).unwrap_or(0)
}

/// Makes a step the one being worked on; a completed one is taken up again.
pub(super) fn start(steps: &mut [Step], id: &str) -> bool {
    if !steps
        .iter()
        .any(|step| step.id == id && step.status != StepStatus::InProgress)
    {
        return false;
    }
    for step in steps {
        if step.id == id {
            step.status = StepStatus::InProgress;
        } else if step.status == StepStatus::InProgress {
            step.status = StepStatus::Pending;
        }
    }
    true
}

/// Completes a step, wherever it was.
pub(super) fn complete(steps: &mut [Step], id: &str) -> bool {
    let step = steps
        .iter_mut()
        .find(|step| step.id == id && step.status != StepStatus::Completed);
    step.map(|step| step.status = StepStatus::Completed)
        .is_some()
}

/// Moves the steps named to the front, in the order named.
pub(super) fn reorder(steps: &mut Vec<Step>, ids: &[String]) -> bool {
    let before = steps.clone();
    // Stable: those that are not named keep their order behind the others.
    steps.sort_by_key(|step| {
        ids.iter()
            .position(|id| *id == step.id)
            .unwrap_or(ids.len())
    });
    *steps != before
}

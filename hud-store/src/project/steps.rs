//! The next steps section.

use super::list::{self, Item};
use crate::state::{Step, StepStatus};

/// How many steps are kept (`open-memory-hud.md` 7.4).
pub const STEPS_CAP: usize = 10;

/// Adds a step at the end of the plan.
pub(super) fn add(steps: &mut Vec<Step>, step: Step) -> bool {
    if let Some(twin) = list::twin(steps, &step) {
        return twin.rewrite(step);
    }
    while steps.len() >= STEPS_CAP {
        steps.remove(leaves_first(steps));
    }
    steps.push(step);
    true
}

/// What is done matters least, what is being done most.
fn leaves_first(steps: &[Step]) -> usize {
    let first = |status| steps.iter().position(|step| step.status == status);
    first(StepStatus::Completed)
        .or_else(|| first(StepStatus::Pending))
        .unwrap_or(0)
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

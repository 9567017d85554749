//! The task section.

use crate::event::{TaskSet, TaskUpdate};
use crate::state::{Task, Touch};

/// Sets the task, or clears it when the description is empty.
pub(super) fn set(task: &mut Option<Task>, event: &TaskSet, now: Touch) -> bool {
    let was_set = task.is_some();
    *task = (!event.description.is_empty()).then(|| new(&event.description, now));
    was_set || task.is_some()
}

/// Refines the task. Without one, what is given becomes it: a first request is the task until
/// one is set.
pub(super) fn update(slot: &mut Option<Task>, event: &TaskUpdate, now: Touch) -> bool {
    let description = event.description.as_deref().filter(|text| !text.is_empty());
    let request = event.latest_request.as_deref();
    if description.is_none() && request.is_none() {
        return false;
    }
    if slot.is_none() {
        let first = description.or(request).filter(|text| !text.is_empty());
        *slot = first.map(|text| new(text, now));
    }
    let Some(task) = slot else { return false };
    if let Some(description) = description {
        task.description = description.to_owned();
    }
    if let Some(request) = request {
        // Saying the task twice would tell nothing.
        let news = !request.is_empty() && request != task.description;
        task.latest_request = news.then(|| request.to_owned());
    }
    task.updated_at = now.at;
    true
}

fn new(description: &str, now: Touch) -> Task {
    Task {
        description: description.to_owned(),
        latest_request: None,
        set_at: now.at,
        updated_at: now.at,
    }
}

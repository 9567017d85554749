//! The plan as the agent's own to-do tools keep it.

use std::collections::HashMap;

use hud_store::event::{HudEvent, StepAdd, StepComplete, StepRemove, StepReorder, StepStart};
use hud_store::state::{HudState, StepStatus};

use super::ToolResult;
use super::what::Todo;
use crate::tool::{Item, Numbering};

/// The steps that were derived, so that the next list can be compared with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// What TodoWrite set, in its order.
    todos: Vec<Entry>,
    /// The steps of TaskCreate by the client's number.
    tasks: HashMap<String, String>,
}

#[derive(Clone, Debug)]
struct Entry {
    step: String,
    content: String,
    status: String,
}

impl Plan {
    /// The plan of a state, taken for what the to-do tool set last.
    pub(super) fn of(state: &HudState) -> Self {
        let todos = state.next_steps.iter().map(|step| Entry {
            step: step.id.clone(),
            content: step.description.clone(),
            status: match step.status {
                StepStatus::Pending => "pending",
                StepStatus::InProgress => "in_progress",
                StepStatus::Completed => "completed",
            }
            .to_owned(),
        });
        Self {
            todos: todos.collect(),
            tasks: HashMap::new(),
        }
    }

    /// TodoWrite sets the whole list: what changed in it, as events.
    pub(super) fn replace(&mut self, todos: &[Todo], numbering: &mut Numbering) -> Vec<HudEvent> {
        let mut events = Vec::new();
        let mut before = std::mem::take(&mut self.todos);
        let is_under_way = todos.iter().any(|todo| todo.status == "in_progress");
        for todo in todos.iter().filter(|todo| !todo.content.trim().is_empty()) {
            let known = before.iter().position(|entry| {
                // A step cannot become undone, nor wait again unless another one begins: such a one
                // is a new step.
                entry.content == todo.content
                    && match entry.status.as_str() {
                        "completed" => todo.status == "completed",
                        "in_progress" => todo.status != "pending" || is_under_way,
                        _ => true,
                    }
            });
            let mut entry = match known {
                Some(index) => before.remove(index),
                None => {
                    let step = numbering.next(Item::Step);
                    events.push(HudEvent::from(StepAdd {
                        id: step.clone(),
                        description: todo.content.clone(),
                    }));
                    Entry {
                        step,
                        content: todo.content.clone(),
                        status: String::new(),
                    }
                }
            };
            if entry.status != todo.status {
                events.extend(moved(&entry.step, &todo.status));
                entry.status.clone_from(&todo.status);
            }
            self.todos.push(entry);
        }
        // What is left over is gone; it leaves first, so that it takes no room in the plan.
        let gone = before
            .into_iter()
            .map(|entry| HudEvent::from(StepRemove { id: entry.step }));
        let mut events: Vec<_> = gone.chain(events).collect();
        let order: Vec<String> = self.todos.iter().map(|entry| entry.step.clone()).collect();
        if !is_sorted_by_number(&order) {
            events.push(HudEvent::from(StepReorder { ids: order }));
        }
        events
    }

    /// TaskCreate added a step.
    pub(super) fn create(
        &mut self,
        subject: &str,
        result: &ToolResult<'_>,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let step = numbering.next(Item::Step);
        if let Some(number) = task_number(result) {
            self.tasks.insert(number, step.clone());
        }
        vec![HudEvent::from(StepAdd {
            id: step,
            description: subject.to_owned(),
        })]
    }

    /// TaskUpdate changed a step.
    pub(super) fn update(&mut self, number: &str, status: &str) -> Vec<HudEvent> {
        let Some(step) = self.tasks.get(number) else {
            return Vec::new();
        };
        moved(step, status).into_iter().collect()
    }
}

/// The event of a step that comes to a status. The statuses are Claude Code's.
fn moved(step: &str, status: &str) -> Option<HudEvent> {
    let id = step.to_owned();
    match status {
        "in_progress" => Some(StepStart { id }.into()),
        "completed" => Some(StepComplete { id }.into()),
        "deleted" | "cancelled" => Some(StepRemove { id }.into()),
        _ => None,
    }
}

/// Whether steps stand in the order in which they were added.
fn is_sorted_by_number(steps: &[String]) -> bool {
    let number = |step: &String| {
        step.trim_start_matches('s')
            .parse::<u64>()
            .unwrap_or(u64::MAX)
    };
    steps.is_sorted_by_key(number)
}

/// The client's number of a task: told apart, else in the text, `Task #3 created ..`.
fn task_number(result: &ToolResult<'_>) -> Option<String> {
    result.task.map(ToOwned::to_owned).or_else(|| {
        let (_, rest) = result.content.split_once('#')?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn todos(list: &[(&str, &str)]) -> Vec<Todo> {
        list.iter()
            .map(|(content, status)| Todo {
                content: (*content).to_owned(),
                status: (*status).to_owned(),
            })
            .collect()
    }

    fn kinds(events: &[HudEvent]) -> Vec<&str> {
        events.iter().map(HudEvent::kind).collect()
    }

    #[test]
    fn a_list_gives_only_what_changed() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let first = todos(&[("a", "in_progress"), ("b", "pending")]);
        assert_eq!(
            kinds(&plan.replace(&first, &mut numbering)),
            ["step.add", "step.start", "step.add"]
        );
        assert!(plan.replace(&first, &mut numbering).is_empty());
        let second = todos(&[("a", "completed"), ("b", "in_progress")]);
        assert_eq!(
            kinds(&plan.replace(&second, &mut numbering)),
            ["step.complete", "step.start"]
        );
        let third = todos(&[("c", "pending"), ("b", "in_progress")]);
        assert_eq!(
            kinds(&plan.replace(&third, &mut numbering)),
            ["step.remove", "step.add", "step.reorder"]
        );
    }

    #[test]
    fn entries_without_a_text_are_left_out_and_equal_ones_are_two_steps() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let list = todos(&[("test", "completed"), (" ", "pending"), ("test", "pending")]);
        assert_eq!(
            kinds(&plan.replace(&list, &mut numbering)),
            ["step.add", "step.complete", "step.add"]
        );
        assert!(plan.replace(&list, &mut numbering).is_empty());
    }

    #[test]
    fn a_step_that_was_put_back_is_a_new_one() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        plan.replace(&todos(&[("a", "in_progress")]), &mut numbering);
        let back = plan.replace(&todos(&[("a", "pending")]), &mut numbering);
        assert_eq!(kinds(&back), ["step.remove", "step.add"]);
    }

    #[test]
    fn a_task_is_found_by_the_clients_number() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let result = ToolResult {
            call: "c",
            content: "Task #7 created successfully: a",
            is_error: false,
            not_run: None,
            task: None,
        };
        assert_eq!(
            kinds(&plan.create("a", &result, &mut numbering)),
            ["step.add"]
        );
        assert_eq!(kinds(&plan.update("7", "completed")), ["step.complete"]);
        assert!(plan.update("8", "completed").is_empty());
        assert!(plan.update("7", "pending").is_empty());
    }
}

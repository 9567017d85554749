use hud_core::node::{Code, Field, Section};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Task;

use crate::text::{line, prose, said, with_code};

/// What is wanted of the agent now, and what the task began as.
///
/// It has the first heading of the HUD, which all parts behind it are under.
#[component(layer = static, worth = 10, floor = minimal, part = "task", heading, schema)]
pub fn TaskSection<'a>(
    /// The task; without one the section says how to record it.
    task: Option<&'a Task>,
    density: Density,
) -> Element<'a> {
    let Some(task) = task else {
        return match density {
            Density::Full => rsx! {
                <Section title="Task">
                    "Not set: record it with " <Code>"task.set"</Code> "."
                </Section>
            },
            Density::Compact => rsx! { <Field label="Task">"not set"</Field> },
            Density::Minimal => rsx! { "no task" },
        };
    };
    let title = if task.done { "Task (done)" } else { "Task" };
    // What is wanted now comes first, and below it what that is a part of.
    let now = said(task.latest_request.as_ref());
    let (now, began) = match now {
        Some(now) => (now, Some(task.description.as_str())),
        None => (task.description.as_str(), None),
    };
    match density {
        Density::Full => rsx! {
            <Section title={title}>
                {prose(now, if began.is_some() { 340 } else { 500 })}
                if let Some(began) = began { <Field label="Began as">{prose(began, 160)}</Field> }
            </Section>
        },
        Density::Compact => rsx! {
            <Field label={title}>
                // The arrow is what parts the request from the task.
                {with_code(line(now, 110).replace('←', "<-"))}
                if let Some(began) = began { " ← " {prose(began, 50)} }
            </Field>
        },
        Density::Minimal => {
            // A few words say little without what they are about.
            let length = now.chars().take(80).count();
            let began = began.filter(|_| length < 40);
            rsx! {
                if task.done { "done: " }
                {with_code(line(now, 80).replace('←', "<-"))}
                if let Some(began) = began { " ← " {prose(began, 75 - length)} }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::TaskSection;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "task_section",
            |state| rsx! { <TaskSection task={state.task.as_ref()} /> },
        );
    }
}

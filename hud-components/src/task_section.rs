use hud_core::node::{Code, Field, Section};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Task;

use crate::text::{line, said};

/// What the agent is doing, and what the user asked for last.
///
/// It has the first heading of the HUD, which all parts behind it are under.
#[component(layer = static, worth = 10, floor = minimal, part = "task", heading)]
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
    let request = said(task.latest_request.as_ref());
    match density {
        Density::Full => rsx! {
            <Section title="Task">
                {line(&task.description, 600)}
                if let Some(request) = request {
                    <Field label="Latest request">{line(request, 300)}</Field>
                }
            </Section>
        },
        Density::Compact => rsx! {
            <Field label="Task">
                // The arrow is what parts the task from the request.
                {line(&task.description, 100).replace('→', "->")}
                if let Some(request) = request { " → " {line(request, 80)} }
            </Field>
        },
        Density::Minimal => rsx! { {line(&task.description, 60)} },
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

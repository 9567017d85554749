use hud_core::node::{Field, Section};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Task;

use crate::section;
use crate::text::{line, prose, said, with_code};

/// What is wanted of the agent now, and what the task began as: in the user's words, or with who said it behind them.
///
/// It has the first heading of the HUD, which all parts behind it are under.
#[component(layer = static, worth = 10, floor = minimal, part = "task", heading, schema)]
pub fn TaskSection<'a>(
    /// The task; without one the section shows nothing.
    task: Option<&'a Task>,
    density: Density,
) -> Element<'a> {
    let Some(task) = task else { return rsx! {} };
    let title = if task.done { "Task (done)" } else { "Task" };
    let by = section::source("", &task.by);
    // What is wanted now comes first, and below it what that is a part of.
    let now = said(task.latest_request.as_ref());
    let (now, now_by, began) = match now {
        Some(now) => (now, String::new(), Some((task.description.as_str(), by))),
        None => (task.description.as_str(), by, None),
    };
    let restated = task
        .restated
        .as_ref()
        .map(|restated| (restated.text.as_str(), section::source("", &restated.by)));
    match density {
        Density::Full => rsx! {
            <Section title={title}>
                {prose(now, if began.is_some() { 340 } else { 500 })} {now_by}
                if let Some((began, by)) = began {
                    <Field label="Began as">{prose(began, 160)} {by}</Field>
                }
                if let Some((text, by)) = restated {
                    <Field label="In other words">{prose(text, 340)} {by}</Field>
                }
            </Section>
        },
        Density::Compact => rsx! {
            <Field label={title}>
                // The arrow is what parts the request from the task.
                {with_code(line(now, 110).replace('←', "<-"))} {now_by}
                if let Some((began, by)) = began { " ← " {prose(began, 50)} {by} }
                if let Some((text, by)) = restated { " ← " {prose(text, 60)} {by} }
            </Field>
        },
        Density::Minimal => {
            // A few words say little without what they are about.
            let length = now.chars().take(80).count();
            let began = began.filter(|_| length < 40);
            rsx! {
                if task.done { "done: " }
                {with_code(line(now, 80).replace('←', "<-"))} {now_by}
                if let Some((began, by)) = began { " ← " {prose(began, 75 - length)} {by} }
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

use hud_core::node::{Field, Item, List, Section, Status};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Step, StepStatus};

use crate::text::{line, piece};

/// How many of the steps that are still to be done stand on a compact line.
const AHEAD: usize = 4;

/// How many of the steps that are done at the beginning of the plan are shown.
const DONE: usize = 2;

/// The plan: what is done, what is being done, what comes next.
#[component(layer = static)]
pub fn NextSteps<'a>(
    /// The steps, in the order of the plan.
    steps: &'a [Step],
    density: Density,
) -> Element<'a> {
    if steps.is_empty() {
        return rsx! {};
    }
    let done = steps
        .iter()
        .filter(|step| is(step, StepStatus::Completed))
        .count();
    let ahead = || steps.iter().filter(|step| !is(step, StepStatus::Completed));
    // The step that is being worked on; else the first one that is not done.
    let now = ahead()
        .find(|step| is(step, StepStatus::InProgress))
        .or_else(|| ahead().next());
    let count = format!("{done}/{}", steps.len());
    match density {
        Density::Full => {
            let first = first_shown(steps);
            rsx! {
                <Section title={format!("Next Steps ({count} done)")}>
                    <List ordered=true start={first + 1}>
                        for step in steps.iter().skip(first as usize) { {full(step)} }
                    </List>
                </Section>
            }
        }
        Density::Compact => {
            let later = ahead().count().saturating_sub(AHEAD);
            rsx! {
                <Field label={format!("Steps {count}")}>
                    if now.is_none() { "all done" }
                    for (index, step) in ahead().take(AHEAD).enumerate() {
                        if index > 0 { "; " }
                        {piece(&step.description, 60)}
                        if is(step, StepStatus::InProgress) { " " <Status state="now" /> }
                    }
                    if later > 0 { "; +" {later} " more" }
                </Field>
            }
        }
        Density::Minimal => rsx! {
            "step " {count}
            if let Some(step) = now { ": " {line(&step.description, 40)} } else { " done" }
        },
    }
}

/// The index of the first step that full density shows: of those that are done at the plan's
/// beginning the last two, for where the work stands.
fn first_shown(steps: &[Step]) -> u32 {
    let done = steps
        .iter()
        .take_while(|step| is(step, StepStatus::Completed));
    u32::try_from(done.count().saturating_sub(DONE)).unwrap_or(0)
}

fn is(step: &Step, status: StepStatus) -> bool {
    step.status == status
}

fn full(step: &Step) -> Element<'_> {
    let description = line(&step.description, 120);
    match step.status {
        StepStatus::Completed => rsx! { <Item checked=true>{description}</Item> },
        StepStatus::InProgress => {
            rsx! { <Item checked=false>{description} " " <Status state="in progress" /></Item> }
        }
        StepStatus::Pending => rsx! { <Item checked=false>{description}</Item> },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::NextSteps;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "next_steps",
            |state| rsx! { <NextSteps steps={&state.next_steps} /> },
        );
    }
}

use std::ops::Range;

use hud_core::node::{Field, Item, List, Paragraph, Relates, Section, Status};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::event::Actor;
use hud_store::state::{Step, StepStatus};

use crate::section;
use crate::text::{piece, prose, with_code};

/// How many of the steps that are still to be done a compact line names.
const AHEAD: usize = 4;

/// How many of the steps before the one that the work is at are shown, for where it comes from.
const DONE: usize = 2;

/// The plan: what is done, what is being done, what comes next.
#[component(layer = static, worth = 6, cap = 10, part = "next_steps", schema)]
pub fn NextSteps<'a>(
    /// The steps, in the order of the plan.
    steps: &'a [Step],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
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
            let shown = shown(steps, cap);
            let beyond = steps.len() - shown.end;
            let left = steps[..shown.start].iter();
            let left = left.filter(|step| !is(step, StepStatus::Completed)).count();
            rsx! {
                <Section title={format!("Next Steps ({count} done)")}>
                    <List ordered=true start={u32::try_from(shown.start + 1).unwrap_or(1)}>
                        for step in &steps[shown] { {full(step)} }
                    </List>
                    if left > 0 { <Paragraph>"Not done before these: " {left}</Paragraph> }
                    if beyond > 0 {
                        <Paragraph>
                            "Behind these: " {section::others(beyond, "more", handle)}
                        </Paragraph>
                    }
                </Section>
            }
        }
        Density::Compact => {
            let most = cap.of(AHEAD);
            let later = ahead().count().saturating_sub(most);
            // What is being done first, as it must not be what does not fit.
            let others = ahead().filter(|step| now.is_none_or(|now| now.id != step.id));
            let ordered = now.into_iter().chain(others);
            rsx! {
                <Field label={format!("Steps {count}")}>
                    {of_task()}
                    if now.is_none() { "all done" }
                    for (index, step) in ordered.take(most).enumerate() {
                        if index > 0 { "; " }
                        {with_code(piece(&step.description, 60))}
                        if is(step, StepStatus::InProgress) { " " <Status state="now" /> }
                    }
                    {section::rest(later, most > 0, handle)}
                </Field>
            }
        }
        Density::Minimal => rsx! {
            {of_task()} "step " {count}
            if let Some(step) = now { ": " {prose(&step.description, 40)} } else { " done" }
        },
    }
}

/// The steps that full density shows: from the last two before the first that is not done, unless
/// the work is at one that is farther on.
fn shown(steps: &[Step], cap: Cap) -> Range<usize> {
    let most = cap.of(steps.len());
    let first = |status: StepStatus, is_so: bool| {
        let mut steps = steps.iter();
        steps.position(|step| is(step, status) == is_so)
    };
    let open = first(StepStatus::Completed, false).unwrap_or(steps.len());
    let mut start = open.saturating_sub(DONE.min(most.saturating_sub(1)));
    if let Some(now) = first(StepStatus::InProgress, true)
        && now >= start + most
    {
        start = now - DONE.min(most.saturating_sub(1));
    }
    start..steps.len().min(start + most)
}

fn is(step: &Step, status: StepStatus) -> bool {
    step.status == status
}

/// That what is around it is a part of the task.
fn of_task() -> Element<'static> {
    rsx! { <Relates how="belongs to" part="task" /> }
}

fn full(step: &Step) -> Element<'_> {
    let description = prose(&step.description, 300);
    let key = step.id.as_str();
    match step.status {
        StepStatus::Completed => rsx! {
            <Item key checked=true>{of_task()} {description}</Item>
        },
        StepStatus::InProgress => rsx! {
            <Item key checked=false>
                {of_task()} {description} " " <Status state="in progress" />
            </Item>
        },
        StepStatus::Pending => rsx! {
            <Item key checked=false>
                {of_task()} {description}
                if step.by == Actor::Distilled { {section::id(&step.id)} }
            </Item>
        },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::state::{Step, StepStatus};

    use super::NextSteps;
    use crate::fixture::assert_snapshots;

    /// A plan: `x` for a step that is done, `>` for the one in progress, else one to be done.
    fn plan(steps: &str) -> Vec<Step> {
        let steps = steps.chars().enumerate().map(|(index, status)| Step {
            id: format!("s{}", index + 1),
            description: format!("step {}", index + 1),
            status: match status {
                'x' => StepStatus::Completed,
                '>' => StepStatus::InProgress,
                _ => StepStatus::Pending,
            },
            summarised: false,
            by: hud_store::event::Actor::Derived,
            turn: 0,
        });
        steps.collect()
    }

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "next_steps",
            |state| rsx! { <NextSteps steps={&state.next_steps} /> },
        );
    }

    #[test]
    fn a_long_plan_shows_where_the_work_is_and_counts_every_step() {
        let shown = |steps: &str| {
            let steps = plan(steps);
            let of = |density| render(&rsx! { <NextSteps steps={&steps} /> }, density).unwrap();
            format!("{}\n{}", of(Density::Full), of(Density::Compact))
        };
        insta::assert_snapshot!("long_plan_begun", shown(">............."));
        insta::assert_snapshot!("long_plan_almost_done", shown("xxxxxxxxxxxxx>"));
        insta::assert_snapshot!("long_plan_out_of_order", shown("x............>.."));
    }
}

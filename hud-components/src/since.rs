use hud_core::node::{Delete, Item, List, Section as Titled, Strong};
use hud_core::{Element, component, rsx};
use hud_store::section::{CurrentTask, NextSteps as Plan, Section as _};
use hud_store::state::{HudState, changes};

use crate::NextSteps;
use crate::text::line;

/// What is no longer as the static layer shows it, where that shows what an epoch began with: the task and
/// the request that changed, the items of other sections (decisions, say) that came, changed and no
/// longer hold, and the plan as it is now. Nothing if all of it still holds.
#[component(layer = dynamic)]
pub fn Since<'a>(
    /// The state that the static layer shows: what an epoch began with.
    begun: &'a HudState,
    /// The state as it is now.
    state: &'a HudState,
    /// The names of the sections that the static layer shows. Of others nothing is said.
    sections: &'a [&'a str],
) -> Element<'a> {
    let items = items(begun, state, sections);
    let has_plan = sections.contains(&Plan::NAME);
    let has_other_plan = has_plan && begun.next_steps != state.next_steps;
    if items.is_empty() && !has_other_plan {
        return rsx! {};
    }
    rsx! {
        <Titled title="HUD: what changed">
            if !items.is_empty() {
                <List>
                    for item in items { <Item>{said(item)}</Item> }
                </List>
            }
            if has_other_plan && state.next_steps.is_empty() { "The plan no longer holds." }
            if has_other_plan { <NextSteps steps={&state.next_steps} /> }
        </Titled>
    }
}

fn said<'a>((name, before, after, shown): Changed) -> Element<'a> {
    match after {
        Some(after) => rsx! { <Strong>{name}</Strong> ": " {line(&after, shown).into_owned()} },
        None => rsx! {
            <Strong>{name}</Strong> ": "
            <Delete>{line(&before.unwrap_or_default(), shown).into_owned()}</Delete>
            " (no longer)"
        },
    }
}

/// What changed, but for the plan: its name, what it was, what it is, and how much is shown.
type Changed = (&'static str, Option<String>, Option<String>, usize);

fn items(begun: &HudState, state: &HudState, sections: &[&str]) -> Vec<Changed> {
    let is_shown = |section: &str| sections.contains(&section);
    let (before, after) = (begun.task.as_ref(), state.task.as_ref());
    let task = (
        "task",
        before.map(|task| task.description.clone()),
        after.map(|task| task.description.clone()),
        600,
    );
    let request = (
        "latest request",
        before.and_then(|task| task.latest_request.clone()),
        after.and_then(|task| task.latest_request.clone()),
        300,
    );
    let is_news = |(_, before, after, _): &Changed| is_shown(CurrentTask::NAME) && before != after;
    let is_said_otherwise = |section: &str| [CurrentTask::NAME, Plan::NAME].contains(&section);
    let others = changes(begun, state)
        .into_iter()
        .filter(|change| is_shown(change.section) && !is_said_otherwise(change.section))
        .map(|change| (change.item, change.before, change.after, 300));
    [task, request]
        .into_iter()
        .filter(is_news)
        .chain(others)
        .collect()
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::event::Actor;
    use hud_store::state::{Decision, HudState, Step, StepStatus, Task};
    use jiff::Timestamp;

    use super::Since;

    fn task(description: &str, request: Option<&str>) -> Option<Task> {
        Some(Task {
            description: description.to_owned(),
            latest_request: request.map(str::to_owned),
            set_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        })
    }

    fn decision(id: &str, summary: &str) -> Decision {
        Decision {
            id: id.to_owned(),
            summary: summary.to_owned(),
            details: None,
            by: Actor::Agent,
            turn: 1,
            recorded_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn step(id: &str, description: &str, status: StepStatus) -> Step {
        Step {
            id: id.to_owned(),
            description: description.to_owned(),
            status,
        }
    }

    fn shown(begun: &HudState, state: &HudState) -> String {
        let sections = &["task", "decisions", "next_steps"];
        render(&rsx! { <Since begun state sections /> }, Density::Full).unwrap()
    }

    fn begun() -> HudState {
        HudState {
            task: task("Add rate limits", None),
            decisions: vec![decision("d1", "Fixed window"), decision("d2", "Redis")],
            next_steps: vec![step("s1", "Write the middleware", StepStatus::Pending)],
            ..HudState::default()
        }
    }

    #[test]
    fn what_came_changed_and_no_longer_holds_is_said_with_the_whole_plan() {
        let begun = begun();
        let state = HudState {
            task: task(
                "Add rate limits",
                Some("Per tenant, please\n# and no heading"),
            ),
            decisions: vec![decision("d2", "No Redis"), decision("d3", "Token bucket")],
            next_steps: vec![
                step("s1", "Write the middleware", StepStatus::Completed),
                step("s2", "Test it", StepStatus::InProgress),
            ],
            ..HudState::default()
        };
        insta::assert_snapshot!(shown(&begun, &state));
    }

    #[test]
    fn nothing_is_said_of_what_still_holds_and_all_of_it_may_be_over() {
        let begun = begun();
        assert_eq!(shown(&begun, &begun), "");
        insta::assert_snapshot!(shown(&begun, &HudState::default()));
    }
}

use hud_core::node::{Delete, Item, List, Section as Titled, Strong};
use hud_core::{Element, component, rsx};

use crate::news::{News, NewsLine};
use crate::text::prose;

/// What is no longer as the static layer shows it, where that shows what an epoch began with: what its
/// sections say of themselves. Nothing if all of it still holds.
#[component(layer = dynamic)]
pub fn Since<'a>(
    /// What is new of each section that the static layer shows.
    news: &'a [News<'a>],
) -> Element<'a> {
    let has_lines = news.iter().any(|news| !news.lines.is_empty());
    if !has_lines && news.iter().all(|news| news.whole.is_none()) {
        return rsx! {};
    }
    let lines = news.iter().flat_map(|news| &news.lines);
    let wholes = news.iter().filter_map(|news| news.whole.as_ref());
    rsx! {
        <Titled title="HUD: what changed">
            if has_lines {
                <List>
                    for line in lines { <Item>{said(line)}</Item> }
                </List>
            }
            for whole in wholes { {whole} }
        </Titled>
    }
}

fn said(news: &NewsLine) -> Element<'_> {
    let NewsLine { name, most, .. } = news;
    match (&news.before, &news.after) {
        (_, Some(after)) => rsx! { <Strong>{*name}</Strong> ": " {prose(after, *most)} },
        (before, None) => rsx! {
            <Strong>{*name}</Strong> ": "
            <Delete>{prose(before.as_deref().unwrap_or_default(), *most)}</Delete>
            " (no longer)"
        },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::event::Actor;
    use hud_store::state::{Decision, HudState, Step, StepStatus, Task, changes};
    use jiff::Timestamp;

    use super::Since;
    use crate::news::News;

    fn task(description: &str, request: Option<&str>) -> Option<Task> {
        Some(Task {
            description: description.to_owned(),
            by: Actor::User,
            restated: None,
            latest_request: request.map(str::to_owned),
            offer: None,
            done: false,
            pinned: false,
            set_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            turn: 0,
        })
    }

    fn decision(id: &str, summary: &str) -> Decision {
        Decision {
            id: id.to_owned(),
            summary: summary.to_owned(),
            details: None,
            by: Actor::Agent,
            weight: None,
            turn: 1,
            recorded_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn step(id: &str, description: &str, status: StepStatus) -> Step {
        Step {
            id: id.to_owned(),
            description: description.to_owned(),
            status,
            summarised: false,
            by: Actor::Derived,
            turn: 0,
        }
    }

    fn shown(begun: &HudState, state: &HudState) -> String {
        let mut changes = changes(begun, state);
        changes.retain(|change| change.section == "decisions");
        let news = [
            News::of_task(begun.task.as_ref(), state.task.as_ref()),
            News::of(changes),
            News::of_plan(&begun.next_steps, &state.next_steps),
        ];
        render(&rsx! { <Since news={&news} /> }, Density::Full).unwrap()
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

//! The plan in the agent's own to-do tools.

use std::collections::HashMap;

use hud_observe::action::{PlannedStep, Progress};
use hud_store::event::{
    HudEvent, StepAdd, StepComplete, StepEvent, StepRemove, StepReorder, StepStart,
};
use hud_store::state::{HudState, StepStatus};

use super::written::is_written;
use crate::numbering::{Item, Numbering};

/// The steps that were derived, for the comparison with the next list.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The steps that were set as a whole, in their order.
    set: Vec<KnownStep>,
    /// The ids of the steps that were added one at a time, by the client's numbers.
    added: HashMap<String, String>,
}

/// A step as it was last set.
#[derive(Clone, Debug)]
struct KnownStep {
    id: String,
    description: String,
    progress: Option<Progress>,
}

impl Plan {
    /// Returns the plan of a state as the plan that the agent last set. Steps that the agent added with the `hud` tool
    /// or wrote into its text are left out.
    pub(super) fn of(state: &HudState) -> Self {
        let steps = state.next_steps.iter();
        let set = steps
            .filter(|step| !step.by.is_agent() && !is_written(step))
            .map(|step| KnownStep {
                id: step.id.clone(),
                description: step.description.clone(),
                progress: Some(match step.status {
                    StepStatus::Pending => Progress::Pending,
                    StepStatus::InProgress => Progress::InProgress,
                    StepStatus::Completed => Progress::Completed,
                }),
            });
        Self {
            set: set.collect(),
            added: HashMap::new(),
        }
    }

    /// The agent sets the whole plan. Returns the changes as events.
    pub(super) fn replace(
        &mut self,
        steps: &[PlannedStep],
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let mut events = Vec::new();
        let mut before = std::mem::take(&mut self.set);
        let is_under_way = steps
            .iter()
            .any(|step| step.progress == Some(Progress::InProgress));
        for step in steps
            .iter()
            .filter(|step| !step.description.trim().is_empty())
        {
            let known = before.iter().position(|known| {
                // A completed step does not become undone, and a started step waits again only if another one
                // begins. Otherwise it is a new step.
                known.description == step.description
                    && match known.progress {
                        Some(Progress::Completed) => step.progress == Some(Progress::Completed),
                        Some(Progress::InProgress) => {
                            step.progress != Some(Progress::Pending) || is_under_way
                        }
                        _ => true,
                    }
            });
            let mut known = match known {
                Some(index) => before.remove(index),
                None => {
                    let id = numbering.next(Item::Step);
                    events.push(HudEvent::from(StepAdd {
                        id: id.clone(),
                        description: step.description.clone(),
                    }));
                    KnownStep {
                        id,
                        description: step.description.clone(),
                        progress: None,
                    }
                }
            };
            if known.progress != step.progress {
                events.extend(moved(&known.id, step.progress));
                known.progress = step.progress;
            }
            self.set.push(known);
        }
        // The remaining steps are removed first, so that they take no room in the plan.
        let gone = before
            .into_iter()
            .map(|known| HudEvent::from(StepRemove { id: known.id }));
        let mut events: Vec<_> = gone.chain(events).collect();
        let order: Vec<String> = self.set.iter().map(|known| known.id.clone()).collect();
        if !is_sorted_by_number(&order) {
            events.push(HudEvent::from(StepReorder { ids: order }));
        }
        events
    }

    /// Adds the steps of events of another origin. They are removed when the agent sets its plan.
    pub(super) fn lifted(&mut self, events: &[HudEvent]) {
        let added = events.iter().filter_map(|event| match event {
            HudEvent::Step(StepEvent::Add(add)) => Some(KnownStep {
                id: add.id.clone(),
                description: add.description.clone(),
                progress: Some(Progress::Pending),
            }),
            _ => None,
        });
        self.set.extend(added);
    }

    /// The agent adds a step. The client may give it a number.
    pub(super) fn add(
        &mut self,
        description: &str,
        number: Option<&str>,
        numbering: &mut Numbering,
    ) -> Vec<HudEvent> {
        let id = numbering.next(Item::Step);
        if let Some(number) = number {
            self.added.insert(number.to_owned(), id.clone());
        }
        vec![HudEvent::from(StepAdd {
            id,
            description: description.to_owned(),
        })]
    }

    /// The agent changes the progress of a step. If the number is not known, because the step was added before this
    /// program ran, the step is found by its description.
    pub(super) fn update(
        &mut self,
        number: &str,
        description: Option<&str>,
        progress: Option<Progress>,
    ) -> Vec<HudEvent> {
        let by_description = || {
            let mut known = self.set.iter();
            known.find(|known| description.is_some_and(|said| known.description == said))
        };
        let id = match self.added.get(number) {
            Some(id) => id,
            None => match by_description() {
                Some(known) => &known.id,
                None => return Vec::new(),
            },
        };
        moved(id, progress).into_iter().collect()
    }
}

/// The event for the new progress of a step.
fn moved(step: &str, progress: Option<Progress>) -> Option<HudEvent> {
    let id = step.to_owned();
    match progress? {
        Progress::Pending => None,
        Progress::InProgress => Some(StepStart { id }.into()),
        Progress::Completed => Some(StepComplete { id }.into()),
        Progress::Dropped => Some(StepRemove { id }.into()),
    }
}

/// True if steps are in the order in which they were added.
fn is_sorted_by_number(steps: &[String]) -> bool {
    let number = |step: &String| {
        step.trim_start_matches('s')
            .parse::<u64>()
            .unwrap_or(u64::MAX)
    };
    steps.is_sorted_by_key(number)
}

#[cfg(test)]
mod tests {
    use super::Progress::{Completed, InProgress, Pending};
    use super::*;

    fn steps(list: &[(&str, Progress)]) -> Vec<PlannedStep> {
        let step = |(description, progress): &(&str, Progress)| PlannedStep {
            description: (*description).to_owned(),
            progress: Some(*progress),
        };
        list.iter().map(step).collect()
    }

    fn kinds(events: &[HudEvent]) -> Vec<&str> {
        events.iter().map(HudEvent::kind).collect()
    }

    #[test]
    fn a_list_gives_only_what_changed() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let first = steps(&[("a", InProgress), ("b", Pending)]);
        assert_eq!(
            kinds(&plan.replace(&first, &mut numbering)),
            ["step.add", "step.start", "step.add"]
        );
        assert!(plan.replace(&first, &mut numbering).is_empty());
        let second = steps(&[("a", Completed), ("b", InProgress)]);
        assert_eq!(
            kinds(&plan.replace(&second, &mut numbering)),
            ["step.complete", "step.start"]
        );
        let third = steps(&[("c", Pending), ("b", InProgress)]);
        assert_eq!(
            kinds(&plan.replace(&third, &mut numbering)),
            ["step.remove", "step.add", "step.reorder"]
        );
    }

    #[test]
    fn entries_without_a_text_are_left_out_and_equal_ones_are_two_steps() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let list = steps(&[("test", Completed), (" ", Pending), ("test", Pending)]);
        assert_eq!(
            kinds(&plan.replace(&list, &mut numbering)),
            ["step.add", "step.complete", "step.add"]
        );
        assert!(plan.replace(&list, &mut numbering).is_empty());
    }

    #[test]
    fn a_step_that_was_put_back_is_a_new_one() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        plan.replace(&steps(&[("a", InProgress)]), &mut numbering);
        let back = plan.replace(&steps(&[("a", Pending)]), &mut numbering);
        assert_eq!(kinds(&back), ["step.remove", "step.add"]);
    }

    #[test]
    fn a_step_is_found_by_the_clients_number_else_by_what_is_to_be_done() {
        let (mut plan, mut numbering) = (Plan::default(), Numbering::default());
        let added = plan.add("a", Some("7"), &mut numbering);
        assert_eq!(kinds(&added), ["step.add"]);
        let update = |plan: &mut Plan, number, description, progress| {
            plan.update(number, description, Some(progress)).len()
        };
        assert_eq!(update(&mut plan, "7", None, Completed), 1);
        assert_eq!(update(&mut plan, "7", None, Pending), 0);
        assert_eq!(update(&mut plan, "8", None, Completed), 0);
        plan.replace(&steps(&[("b", Pending)]), &mut numbering);
        assert_eq!(update(&mut plan, "8", Some("b"), Completed), 1);
        assert_eq!(update(&mut plan, "8", Some("c"), Completed), 0);
    }
}

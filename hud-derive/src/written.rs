//! Steps of a plan that the agent writes into its text: a numbered list after a line that announces it, or a list
//! with boxes.
//!
//! Nothing makes the agent keep such a plan up to date, as with planning tools. Its steps therefore have their own
//! ids such as `p1`, so that the next reader of the session recognizes them. They are removed with the first sign
//! that they may be over:
//!
//! - the agent states that all is done,
//! - the agent writes another plan, or sets one with a tool,
//! - the user changes to another task,
//! - no message mentioned the steps for many turns.

use hud_store::event::{
    Actor, HudEvent, RequestEvent, StepAdd, StepComplete, StepEvent, StepRemove, StepStart,
    TaskEvent,
};
use hud_store::state::{HudState, Step, StepStatus};
use hud_store::text::{beginning, ending};

use super::alike::{Words, alike};
use super::lexicon::Intent;
use super::prose::{self, Block, Kind};
use super::words::says_done;
use super::{Derived, gives_way, reminder};
use crate::numbering::{Item, Numbering};

/// The letter of the ids of these steps.
const STEP: char = 'p';

/// The number of turns without a mention after which they are removed.
const TURNS: u64 = 15;

/// True if a step comes from a text.
pub(super) fn is_written(step: &Step) -> bool {
    !step.by.is_agent() && step.id.starts_with(STEP)
}

fn open(state: &HudState) -> impl Iterator<Item = &Step> {
    let written = state.next_steps.iter().filter(|step| is_written(step));
    written.filter(|step| step.status != StepStatus::Completed)
}

/// Removes the steps that are not completed.
pub(super) fn over(state: &HudState) -> impl Iterator<Item = HudEvent> {
    open(state).map(removed)
}

/// Returns the changes of the plan in a message of the agent, with the [steps](reminder::written) in it.
pub(super) fn events(
    text: &str,
    written: Option<&[String]>,
    state: &HudState,
    numbering: &mut Numbering,
) -> Vec<HudEvent> {
    if let Some(steps) = written
        && !reminder::is_planned(state)
    {
        return planned(steps, text, state, numbering);
    }
    if open(state).next().is_none() {
        return Vec::new();
    }
    let moved = moved(text, state);
    match moved.is_empty() && closes(text) {
        true => over(state).collect(),
        false => moved,
    }
}

/// True if a message states at its beginning or its end that all is done.
fn closes(text: &str) -> bool {
    /// The number of bytes at the end that are read.
    const END: usize = 400;
    let lower = ending(text, END).to_lowercase();
    says_done(text) || Intent::AllDone.is_in(&lower)
}

/// The agent writes a plan. Steps of its last plan that are in the new one are kept, and the others are removed.
fn planned(
    steps: &[String],
    text: &str,
    state: &HudState,
    numbering: &mut Numbering,
) -> Vec<HudEvent> {
    let known = |text: &String| open(state).any(|step| step.description == *text);
    let mut events = moved(text, state);
    let is_done = |step: &&Step| {
        let is_it = |event: &HudEvent| match event {
            HudEvent::Step(StepEvent::Complete(done)) => done.id == step.id,
            _ => false,
        };
        events.iter().any(is_it)
    };
    let left = open(state).filter(|step| !steps.contains(&step.description) && !is_done(step));
    let left: Vec<HudEvent> = left.map(removed).collect();
    events.extend(left);
    for description in steps.iter().filter(|text| !known(text)) {
        let id = numbering.next(Item::Other(STEP));
        let description = description.clone();
        events.push(StepAdd { id, description }.into());
    }
    events
}

/// Returns the progress of the steps in a text. A checked box completes a step, and `Step 2` begins it.
fn moved(text: &str, state: &HudState) -> Vec<HudEvent> {
    let steps: Vec<&Step> = state
        .next_steps
        .iter()
        .filter(|step| is_written(step))
        .collect();
    let mut done: Vec<&Step> = Vec::new();
    let mut begun = None;
    for block in prose::read(text).into_iter().flat_map(prose::blocks) {
        if let Some(text) = checked(&block) {
            let words = Words::of(&text);
            let is_it = |step: &&&Step| alike(&Words::of(&step.description), &words);
            done.extend(steps.iter().find(is_it));
        } else if let Some((number, is_done)) = named(&block)
            && let Some(step) = steps.get(number)
        {
            // The steps before it are done, otherwise it would not be its turn.
            done.extend(&steps[..number]);
            match is_done {
                true => done.push(step),
                false => begun = Some(*step),
            }
        }
    }
    let completes = |step: &&&Step| {
        step.status != StepStatus::Completed && done.iter().any(|done| done.id == step.id)
    };
    let mut events: Vec<HudEvent> = steps
        .iter()
        .filter(completes)
        .map(|step| {
            StepComplete {
                id: step.id.clone(),
            }
            .into()
        })
        .collect();
    let begun = begun.filter(|step| {
        step.status == StepStatus::Pending && !done.iter().any(|done| done.id == step.id)
    });
    events.extend(begun.map(|step| {
        HudEvent::from(StepStart {
            id: step.id.clone(),
        })
    }));
    events
}

/// The text of an item whose box is checked.
fn checked(block: &Block<'_>) -> Option<String> {
    let Kind::Item {
        checked: Some(true),
        ..
    } = block.kind
    else {
        return None;
    };
    Some(prose::plain(block.text))
}

/// The index of the step that a line names at its beginning, and true if the step is done: `**Step 2:** ..`,
/// `Now step 3`, `第二步`.
fn named(block: &Block<'_>) -> Option<(usize, bool)> {
    /// The number of bytes of a line that are read.
    const HEAD: usize = 80;
    if !matches!(block.kind, Kind::Line | Kind::Heading) {
        return None;
    }
    let head = beginning(block.text, HEAD);
    let lower = head
        .trim_start_matches(['*', '_', '✅', ' '])
        .to_lowercase();
    let rest = Intent::Step.after(Intent::Order.skip(&lower))?.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    let number: usize = number.parse().ok()?;
    // `step 2 of the plan` and `Step 2.1` belong to step 2. `step 2a` may be anything.
    let ends = !rest.starts_with(char::is_alphanumeric);
    let is_done = Intent::Finished.is_in(rest) || head.starts_with('✅');
    ends.then_some((number.checked_sub(1)?, is_done))
}

/// Removes the steps if the user changes to another task or a plan is made in another way.
pub(super) fn replaced(events: &[Derived], state: &HudState) -> Vec<HudEvent> {
    let replaces = |derived: &Derived| match &derived.event {
        HudEvent::Task(TaskEvent::Set(_)) => gives_way(state),
        // The user retracts the request.
        HudEvent::Task(TaskEvent::Update(update)) => {
            derived.actor == Actor::User && update.latest_request.as_deref() == Some("")
        }
        HudEvent::Request(RequestEvent::Close(_)) => true,
        HudEvent::Step(StepEvent::Add(add)) => !add.id.starts_with(STEP),
        _ => false,
    };
    match events.iter().any(replaces) {
        true => over(state).collect(),
        false => Vec::new(),
    }
}

/// Removes the steps if no message mentioned them for many turns.
pub(super) fn outlived(turn: u64, state: &HudState) -> Vec<HudEvent> {
    let newest = state.next_steps.iter().filter(|step| is_written(step));
    let newest = newest.map(|step| step.turn).max();
    match newest.is_some_and(|newest| newest.saturating_add(TURNS) <= turn) {
        true => over(state).collect(),
        false => Vec::new(),
    }
}

fn removed(step: &Step) -> HudEvent {
    let id = step.id.clone();
    StepRemove { id }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<(usize, bool)> {
        named(&prose::blocks(text).next()?)
    }

    #[test]
    fn the_step_that_a_line_begins_with_is_known_in_any_language() {
        for (text, number, is_done) in [
            ("Step 1: read it", 0, false),
            ("**Step 2:** add the tenant", 1, false),
            ("## Step 3", 2, false),
            ("Now step 4 of the plan.", 3, false),
            ("Step 2 is done.", 1, true),
            ("✅ Step 2", 1, true),
            ("Schritt 2: Tests", 1, false),
            ("Шаг 2. Тесты", 1, false),
            ("步骤2：运行测试", 1, false),
        ] {
            assert_eq!(name(text), Some((number, is_done)), "{text}");
        }
        for text in [
            "Step by step",
            "step 2a",
            "A step 2",
            "Step 0",
            "- Step 2",
            "",
            "Steps 1",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}

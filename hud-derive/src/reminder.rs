//! Reminders, which ask the agent to record something.
//!
//! A reminder is due when the agent recorded nothing with the tool for a number of turns ([`Reminder::turns`]) and
//! something should be recorded:
//!
//! - decisions and findings that were derived since and that weigh enough,
//! - a plan that the agent wrote into its text while the HUD has none,
//! - a compaction that is near. For the other two, a third of the turns is then enough.
//!
//! This is checked with each call of the model. The reminder is an event, so that readers of the log know of it. It
//! is shown until the next call of the model or the agent's next record. No item is asked about twice. Each reminder
//! without a record after it doubles the number of turns.

use std::cmp::Reverse;

use hud_components::usage::ShownUsage;
use hud_core::{Band, Bands};
use hud_store::event::{Actor, HudEvent, ReminderAsk, ReminderEnd, ReminderPlan};
use hud_store::state::{HudState, StepStatus};

use super::lexicon::Intent;
use super::prose::{self, Kind};
use super::words::asks_about;
use super::written::is_written;
use crate::settings::Reminder;

/// The least weight of a decision or a finding to be asked about, normally and when a compaction is near.
const WEIGHTY: u8 = 5;
const WEIGHTY_BEFORE_COMPACTION: u8 = 3;

/// The largest number of items that are asked about at once.
const TOGETHER: usize = 2;

/// The least number of steps of a plan, and the largest number of them that are kept.
const FEWEST: usize = 3;
const MOST: usize = 10;

/// The longest step, in characters.
const LONGEST: usize = 100;

/// The largest number of times that the number of turns is doubled.
const DOUBLED: u32 = 4;

/// Returns the events of the reminder at the beginning of a turn. Ends the last reminder and begins a new one.
pub(super) fn events(
    turn: u64,
    state: &HudState,
    settings: &Reminder,
    bands: &Bands,
) -> Vec<HudEvent> {
    let mut events = Vec::new();
    if state.reminder.asks.is_some() {
        events.push(ReminderEnd {}.into());
    }
    if settings.on {
        events.extend(ask(turn, state, settings.turns, bands).map(HudEvent::from));
    }
    events
}

fn ask(turn: u64, state: &HudState, turns: u64, bands: &Bands) -> Option<ReminderAsk> {
    let reminder = &state.reminder;
    let usage = state.context.as_ref();
    let is_near = usage.is_some_and(|usage| ShownUsage::of(usage, bands).band >= Band::Red);
    let compaction = is_near && !reminder.warned;
    let silent = turn.saturating_sub(reminder.recorded);
    let (waited, wanted) = match compaction {
        true => (silent, turns.div_ceil(3)),
        false => (
            turn.saturating_sub(reminder.recorded.max(reminder.asked)),
            turns.saturating_mul(1 << reminder.unanswered.min(DOUBLED)),
        ),
    };
    if waited < wanted {
        return None;
    }
    let least = match compaction {
        true => WEIGHTY_BEFORE_COMPACTION,
        false => WEIGHTY,
    };
    let items = weighty(state, least);
    // A plan that was written long ago is done or was dropped.
    let is_fresh = turn.saturating_sub(reminder.written_at) <= turns;
    let plan = is_fresh && !reminder.written.is_empty() && !is_planned(state);
    let is_due = !items.is_empty() || plan || (compaction && silent >= turns);
    is_due.then_some(ReminderAsk {
        items,
        plan,
        compaction,
    })
}

/// The ids of the decisions and findings since the agent's last record that weigh most.
fn weighty(state: &HudState, least: u8) -> Vec<String> {
    let decisions = state.decisions.iter();
    let decisions = decisions.map(|made| (&made.id, &made.by, made.turn, made.weight));
    let findings = state.findings.iter();
    let findings = findings.map(|found| (&found.id, &found.by, found.turn, found.weight));
    let reminder = &state.reminder;
    let mut weighty: Vec<_> = decisions
        .chain(findings)
        .filter(|(id, by, turn, weight)| {
            **by == Actor::Derived
                && *turn > reminder.recorded
                && weight.is_some_and(|weight| weight >= least)
                && !reminder.known.contains(id)
        })
        .collect();
    weighty.sort_by_key(|(_, _, turn, weight)| (Reverse(*weight), Reverse(*turn)));
    let ids = weighty
        .into_iter()
        .take(TOGETHER)
        .map(|(id, ..)| id.clone());
    ids.collect()
}

/// True if there is a plan other than the one in the text.
pub(super) fn is_planned(state: &HudState) -> bool {
    let mut steps = state.next_steps.iter();
    steps.any(|step| step.status != StepStatus::Completed && !is_written(step))
}

/// A plan that the agent writes while the HUD has none.
pub(super) fn plan(written: Option<Vec<String>>, state: &HudState) -> Option<HudEvent> {
    if is_planned(state) {
        return None;
    }
    let steps = written?;
    (steps != state.reminder.written).then(|| ReminderPlan { steps }.into())
}

/// The last list of a text that is a plan. Its items have empty boxes, or numbers after a line that announces a plan.
pub(super) fn written<'t>(parts: impl Iterator<Item = &'t str>) -> Option<Vec<String>> {
    let mut found = None;
    for part in parts {
        let mut steps: Vec<String> = Vec::new();
        let mut is_announced = false;
        for block in prose::blocks(part) {
            match block.kind {
                Kind::Gap => {}
                Kind::Item {
                    indent: 0..=1,
                    number,
                    checked,
                } if checked == Some(false) || (number.is_some() && is_announced) => {
                    let step =
                        hud_components::text::line(&prose::plain(block.text), LONGEST).into_owned();
                    steps.push(step);
                }
                // Items and code below a step belong to it.
                Kind::Item { .. } | Kind::Code if !steps.is_empty() => {}
                Kind::Line | Kind::Heading => {
                    found = complete(&mut steps).or(found);
                    is_announced = announces(block.text) && !asks_about(block.text);
                }
                _ => found = complete(&mut steps).or(found),
            }
        }
        found = complete(&mut steps).or(found);
    }
    found
}

fn complete(steps: &mut Vec<String>) -> Option<Vec<String>> {
    let mut steps = std::mem::take(steps);
    // A list of questions is not a plan.
    let is_asked = steps.iter().any(|step| step.ends_with(['?', '？']));
    let is_plan = steps.len() >= FEWEST && !is_asked;
    steps.truncate(MOST);
    is_plan.then_some(steps)
}

/// True if a line announces a plan.
fn announces(line: &str) -> bool {
    Intent::AnnouncePlan.is_in(&line.to_lowercase())
}

//! The choice of units within a budget.

use hud_core::fit::{Candidate, Variant, Worth, solve};
use hud_core::tokens::{CountError, TokenCounter};
use hud_store::state::HudState;
use hud_store::state::RECORD_GAP;

use super::weigh::{self, Frequencies};
use super::{Form, Heading, Item};

/// The weight of an item that is nothing but its head, in thousandths.
const ALONE: u64 = 4_000;

/// The most that a command without an output weighs.
const BARE: u64 = 1_500;

/// The weight of the head of an item with a block of code.
const NAMED: u64 = 4_000;

/// The weight of a message of the user's beside its words: a short one may be the latest order.
const ASKED: u64 = 2_000;

/// The number of lines of a change from which on it is outlined.
const LONG: usize = 30;

/// The part of the weight that the other lines of such a change have: one of so many.
const WITHIN: u64 = 4;

/// The number of units of an item after which one more is worth half.
const HALF: u64 = 20;

/// Units from which on an item is not offered with each number of them.
const STEPS: usize = 8;

/// The weight of a unit for each 1,000 tokens, in thousandths and times its priority, below which it is left out however much
/// room there is.
const IDLE: u64 = 75_000;

/// The ways to show each item.
#[derive(Default)]
pub(super) struct Choices {
    candidates: Vec<Candidate>,
    /// The units of each way to show each item, in their order.
    units: Vec<Vec<Vec<usize>>>,
}

/// The ways to show each item, with what they cost and are worth. Items of a higher priority are weighed first: what they
/// say is no news in others.
pub(super) fn choices<'i>(
    items: &'i [Item<'_>],
    state: &'i HudState,
    counter: &dyn TokenCounter,
) -> Result<Choices, CountError> {
    let all = Frequencies::of(items, state);
    let mut shown = weigh::known(state);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(items.get(*at).map_or(0, |item| item.priority)));
    let mut weights: Vec<Vec<u64>> = vec![Vec::new(); items.len()];
    for at in order {
        let (Some(item), Some(of_item)) = (items.get(at), weights.get_mut(at)) else {
            continue;
        };
        let is_code = item.form == Form::Code("diff") && !item.head.is_of_document();
        let is_long = is_code && item.units.len() > LONG;
        let mut weigh = |text: &'i str| {
            if text == RECORD_GAP {
                return 0;
            }
            let weight = weigh::weight(text, item.form, &all, &mut shown);
            let is_within = is_long && !weigh::outlines(text);
            if is_within { weight / WITHIN } else { weight }
        };
        *of_item = match &item.head.code {
            // A command without an output has no more than its words.
            Some(command) if item.units.is_empty() && item.heading == Heading::Commands => {
                vec![weigh(command).min(BARE)]
            }
            _ => item.units.iter().map(|unit| weigh(&unit.text)).collect(),
        };
    }
    let mut choices = Choices::default();
    for (item, weights) in items.iter().zip(weights) {
        let (candidate, units) = ways(item, &weights, counter)?;
        choices.candidates.push(candidate);
        choices.units.push(units);
    }
    Ok(choices)
}

/// The ways to show an item, each with its units.
fn ways(
    item: &Item<'_>,
    weights: &[u64],
    counter: &dyn TokenCounter,
) -> Result<(Candidate, Vec<Vec<usize>>), CountError> {
    // The bullet and the line break; the fences of a block of code.
    let base = counter.count(&item.head.text())?.saturating_add(3);
    let fences = match item.form {
        Form::Code(_) => 7,
        Form::Text | Form::Step { .. } => 0,
    };
    let mut costs = Vec::with_capacity(item.units.len());
    for unit in &item.units {
        // One more for what is between two units.
        costs.push(counter.count(&unit.text)?.saturating_add(1));
    }
    // The units that say most for what they cost come first.
    let mut order: Vec<usize> = (0..item.units.len()).collect();
    let price = |at: &usize| {
        let weight = weights.get(*at).copied().unwrap_or(0);
        let cost = u64::from(costs.get(*at).copied().unwrap_or(1).max(1));
        // Per token, but a short unit is not worth more for being short.
        weight.saturating_mul(1_000) / (cost + 6)
    };
    order.sort_by_key(|at| (std::cmp::Reverse(price(at)), *at));
    let mut units = Vec::new();
    let mut variants = Vec::new();
    let head = match (item.units.is_empty(), item.form) {
        (true, _) => weights.first().copied().unwrap_or(ALONE),
        (false, Form::Code(_)) => NAMED,
        (false, _) if item.heading == Heading::Task => ASKED,
        (false, Form::Text | Form::Step { .. }) => 0,
    };
    let (mut cost, mut weight) = (base, head);
    let mut add = |cost: u32, weight: u64, mut of: Vec<usize>| {
        let worth = weight.saturating_mul(item.priority) / 1_000;
        variants.push(Variant {
            cost,
            worth: Worth::of_thousandths(i64::try_from(worth).unwrap_or(i64::MAX)),
        });
        of.sort_unstable();
        units.push(of);
    };
    // Without a line, a read or an output is worth nothing.
    let is_of_lines = matches!(item.heading, Heading::Learnt | Heading::Commands);
    let has_head = matches!(item.form, Form::Code(_)) && !is_of_lines;
    if item.units.is_empty() || (has_head && !item.needs_all) {
        add(cost, weight, Vec::new());
    }
    cost = cost.saturating_add(fences);
    if !item.needs_all && item.heading != Heading::Task {
        // What was changed in a file is news, though its words are known.
        let first = order.first().copied();
        let is_first = |at: &usize| item.heading == Heading::Changes && first == Some(*at);
        let is_idle = |at: &usize| price(at).saturating_mul(item.priority) / 1_000 < IDLE;
        order.retain(|at| is_first(at) || !is_idle(at));
    }
    let last = order.len();
    let step = (last / STEPS).max(1);
    for (count, at) in order.iter().enumerate() {
        cost = cost.saturating_add(costs.get(*at).copied().unwrap_or(0));
        let more = weights.get(*at).copied().unwrap_or(0);
        weight = weight.saturating_add(more * HALF / (HALF + count as u64));
        let count = count + 1;
        let is_offered = weight > head
            && (count == last || (!item.needs_all && (count < 4 || count % step == 0)));
        if is_offered {
            // The mark for what is left out.
            let gaps = if count < last { 4 } else { 0 };
            let of = order.get(..count).unwrap_or_default().to_vec();
            add(cost.saturating_add(gaps), weight, of);
        }
    }
    let candidate = Candidate {
        variants,
        required: false,
    };
    Ok((candidate, units))
}

impl Choices {
    /// The units of each item that are worth most within a budget.
    pub(super) fn within(&self, budget: u64) -> Vec<Option<Vec<usize>>> {
        // Nothing is required, so that everything fits.
        let solution = solve(&self.candidates, budget);
        let solution = solution.unwrap_or_else(|too_large| too_large.smallest);
        let chosen = self.units.iter().zip(solution.chosen);
        chosen
            .map(|(ways, variant)| ways.get(variant?).cloned())
            .collect()
    }
}

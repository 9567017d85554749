//! Fits an agent and its rooms into the budget.

use hud_core::fit::share::{self, Share};
use hud_core::fit::{Candidate, Variant, Worth, solve};
use hud_core::{Element, rsx};
use hud_store::state::Knowledge;
use jiff::Timestamp;

use super::components::{MessageLine, Rooms as RoomsPart};
use super::nodes::Records;
use super::view::{RoomView, SelfView, data, first};
use super::whole;
use crate::format::{Format, WriteError};
use crate::limits::WINDOW_STEP;
use crate::own::Own;
use crate::world::{AgentId, Message, Room, World};

type Count<'c> = dyn Fn(&Element<'_>) -> Result<u64, WriteError> + 'c;

/// Reduces the agent's own part to at most `most` tokens, and returns the number of tokens of `system`,
/// `meta` and `self`. Knowledge is limited in one format, so it is too long only in a format that needs far
/// more tokens.
pub(super) fn own(
    me: &mut SelfView<'_>,
    knowledge: &Knowledge,
    most: u64,
    format: Format,
    count: &Count<'_>,
) -> Result<u64, WriteError> {
    let tokens = |me: &SelfView<'_>| count(&whole(me, &[], format));
    let mut all = tokens(me)?;
    if all <= most {
        return Ok(all);
    }
    let (recent, refused) = (me.recent, me.refused);
    let values = knowledge.by_worth();
    me.recent = &[];
    me.refused = &[];
    me.knowledge = data(&serde_json::json!({}));
    let base = tokens(me)?;
    // The cost and the priority of each entry. Refusals come first, then knowledge by its weight, then
    // actions from the newest to the oldest.
    let mut candidates = Vec::new();
    let candidate = |cost: u64, worth: i64| Candidate {
        variants: vec![Variant {
            cost: u32::try_from(cost).unwrap_or(u32::MAX),
            worth: Worth::of_thousandths(worth),
        }],
        required: false,
    };
    for refused in refused.chunks(1) {
        me.refused = refused;
        candidates.push(candidate(tokens(me)?.saturating_sub(base), 1_000_000));
    }
    me.refused = &[];
    for known in &values {
        let mut one = Knowledge::default();
        one.set(&known.path, known.value.clone(), None, 0, known.updated_at);
        me.knowledge = data(&one.to_json());
        let cost = tokens(me)?.saturating_sub(base);
        candidates.push(candidate(cost, 1_000 * i64::from(known.w) + 500));
    }
    me.knowledge = data(&serde_json::json!({}));
    for (newness, taken) in (1..).zip(recent.chunks(1)) {
        me.recent = taken;
        candidates.push(candidate(tokens(me)?.saturating_sub(base), 100 * newness));
    }
    let mut budget = most.saturating_sub(base);
    loop {
        let solved = solve(&candidates, budget);
        let chosen = solved.map(|solution| solution.chosen).unwrap_or_default();
        let is_shown = |at: usize| chosen.get(at).is_some_and(Option::is_some);
        let shown = (0..refused.len()).take_while(|at| is_shown(*at)).count();
        me.refused = &refused[..shown];
        let mut one = Knowledge::default();
        me.knowledge_not_shown.clear();
        for (at, known) in values.iter().enumerate() {
            match is_shown(refused.len() + at) {
                true => {
                    one.set(
                        &known.path,
                        known.value.clone(),
                        Some(known.w),
                        0,
                        known.updated_at,
                    );
                }
                false => me.knowledge_not_shown.push(known.path.to_string()),
            }
        }
        // Of the values that are left out, those of the highest priority are named first.
        me.knowledge_not_shown = first(me.knowledge_not_shown.drain(..).rev());
        me.knowledge = data(&one.to_json());
        let from = refused.len() + values.len();
        let newest = (0..recent.len())
            .rev()
            .take_while(|at| is_shown(from + at))
            .count();
        me.recent = &recent[recent.len() - newest..];
        all = tokens(me)?;
        if all <= most || budget == 0 {
            return Ok(all);
        }
        budget = budget.saturating_sub(all - most);
    }
}

/// A room with its costs.
struct Filled<'a> {
    view: RoomView<'a>,
    share: Share,
    /// The cost without messages.
    floor: u64,
    /// All messages that the agent sees, oldest first.
    seen: Vec<&'a Message>,
    /// The cost of the newest message, of the newest two, and so on, as far as it was counted.
    costs: Vec<u32>,
    /// The number of messages before the first of those.
    before: u64,
}

/// The rooms of an agent.
pub(super) struct Rooms<'a> {
    shown: Vec<Filled<'a>>,
    not_shown: Vec<AgentId>,
}

impl<'a> Rooms<'a> {
    pub(super) fn of(
        world: &'a World,
        own: &Own,
        agent: AgentId,
        now: Timestamp,
        count: &Count<'_>,
    ) -> Result<Self, WriteError> {
        let mut shown = Vec::new();
        for room in world.rooms_of(agent) {
            shown.push(filled(room, own.share(room.id), agent, now, count)?);
        }
        let mut rooms = Self {
            shown,
            not_shown: Vec::new(),
        };
        rooms.divide();
        // The room with the most attention is the first to get what others leave.
        rooms.shown.sort_by(|one, other| {
            let by_attention = other.view.attention_pct.total_cmp(&one.view.attention_pct);
            by_attention.then(one.view.room.id.cmp(&other.view.room.id))
        });
        Ok(rooms)
    }

    /// Divides the attention among the rooms, in percent: the share that was set, or else an equal part
    /// of the rest.
    fn divide(&mut self) {
        let shares = shares(self.shown.iter().map(|filled| filled.share));
        // In thousandths of a percent.
        let parts = share::divide(100_000, &shares).unwrap_or_default();
        for (filled, part) in self.shown.iter_mut().zip(parts) {
            let part = (part as f64 / 100.0).round() / 10.0;
            filled.view.attention_pct = fixed(filled.share).map_or(part, |percent| percent as f64);
        }
    }

    /// Removes rooms that do not fit even without messages. Those that were quiet the longest are
    /// removed first. Returns their ids.
    pub(super) fn keep_to(&mut self, budget: u64) -> Vec<String> {
        let count = self.shown.len();
        while self.shown.len() > 1
            && self.shown.iter().map(|filled| filled.floor).sum::<u64>() > budget
        {
            // The agent's own room stays, because only its owner can answer the requests in it.
            let others = self.shown.iter().enumerate();
            let others = others.filter(|(_, filled)| filled.view.room.id != filled.view.you);
            let quietest = others.min_by_key(|(_, filled)| {
                let last = filled.seen.last().map(|message| message.id);
                (last, filled.view.room.id)
            });
            let Some((at, _)) = quietest else { break };
            self.not_shown.push(self.shown.remove(at).view.room.id);
        }
        if self.shown.len() < count {
            self.divide();
        }
        let mut not_shown = self.not_shown.clone();
        not_shown.sort_unstable();
        first(not_shown.iter().map(AgentId::to_string))
    }

    /// Returns the rooms with as many messages as fit, ordered from the one that stays the same the
    /// longest.
    pub(super) fn filled(
        &mut self,
        budget: u64,
        count: &Count<'_>,
    ) -> Result<Vec<RoomView<'a>>, WriteError> {
        let shares = shares(self.shown.iter().map(|filled| filled.share));
        let shares: Vec<Share> = shares
            .into_iter()
            .zip(&self.shown)
            .map(|(share, filled)| share.at_least(filled.floor))
            .collect();
        // No room gets more than its part and everything that the others leave, so no older message is
        // counted.
        let parts = share::divide(budget, &shares).unwrap_or_default();
        let mut left = budget;
        for (filled, part) in self.shown.iter_mut().zip(&parts) {
            filled.count_up_to(*part, count)?;
            let costs = windows(filled);
            let costs = costs.iter().map(|variant| u64::from(variant.cost));
            left = left.saturating_sub(costs.filter(|cost| cost <= part).max().unwrap_or(0));
        }
        for (filled, part) in self.shown.iter_mut().zip(&parts) {
            filled.count_up_to(part.saturating_add(left), count)?;
        }
        let group = |(filled, share): (&Filled<'_>, Share)| {
            let candidate = Candidate {
                variants: windows(filled),
                required: true,
            };
            (share, vec![candidate])
        };
        let groups: Vec<_> = self.shown.iter().zip(shares).map(group).collect();
        let solved = share::solve_groups(&groups, budget).unwrap_or_default();
        let views = self.shown.iter().enumerate().map(|(at, filled)| {
            let solution = solved.get(at);
            let chosen = solution.and_then(|solution| solution.chosen.first().copied().flatten());
            let variant = chosen.and_then(|chosen| groups.get(at)?.1.first()?.variants.get(chosen));
            // The priority of a window is the number of its messages.
            let count = variant.map_or(0, |variant| variant.worth.thousandths() / 1_000);
            let count = usize::try_from(count).unwrap_or(0);
            let mut view = filled.view.clone();
            view.messages = filled.seen[filled.seen.len().saturating_sub(count)..].to_vec();
            view
        });
        let mut views: Vec<RoomView<'a>> = views.collect();
        // Its word budget changes until it is full.
        views.sort_by_key(|view| {
            let last = view.messages.last().map(|message| message.due);
            let changed = last.max(view.room.word_budget_full_at(view.you));
            (changed, view.room.id)
        });
        Ok(views)
    }
}

impl Filled<'_> {
    /// Counts the costs of the newest messages, until the room costs more than `most` with them.
    fn count_up_to(&mut self, most: u64, count: &Count<'_>) -> Result<(), WriteError> {
        let mut sum = self.costs.last().copied().unwrap_or(0);
        let known = self.costs.len();
        for message in self.seen.iter().rev().skip(known) {
            if self.floor.saturating_add(u64::from(sum)) > most {
                break;
            }
            let line = rsx! { <Records name="m"><MessageLine message={*message} /></Records> };
            let cost = u32::try_from(count(&line)?).unwrap_or(u32::MAX);
            sum = sum.saturating_add(cost);
            self.costs.push(sum);
        }
        Ok(())
    }
}

fn filled<'a>(
    room: &'a Room,
    share: Share,
    you: AgentId,
    now: Timestamp,
    count: &Count<'_>,
) -> Result<Filled<'a>, WriteError> {
    let view = RoomView {
        room,
        you,
        attention_pct: 0.0,
        said_at: room.members.get(&you).and_then(|member| member.said_at),
        word_budget: room.word_budget(you, now),
        now,
        messages: Vec::new(),
    };
    let list = [view.clone()];
    // The attention is not known yet, so its longest form, `100.0`, is counted.
    let floor = count(&rsx! { <RoomsPart rooms={&list} /> })? + 4;
    let mut seen: Vec<&Message> = room
        .messages
        .iter()
        .map(|message| &**message)
        .filter(|message| message.is_seen_by(you, now))
        .collect();
    seen.sort_by_key(|message| (message.due, message.id));
    let before = room.earlier;
    Ok(Filled {
        view,
        share,
        floor,
        seen,
        costs: Vec::new(),
        before,
    })
}

/// Returns the windows that a room may show: no messages, a few, all, or a window that begins at a
/// multiple of [`WINDOW_STEP`].
fn windows(filled: &Filled<'_>) -> Vec<Variant> {
    let floor = u32::try_from(filled.floor).unwrap_or(u32::MAX);
    let count = filled.seen.len();
    let step = WINDOW_STEP as u64;
    let is_window = |shown: usize| {
        let begins = filled.before + (count - shown) as u64;
        shown <= WINDOW_STEP || shown == count || begins.is_multiple_of(step)
    };
    let nothing = Variant {
        cost: floor,
        worth: Worth::of_thousandths(0),
    };
    let some = filled
        .costs
        .iter()
        .zip(1..)
        .filter(|(_, shown)| is_window(*shown));
    let some = some.map(|(cost, shown)| Variant {
        cost: floor.saturating_add(*cost),
        worth: Worth::of_thousandths(shown as i64 * 1_000),
    });
    std::iter::once(nothing).chain(some).collect()
}

/// Returns shares that can be divided. If all are in percent and their sum is not 100, they are scaled.
fn shares(set: impl Iterator<Item = Share>) -> Vec<Share> {
    let shares: Vec<Share> = set.collect();
    if share::divide(0, &shares).is_ok() {
        return shares;
    }
    let weights: Vec<u64> = shares
        .iter()
        .map(|share| fixed(*share).unwrap_or(0))
        .collect();
    let sum: u64 = weights.iter().sum();
    if sum == 0 {
        return vec![Share::REST; shares.len()];
    }
    // Whole percentages with the sum 100: each is the difference of two rounded sums.
    let mut before = 0;
    let percents = weights.iter().map(|weight| {
        let from = before * 100 / sum;
        before += weight;
        Share::percent(u8::try_from(before * 100 / sum - from).unwrap_or(100))
    });
    percents.collect()
}

/// Returns the percentage of a share, if it has a fixed one.
fn fixed(share: Share) -> Option<u64> {
    share.to_string().trim_end_matches('%').parse().ok()
}

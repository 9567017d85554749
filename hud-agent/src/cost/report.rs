//! Compares the cost of a session with the HUD and without it: [`Report`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::cache::{Cache, Charge};
use super::placed::Slot;
use super::profile::Profile;
use super::recorded::Recorded;
use super::request::{Request, Role};
use crate::placement::Placement;

/// The total cost of several requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// The sum of the charges.
    pub charge: Charge,
    /// The cost without a cache.
    pub uncached: u64,
}

impl Spent {
    /// Simulates requests in sequence, with a provider whose cache is empty.
    pub fn of(requests: &[Request], profile: &Profile) -> Self {
        let mut cache = Cache::new(profile.clone());
        let mut spent = Self::default();
        for request in requests {
            spent.add(cache.charge(request));
        }
        spent
    }

    /// Adds the charge of one more request.
    pub fn add(&mut self, charge: Charge) {
        let all = &mut self.charge;
        all.read = all.read.saturating_add(charge.read);
        all.written = all.written.saturating_add(charge.written);
        all.anew = all.anew.saturating_add(charge.anew);
        all.cost += charge.cost;
        self.uncached = self.uncached.saturating_add(charge.tokens());
    }

    /// Returns the share of the tokens that was read from the cache, from 0 to 1.
    pub fn read_share(&self) -> f64 {
        ratio(self.charge.read as f64, self.uncached as f64)
    }
}

/// The cost of a session with the HUD in a placement, for a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The cost with the HUD.
    pub with: Spent,
    /// The cost without the HUD.
    pub without: Spent,
    /// The number of model calls.
    pub calls: usize,
    /// The first cache break: a call for which the provider had to read the conversation again, because the
    /// HUD before it had changed.
    pub first_break: Option<Break>,
    /// The number of cache breaks.
    pub breaks: usize,
    /// The parts of the HUD, ordered by cost from the highest.
    pub parts: Vec<Churn>,
}

/// A call for which the provider had to read the conversation again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The number of the call, from 1.
    pub call: usize,
    /// The index of the first changed block, from 0.
    pub block: usize,
    /// The name of that block.
    pub id: Cow<'static, str>,
    /// The first part of the HUD that changed.
    pub part: Option<Cow<'static, str>>,
    /// The tokens from that block on.
    pub behind: u64,
}

/// The changes of a part of the HUD, and the tokens after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Churn {
    /// The part's name.
    pub part: Cow<'static, str>,
    /// The number of calls before which it changed.
    pub changed: usize,
    /// The number of calls that showed it or followed one that did.
    pub calls: usize,
    /// Its last number of tokens.
    pub tokens: u64,
    /// The average number of tokens after it in a request.
    pub behind: f64,
    /// The number of calls for which it was the first changed part before the conversation.
    pub broke: usize,
}

impl Churn {
    /// Returns the average number of tokens that the provider reads again in each call because of it: the
    /// probability of a change, times the tokens after it.
    pub fn cost(&self) -> f64 {
        ratio(self.changed as f64, self.calls as f64) * self.behind
    }
}

impl Report {
    /// Returns the cost of a recorded session with the HUD in a placement.
    pub fn of(session: &Recorded, placement: Placement, profile: &Profile) -> Self {
        let requests = session.requests(Some(placement));
        let without = Spent::of(&session.requests(None), profile);
        let parts: Vec<&[Slot]> = session.parts(placement).collect();
        Self::between(&requests, without, &parts, profile)
    }

    /// Returns the cost of requests with a HUD, in comparison with the cost without it.
    pub fn between(
        requests: &[Request],
        without: Spent,
        parts: &[&[Slot]],
        profile: &Profile,
    ) -> Self {
        let mut report = Self {
            with: Spent::of(requests, profile),
            without,
            calls: requests.len(),
            first_break: None,
            breaks: 0,
            parts: Vec::new(),
        };
        let mut churn: BTreeMap<Cow<'static, str>, Churn> = BTreeMap::new();
        for (call, (pair, slots)) in requests.windows(2).zip(parts.windows(2)).enumerate() {
            let ([before, now], [shown, shows]) = (pair, slots) else {
                continue;
            };
            let changed = changed(shown, shows);
            let first = broken(before, now);
            let part = first
                .as_ref()
                .and_then(|_| changed.iter().find(|slot| slot.is_before));
            let part = part.map(|slot| slot.block.id.clone());
            for (slot, behind) in behind(shown, shows, now) {
                let is_changed = changed.iter().any(|other| other.block.id == slot.block.id);
                let found = churn.entry(slot.block.id.clone());
                let found = found.or_insert_with(|| Churn {
                    part: slot.block.id.clone(),
                    changed: 0,
                    calls: 0,
                    tokens: 0,
                    behind: 0.0,
                    broke: 0,
                });
                found.calls += 1;
                found.tokens = slot.block.tokens;
                found.changed += usize::from(is_changed);
                found.behind += behind as f64;
                found.broke += usize::from(part.as_ref() == Some(&slot.block.id));
            }
            let Some((block, id, behind)) = first else {
                continue;
            };
            report.breaks += 1;
            report.first_break.get_or_insert(Break {
                call: call + 2,
                block,
                id,
                part,
                behind,
            });
        }
        report.parts = churn.into_values().collect();
        for part in &mut report.parts {
            part.behind = ratio(part.behind, part.calls as f64);
        }
        let cost = |a: &Churn, b: &Churn| b.cost().total_cmp(&a.cost());
        report
            .parts
            .sort_by(|a, b| cost(a, b).then_with(|| a.part.cmp(&b.part)));
        report
    }

    /// Returns the cost with the HUD as a multiple of the cost without it.
    pub fn ratio(&self) -> f64 {
        ratio(self.with.charge.cost, self.without.charge.cost)
    }

    /// Returns the cost with the HUD as a multiple of the cost without the HUD and without a cache.
    pub fn uncached_ratio(&self) -> f64 {
        ratio(self.with.charge.cost, self.without.uncached as f64)
    }
}

/// Returns the first changed block, if it belongs to the HUD and comes before the conversation.
fn broken(before: &Request, now: &Request) -> Option<(usize, Cow<'static, str>, u64)> {
    let place = now.first_changed(before)?;
    let (was, behind) = before.blocks.get(place..)?.split_first()?;
    let is = now.blocks.get(place);
    let is_of_hud = was.role == Role::Hud || is.is_some_and(|block| block.role == Role::Hud);
    let is_before = was.role == Role::Conversation
        || behind.iter().any(|block| block.role == Role::Conversation);
    if !is_of_hud || !is_before {
        return None;
    }
    let rest = now.blocks.get(place..).unwrap_or_default();
    let tokens = rest
        .iter()
        .fold(0_u64, |all, block| all.saturating_add(block.tokens));
    Some((place, is.unwrap_or(was).id.clone(), tokens))
}

/// Returns the parts that changed, are new, or were removed.
fn changed<'s>(shown: &'s [Slot], shows: &'s [Slot]) -> Vec<&'s Slot> {
    let differs = |slot: &Slot, others: &[Slot]| {
        let mut namesakes = others
            .iter()
            .filter(|other| other.block.id == slot.block.id);
        namesakes.all(|other| other.block.content != slot.block.content)
    };
    let gone = shown
        .iter()
        .filter(|slot| !shows.iter().any(|other| other.block.id == slot.block.id));
    let other = shows.iter().filter(|slot| differs(slot, shown));
    let mut all: Vec<&Slot> = other.chain(gone).collect();
    all.sort_by_key(|slot| !slot.is_before);
    all
}

/// Returns the current and the removed parts, with the tokens after each.
fn behind<'s>(shown: &'s [Slot], shows: &'s [Slot], now: &Request) -> Vec<(&'s Slot, u64)> {
    let conversation = now.blocks.iter();
    let conversation = conversation.filter(|block| block.role == Role::Conversation);
    let conversation = conversation.fold(0_u64, |all, block| all.saturating_add(block.tokens));
    let gone = shown
        .iter()
        .filter(|slot| !shows.iter().any(|other| other.block.id == slot.block.id));
    let mut all = Vec::new();
    for slot in shows.iter().chain(gone) {
        let place = shows.iter().position(|other| std::ptr::eq(other, slot));
        let after = shows
            .get(place.map_or(0, |place| place + 1)..)
            .unwrap_or_default();
        let after = after
            .iter()
            .fold(0_u64, |all, slot| all.saturating_add(slot.block.tokens));
        let conversation = if slot.is_before { conversation } else { 0 };
        all.push((slot, after.saturating_add(conversation)));
    }
    all
}

/// Returns a quotient, or 0 if the whole is 0.
fn ratio(part: f64, whole: f64) -> f64 {
    match whole > 0.0 {
        true => part / whole,
        false => 0.0,
    }
}

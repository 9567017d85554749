//! What a session costs with the HUD, beside what it costs without it: [`Report`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::cache::{Cache, Charge};
use super::placed::Slot;
use super::profile::Profile;
use super::recorded::Recorded;
use super::request::{Request, Role};
use crate::placement::Placement;

/// What requests cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// All of it.
    pub charge: Charge,
    /// What it would cost without a cache.
    pub uncached: u64,
}

impl Spent {
    /// Makes requests, one after the other, of a provider whose cache is empty.
    pub fn of(requests: &[Request], profile: &Profile) -> Self {
        let mut cache = Cache::new(profile.clone());
        let mut spent = Self::default();
        for request in requests {
            spent.add(cache.charge(request));
        }
        spent
    }

    /// Adds one more request.
    pub fn add(&mut self, charge: Charge) {
        let all = &mut self.charge;
        all.read = all.read.saturating_add(charge.read);
        all.written = all.written.saturating_add(charge.written);
        all.anew = all.anew.saturating_add(charge.anew);
        all.cost += charge.cost;
        self.uncached = self.uncached.saturating_add(charge.tokens());
    }

    /// How much of the tokens was read from the cache, from 0 to 1.
    pub fn read_share(&self) -> f64 {
        ratio(self.charge.read as f64, self.uncached as f64)
    }
}

/// What a session costs with the HUD in a placement, at a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// With it.
    pub with: Spent,
    /// Without it.
    pub without: Spent,
    /// The calls of the model.
    pub calls: usize,
    /// Those that the provider had to read the conversation anew for, because the HUD in front of it was another one:
    /// the first of them, and how many there are.
    pub first_break: Option<Break>,
    /// How many such calls there are.
    pub breaks: usize,
    /// The parts of the HUD, those that cost most first.
    pub parts: Vec<Churn>,
}

/// A call for which the conversation was read anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The call, from 1.
    pub call: usize,
    /// The place of the first block that was another one, from 0.
    pub block: usize,
    /// What that is called.
    pub id: Cow<'static, str>,
    /// The first part of the HUD that was another one.
    pub part: Option<Cow<'static, str>>,
    /// The tokens from that block on.
    pub behind: u64,
}

/// How often a part of the HUD changed, and what was behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Churn {
    /// The part's name.
    pub part: Cow<'static, str>,
    /// Calls before which it was another one than before the call before.
    pub changed: usize,
    /// How many calls showed it, or the one before did.
    pub calls: usize,
    /// The tokens that it had last.
    pub tokens: u64,
    /// The tokens behind it in a request, on average.
    pub behind: f64,
    /// For how many calls it was the first that was another one, in front of the conversation.
    pub broke: usize,
}

impl Churn {
    /// The tokens that it has a provider read anew for a call, on average: how probable it is that it is another one,
    /// times the tokens behind it.
    pub fn cost(&self) -> f64 {
        ratio(self.changed as f64, self.calls as f64) * self.behind
    }
}

impl Report {
    /// What a recorded session costs with the HUD in a placement.
    pub fn of(session: &Recorded, placement: Placement, profile: &Profile) -> Self {
        let requests = session.requests(Some(placement));
        let without = Spent::of(&session.requests(None), profile);
        let parts: Vec<&[Slot]> = session.parts(placement).collect();
        Self::between(&requests, without, &parts, profile)
    }

    /// What requests with a HUD cost, beside what they cost without it.
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

    /// What it costs with the HUD, in times what it costs without it.
    pub fn ratio(&self) -> f64 {
        ratio(self.with.charge.cost, self.without.charge.cost)
    }

    /// What it costs with the HUD, in times what it costs without it and without a cache.
    pub fn uncached_ratio(&self) -> f64 {
        ratio(self.with.charge.cost, self.without.uncached as f64)
    }
}

/// The first block that is not as it was, where it is the HUD's, and the conversation was behind it.
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

/// The parts that are not as they were: those that say something else, are new, or are gone.
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

/// The parts that are shown, or were, with the tokens behind each.
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

/// A share; 0 where there is nothing to have a share of.
fn ratio(part: f64, whole: f64) -> f64 {
    match whole > 0.0 {
        true => part / whole,
        false => 0.0,
    }
}

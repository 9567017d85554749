//! Simulates a provider's cache: [`Cache`].

use std::collections::BTreeMap;

use super::profile::{Caching, Profile};
use super::request::{Request, number};

/// A provider's cache, which starts empty.
///
/// ```
/// use hud_agent::cost::{Block, Cache, Profile, Request, Role};
/// use jiff::Timestamp;
///
/// let mut cache = Cache::new(Profile::built_in()["anthropic"].clone());
/// let mut request = Request {
///     at: Timestamp::UNIX_EPOCH,
///     blocks: vec![Block::new("system", Role::System, "Be brief.", 10_000)],
///     breakpoints: vec![0],
/// };
/// assert_eq!(cache.charge(&request).cost, 12_500.0);
/// request.blocks.push(Block::new("question", Role::Conversation, "Why?", 1_000));
/// request.breakpoints.push(1);
/// assert_eq!(cache.charge(&request).cost, 1_000.0 + 1_250.0);
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    profile: Profile,
    /// The expiry of each cached prefix in seconds, by the hash of its blocks.
    kept: BTreeMap<u64, i64>,
}

/// The cost of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Charge {
    /// The tokens that were read from the cache.
    pub read: u64,
    /// The tokens that were written to the cache, at the price of writing.
    pub written: u64,
    /// The tokens that the provider read without the cache.
    pub anew: u64,
    /// The cost in uncached tokens.
    pub cost: f64,
}

impl Charge {
    /// Returns the number of all tokens.
    pub const fn tokens(&self) -> u64 {
        self.read
            .saturating_add(self.written)
            .saturating_add(self.anew)
    }
}

impl Cache {
    /// Returns an empty cache of a provider.
    pub const fn new(profile: Profile) -> Self {
        Self {
            profile,
            kept: BTreeMap::new(),
        }
    }

    /// Simulates a request, and returns its cost.
    ///
    /// The longest cached prefix is read from the cache, within the limits of the profile. The blocks after
    /// it, up to the last breakpoint, are written. The rest is read without the cache.
    pub fn charge(&mut self, request: &Request) -> Charge {
        let now = request.at.as_second();
        let beginnings = beginnings(request);
        let breakpoints = self.breakpoints(request);
        let is_long = |tokens: u64| tokens >= self.profile.min_prefix.max(1);
        let lookback = self.profile.lookback;
        let lookback = lookback.map(|blocks| usize::try_from(blocks).unwrap_or(usize::MAX));
        let is_looked_at = |place: usize| {
            let next = breakpoints.partition_point(|end| *end < place);
            let next = breakpoints.get(next);
            next.is_some_and(|end| lookback.is_none_or(|blocks| end - place <= blocks))
        };
        let read = beginnings
            .iter()
            .enumerate()
            .rev()
            .find(|(place, (hash, tokens))| {
                let is_kept = || self.kept.get(hash).is_some_and(|until| now <= *until);
                is_long(*tokens) && is_looked_at(*place) && is_kept()
            });
        let read = read.map(|(place, _)| place);
        let tokens_at = |place: Option<usize>| {
            let found = place.and_then(|place| beginnings.get(place));
            found.map_or(0, |(_, tokens)| *tokens)
        };
        let all = beginnings.last().map_or(0, |(_, tokens)| *tokens);
        let hit = tokens_at(read) / self.profile.step.max(1) * self.profile.step.max(1);
        let until = now.saturating_add(self.profile.lifetime.into());
        let mut last = hit;
        for &end in &breakpoints {
            let Some((hash, tokens)) = beginnings.get(end) else {
                continue;
            };
            if !is_long(*tokens) {
                continue;
            }
            let is_read = read.is_some_and(|read| end <= read);
            match self.kept.get_mut(hash) {
                Some(kept) if is_read && *kept >= now && !self.profile.refresh => {}
                _ => drop(self.kept.insert(*hash, until)),
            }
            last = last.max(*tokens);
        }
        if let Some((hash, _)) = read.and_then(|read| beginnings.get(read))
            && self.profile.refresh
        {
            self.kept.insert(*hash, until);
        }
        let written = match self.profile.caching {
            Caching::Marked | Caching::Last => last - hit,
            Caching::None | Caching::Any => 0,
        };
        let anew = all - hit - written;
        let Profile { write, read, .. } = self.profile;
        Charge {
            read: hit,
            written,
            anew,
            cost: hit as f64 * read + written as f64 * write + anew as f64,
        }
    }

    /// Returns the indices of the last blocks of prefixes that the provider caches.
    fn breakpoints(&self, request: &Request) -> Vec<usize> {
        let Some(last) = request.blocks.len().checked_sub(1) else {
            return Vec::new();
        };
        let mut marked: Vec<usize> = match self.profile.clients_mark {
            true => request.breakpoints.clone(),
            false => Vec::new(),
        };
        match self.profile.caching {
            Caching::None => return Vec::new(),
            Caching::Any => return (0..=last).collect(),
            Caching::Marked => {}
            Caching::Last => marked.push(last),
        }
        marked.retain(|end| *end <= last);
        marked.sort_unstable();
        marked.dedup();
        let most = usize::try_from(self.profile.max_breakpoints).unwrap_or(usize::MAX);
        marked.drain(..marked.len().saturating_sub(most));
        marked
    }
}

/// Returns the hash and the tokens of the prefix up to each block.
fn beginnings(request: &Request) -> Vec<(u64, u64)> {
    let mut hasher = blake3::Hasher::new();
    let mut tokens = 0_u64;
    let each = request.blocks.iter().map(|block| {
        hasher.update(&block.content.to_le_bytes());
        hasher.update(&block.tokens.to_le_bytes());
        tokens = tokens.saturating_add(block.tokens);
        (number(&hasher.finalize()), tokens)
    });
    each.collect()
}

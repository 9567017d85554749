//! A cache of counts.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{CountError, TokenCounter};

/// The minimum number of blocks that are kept: those of several states of a session at every
/// density.
const BLOCKS: usize = 4_096;

/// A counter that caches the count of each block of text by its content. It splits texts at blank
/// lines if the counter declares that the parts [add up](TokenCounter::adds_up).
///
/// It keeps the blocks that were requested last: between 4,096 and twice as many.
#[derive(Debug)]
pub struct Ledger<C> {
    counter: C,
    counts: Mutex<Counts>,
}

/// Counts by content: those requested lately, and those before them.
#[derive(Debug, Default)]
struct Counts {
    late: HashMap<Box<str>, u32>,
    early: HashMap<Box<str>, u32>,
    counted: u64,
}

impl Counts {
    fn get(&mut self, block: &str) -> Option<u32> {
        if let Some(count) = self.late.get(block) {
            return Some(*count);
        }
        let (block, count) = self.early.remove_entry(block)?;
        self.keep(block, count);
        Some(count)
    }

    fn keep(&mut self, block: Box<str>, count: u32) {
        if self.late.len() >= BLOCKS {
            self.early = std::mem::take(&mut self.late);
        }
        self.late.insert(block, count);
    }
}

impl<C: TokenCounter> Ledger<C> {
    /// A ledger without counts.
    pub fn new(counter: C) -> Self {
        Self {
            counter,
            counts: Mutex::default(),
        }
    }

    /// The number of blocks that were counted because they were not in the cache.
    pub fn counted(&self) -> u64 {
        self.counts().counted
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // A count is inserted completely or not at all.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn block(&self, block: &str) -> Result<u32, CountError> {
        if let Some(count) = self.counts().get(block) {
            return Ok(count);
        }
        let count = self.counter.count(block)?;
        let mut counts = self.counts();
        counts.counted += 1;
        counts.keep(block.into(), count);
        Ok(count)
    }
}

impl<C: TokenCounter> TokenCounter for Ledger<C> {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        let mut count: u32 = 0;
        for block in blocks(text, &self.counter) {
            count = count.saturating_add(self.block(block)?);
        }
        Ok(count)
    }

    fn adds_up(&self, before: &str, after: &str) -> bool {
        self.counter.adds_up(before, after)
    }
}

/// The blocks of a text, each with the blank lines after it. Texts are split only where the counts
/// add up.
fn blocks<'t>(text: &'t str, counter: &impl TokenCounter) -> impl Iterator<Item = &'t str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut seams = rest
            .match_indices("\n\n")
            .map(|(at, blank)| at + blank.len());
        let end = seams.find(|at| {
            let (before, after) = rest.split_at(*at);
            counter.adds_up(before, after)
        });
        let (block, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others;
        Some(block)
    })
}

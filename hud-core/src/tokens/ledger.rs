//! Counts that are kept.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{CountError, TokenCounter};

/// How many blocks are kept at least: those of several states of a session at every density.
const BLOCKS: usize = 4_096;

/// A counter that keeps the count of each block of text by its content, so that none is counted twice. Texts
/// are taken apart at blank lines, where the counter says that this [adds up](TokenCounter::adds_up).
///
/// It keeps what was asked for last: between 4,096 and twice as many blocks.
#[derive(Debug)]
pub struct Ledger<C> {
    counter: C,
    counts: Mutex<Counts>,
}

/// Counts by content, those that were asked for lately and those before them.
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

    /// How many blocks were counted until now, because they were not known.
    pub fn counted(&self) -> u64 {
        self.counts().counted
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // A count is inserted whole or not at all.
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

/// The blocks of a text, each with the blank lines behind it, as far as they add up.
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

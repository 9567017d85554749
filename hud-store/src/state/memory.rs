//! The agent's own memory: core blocks that last, and a working memory that fades.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Blocks that the agent keeps about itself and that outlive compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreMemory {
    /// The one specific task.
    pub goal: CoreBlock,
    /// Done, in progress, blocked.
    pub progress: CoreBlock,
    /// Files at work and patterns to keep to.
    pub context: CoreBlock,
}

impl CoreMemory {
    /// The block of that name.
    pub fn block(&self, block: MemoryBlock) -> &CoreBlock {
        match block {
            MemoryBlock::Goal => &self.goal,
            MemoryBlock::Progress => &self.progress,
            MemoryBlock::Context => &self.context,
        }
    }

    pub(crate) fn block_mut(&mut self, block: MemoryBlock) -> &mut CoreBlock {
        match block {
            MemoryBlock::Goal => &mut self.goal,
            MemoryBlock::Progress => &mut self.progress,
            MemoryBlock::Context => &mut self.context,
        }
    }
}

/// One block of core memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreBlock {
    /// The text; at most [`MemoryBlock::cap`] characters.
    pub content: String,
    /// When it was last written; `None` before the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

/// The name of a block of core memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryBlock {
    /// The one specific task.
    Goal,
    /// Done, in progress, blocked.
    Progress,
    /// Files at work and patterns to keep to.
    Context,
}

impl MemoryBlock {
    /// How many characters (Unicode scalar values) it may hold: 1000, 2000 or 1500.
    pub const fn cap(self) -> usize {
        match self {
            Self::Goal => 1000,
            Self::Progress => 2000,
            Self::Context => 1500,
        }
    }
}

/// How many items the pool holds at most.
///
/// An item that was mentioned even once never fades below the threshold, so without a cap the state would grow for ever.
pub const POOL_CAP: usize = 50;

/// What the agent keeps at hand for a while.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkingMemory {
    /// Places with a purpose and a fixed number of items.
    pub slots: Slots,
    /// Everything else, in the order in which it was last added or mentioned; at most [`POOL_CAP`].
    pub pool: Vec<PoolItem>,
    /// How many items were ever added: the clock by which the pool ages.
    pub additions: u64,
}

/// The slots of working memory, each oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slots {
    /// Failures to mend; at most 3.
    pub error: Vec<MemoryItem>,
    /// Choices made; at most 5.
    pub decision: Vec<MemoryItem>,
    /// Things to do; at most 3.
    pub todo: Vec<MemoryItem>,
    /// Files and packages that others depend on; at most 3.
    pub dependency: Vec<MemoryItem>,
}

/// Something in a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryItem {
    /// What to remember.
    pub content: String,
    /// When it was added, or added again.
    pub added_at: Timestamp,
}

/// Something in the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolItem {
    /// What to remember.
    pub content: String,
    /// When it was added, or added again.
    pub added_at: Timestamp,
    /// The value of [`WorkingMemory::additions`] at that time.
    pub addition: u64,
    /// How often it was added again.
    pub mentions: u64,
}

/// A place in working memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryPlace {
    /// [`Slots::error`].
    Error,
    /// [`Slots::decision`].
    Decision,
    /// [`Slots::todo`].
    Todo,
    /// [`Slots::dependency`].
    Dependency,
    /// [`WorkingMemory::pool`].
    Pool,
}

impl MemoryPlace {
    /// How many items it holds at most.
    pub const fn cap(self) -> usize {
        match self {
            Self::Error | Self::Todo | Self::Dependency => 3,
            Self::Decision => 5,
            Self::Pool => POOL_CAP,
        }
    }
}

impl WorkingMemory {
    /// What an item of the pool is worth: `exp(-0.85 * age) + mentions`, where its age is the
    /// number of additions since it was last added.
    pub fn score(&self, item: &PoolItem) -> f64 {
        (-0.85 * self.age(item) as f64).exp() + item.mentions as f64
    }

    /// The pool by score, best first; of equals the newer first.
    pub fn ranked_pool(&self) -> Vec<&PoolItem> {
        let mut ranked: Vec<_> = self.pool.iter().rev().collect();
        ranked.sort_by(|a, b| self.score(b).total_cmp(&self.score(a)));
        ranked
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        let Slots {
            error,
            decision,
            todo,
            dependency,
        } = &self.slots;
        [error, decision, todo, dependency]
            .into_iter()
            .all(Vec::is_empty)
            && self.pool.is_empty()
    }

    /// Additions since the item was last added.
    pub(crate) fn age(&self, item: &PoolItem) -> u64 {
        self.additions.saturating_sub(item.addition)
    }
}

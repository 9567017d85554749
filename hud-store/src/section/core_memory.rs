//! The agent's lasting memory: blocks that outlive compaction.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Relation, Section, Taking};
use crate::event::{Clip, ItemName};

crate::events! {@built_in
    /// What happens to core memory.
    pub enum CoreMemoryEvent {
        /// a block of core memory is replaced or appended to.
        "memory.core.update" 1 Update(
            /// Writes a block of core memory.
            MemoryCoreUpdate {
                /// Which block.
                block: MemoryBlock,
                /// The text.
                content: String,
                /// In place of what the block says, or after it.
                mode: UpdateMode,
            }
        ) item block words [content],
    }
}

/// How a core memory block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpdateMode {
    /// The text takes the place of what the block said.
    Replace,
    /// The text follows what the block said, on a line of its own.
    Append,
}

impl Clip for UpdateMode {}
impl Clip for MemoryBlock {}

impl ItemName for MemoryBlock {
    fn item_name(&self) -> &str {
        match self {
            Self::Goal => "goal",
            Self::Progress => "progress",
            Self::Context => "context",
        }
    }
}

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

    fn block_mut(&mut self, block: MemoryBlock) -> &mut CoreBlock {
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
    const ALL: [Self; 3] = [Self::Goal, Self::Progress, Self::Context];

    /// How many characters (Unicode scalar values) it may hold: 1000, 2000 or 1500.
    pub const fn cap(self) -> usize {
        match self {
            Self::Goal => 1000,
            Self::Progress => 2000,
            Self::Context => 1500,
        }
    }
}

impl Section for CoreMemory {
    const NAME: &'static str = "core_memory";
    const ITEM: &'static str = "memory";
    const PACE: Pace = Pace::Working;
    type Event = CoreMemoryEvent;

    fn apply(&mut self, event: &CoreMemoryEvent, when: &Happened<'_>) {
        match event {
            CoreMemoryEvent::Update(e) => write(self, e, when.at),
        }
    }

    fn items(&self) -> Vec<Item> {
        MemoryBlock::ALL
            .into_iter()
            .map(|block| (block, self.block(block)))
            .filter(|(_, known)| !known.content.is_empty())
            .map(|(block, known)| Item::new(block.item_name(), &known.content))
            .collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<CoreMemoryEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        MemoryBlock::ALL
            .into_iter()
            .filter(|block| own.block(*block).content.is_empty())
            .map(|block| (block, &self.block(block).content))
            .filter(|(_, content)| !content.is_empty())
            .map(|(block, content)| {
                let update = MemoryCoreUpdate {
                    block,
                    content: content.clone(),
                    mode: UpdateMode::Replace,
                };
                update.into()
            })
            .collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        for block in MemoryBlock::ALL {
            let content = &mut self.block_mut(block).content;
            content.truncate(head(content, block.cap()).len());
        }
    }
}

/// Writes a block, within its cap.
fn write(core: &mut CoreMemory, event: &MemoryCoreUpdate, at: Timestamp) {
    let block = core.block_mut(event.block);
    let cap = event.block.cap();
    let content = match event.mode {
        UpdateMode::Replace => head(&event.content, cap).to_owned(),
        UpdateMode::Append if block.content.is_empty() => newest(&event.content, cap).to_owned(),
        UpdateMode::Append => {
            newest(&format!("{}\n{}", block.content, event.content), cap).to_owned()
        }
    };
    if block.content != content {
        block.content = content;
        block.updated_at = Some(at);
    }
}

/// The first `cap` characters.
fn head(text: &str, cap: usize) -> &str {
    match text.char_indices().nth(cap) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// As many of the last lines as fit; if not even the last one does, its first characters.
fn newest(text: &str, cap: usize) -> &str {
    let excess = text.chars().count().saturating_sub(cap);
    let Some((cut, _)) = text.char_indices().nth(excess) else {
        return text;
    };
    if excess == 0 || text[..cut].ends_with('\n') {
        return &text[cut..];
    }
    match text[cut..].split_once('\n') {
        Some((_, lines)) if !lines.is_empty() => lines,
        _ => head(
            text.rsplit('\n')
                .find(|line| !line.is_empty())
                .unwrap_or(""),
            cap,
        ),
    }
}

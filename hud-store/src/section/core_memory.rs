//! The agent's lasting memory: blocks that outlive compaction.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Relation, Section, Taking};
use crate::event::{Clip, ItemName};

/// How many blocks there are at most besides the three that every session has.
pub const OTHER_BLOCKS_CAP: usize = 20;

/// How many characters a block that is appended to keeps at most, whatever its limit is.
pub const BLOCK_MOST: u32 = 16_000;

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
                /// How many characters the block was to have at most when this was written; absent for
                /// [`MemoryBlock::limit`].
                #[serde(skip_serializing_if = "Option::is_none")]
                limit: Option<u32>,
            }
        ) item block words [content],
    }
}

/// How a core memory block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum UpdateMode {
    /// The text takes the place of what the block said.
    Replace,
    /// The text follows what the block said, on a line of its own. Where that is more than the limit, the
    /// oldest lines leave.
    Append,
}

impl Clip for UpdateMode {}

impl Clip for MemoryBlock {
    fn is_long(&self) -> bool {
        matches!(self, Self::Other(name) if name.is_long())
    }

    fn clipped(&self) -> Self {
        match self {
            Self::Other(name) => Self::Other(name.clipped()),
            block => block.clone(),
        }
    }
}

impl ItemName for MemoryBlock {
    fn item_name(&self) -> &str {
        self.name()
    }
}

/// Blocks that the agent keeps about itself and that outlive compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CoreMemory {
    /// The one specific task.
    pub goal: CoreBlock,
    /// Done, in progress, blocked.
    pub progress: CoreBlock,
    /// Files at work and patterns to keep to.
    pub context: CoreBlock,
    /// Blocks of one's own, by name; at most [`OTHER_BLOCKS_CAP`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, CoreBlock>,
}

impl CoreMemory {
    /// What a block says; `None` for one that was never written.
    pub fn block(&self, block: &MemoryBlock) -> Option<&CoreBlock> {
        match block {
            MemoryBlock::Goal => Some(&self.goal),
            MemoryBlock::Progress => Some(&self.progress),
            MemoryBlock::Context => Some(&self.context),
            MemoryBlock::Other(name) => self.others.get(name),
        }
    }

    /// The blocks that say something, with their names: goal, progress and context, then others by name.
    pub fn written(&self) -> impl Iterator<Item = (MemoryBlock, &CoreBlock)> {
        let own = [
            (MemoryBlock::Goal, &self.goal),
            (MemoryBlock::Progress, &self.progress),
            (MemoryBlock::Context, &self.context),
        ];
        let others = self.others.iter();
        let others = others.map(|(name, block)| (MemoryBlock::Other(name.clone()), block));
        own.into_iter()
            .chain(others)
            .filter(|(_, block)| !block.content.is_empty())
    }

    /// The block that is to be written.
    fn block_mut(&mut self, block: &MemoryBlock) -> &mut CoreBlock {
        match block {
            MemoryBlock::Goal => &mut self.goal,
            MemoryBlock::Progress => &mut self.progress,
            MemoryBlock::Context => &mut self.context,
            MemoryBlock::Other(name) => {
                if !self.others.contains_key(name) {
                    self.make_room(OTHER_BLOCKS_CAP - 1);
                }
                self.others.entry(name.clone()).or_default()
            }
        }
    }

    /// Drops the blocks of one's own that nobody wrote for longest, until there are so many.
    fn make_room(&mut self, most: usize) {
        while self.others.len() > most {
            let oldest = self
                .others
                .iter()
                .min_by_key(|(_, block)| block.updated_at)
                .map(|(name, _)| name.clone());
            self.others.remove(&oldest.unwrap_or_default());
        }
    }
}

/// One block of core memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CoreBlock {
    /// The text.
    pub content: String,
    /// How many characters it was to have at most when it was last written, where that is not
    /// [`MemoryBlock::limit`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// When it was last written; `None` before the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

impl CoreBlock {
    /// How many characters (Unicode scalar values) it has.
    pub fn chars(&self) -> usize {
        self.content.chars().count()
    }
}

/// The name of a block of core memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
pub enum MemoryBlock {
    /// The one specific task.
    Goal,
    /// Done, in progress, blocked.
    Progress,
    /// Files at work and patterns to keep to.
    Context,
    /// One of a user's own.
    Other(String),
}

impl MemoryBlock {
    /// The blocks that every session has.
    pub const BUILT_IN: [Self; 3] = [Self::Goal, Self::Progress, Self::Context];

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Goal => "goal",
            Self::Progress => "progress",
            Self::Context => "context",
            Self::Other(name) => name,
        }
    }

    /// How many characters (Unicode scalar values) it may hold, where nothing else is set: 1000, 2000 or
    /// 1500; `None` for a block of one's own.
    pub const fn limit(&self) -> Option<u32> {
        match self {
            Self::Goal => Some(1000),
            Self::Progress => Some(2000),
            Self::Context => Some(1500),
            Self::Other(_) => None,
        }
    }
}

impl From<String> for MemoryBlock {
    fn from(name: String) -> Self {
        match name.as_str() {
            "goal" => Self::Goal,
            "progress" => Self::Progress,
            "context" => Self::Context,
            _ => Self::Other(name),
        }
    }
}

impl From<MemoryBlock> for String {
    fn from(block: MemoryBlock) -> Self {
        match block {
            MemoryBlock::Other(name) => name,
            block => block.name().to_owned(),
        }
    }
}

impl Section for CoreMemory {
    const NAME: &'static str = "core_memory";
    const ITEM: &'static str = "memory";
    const VERSION: u32 = 2;
    const PACE: Pace = Pace::Steady;
    type Event = CoreMemoryEvent;

    fn apply(&mut self, event: &CoreMemoryEvent, when: &Happened<'_>) {
        match event {
            CoreMemoryEvent::Update(e) => write(self, e, when.at),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.written()
            .map(|(block, known)| Item::named(block.name(), &known.content))
            .collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<CoreMemoryEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let is_free = |block: &MemoryBlock| {
            let own = own.block(block);
            own.is_none_or(|own| own.content.is_empty())
        };
        self.written()
            .filter(|(block, _)| is_free(block))
            .map(|(block, known)| {
                let update = MemoryCoreUpdate {
                    block,
                    content: known.content.clone(),
                    mode: UpdateMode::Replace,
                    limit: known.limit,
                };
                update.into()
            })
            .collect()
    }

    /// A block that has more than its limit is kept whole: what it says is worth more than the limit.
    fn restore(&mut self, then: Self) {
        *self = then;
        let CoreMemory {
            goal,
            progress,
            context,
            others,
        } = self;
        for block in [goal, progress, context]
            .into_iter()
            .chain(others.values_mut())
        {
            if block.content.is_long() {
                block.content = block.content.clipped();
            }
        }
        self.make_room(OTHER_BLOCKS_CAP);
    }
}

/// Writes a block. What replaces it is kept whole, whatever its limit: whoever records it decides about that.
fn write(core: &mut CoreMemory, event: &MemoryCoreUpdate, at: Timestamp) {
    let limit = event.limit.or(event.block.limit()).unwrap_or(BLOCK_MOST);
    let block = core.block_mut(&event.block);
    let content = match event.mode {
        UpdateMode::Replace => event.content.clone(),
        UpdateMode::Append => appended(&block.content, &event.content, limit.min(BLOCK_MOST)),
    };
    if block.content != content || block.limit != event.limit {
        block.content = content;
        block.limit = event.limit;
        block.updated_at = Some(at);
    }
}

/// What a block says after a text was appended: as many of the last lines as its limit lets be there; if not
/// even the last one fits, its first characters.
///
/// ```
/// use hud_store::section::appended;
///
/// assert_eq!(appended("one\ntwo", "three", 9), "two\nthree");
/// assert_eq!(appended("", "three", 3), "thr");
/// ```
pub fn appended(known: &str, content: &str, limit: u32) -> String {
    let whole = match known.is_empty() {
        true => content.to_owned(),
        false => format!("{known}\n{content}"),
    };
    newest(&whole, usize::try_from(limit).unwrap_or(usize::MAX)).to_owned()
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

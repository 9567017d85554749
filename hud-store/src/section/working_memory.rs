//! The agent's fading memory.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Section, list};
use crate::event::Clip;

crate::events! {@built_in
    /// What happens to working memory.
    pub enum WorkingMemoryEvent {
        /// something joins working memory.
        "memory.item.add" 1 Add(
            /// Adds to working memory.
            MemoryItemAdd {
                /// A slot or the pool.
                place: MemoryPlace,
                /// What to remember; also its name when it is removed.
                content: String,
            }
        ) item content words [content],
        /// something leaves working memory.
        "memory.item.remove" 1 Remove(
            /// Removes from working memory, wherever it is.
            MemoryItemRemove {
                /// The whole content of the item.
                content: String,
            }
        ) item content,
        /// working memory, or one place of it, is emptied.
        "memory.clear" 1 Clear(
            /// Empties working memory; core memory stays.
            MemoryClear {
                /// Only this place; all of them when absent.
                #[serde(skip_serializing_if = "Option::is_none")]
                place: Option<MemoryPlace>,
            }
        ),
    }
}

impl Clip for MemoryPlace {}

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
    const SLOTS: [Self; 4] = [Self::Error, Self::Decision, Self::Todo, Self::Dependency];

    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Decision => "decision",
            Self::Todo => "todo",
            Self::Dependency => "dependency",
            Self::Pool => "pool",
        }
    }

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
        self.slots().all(|(_, slot)| slot.is_empty()) && self.pool.is_empty()
    }

    /// The slots with their places.
    fn slots(&self) -> impl Iterator<Item = (MemoryPlace, &Vec<MemoryItem>)> {
        let Slots {
            error,
            decision,
            todo,
            dependency,
        } = &self.slots;
        MemoryPlace::SLOTS
            .into_iter()
            .zip([error, decision, todo, dependency])
    }

    /// Additions since the item was last added.
    fn age(&self, item: &PoolItem) -> u64 {
        self.additions.saturating_sub(item.addition)
    }
}

impl Section for WorkingMemory {
    const NAME: &'static str = "working_memory";
    const ITEM: &'static str = "remembered";
    const PACE: Pace = Pace::Working;
    type Event = WorkingMemoryEvent;

    fn apply(&mut self, event: &WorkingMemoryEvent, when: &Happened<'_>) {
        match event {
            WorkingMemoryEvent::Add(e) => add(self, e, when.at),
            WorkingMemoryEvent::Remove(e) => remove(self, &e.content),
            WorkingMemoryEvent::Clear(e) => clear(self, e.place),
        }
    }

    fn items(&self) -> Vec<Item> {
        let slots = self
            .slots()
            .flat_map(|(place, items)| items.iter().map(move |item| (place, &item.content)));
        let pool = self
            .pool
            .iter()
            .map(|item| (MemoryPlace::Pool, &item.content));
        slots
            .chain(pool)
            .map(|(place, content)| Item::new(format!("{}: {content}", place.name()), content))
            .collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        for place in MemoryPlace::SLOTS {
            if let Some(slot) = slot(&mut self.slots, place) {
                list::newest(slot, place.cap());
            }
        }
        list::newest(&mut self.pool, MemoryPlace::Pool.cap());
    }
}

/// From this age on, an item that nobody mentioned scores under 0.01: `exp(-0.85 * 6) = 0.006`,
/// while `exp(-0.85 * 5) = 0.014`. An integer, because `exp` may differ in its last bit from one
/// machine to another and the fold may not.
const FADED: u64 = 6;

/// Adds an item as the most recent of its place. One that is there already is refreshed, and in
/// the pool counts as mentioned.
fn add(memory: &mut WorkingMemory, event: &MemoryItemAdd, at: Timestamp) {
    memory.additions = memory.additions.saturating_add(1);
    let cap = event.place.cap();
    if let Some(slot) = slot(&mut memory.slots, event.place) {
        slot.retain(|item| item.content != event.content);
        slot.push(MemoryItem {
            content: event.content.clone(),
            added_at: at,
        });
        let excess = slot.len().saturating_sub(cap);
        slot.drain(..excess);
    } else {
        mention(memory, &event.content, at);
    }
    fade(memory);
}

fn mention(memory: &mut WorkingMemory, content: &str, at: Timestamp) {
    let known = memory.pool.iter().position(|item| item.content == content);
    let mentions = known.map(|at| memory.pool.remove(at).mentions.saturating_add(1));
    memory.pool.push(PoolItem {
        content: content.to_owned(),
        added_at: at,
        addition: memory.additions,
        mentions: mentions.unwrap_or(0),
    });
}

/// Prunes the pool: what has faded, then while it is too full the lowest score, but never what
/// was added just now.
fn fade(memory: &mut WorkingMemory) {
    let mut pool = std::mem::take(&mut memory.pool);
    pool.retain(|item| item.mentions > 0 || memory.age(item) < FADED);
    while pool.len() > MemoryPlace::Pool.cap() {
        // Scores in integers: more mentions first, as the decay never reaches 1 again; then the
        // newer, which is the later in the pool.
        let old = pool.iter().take(pool.len() - 1).enumerate();
        let lowest = old.min_by_key(|(_, item)| item.mentions);
        let lowest = lowest.map_or(0, |(at, _)| at);
        pool.remove(lowest);
    }
    memory.pool = pool;
}

/// Removes an item from every place that has it.
fn remove(memory: &mut WorkingMemory, content: &str) {
    let Slots {
        error,
        decision,
        todo,
        dependency,
    } = &mut memory.slots;
    for slot in [error, decision, todo, dependency] {
        slot.retain(|item| item.content != content);
    }
    memory.pool.retain(|item| item.content != content);
}

/// Empties one place, or all.
fn clear(memory: &mut WorkingMemory, place: Option<MemoryPlace>) {
    match place {
        None => {
            memory.slots = Slots::default();
            memory.pool.clear();
        }
        Some(place) => match slot(&mut memory.slots, place) {
            Some(slot) => slot.clear(),
            None => memory.pool.clear(),
        },
    }
}

/// The slot, unless the place is the pool.
fn slot(slots: &mut Slots, place: MemoryPlace) -> Option<&mut Vec<MemoryItem>> {
    match place {
        MemoryPlace::Error => Some(&mut slots.error),
        MemoryPlace::Decision => Some(&mut slots.decision),
        MemoryPlace::Todo => Some(&mut slots.todo),
        MemoryPlace::Dependency => Some(&mut slots.dependency),
        MemoryPlace::Pool => None,
    }
}

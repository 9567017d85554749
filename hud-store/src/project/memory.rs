//! The core and working memory sections.

use crate::event::{MemoryCoreUpdate, MemoryItemAdd, UpdateMode};
use crate::state::{
    CoreMemory, MemoryBlock, MemoryItem, MemoryPlace, PoolItem, Slots, Touch, WorkingMemory,
};

/// From this age on, an item that nobody mentioned scores under 0.01: `exp(-0.85 * 6) = 0.006`,
/// while `exp(-0.85 * 5) = 0.014`. An integer, because `exp` may differ in its last bit from one
/// machine to another and the fold may not.
const FADED: u64 = 6;

/// Writes a block of core memory, within its cap.
pub(super) fn write(core: &mut CoreMemory, event: &MemoryCoreUpdate, now: Touch) -> bool {
    let block = core.block_mut(event.block);
    let cap = event.block.cap();
    let content = match event.mode {
        UpdateMode::Replace => head(&event.content, cap).to_owned(),
        UpdateMode::Append if block.content.is_empty() => newest(&event.content, cap).to_owned(),
        UpdateMode::Append => {
            newest(&format!("{}\n{}", block.content, event.content), cap).to_owned()
        }
    };
    if block.content == content {
        return false;
    }
    block.content = content;
    block.updated_at = Some(now.at);
    true
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

/// Adds an item as the most recent of its place. One that is there already is refreshed, and in
/// the pool counts as mentioned.
pub(super) fn add(memory: &mut WorkingMemory, event: &MemoryItemAdd, now: Touch) -> bool {
    memory.additions = memory.additions.saturating_add(1);
    let cap = event.place.cap();
    if let Some(slot) = slot(&mut memory.slots, event.place) {
        slot.retain(|item| item.content != event.content);
        slot.push(MemoryItem {
            content: event.content.clone(),
            added_at: now.at,
        });
        let excess = slot.len().saturating_sub(cap);
        slot.drain(..excess);
    } else {
        mention(memory, &event.content, now);
    }
    fade(memory);
    true
}

fn mention(memory: &mut WorkingMemory, content: &str, now: Touch) {
    let known = memory.pool.iter().position(|item| item.content == content);
    let mentions = known.map(|at| memory.pool.remove(at).mentions.saturating_add(1));
    memory.pool.push(PoolItem {
        content: content.to_owned(),
        added_at: now.at,
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
pub(super) fn remove(memory: &mut WorkingMemory, content: &str) -> bool {
    let before = count(memory);
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
    count(memory) != before
}

/// Empties one place, or all.
pub(super) fn clear(memory: &mut WorkingMemory, place: Option<MemoryPlace>) -> bool {
    let before = count(memory);
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
    count(memory) != before
}

/// Keeps to the caps of a memory that somebody else may have written.
pub(super) fn bound(core: &mut CoreMemory, memory: &mut WorkingMemory) {
    for block in [
        MemoryBlock::Goal,
        MemoryBlock::Progress,
        MemoryBlock::Context,
    ] {
        let content = &mut core.block_mut(block).content;
        content.truncate(head(content, block.cap()).len());
    }
    for place in [
        MemoryPlace::Error,
        MemoryPlace::Decision,
        MemoryPlace::Todo,
        MemoryPlace::Dependency,
    ] {
        if let Some(slot) = slot(&mut memory.slots, place) {
            slot.drain(..slot.len().saturating_sub(place.cap()));
        }
    }
    let excess = memory.pool.len().saturating_sub(MemoryPlace::Pool.cap());
    memory.pool.drain(..excess);
}

fn count(memory: &WorkingMemory) -> usize {
    let slots = &memory.slots;
    slots.error.len()
        + slots.decision.len()
        + slots.todo.len()
        + slots.dependency.len()
        + memory.pool.len()
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

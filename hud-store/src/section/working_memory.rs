//! The agent's fading memory.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Happened, Item, Pace, Section, list};
use crate::event::{Actor, Clip, FileEvent, HudEvent};
use crate::state::Change;

crate::events! {@built_in
    /// What happens to working memory.
    pub enum WorkingMemoryEvent {
        /// something joins working memory, or is used again.
        "memory.item.add" 2 Add(
            /// Adds to working memory. What is there already counts as mentioned once more.
            MemoryItemAdd {
                /// What to remember; also its name when it is removed.
                content: String,
                /// What it is.
                #[serde(default)]
                kind: MemoryKind,
                /// Who says that it is worth remembering.
                #[serde(default)]
                source: MemorySource,
            }
        ) item content words [content] from [leave_slots],
        /// something leaves working memory.
        "memory.item.remove" 1 Remove(
            /// Removes from working memory.
            MemoryItemRemove {
                /// The whole content of the item.
                content: String,
            }
        ) item content,
        /// working memory is emptied.
        "memory.clear" 1 Clear(
            /// Empties working memory; core memory stays.
            MemoryClear {
                /// What is emptied; all of working memory when absent. Of the places only the pool is still
                /// here: the others are sections of their own.
                #[serde(skip_serializing_if = "Option::is_none")]
                place: Option<MemoryPlace>,
            }
        ),
    }
}

/// What was in a slot is a note of the agent's: slots are sections of their own since.
fn leave_slots(payload: Value) -> Value {
    json!({ "content": payload["content"] })
}

impl Clip for MemoryPlace {}
impl Clip for MemoryKind {}
impl Clip for MemorySource {}

/// How many items the pool holds at most.
pub const POOL_CAP: usize = 50;

/// What the agent keeps at hand for a while: what it uses stays, and everything else fades.
///
/// The slots of working memory are sections: errors, decisions, steps and dependencies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct WorkingMemory {
    /// In the order in which items were last added or used; at most [`POOL_CAP`].
    pub pool: Vec<PoolItem>,
}

/// Something in the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PoolItem {
    /// What to remember.
    pub content: String,
    /// When it was last added or used.
    pub added_at: Timestamp,
    /// The turn in which it was last added or used.
    #[serde(default)]
    pub turn: u64,
    /// How often it was added or used again.
    pub mentions: u64,
    /// What it is.
    #[serde(default)]
    pub kind: MemoryKind,
    /// Who says that it is worth remembering.
    #[serde(default)]
    pub source: MemorySource,
}

/// What an item of the pool is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// The path of a file.
    Path,
    /// Anything else.
    #[default]
    Note,
}

/// Who says that an item is worth remembering.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MemorySource {
    /// The agent.
    #[default]
    Agent,
    /// It follows from what the agent does.
    Derived,
}

/// A place of working memory as it once was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MemoryPlace {
    /// Failures: the section of errors since.
    Error,
    /// Choices: the section of decisions since.
    Decision,
    /// Things to do: the plan since.
    Todo,
    /// Packages and files: the section of dependencies since.
    Dependency,
    /// [`WorkingMemory::pool`].
    Pool,
}

/// What an item that was used just now and never before scores.
const ONE: u64 = 1 << 32;

/// Under this an item has faded: a hundredth of [`ONE`].
const FADED: u64 = ONE / 100;

/// More mentions than these make no difference, so that everything fades.
const MENTIONS: u64 = 15;

/// What is left of an item after so many turns: `⌊2^32 · 0.85^age⌋`. A table of integers, because a power of
/// a fraction may differ in its last bit from one machine to another and the fold may not.
const LEFT: [u64; 64] = [
    4_294_967_296,
    3_650_722_201,
    3_103_113_871,
    2_637_646_790,
    2_241_999_772,
    1_905_699_806,
    1_619_844_835,
    1_376_868_110,
    1_170_337_893,
    994_787_209,
    845_569_128,
    718_733_758,
    610_923_695,
    519_285_140,
    441_392_369,
    375_183_514,
    318_905_987,
    271_070_089,
    230_409_575,
    195_848_139,
    166_470_918,
    141_500_280,
    120_275_238,
    102_233_952,
    86_898_859,
    73_864_030,
    62_784_426,
    53_366_762,
    45_361_747,
    38_557_485,
    32_773_862,
    27_857_783,
    23_679_115,
    20_127_248,
    17_108_161,
    14_541_937,
    12_360_646,
    10_506_549,
    8_930_567,
    7_590_982,
    6_452_334,
    5_484_484,
    4_661_811,
    3_962_540,
    3_368_159,
    2_862_935,
    2_433_494,
    2_068_470,
    1_758_200,
    1_494_470,
    1_270_299,
    1_079_754,
    917_791,
    780_122,
    663_104,
    563_638,
    479_092,
    407_228,
    346_144,
    294_222,
    250_089,
    212_576,
    180_689,
    153_586,
];

impl PoolItem {
    /// What it is worth in a turn: `0.85^age · (1 + min(mentions, 15))` in units of 2^-32, where its age is
    /// the number of turns since it was last added or used. What a turn before that one asks is of age 0.
    ///
    /// ```
    /// use hud_store::state::PoolItem;
    ///
    /// let item: PoolItem = serde_json::from_value(serde_json::json!({
    ///     "content": "src/a.rs", "added_at": "2026-11-20T12:00:00Z", "turn": 7, "mentions": 1,
    /// }))?;
    /// assert_eq!(item.score(7), 2 << 32);
    /// assert!(item.score(8) < item.score(7));
    /// assert!(item.has_faded(7 + 33) && !item.has_faded(7 + 32));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn score(&self, turn: u64) -> u64 {
        let age = usize::try_from(turn.saturating_sub(self.turn)).unwrap_or(usize::MAX);
        let left = LEFT.get(age).copied().unwrap_or(0);
        left * (1 + self.mentions.min(MENTIONS))
    }

    /// Whether nothing of it is left in a turn.
    pub fn has_faded(&self, turn: u64) -> bool {
        self.score(turn) < FADED
    }
}

impl WorkingMemory {
    /// What has not faded in a turn, best first; of equals the newer first.
    pub fn ranked(&self, turn: u64) -> Vec<&PoolItem> {
        let mut ranked: Vec<_> = self.pool.iter().rev().collect();
        ranked.retain(|item| !item.has_faded(turn));
        ranked.sort_by_key(|item| std::cmp::Reverse(item.score(turn)));
        ranked
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    /// Adds an item as the most recent one. One that is there already counts as mentioned, once in a turn
    /// where it is `used` rather than said to be worth remembering.
    fn add(
        &mut self,
        content: &str,
        kind: MemoryKind,
        source: MemorySource,
        used: bool,
        when: &Happened<'_>,
    ) {
        let known = self.pool.iter().position(|item| item.content == content);
        let known = known.map(|at| self.pool.remove(at));
        let item = match known {
            Some(known) => {
                let is_again = !used || known.turn != when.turn;
                PoolItem {
                    mentions: known.mentions.saturating_add(u64::from(is_again)),
                    added_at: when.at,
                    turn: when.turn,
                    // What the agent wants remembered stays its own.
                    source: match known.source {
                        MemorySource::Agent => known.source,
                        MemorySource::Derived => source,
                    },
                    ..known
                }
            }
            None => PoolItem {
                content: content.to_owned(),
                added_at: when.at,
                turn: when.turn,
                mentions: 0,
                kind,
                source,
            },
        };
        self.pool.push(item);
        self.fade(when.turn);
    }

    /// Drops what has faded, then while there is too much what scores least and is oldest, but never what
    /// was added just now.
    fn fade(&mut self, turn: u64) {
        self.pool.retain(|item| !item.has_faded(turn));
        while self.pool.len() > POOL_CAP {
            let old = self.pool.iter().take(self.pool.len() - 1).enumerate();
            let lowest = old.min_by_key(|(_, item)| item.score(turn));
            self.pool.remove(lowest.map_or(0, |(at, _)| at));
        }
    }

    fn remove(&mut self, content: &str) {
        self.pool.retain(|item| item.content != content);
    }

    /// A file was read or written: it is at hand for a while.
    fn used(&mut self, path: &str, when: &Happened<'_>) {
        let source = match when.actor {
            Actor::Derived => MemorySource::Derived,
            Actor::Agent => MemorySource::Agent,
            // What a summary or another session names, nobody has used here.
            _ => return,
        };
        self.add(path, MemoryKind::Path, source, true, when);
    }

    /// A file that was called for in this turn for the first time and leaves in it was not there. One that
    /// leaves with a compaction was.
    fn closed(&mut self, path: &str, when: &Happened<'_>) {
        let compacted = when.rest.compacted.as_ref();
        if compacted.is_some_and(|compacted| compacted.turn == when.turn) {
            return;
        }
        self.pool.retain(|item| {
            let was_missing = item.turn == when.turn && item.mentions == 0;
            item.content != path || item.kind != MemoryKind::Path || !was_missing
        });
    }
}

impl Section for WorkingMemory {
    const NAME: &'static str = "working_memory";
    const ITEM: &'static str = "remembered";
    const VERSION: u32 = 2;
    const PACE: Pace = Pace::Working;
    const OVERHEARS: bool = true;
    type Event = WorkingMemoryEvent;

    fn apply(&mut self, event: &WorkingMemoryEvent, when: &Happened<'_>) {
        match event {
            WorkingMemoryEvent::Add(e) => {
                let used = e.source == MemorySource::Derived;
                self.add(&e.content, e.kind, e.source, used, when);
            }
            WorkingMemoryEvent::Remove(e) => self.remove(&e.content),
            WorkingMemoryEvent::Clear(e) => {
                if matches!(e.place, None | Some(MemoryPlace::Pool)) {
                    self.pool.clear();
                }
            }
        }
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        let HudEvent::File(event) = event else { return };
        match event {
            FileEvent::Open(e) => self.used(&e.path, when),
            FileEvent::Edit(e) => self.used(&e.path, when),
            FileEvent::Move(e) => {
                self.remove(&e.path);
                self.used(&e.to, when);
            }
            FileEvent::Delete(e) => self.remove(&e.path),
            FileEvent::Close(e) => self.closed(&e.path, when),
        }
    }

    /// The notes: which files are used the section of files says.
    fn items(&self) -> Vec<Item> {
        let notes = self.pool.iter();
        let notes = notes.filter(|item| item.kind == MemoryKind::Note);
        notes
            .map(|item| Item::new(&item.content, &item.content))
            .collect()
    }

    /// That something faded is no news.
    fn is_news(&self, change: &Change) -> bool {
        change.after.is_some()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        list::newest(&mut self.pool, POOL_CAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number in digits of 32 bits, times a small one.
    fn times(number: &[u64], by: u64) -> Vec<u64> {
        let mut carry = 0;
        let mut digits: Vec<u64> = Vec::new();
        for digit in number {
            let product = digit * by + carry;
            digits.push(product & 0xffff_ffff);
            carry = product >> 32;
        }
        digits.push(carry);
        digits
    }

    fn power(of: u64, exponent: usize, by: u64) -> Vec<u64> {
        let power = (0..exponent).fold(vec![1], |power, _| times(&power, of));
        let mut product = times(&power, by & 0xffff_ffff);
        let mut high = times(&power, by >> 32);
        high.insert(0, 0);
        product.resize(high.len().max(product.len()) + 1, 0);
        let mut carry = 0;
        for (at, digit) in product.iter_mut().enumerate() {
            let sum = *digit + high.get(at).copied().unwrap_or(0) + carry;
            *digit = sum & 0xffff_ffff;
            carry = sum >> 32;
        }
        while product.last() == Some(&0) {
            product.pop();
        }
        product.reverse();
        product
    }

    #[test]
    fn the_table_is_the_power_rounded_down() {
        let less = |one: &[u64], other: &[u64]| (one.len(), one) < (other.len(), other);
        for (age, left) in LEFT.into_iter().enumerate() {
            // left ≤ 2^32 · 17^age / 20^age < left + 1
            let exact = power(17, age, ONE);
            assert!(!less(&exact, &power(20, age, left)), "{age}");
            assert!(less(&exact, &power(20, age, left + 1)), "{age}");
        }
    }
}

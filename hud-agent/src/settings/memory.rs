//! What an agent's memory may hold.

use std::collections::BTreeMap;

use hud_components::KNOWLEDGE_TOKENS;
use hud_store::section::{BLOCK_MOST, MemoryBlock};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Within;

/// More characters than a block has.
const CHARACTERS: i64 = BLOCK_MOST as i64;

/// As many tokens as a value or two take, and as many as a log keeps of what an agent knows.
const LEAST_KNOWN: i64 = 100;
const MOST_KNOWN: i64 = 50_000;

/// What an agent's memory may hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Memory {
    /// The blocks of core memory by their names, each with how many characters it may have. There are
    /// `goal`, `progress` and `context`; any other name makes one more.
    #[serde(with = "Limits")]
    pub core: BTreeMap<String, u32>,
    /// How many tokens what an agent knows may have.
    #[serde(with = "Within::<LEAST_KNOWN, MOST_KNOWN>")]
    pub knowledge: u64,
}

impl Default for Memory {
    fn default() -> Self {
        let built_in = MemoryBlock::BUILT_IN.into_iter();
        let core = built_in.filter_map(|block| Some((block.name().to_owned(), block.limit()?)));
        Self {
            core: core.collect(),
            knowledge: KNOWLEDGE_TOKENS,
        }
    }
}

impl Memory {
    /// How many characters a block may have; `None` if there is none of that name.
    pub fn limit(&self, block: &MemoryBlock) -> Option<u32> {
        self.core.get(block.name()).copied().or(block.limit())
    }

    /// The blocks that there are: the three of every session first, then others by name.
    pub fn blocks(&self) -> Vec<MemoryBlock> {
        let others = self.core.keys().cloned().map(MemoryBlock::from);
        let others = others.filter(|block| block.limit().is_none());
        MemoryBlock::BUILT_IN.into_iter().chain(others).collect()
    }
}

/// How the limits of blocks are written: each within what a block can hold.
struct Limits;

#[derive(Deserialize)]
struct Limit(#[serde(with = "Within::<1, CHARACTERS>")] u32);

impl Limits {
    fn serialize<S: Serializer>(
        limits: &BTreeMap<String, u32>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        limits.serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, u32>, D::Error> {
        let limits = BTreeMap::<String, Limit>::deserialize(deserializer)?;
        Ok(limits
            .into_iter()
            .map(|(name, Limit(limit))| (name, limit))
            .collect())
    }
}

impl JsonSchema for Limits {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Limits".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": { "type": "integer", "minimum": 1, "maximum": CHARACTERS },
        })
    }
}

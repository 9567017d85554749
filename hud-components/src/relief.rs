//! What an agent can do about a context that fills, by name.

use hud_store::state::HudState;

use crate::text::line;
use crate::{KnowledgeLimit, knowledge_tokens};

/// From how many per cent of its limit on a block of memory is worth shortening.
const FULL: usize = 80;

/// How many blocks are named.
const BLOCKS: usize = 3;

/// From how many open errors on it is likely that one of them is mended.
const ERRORS: usize = 3;

/// Something that an agent can do to have more room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relief {
    /// What to do.
    pub what: String,
    /// The operation of the `hud` tool that does it.
    pub operation: &'static str,
}

/// What an agent can do besides to have more room: memory that is nearly full, errors that may be mended; what
/// helps most comes first.
///
/// ```
/// use hud_components::{KnowledgeLimit, relief};
/// use hud_store::state::HudState;
///
/// let mut state = HudState::default();
/// assert_eq!(relief(&state, KnowledgeLimit::default()), []);
/// state.core_memory.goal.content = "x".repeat(920);
/// let relief = relief(&state, KnowledgeLimit::default()).remove(0);
/// assert_eq!(relief.what, "shorten goal (920/1000)");
/// assert_eq!(relief.operation, "core_memory.update");
/// ```
pub fn relief(state: &HudState, limit: KnowledgeLimit) -> Vec<Relief> {
    let blocks = state.core_memory.written().filter_map(|(block, known)| {
        let limit = known.limit.or(block.limit())?;
        let chars = known.chars();
        let is_full = chars * 100 > usize::try_from(limit).ok()? * FULL;
        is_full.then(|| format!("{} ({chars}/{limit})", line(block.name(), 40)))
    });
    let blocks: Vec<String> = blocks.take(BLOCKS).collect();
    let mut advice = Vec::new();
    if !blocks.is_empty() {
        advice.push(Relief {
            what: format!("shorten {}", blocks.join(", ")),
            operation: "core_memory.update",
        });
    }
    let percent = limit.percent(knowledge_tokens(&state.knowledge));
    if percent > u64::try_from(FULL).unwrap_or(100) {
        advice.push(Relief {
            what: format!("delete knowledge (memory_used {percent}%)"),
            operation: "knowledge.delete",
        });
    }
    let open = state.errors.iter().filter(|error| !error.is_resolved());
    let open = open.count();
    if open >= ERRORS {
        advice.push(Relief {
            what: format!("resolve those of {open} open errors that are mended"),
            operation: "errors.resolve",
        });
    }
    advice
}

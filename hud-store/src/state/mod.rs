//! What is so: the state of one session, the fold of its events.
//!
//! Plain data, the union of what the layouts show. All of it is public, compared with
//! `==`, and written as JSON; none of it is ever changed but by [`fold`](crate::project::fold).

mod context;
mod diff;
mod epoch;
mod memory;
mod section;

pub use context::{CompactedContext, Compacting, ContextUsage, PrunedOutput, READINGS, Trend};
pub use memory::{
    CoreBlock, CoreMemory, MemoryBlock, MemoryItem, MemoryPlace, POOL_CAP, PoolItem, Slots,
    WorkingMemory,
};

pub use diff::{Change, changes};
pub use epoch::Epoch;
pub use section::{Section, UnknownSection};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::event::{EventId, SessionId};

/// The state of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HudState {
    /// Where the session comes from; `None` if it came from nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What the agent works on.
    pub task: Option<Task>,
    /// Decisions, oldest first; at most [`DECISIONS_CAP`](crate::project::DECISIONS_CAP).
    pub decisions: Vec<Decision>,
    /// Notes, oldest first; at most [`NOTES_CAP`](crate::project::NOTES_CAP).
    pub notes: Vec<Note>,
    /// Files, least recently touched first; at most [`FILES_CAP`](crate::project::FILES_CAP).
    pub active_files: Vec<ActiveFile>,
    /// The plan, in its order; at most [`STEPS_CAP`](crate::project::STEPS_CAP).
    pub next_steps: Vec<Step>,
    /// What is in the way, oldest first; at most [`BLOCKERS_CAP`](crate::project::BLOCKERS_CAP).
    pub blockers: Vec<Blocker>,
    /// Failures, least recent first; at most [`ERRORS_CAP`](crate::project::ERRORS_CAP).
    pub errors: Vec<ErrorRecord>,
    /// How full the context window is. `None` before the first reading and from a compaction
    /// whose outcome is not known until the next reading.
    pub context: Option<ContextUsage>,
    /// A compaction that began and has not ended.
    pub compacting: Option<Compacting>,
    /// What remains of the conversation before the last compaction.
    pub compacted: Option<CompactedContext>,
    /// The outputs of tools that were taken out of the conversation since the last compaction, oldest
    /// first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<PrunedOutput>,
    /// Blocks that the agent keeps about itself.
    pub core_memory: CoreMemory,
    /// What the agent keeps at hand for a while.
    pub working_memory: WorkingMemory,
    /// What of the state was shown to the model when its provider began to read the conversation that
    /// there is now. `None` before the first call of the model that was shown something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<Box<Epoch>>,
    /// What the client names as what led to the newest event of which that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<EventId>,
    /// The highest numbers that items were named by.
    pub numbers: Numbers,
    /// When each section last changed.
    pub touched: Touched,
    /// The highest turn seen.
    pub turn: u64,
    /// The version of the last event folded; 0 before the first.
    pub version: u64,
    /// How many events were of a kind this program doesn't know.
    pub unknown_events: u64,
}

impl HudState {
    /// It holds the use of the context, which is read anew each turn: a component of the static
    /// layer takes the parts that it shows.
    pub const CHANGES_EACH_TURN: bool = true;
}

/// The highest number that an item of each kind was named by, as `n7` is for a note: the next one is
/// to have a name that none ever had, also when the last one left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// Of decisions: `d1`, `d2`, ...
    pub decision: u64,
    /// Of notes: `n1`, ...
    pub note: u64,
    /// Of steps: `s1`, ...
    pub step: u64,
    /// Of blockers: `b1`, ...
    pub blocker: u64,
    /// Of errors: `e1`, ...
    pub error: u64,
}

impl Numbers {
    /// Takes in the name of a new item.
    pub(crate) fn see(&mut self, id: &str) {
        let Some((highest, Some(number))) = self.of(id) else {
            return;
        };
        *highest = number.max(*highest);
    }

    /// A name that no item has had, for one of the kind that `id` names; `id` itself where that is
    /// no name of ours.
    pub(crate) fn name_like(&mut self, id: &str) -> String {
        let Some((highest, _)) = self.of(id) else {
            return id.to_owned();
        };
        *highest = highest.saturating_add(1);
        format!("{}{highest}", &id[..1])
    }

    /// The highest number of the kind of item that a name is of, and the name's own number.
    fn of(&mut self, id: &str) -> Option<(&mut u64, Option<u64>)> {
        let highest = match id.chars().next()? {
            'd' => &mut self.decision,
            'n' => &mut self.note,
            's' => &mut self.step,
            'b' => &mut self.blocker,
            'e' => &mut self.error,
            _ => return None,
        };
        Some((highest, id[1..].parse().ok()))
    }
}

/// Where a session comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The session that it continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumes: Option<SessionId>,
    /// The session that made it: it is a sub-agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// The session that holds what all sessions of the project begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<SessionId>,
    /// The session that it was forked from: it began with a copy of that one's conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forks: Option<SessionId>,
}

/// What the agent works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The task as it was set or last refined.
    pub description: String,
    /// What the user asked for last, within the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_request: Option<String>,
    /// When the task was set.
    pub set_at: Timestamp,
    /// When it was last set, refined, or asked about.
    pub updated_at: Timestamp,
}

/// A decision the agent recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Names it within the session.
    pub id: String,
    /// What was decided, in one line.
    pub summary: String,
    /// Why, and what was turned down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// When it was recorded, or recorded again with other words.
    pub recorded_at: Timestamp,
}

/// A line on the agent's scratchpad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Names it within the session.
    pub id: String,
    /// The note.
    pub content: String,
    /// When it was written or rewritten.
    pub updated_at: Timestamp,
}

/// A file in the agent's recent context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveFile {
    /// As the client names it.
    pub path: String,
    /// What the agent does with it.
    pub status: FileStatus,
    /// When it was last read or written.
    pub last_accessed: Timestamp,
    /// The turn of that access.
    pub turn: u64,
    /// How often it was written since it became active.
    pub edits: u64,
}

/// What the agent does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Read in the turn of the latest file event.
    Reading,
    /// Written at least once since it became active.
    Editing,
    /// Read in an earlier turn.
    Referenced,
}

/// A step of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Names it within the session.
    pub id: String,
    /// What is to be done.
    pub description: String,
    /// How far it is.
    pub status: StepStatus,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Not begun.
    Pending,
    /// The one being worked on; never more than one.
    InProgress,
    /// Done.
    Completed,
}

/// Something outside the agent's reach that is in its way. Once
/// removed it leaves the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocker {
    /// Names it within the session.
    pub id: String,
    /// What is in the way.
    pub description: String,
    /// When it was noticed.
    pub added_at: Timestamp,
}

/// Something that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorRecord {
    /// Names it within the session.
    pub id: String,
    /// What the failure said.
    pub message: String,
    /// The tool that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What it failed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// When it last failed.
    pub encountered_at: Timestamp,
    /// The turn in which it last failed.
    pub turn: u64,
    /// When it was mended; `None` while it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// How it was mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
}

impl ErrorRecord {
    /// Whether it was mended.
    pub fn is_resolved(&self) -> bool {
        self.resolved_at.is_some()
    }
}

/// A moment in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// When.
    pub at: Timestamp,
    /// In which turn.
    pub turn: u64,
}

/// When each section last changed: stale state misleads. Events that
/// changed nothing, such as a duplicate, don't count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Touched {
    /// [`HudState::task`].
    pub task: Option<Touch>,
    /// [`HudState::decisions`].
    pub decisions: Option<Touch>,
    /// [`HudState::notes`].
    pub notes: Option<Touch>,
    /// [`HudState::active_files`].
    pub active_files: Option<Touch>,
    /// [`HudState::next_steps`].
    pub next_steps: Option<Touch>,
    /// [`HudState::blockers`].
    pub blockers: Option<Touch>,
    /// [`HudState::errors`].
    pub errors: Option<Touch>,
    /// [`HudState::context`].
    pub context: Option<Touch>,
    /// [`HudState::compacting`] and [`HudState::compacted`].
    pub compacted: Option<Touch>,
    /// [`HudState::core_memory`].
    pub core_memory: Option<Touch>,
    /// [`HudState::working_memory`].
    pub working_memory: Option<Touch>,
}

//! The state of one session: the fold of its events.
//!
//! Plain data, the union of what the layouts show. All of it is public, compared with
//! `==`, and written as JSON; none of it is ever changed but by [`fold`](crate::fold::fold). The
//! parts of it are [sections](crate::section), which have a file each.

mod change;
mod numbers;

pub use change::Change;
pub use numbers::Numbers;

pub use crate::section::{
    ActiveFile, Asked, Attempted, Blocker, Check, Commit, CompactedContext, Compacting, Constraint,
    ContextUsage, CoreBlock, CoreMemory, DIFF_PLACE, Decision, Dependency, DroppedItem, Earlier,
    EarlierSession, Epoch, ErrorRecord, Fact, FileStatus, Finding, HudState, Knowledge, Known,
    Lines, MemoryBlock, MemoryKind, MemoryPlace, MemorySource, Note, OUTPUTS_CAP, Origin,
    OutputClass, Outputs, POOL_CAP, PoolItem, PrunedOutput, READINGS, RECORD_GAP, Record,
    RecordEntry, Repository, Request, Restated, Speaker, Step, StepStatus, Task, ToolOutput, Trend,
    Unfinished, UserMessage, WorkingMemory, changes, covers, news,
};

//! Sections: each one idea of a session, from its events to its part of the state.
//!
//! A section is a type that implements [`Section`]: what it holds is its part of the
//! [`HudState`], and what it does with events is its part of the
//! [fold](crate::fold::fold). The built-in ones have a file each here and a row in one table,
//! of which `table.rs` makes the state, the enum of all events and the fold of them.
//!
//! Anybody can have sections of their own. They are [registered](Sections) in a value that a log is
//! opened with, and from then on are folded, kept in snapshots, brought back by rewinds, taken over by
//! sessions that come from others, and shown in differences as the built-in ones are.
//!
//! ```
//! use hud_store::event::{Actor, NewEvent, SessionId};
//! use hud_store::log::{Expected, Log, state_of};
//! use hud_store::memory::MemoryLog;
//! use hud_store::section::{Happened, Item, Section, Sections};
//! use serde::{Deserialize, Serialize};
//!
//! hud_store::events! {
//!     /// What happens to risks.
//!     pub enum RiskEvent {
//!         /// the agent sees a risk.
//!         "risk.add" 1 Add(
//!             /// Adds a risk.
//!             RiskAdd { id: String, description: String }
//!         ) item id names id,
//!     }
//! }
//!
//! /// What may go wrong.
//! #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
//! struct Risks(Vec<RiskAdd>);
//!
//! impl Section for Risks {
//!     const NAME: &'static str = "risks";
//!     type Event = RiskEvent;
//!
//!     fn apply(&mut self, event: &RiskEvent, _: &Happened<'_>) {
//!         match event {
//!             RiskEvent::Add(risk) => self.0.push(risk.clone()),
//!         }
//!     }
//!
//!     fn items(&self) -> Vec<Item> {
//!         self.0.iter().map(|risk| Item::new(&risk.id, &risk.description)).collect()
//!     }
//! }
//!
//! let mut log = MemoryLog::new().with_sections(Sections::new().with::<Risks>()?);
//! let session = SessionId::new("s")?;
//! let risk = RiskAdd { id: "r1".into(), description: "The cache is cold".into() };
//! log.append(&session, Expected::Any, &[NewEvent::now(1, Actor::Agent, risk)])?;
//!
//! let state = state_of(&log, &session)?;
//! assert_eq!(state.section::<Risks>().unwrap().0[0].id, "r1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The table of the built-in sections. A row has the section's field in the state, its type, and its
/// events in [`HudEvent`]. A section sees those below it as they were before the event that it folds: a
/// compaction looks at the context that it empties.
macro_rules! built_in_sections {
    ($each:ident) => {
        $each! {
            /// Where the session comes from; `None` if it came from nowhere.
            #[serde(skip_serializing_if = "Option::is_none")]
            origin: SessionOrigin, Session(SessionEvent);
            /// The earlier sessions of the project, and the work that the last of them left unfinished.
            #[serde(skip_serializing_if = "is_empty")]
            earlier: Earlier, Earlier(EarlierEvent);
            /// What the agent works on.
            task: CurrentTask, Task(TaskEvent);
            /// What the agent dropped of what others recorded, oldest first; at most
            /// [`DROPPED_CAP`](crate::fold::DROPPED_CAP). It is above the sections that it leaves.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            dropped: Dropped, Dropped(DroppedEvent);
            /// What the user asked for and still wants, oldest first; at most
            /// [`REQUESTS_CAP`](crate::fold::REQUESTS_CAP).
            #[serde(skip_serializing_if = "Vec::is_empty")]
            requests: Requests, Request(RequestEvent);
            /// The rules that the user set, oldest first; at most
            /// [`CONSTRAINTS_CAP`](crate::fold::CONSTRAINTS_CAP).
            #[serde(skip_serializing_if = "Vec::is_empty")]
            constraints: Constraints, Constraint(ConstraintEvent);
            /// The record of what was said, changed, run, answered and refused.
            #[serde(skip_serializing_if = "Record::is_empty")]
            record: Record, Record(RecordEvent);
            /// Decisions, oldest first; at most [`DECISIONS_CAP`](crate::fold::DECISIONS_CAP).
            decisions: Decisions, Decision(DecisionEvent);
            /// What was found out, oldest first; at most [`FINDINGS_CAP`](crate::fold::FINDINGS_CAP).
            #[serde(skip_serializing_if = "Vec::is_empty")]
            findings: Findings, Finding(FindingEvent);
            /// Notes, oldest first; at most [`NOTES_CAP`](crate::fold::NOTES_CAP).
            notes: Notes, Note(NoteEvent);
            /// Files, least recently touched first; at most [`FILES_CAP`](crate::fold::FILES_CAP).
            active_files: ActiveFiles, File(FileEvent);
            /// The plan, in its order; at most [`STEPS_CAP`](crate::fold::STEPS_CAP).
            next_steps: NextSteps, Step(StepEvent);
            /// What the HUD asks the agent to record.
            #[serde(skip_serializing_if = "is_empty")]
            reminder: Reminder, Reminder(ReminderEvent);
            /// What is in the way, oldest first; at most [`BLOCKERS_CAP`](crate::fold::BLOCKERS_CAP).
            blockers: Blockers, Blocker(BlockerEvent);
            /// Failures, least recent first; at most [`ERRORS_CAP`](crate::fold::ERRORS_CAP).
            errors: Errors, Error(ErrorEvent);
            /// The last run of each check, the last one at the end; at most
            /// [`CHECKS_CAP`](crate::fold::CHECKS_CAP).
            #[serde(skip_serializing_if = "Vec::is_empty")]
            checks: Checks, Check(CheckEvent);
            /// What was done to the repository.
            #[serde(skip_serializing_if = "is_empty")]
            repository: Repository, Repository(RepositoryEvent);
            /// What remains of the conversation before the last compaction.
            compacted: Compacted, Compact(CompactEvent);
            /// A compaction that began and has not ended.
            compacting: CompactionUnderWay;
            /// How full the context window is. `None` before the first reading and from a compaction
            /// whose outcome is not known until the next reading.
            context: Context, Context(ContextEvent);
            /// The outputs of tools that were taken out of the conversation since the last compaction, oldest
            /// first.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            pruned: Pruned, Output(OutputEvent);
            /// What the project depends on, oldest first; at most
            /// [`DEPENDENCIES_CAP`](crate::fold::DEPENDENCIES_CAP).
            #[serde(skip_serializing_if = "Vec::is_empty")]
            dependencies: Dependencies, Dependency(DependencyEvent);
            /// What the agent knows, by path; at most [`KNOWLEDGE_CAP`](crate::fold::KNOWLEDGE_CAP) values.
            #[serde(skip_serializing_if = "is_empty")]
            knowledge: Knowledge, Knowledge(KnowledgeEvent);
            /// How much of its HUD the agent gives to which section.
            #[serde(skip_serializing_if = "is_empty")]
            attention: Attention, Attention(AttentionEvent);
            /// What tools said, as far as it is in the conversation.
            #[serde(skip_serializing_if = "is_empty")]
            outputs: Outputs, Seen(SeenEvent);
            /// Blocks that the agent keeps about itself.
            core_memory: CoreMemory, CoreMemory(CoreMemoryEvent);
            /// What the agent keeps at hand for a while.
            working_memory: WorkingMemory, WorkingMemory(WorkingMemoryEvent);
        }
    };
}

mod added;
mod attention;
mod bearing;
mod blockers;
mod checks;
mod compaction;
mod constraints;
mod context;
mod core_memory;
mod decisions;
mod dependencies;
mod dropped;
mod earlier;
mod errors;
mod files;
mod findings;
mod knowledge;
mod list;
mod notes;
mod origin;
mod outputs;
mod record;
mod registry;
mod reminder;
mod repository;
mod requests;
mod steps;
mod table;
mod taking;
mod task;
mod working_memory;

pub use added::Added;
pub use attention::*;
pub use bearing::{At, Bearing, Stage};
pub use blockers::*;
pub use checks::*;
pub use compaction::*;
pub use constraints::*;
pub use context::*;
pub use core_memory::*;
pub use decisions::*;
pub use dependencies::*;
pub use dropped::*;
pub use earlier::*;
pub use errors::*;
pub use files::*;
pub use findings::*;
pub use knowledge::*;
pub use notes::*;
pub use origin::*;
pub use outputs::*;
pub use record::*;
pub use registry::{SectionError, Sections, UnknownSection};
pub use reminder::*;
pub use repository::*;
pub use requests::*;
pub use steps::*;
pub use table::{Epoch, HudEvent, HudState, changes, news};
pub(crate) use table::{apply, built_in_kinds, carry_over, each_built_in, restore};
pub use taking::{Relation, Taking};
pub use task::*;
pub use working_memory::*;

use std::fmt::Debug;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::event::{Actor, Events, HudEvent as Event, StoredEvent};
use crate::state::Change;

/// One idea of a session: a part of its state, and how events change it.
///
/// The fold must be pure, total and deterministic: [`apply`](Self::apply) reads no clock and no
/// environment, accepts every event in every state, and gives the same on every machine.
pub trait Section:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Its name: in the state, in `hud log --section`, in the configuration.
    const NAME: &'static str;

    /// What one of its items is called, in a word or two: "decision" in `decisions`.
    const ITEM: &'static str = Self::NAME;

    /// The version of its fold: raised when the same events give another value, so that no snapshot of
    /// an older program is taken for one of this.
    const VERSION: u32 = 1;

    /// How often it changes.
    const PACE: Pace = Pace::Steady;

    /// Whether it folds events of other sections, which [`overhear`](Self::overhear) is given.
    const OVERHEARS: bool = false;

    /// Its own events; [`NoEvents`](crate::event::NoEvents) where it folds what others say.
    type Event: Events;

    /// Takes in an event of its own. Its texts are no longer than a state holds. Where it panics, the
    /// section stays as it was, and the event is in the log; so in [`overhear`](Self::overhear).
    fn apply(&mut self, event: &Self::Event, when: &Happened<'_>);

    /// Takes in an event of another section, where [`OVERHEARS`](Self::OVERHEARS) is set.
    fn overhear(&mut self, event: &Event, when: &Happened<'_>) {
        let _ = (event, when);
    }

    /// What it says, item by item: for differences, and for whoever shows a section that it does not
    /// know.
    fn items(&self) -> Vec<Item>;

    /// How its items bear on the work, as far as that is known of them: what it is worth beside other
    /// sections follows from the one that does most. By default it is always worth the same.
    fn bearings(&self) -> Vec<Bearing> {
        Vec::new()
    }

    /// Whether a change of one of its items is worth saying to a model that was shown what it was before. By
    /// default each is. Where the whole section is shown, nothing is left out.
    fn is_news(&self, change: &Change) -> bool {
        let _ = change;
        true
    }

    /// What one of its events is in the session of the agent that made this one, where it comes up because
    /// somebody recorded it. `name` gives the name that an item has there. By default nothing comes up.
    fn handed_up(event: &Self::Event, name: &dyn Fn(&str) -> String) -> Option<Self::Event> {
        let _ = (event, name);
        None
    }

    /// What a session takes over of it from one that it comes from, as events of its own. `own` is the
    /// section of the session that takes it. By default nothing is.
    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<Self::Event> {
        let _ = (own, taking);
        Vec::new()
    }

    /// Becomes what it was `then`, because the conversation was rewound. What an event brings back may
    /// be written by anybody: a section that has bounds keeps to them here.
    fn restore(&mut self, then: Self) {
        *self = then;
    }
}

/// How often a section changes, by which an [`Epoch`] knows what to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Only when somebody acts on it. An epoch begins when one of these has something to show.
    Steady,
    /// As the work goes on. An epoch keeps what it was when the epoch began.
    Working,
    /// Anew with each turn: no epoch keeps it.
    EachTurn,
}

/// The circumstances of an event.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'e> {
    /// When.
    pub at: Timestamp,
    /// In which turn.
    pub turn: u64,
    /// The event's place in its session. It has the same one in every log that has the session.
    pub version: u64,
    /// Who made it happen.
    pub actor: &'e Actor,
    /// The rest of the state: of the built-in sections, those below this one in the table are as they
    /// were before the event.
    pub rest: &'e HudState,
}

impl<'e> Happened<'e> {
    pub(crate) fn of(event: &'e StoredEvent, rest: &'e HudState) -> Self {
        Self {
            at: event.at,
            turn: event.turn,
            version: event.version,
            actor: &event.actor,
            rest,
        }
    }
}

/// An item of a section, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name within the section: an id, a path; empty where the section is one thing.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Whether the name says something to a reader, as a path does and a number doesn't.
    pub is_named: bool,
}

impl Item {
    /// An item whose name is no more than a name.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            is_named: false,
        }
    }

    /// An item whose name is to be read: a path, say.
    pub fn named(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            is_named: true,
            ..Self::new(id, text)
        }
    }

    /// What a section says that is one thing.
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self::new("", text)
    }
}

/// A text, with more behind it where there is more.
fn with(text: &str, between: &str, more: Option<&str>) -> String {
    match more {
        Some(more) => format!("{text}{between}{more}"),
        None => text.to_owned(),
    }
}

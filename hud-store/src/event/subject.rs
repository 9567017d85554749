//! What an event is about, and what it says in words.

use std::borrow::Cow;

use super::HudEvent;
use crate::state::{MemoryBlock, Section};

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject<'e> {
    /// The section of the state.
    pub section: Section,
    /// The item in it: its id, a file's path, a block's name, the content of what is remembered.
    /// `None` where the section is one thing.
    pub item: Option<&'e str>,
}

impl HudEvent {
    /// The section, and the item in it, that the event is about; `None` where it is about the log
    /// itself or nothing that is known.
    ///
    /// ```
    /// use hud_store::event::{FileEdit, HudEvent};
    /// use hud_store::state::Section;
    ///
    /// let event = HudEvent::from(FileEdit { path: "src/main.rs".into() });
    /// let subject = event.subject().unwrap();
    /// assert_eq!((subject.section, subject.item), (Section::ActiveFiles, Some("src/main.rs")));
    /// ```
    pub fn subject(&self) -> Option<Subject<'_>> {
        let (section, item) = match self {
            Self::SessionStart(_) => (Section::Origin, None),
            Self::TaskSet(_) | Self::TaskUpdate(_) => (Section::Task, None),
            Self::DecisionRecord(e) => (Section::Decisions, Some(&e.id)),
            Self::DecisionRemove(e) => (Section::Decisions, Some(&e.id)),
            Self::NoteAdd(e) => (Section::Notes, Some(&e.id)),
            Self::NoteUpdate(e) => (Section::Notes, Some(&e.id)),
            Self::NoteRemove(e) => (Section::Notes, Some(&e.id)),
            Self::FileOpen(e) => (Section::ActiveFiles, Some(&e.path)),
            Self::FileEdit(e) => (Section::ActiveFiles, Some(&e.path)),
            Self::FileClose(e) => (Section::ActiveFiles, Some(&e.path)),
            Self::StepAdd(e) => (Section::NextSteps, Some(&e.id)),
            Self::StepStart(e) => (Section::NextSteps, Some(&e.id)),
            Self::StepComplete(e) => (Section::NextSteps, Some(&e.id)),
            Self::StepRemove(e) => (Section::NextSteps, Some(&e.id)),
            Self::StepReorder(_) => (Section::NextSteps, None),
            Self::ErrorEncountered(e) => (Section::Errors, Some(&e.id)),
            Self::ErrorResolved(e) => (Section::Errors, Some(&e.id)),
            Self::BlockerAdd(e) => (Section::Blockers, Some(&e.id)),
            Self::BlockerRemove(e) => (Section::Blockers, Some(&e.id)),
            Self::ContextSnapshot(_) => (Section::Context, None),
            Self::CompactBefore(_) | Self::CompactAfter(_) => (Section::Compacted, None),
            Self::MemoryCoreUpdate(e) => {
                return Some(Subject {
                    section: Section::CoreMemory,
                    item: Some(match e.block {
                        MemoryBlock::Goal => "goal",
                        MemoryBlock::Progress => "progress",
                        MemoryBlock::Context => "context",
                    }),
                });
            }
            Self::MemoryItemAdd(e) => (Section::WorkingMemory, Some(&e.content)),
            Self::MemoryItemRemove(e) => (Section::WorkingMemory, Some(&e.content)),
            Self::MemoryClear(_) => (Section::WorkingMemory, None),
            Self::SessionRestore(_)
            | Self::OutputKeep(_)
            | Self::EventRedact(_)
            | Self::EventRedacted(_)
            | Self::Unknown { .. } => return None,
        };
        Some(Subject {
            section,
            item: item.map(String::as_str),
        })
    }

    /// What somebody might look for later: the words of tasks, decisions, notes, steps, errors,
    /// blockers, summaries, memory and kept outputs. `None` for what has none.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        let words = match self {
            Self::TaskSet(e) => Cow::from(&e.description),
            Self::TaskUpdate(e) => joined(&[e.description.as_deref(), e.latest_request.as_deref()]),
            Self::DecisionRecord(e) => joined(&[Some(&e.summary), e.details.as_deref()]),
            Self::NoteAdd(e) => Cow::from(&e.content),
            Self::NoteUpdate(e) => Cow::from(&e.content),
            Self::StepAdd(e) => Cow::from(&e.description),
            Self::ErrorEncountered(e) => {
                joined(&[e.tool.as_deref(), e.target.as_deref(), Some(&e.message)])
            }
            Self::ErrorResolved(e) => Cow::from(e.resolution.as_deref()?),
            Self::BlockerAdd(e) => Cow::from(&e.description),
            Self::CompactAfter(e) => Cow::from(e.summary.as_deref()?),
            Self::MemoryCoreUpdate(e) => Cow::from(&e.content),
            Self::MemoryItemAdd(e) => Cow::from(&e.content),
            Self::OutputKeep(e) => joined(&[Some(&e.tool), e.target.as_deref(), Some(&e.content)]),
            _ => return None,
        };
        (!words.trim().is_empty()).then_some(words)
    }
}

fn joined<'e>(parts: &[Option<&'e str>]) -> Cow<'e, str> {
    let parts: Vec<&str> = parts.iter().flatten().copied().collect();
    match parts.as_slice() {
        [one] => Cow::from(*one),
        parts => Cow::from(parts.join("\n")),
    }
}
